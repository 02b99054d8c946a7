select t0.o as c0
from ((select t1.s as s, t1.o as o
from ((select t2.g as g, t2.s as s, t2.p as p, t2.o as o
from "q".quad as t2
where (t2.copy is null))
union all (select t3.parent as g, t3.parent as s, 10::int8 as p, t3.id as o
from "q".document as t3
where (t3.parent is not null))
union all (select t4.parent as g, t4.parent as s, t4.member_by as p, t4.id as o
from "q".document as t4
where (t4.parent is not null) and (t4.member_by is not null))) as t1
where (t1.p <> all ('{1001}'::int8[])))
union all (select t5.o as s, t5.s as o
from ((select t6.g as g, t6.s as s, t6.p as p, t6.o as o
from "q".quad as t6
where (t6.copy is null))
union all (select t7.parent as g, t7.parent as s, 10::int8 as p, t7.id as o
from "q".document as t7
where (t7.parent is not null))
union all (select t8.parent as g, t8.parent as s, t8.member_by as p, t8.id as o
from "q".document as t8
where (t8.parent is not null) and (t8.member_by is not null))) as t5
where (t5.p <> all ('{1002}'::int8[])))) as t0
where (t0.s = 1000::int8)
