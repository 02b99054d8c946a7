select t0.o as c0
from (
  (
    select t3.g as g, t3.s as s, t3.p as p, t3.o as o
    from "quadstead".quad as t3
    where (t3.copy is null)
  )
  union all (
    select t1.parent as g, t1.parent as s, 10::int8 as p, t1.id as o
    from "quadstead".document as t1
    where (t1.parent is not null)
  )
) as t0
where (t0.s = 1000::int8) and (t0.p = 10::int8)
