select t0.s as c0, t0.o as c1, coalesce(t1.o, t3.g) as c2, t3.o as c3
from "quadstead".quad as t0
left join "quadstead".quad as t1 on (t0.s = t1.s) and (t1.copy is null) and (t1.p = 1025::int8)
left join (
  (
    select t4.g as g, t4.s as s, t4.p as p, t4.o as o
    from "quadstead".quad as t4
    where (t4.copy is null)
  )
  union all (
    select t5.g as g, t5.s as s, t5.p as p, t5.o as o
    from "quadstead".quad as t5
    where t5.copy
  )
) as t3 on (t0.s = t3.s) and ((t1.o = t3.g) or (t1.o is null)) and (t3.p = 1007::int8)
where (t0.copy is null) and (t0.p = 1015::int8)
