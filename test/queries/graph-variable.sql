select t1.g as c0, t1.s as c1
from "q".quad as t1
where (t1.p = 1000::int8) and (t1.o = 1001::int8)
