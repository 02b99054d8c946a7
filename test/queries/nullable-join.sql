select t0.s as c0, t0.o as c1, coalesce(t1.o, t3.g) as c2, t3.o as c3
from "q".quad as t0
left join "q".quad as t1 on (t0.o = t1.s) and (t1.copy is null) and (t1.p = 1001::int8)
left join "q".quad as t3 on (t0.s = t3.s) and ((t1.o = t3.g) or (t1.o is null)) and (t3.p = 1002::int8)
where (t0.copy is null) and (t0.p = 1000::int8)
