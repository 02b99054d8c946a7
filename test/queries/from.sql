select t0.s as c0
from (
  (
    select t7.g as g, t7.s as s, t7.p as p, t7.o as o
    from "quadstead".quad as t7
    where (t7.copy is null)
  )
  union all (
    select t8.g as g, t8.s as s, t8.p as p, t8.o as o
    from "quadstead".quad as t8
    where t8.copy
  )
) as t0
where (t0.g = any ('{1026,1010}'::int8[])) and (not exists (
  select 1::int8 as c0
  from (
    (
      select t5.g as g, t5.s as s, t5.p as p, t5.o as o
      from "quadstead".quad as t5
      where (t5.copy is null)
    )
    union all (
      select t6.g as g, t6.s as s, t6.p as p, t6.o as o
      from "quadstead".quad as t6
      where t6.copy
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
  where (t1.s = t0.s)
    and (t1.p = t0.p)
    and (t1.o = t0.o)
    and (t1.g < t0.g)
    and (t1.g = any ('{1026,1010}'::int8[]))
)) and (t0.p = 1015::int8)
