select t0.s as c0, t2.c0 as c1, t4.c0 as c2
from "quadstead".quad as t0
cross join lateral (
  select t1.o as c0
  from "quadstead".quad as t1
  where (t1.copy is null) and (t0.s = t1.s) and (t1.p = 1000::int8)
  offset 0
) as t2
cross join lateral (
  select t3.o as c0
  from "quadstead".quad as t3
  where (t3.copy is null) and (t0.s = t3.s) and (t3.p = 1016::int8)
  offset 0
) as t4
where (t0.copy is null) and (t0.p = 1011::int8) and (t0.o = 1006::int8)
