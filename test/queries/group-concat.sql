select t10.c0 as c0, t10.c1 as c1, t10.c2 as c2, t10.c3 as c3
from (
  select t9.c3 as c0,
    "quadstead".sparql_concatenated(count(*),
      count(t9.c5),
      "quadstead".sparql_size(octet_length(t9.c5) + octet_length(($1::text[])[1])),
      string_agg(t9.c5, ($1::text[])[1])) as c1,
    "quadstead".sparql_joined("quadstead".sparql_size(distinct t9.c6),
      coalesce(array_agg(distinct t9.c6), array[]::text[]),
      ($1::text[])[2]) as c2,
    case
    when count(*) = count(t9.c8) then "quadstead".sparql_string(max(t9.c8 collate "C"))
    end as c3
  from (
    select t8.c0 as c0,
      t8.c1 as c1,
      t8.c2 as c2,
      t8.c3 as c3,
      t8.c4 as c4,
      t8.c5 as c5,
      t8.c6 as c6,
      t8.c7 as c7,
      t8.c8 as c8
    from (
      select t5.c0 as c0,
        t5.c1 as c1,
        t5.c2 as c2,
        t5.c3 as c3,
        t5.c4 as c4,
        t5.c5 as c5,
        t5.c6 as c6,
        t5.c7 as c7,
        t5.c8 as c8
      from (
        with t3 as materialized (
          select t0.s as c0, t0.o as c1, t2.c1 as c2
          from "quadstead".quad as t0
          inner join (
            select t1.s as c0, t1.o as c1
            from "quadstead".quad as t1
            where (t1.copy is null) and (t1.p = 1014::int8)
            offset 0
          ) as t2 on (t0.s = t2.c0)
          where (t0.copy is null) and (t0.p = 1017::int8)
        )
        select t4.c0 as c0,
          t4.c1 as c1,
          t4.c2 as c2,
          t4.c1 as c3,
          t4.c2 as c4,
          case
          when t4.c2 < 0::int8 then "quadstead".sparql_inline_lex(t4.c2)
          else t6.lex
          end as c5,
          case
          when t4.c2 < 0::int8 then "quadstead".sparql_inline_key(t4.c2)
          when (t4.c2 >= 1152921504606846976::int8) and (t4.c2 < 2305843009213693952::int8) then ($1::text[])[3] || text(t4.c2 - 1152921504606846976::int8)
          else case
          when t6.id < 4611686018427387904 then 'I' || t6.lex
          when t6.lang is not null then 'Lhttp://www.w3.org/1999/02/22-rdf-syntax-ns#langString ' || t6.lang || ' ' || t6.lex
          else 'L' || coalesce(t6.datatype, 'http://www.w3.org/2001/XMLSchema#string') || '  ' || t6.lex
          end
          end as c6,
          "quadstead".sparql_string(case when t4.c2 < 0::int8 then "quadstead".sparql_inline_lex(t4.c2) else t6.lex end) as c7,
          case
          when t4.c2 < 0::int8 then "quadstead".sparql_inline_lex(t4.c2)
          else t6.lex
          end as c8
        from t3 as t4
        left join "quadstead".term as t6 on (t6.id = t4.c2) and (t6.id = any (array(
          select t7.c2 as c0
          from t3 as t7
          where (t7.c2 >= 0::int8)
        )))
      ) as t5
    ) as t8
    order by t8.c3 asc
    offset 0
  ) as t9
  group by t9.c3
) as t10
-- $1[1] ", "
-- $1[2] " "
-- $1[3] "Bqs"
