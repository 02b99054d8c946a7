select t0.c0 as c0, t2.c0 as c1
from (select *
from (values (1000::int8, null::int8), (576460752303423488::int8, '-7493989779944505328'::int8)) as v (c0, c1)) as t0
cross join lateral (select t1.o as c0
from "q".quad as t1
where (t1.copy is null) and (t0.c0 = t1.s) and (t1.p = 1001::int8) and ((t0.c1 = t1.o) or (t0.c1 is null)) offset 0) as t2
