select t8.n as c0
from lateral (
  with recursive t2 (n) as (
    (
      select 1000::int8 as n
    )
    union (
      select t4.n as n
      from t2 as t3
      cross join lateral (
        select t5.n as n
        from lateral (
          select t7.o as n
          from (
            select t6.s as s, t6.o as o
            from "quadstead".quad as t6
            where (t6.copy is null) and (t6.p = 1008::int8)
          ) as t7
          where (t7.s = t3.n)
        ) as t5
        offset 0
      ) as t4
      where (t3.n >= '-9223372036854775808'::int8) and (t3.n <= 9223372036854775807::int8)
    )
  )
  select n
  from t2
) as t8
