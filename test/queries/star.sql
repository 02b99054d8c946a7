select t0.s as c0, t1.o as c1, t2.o as c2
from "q".quad as t0
inner join "q".quad as t1 on (t1.copy is null) and (t0.s = t1.s) and (t1.p = 1002::int8)
inner join "q".quad as t2 on (t2.copy is null) and (t0.s = t2.s) and (t2.p = 1003::int8)
where (t0.copy is null) and (t0.p = 1000::int8) and (t0.o = 1001::int8)
