select t7.c0 as c0, t7.c1 as c1
from (
  select t6.c4 as c0, (count(*) * 16::int8) + '-7493989779944505344'::int8 as c1
  from (
    select t1.s as c0, t1.p as c1, t1.o as c2, t1.g as c3, t1.g as c4
    from (
      (
        select t5.g as g, t5.s as s, t5.p as p, t5.o as o
        from "quadstead".quad as t5
      )
      union all (
        select t2.parent as g, t2.parent as s, 10::int8 as p, t2.id as o
        from "quadstead".document as t2
        where (t2.parent is not null)
      )
      union all (
        select t3.parent as g, t3.parent as s, t3.member_by as p, t3.id as o
        from "quadstead".document as t3
        where (t3.parent is not null) and (t3.member_by is not null) and (not (exists (
          select 1::int8 as c0
          from "quadstead".quad as t4
          where t4.copy
            and (t4.s = t3.parent)
            and (t4.p = t3.member_by)
            and (t4.o = t3.id)
            and (t4.g = t3.parent)
        ) is true))
      )
    ) as t1
  ) as t6
  group by t6.c4
) as t7
