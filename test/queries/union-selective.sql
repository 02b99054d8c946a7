select t6.c1 as c0
from (
  (
    select t0.s as c0, t2.c0 as c1
    from "quadstead".quad as t0
    cross join lateral (
      select t1.s as c0
      from "quadstead".quad as t1
      where (t1.copy is null) and (t1.p = 1000::int8) and (t0.s = t1.o)
      offset 0
    ) as t2
    where (t0.copy is null) and (t0.p = 1024::int8) and (t0.o = 1017::int8)
  )
  union all (
    select t3.s as c0, t5.c0 as c1
    from "quadstead".quad as t3
    cross join lateral (
      select t4.s as c0
      from "quadstead".quad as t4
      where (t4.copy is null) and (t4.p = 1016::int8) and (t3.s = t4.o)
      offset 0
    ) as t5
    where (t3.copy is null) and (t3.p = 1024::int8) and (t3.o = 1017::int8)
  )
) as t6
