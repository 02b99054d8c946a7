select t0.o as c0
from (
  (
    select t1.s as s, t1.o as o
    from (
      (
        select t4.g as g, t4.s as s, t4.p as p, t4.o as o
        from "quadstead".quad as t4
        where (t4.copy is null)
      )
      union all (
        select t2.parent as g, t2.parent as s, 10::int8 as p, t2.id as o
        from "quadstead".document as t2
        where (t2.parent is not null)
      )
      union all (
        select t3.parent as g, t3.parent as s, t3.member_by as p, t3.id as o
        from "quadstead".document as t3
        where (t3.parent is not null) and (t3.member_by is not null)
      )
    ) as t1
    where (t1.p <> all ('{1015}'::int8[]))
  )
  union all (
    select t5.o as s, t5.s as o
    from (
      (
        select t8.g as g, t8.s as s, t8.p as p, t8.o as o
        from "quadstead".quad as t8
        where (t8.copy is null)
      )
      union all (
        select t6.parent as g, t6.parent as s, 10::int8 as p, t6.id as o
        from "quadstead".document as t6
        where (t6.parent is not null)
      )
      union all (
        select t7.parent as g, t7.parent as s, t7.member_by as p, t7.id as o
        from "quadstead".document as t7
        where (t7.parent is not null) and (t7.member_by is not null)
      )
    ) as t5
    where (t5.p <> all ('{1025}'::int8[]))
  )
) as t0
where (t0.s = 1000::int8)
