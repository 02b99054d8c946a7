select t0.o as c0
from ((select t1.g as g, t1.s as s, t1.p as p, t1.o as o
from "q".quad as t1
where (t1.copy is null))
union all (select t2.parent as g, t2.parent as s, 10::int8 as p, t2.id as o
from "q".document as t2
where (t2.parent is not null))) as t0
where (t0.s = 1000::int8) and (t0.p = 10::int8)
