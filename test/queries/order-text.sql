select t14.c0 as c0, t14.c1 as c1, t14.c2 as c2
from (
  select t13.c4 as c0,
    (count(*) * 16::int8) + '-7493989779944505344'::int8 as c1,
    "quadstead".sparql_joined("quadstead".sparql_size(distinct t13.c6),
      coalesce(array_agg(distinct t13.c6), array[]::text[]),
      ($1::text[])[1]) as c2
  from (
    select t12.c0 as c0,
      t12.c1 as c1,
      t12.c2 as c2,
      t12.c3 as c3,
      t12.c4 as c4,
      t12.c5 as c5,
      t12.c6 as c6
    from (
      select t9.c0 as c0, t9.c1 as c1, t9.c2 as c2, t9.c3 as c3, t9.c4 as c4, t9.c5 as c5, t9.c6 as c6
      from (
        with t7 as materialized (
          select t4.c0 as c0, t4.c1 as c1
          from (
            with t2 as materialized (
              select t0.o as c0, t0.s as c1
              from (
                select t1.s as s, t1.o as o
                from "quadstead".quad as t1
                where (t1.copy is null) and (t1.p = any ('{1013,1014}'::int8[]))
              ) as t0
            )
            select t3.c1 as c0, t3.c0 as c1
            from t2 as t3
            left join "quadstead".term as t5 on (t5.id = t3.c0) and (t5.id = any (array(
              select t6.c0 as c0
              from t2 as t6
              where (t6.c0 >= 0::int8)
            )))
            where (not (
              (
                select "quadstead".sparql_substr(b0.c0, int4(1::int8), int4(1::int8)) as c0
                from (
                  select case when t3.c0 < 0::int8 then "quadstead".sparql_inline_lex(t3.c0) else t5.lex end as c0
                  offset 0
                ) as b0
              ) = ($1::text[])[2]
            ))
          ) as t4
        )
        select t8.c0 as c0,
          t8.c1 as c1,
          "quadstead".sparql_string(
            (
              select "quadstead".sparql_substr(b0.c0, int4(1::int8), int4(1::int8)) as c0
              from (
                select case when t8.c1 < 0::int8 then "quadstead".sparql_inline_lex(t8.c1) else t10.lex end as c0
                offset 0
              ) as b0
            )
          ) as c2,
          "quadstead".sparql_digest(($1::text[])[3], "quadstead".sparql_string(
            (
              select "quadstead".sparql_substr(b0.c0, int4(1::int8), int4(1::int8)) as c0
              from (
                select case when t8.c1 < 0::int8 then "quadstead".sparql_inline_lex(t8.c1) else t10.lex end as c0
                offset 0
              ) as b0
            )
          )) as c3,
          "quadstead".sparql_string(
            (
              select "quadstead".sparql_substr(b0.c0, int4(1::int8), int4(1::int8)) as c0
              from (
                select case when t8.c1 < 0::int8 then "quadstead".sparql_inline_lex(t8.c1) else t10.lex end as c0
                offset 0
              ) as b0
            )
          ) as c4,
          "quadstead".sparql_digest(($1::text[])[3], "quadstead".sparql_string(
            (
              select "quadstead".sparql_substr(b0.c0, int4(1::int8), int4(1::int8)) as c0
              from (
                select case when t8.c1 < 0::int8 then "quadstead".sparql_inline_lex(t8.c1) else t10.lex end as c0
                offset 0
              ) as b0
            )
          )) as c5,
          "quadstead".sparql_digest(($1::text[])[3], "quadstead".sparql_string(
            (
              select "quadstead".sparql_substr(b0.c0, int4(1::int8), int4(1::int8)) as c0
              from (
                select case when t8.c1 < 0::int8 then "quadstead".sparql_inline_lex(t8.c1) else t10.lex end as c0
                offset 0
              ) as b0
            )
          )) as c6
        from t7 as t8
        left join "quadstead".term as t10 on (t10.id = t8.c1) and (t10.id = any (array(
          select t11.c1 as c0
          from t7 as t11
          where (t11.c1 >= 0::int8)
        )))
      ) as t9
    ) as t12
    order by t12.c4 asc
    offset 0
  ) as t13
  group by t13.c4
) as t14
order by substr(t14.c0, int4(43::int8)) collate "C" asc nulls first,
  substr(t14.c2, int4(43::int8)) collate "C" desc nulls last,
  t14.c0 collate "C" asc nulls first,
  t14.c1 asc nulls first,
  t14.c2 collate "C" asc nulls first
-- $1[1] " "
-- $1[2] "n"
-- $1[3] "md5"
