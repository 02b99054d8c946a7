select t0.o as c0
from ((select t1.g as g, t1.s as s, t1.p as p, t1.o as o
from "q".quad as t1
where (t1.copy is null))
union all (select t2.parent as g, t2.parent as s, 10::int8 as p, t2.id as o
from "q".document as t2
where (t2.parent is not null))
union all (select t3.parent as g, t3.parent as s, t3.member_by as p, t3.id as o
from "q".document as t3
where (t3.parent is not null) and (t3.member_by is not null))) as t0
where (t0.s = 1000::int8) and (t0.p = 10::int8)
