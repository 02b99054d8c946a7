select t4.c0 as c0, t4.c1 as c1
from (
  select *
  from (
    values (1000::int8, null::int8), (576460752303423488::int8, '-7493989779944505328'::int8)
  ) as v (c0, c1)
) as t0
cross join lateral (
  select t3.c0 as c0, t3.c1 as c1
  from (
    (
      select t0.c0 as c0, t0.c1 as c1
      from "quadstead".quad as t1
      where (t0.c1 is not null)
        and (t1.copy is null)
        and (t0.c0 = t1.s)
        and (t1.p = 1015::int8)
        and (t0.c1 = t1.o)
    )
    union all (
      select t0.c0 as c0, t2.o as c1
      from "quadstead".quad as t2
      where (t0.c1 is null) and (t2.copy is null) and (t0.c0 = t2.s) and (t2.p = 1015::int8)
    )
  ) as t3
  offset 0
) as t4
