select t2.s as c0, t2.p as c1, t2.o as c2
from (
  with recursive t5 (n) as (
    (
      (
        select 1004::int8 as n
      )
      union all (
        select t4.n as n
        from (
          select t0.s as c0
          from "quadstead".quad as t0
          where (t0.copy is null) and (t0.p = 1018::int8) and (t0.o = '-7493989779944505280'::int8)
        ) as t3
        cross join lateral (
          (
            select t3.c0 as n
          )
        ) as t4
        where ((t4.n >= 1::int8) and (t4.n < 2305843009213693952::int8))
      )
    )
    union (
      select t7.o as n
      from t5 as t6
      cross join lateral (
        select t8.s as s, t8.p as p, t8.o as o
        from "quadstead".quad as t8
        where (t8.copy is null)
          and (t8.s = t6.n)
          and ((t8.o >= 1152921504606846976::int8) and (t8.o < 2305843009213693952::int8))
        offset 0
      ) as t7
    )
  )
  select n
  from t5
) as t1
left join lateral (
  select t9.s as s, t9.p as p, t9.o as o
  from (
    (
      select t12.g as g, t12.s as s, t12.p as p, t12.o as o
      from "quadstead".quad as t12
      where (t12.copy is null)
    )
    union all (
      select t10.parent as g, t10.parent as s, 10::int8 as p, t10.id as o
      from "quadstead".document as t10
      where (t10.parent is not null)
    )
    union all (
      select t11.parent as g, t11.parent as s, t11.member_by as p, t11.id as o
      from "quadstead".document as t11
      where (t11.parent is not null) and (t11.member_by is not null)
    )
  ) as t9
  where (t9.s = t1.n)
  offset 0
) as t2 on true
