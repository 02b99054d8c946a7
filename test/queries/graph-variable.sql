select t1.g as c0, t1.s as c1
from (
  (
    select t2.g as g, t2.s as s, t2.p as p, t2.o as o
    from "quadstead".quad as t2
    where (t2.copy is null)
  )
  union all (
    select t3.g as g, t3.s as s, t3.p as p, t3.o as o
    from "quadstead".quad as t3
    where t3.copy
  )
) as t1
where (t1.p = 1015::int8) and (t1.o = 4611686018427388925::int8)
