select t0.s as c0
from "q".quad as t0
where (t0.g = any ('{1001,1002}'::int8[])) and (not exists (select 1::int8 as c0
from ((select t2.g as g, t2.s as s, t2.p as p, t2.o as o
from "q".quad as t2)
union all (select t3.parent as g, t3.parent as s, 10::int8 as p, t3.id as o
from "q".document as t3
where (t3.parent is not null))
union all (select t4.parent as g, t4.parent as s, t4.member_by as p, t4.id as o
from "q".document as t4
where (t4.parent is not null) and (t4.member_by is not null) and (not exists (select 1::int8 as c0
from "q".quad as t5
where (t5.s = t4.parent) and (t5.p = t4.member_by) and (t5.o = t4.id) and (t5.g = t4.parent))))) as t1
where (t1.s = t0.s) and (t1.p = t0.p) and (t1.o = t0.o) and (t1.g < t0.g) and (t1.g = any ('{1001,1002}'::int8[])))) and (t0.p = 1000::int8)
