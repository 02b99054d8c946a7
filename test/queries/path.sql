select t7.n as c0
from lateral (with recursive t3 (n) as ((select 1000::int8 as n)
union (select t5.o as n
from t3 as t4
inner join (select t6.s as s, t6.o as o
from "q".quad as t6
where (t6.copy is null) and (t6.p = 1001::int8)) as t5 on (t5.s = t4.n))) select n
from t3) as t7
