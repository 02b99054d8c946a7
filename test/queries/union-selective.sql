select t4.c1 as c0
from ((select t0.s as c0, t1.s as c1
from "q".quad as t0
inner join "q".quad as t1 on (t1.copy is null) and (t1.p = 1002::int8) and (t0.s = t1.o)
where (t0.copy is null) and (t0.p = 1000::int8) and (t0.o = 1001::int8))
union all (select t2.s as c0, t3.s as c1
from "q".quad as t2
inner join "q".quad as t3 on (t3.copy is null) and (t3.p = 1003::int8) and (t2.s = t3.o)
where (t2.copy is null) and (t2.p = 1000::int8) and (t2.o = 1001::int8))) as t4
