select t14.c0 as c0, t14.c3 as c1, t14.c4 as c2
from (
  select t11.c0 as c0,
    t11.c1 as c1,
    t11.c2 as c2,
    t11.c1 as c3,
    t11.c2 as c4,
    coalesce("quadstead".sparql_double(nullif("quadstead".sparql_moderate_double(t11.c2), float8(0::int8)) / nullif("quadstead".sparql_moderate_float(t11.c1), float8(0::int8))),
      "quadstead".sparql_arithmetic(($1::text[])[1], t11.c2, t11.c1)) as c5
  from (
    select t10.c3 as c0,
      "quadstead".sparql_average("quadstead".sparql_numeric(null::text),
        "quadstead".sparql_numeric(null::text),
        sum(float4(t10.c5)),
        float8(null::int8),
        "quadstead".sparql_sum(t10.c6) filter (where t10.c5 is null),
        count(*)) as c1,
      nullif("quadstead".sparql_total("quadstead".sparql_numeric(null::text),
          "quadstead".sparql_numeric(null::text),
          float4(null::int8),
          sum(t10.c8),
          "quadstead".sparql_sum(t10.c9) filter (where t10.c8 is null)),
        ($1::text[])[2]) as c2
    from (
      select t5.c0 as c0,
        t5.c1 as c1,
        t5.c2 as c2,
        t5.c3 as c3,
        t5.c4 as c4,
        t5.c5 as c5,
        t5.c6 as c6,
        t5.c7 as c7,
        t5.c8 as c8,
        t5.c9 as c9
      from (
        with t3 as materialized (
          select t0.s as c0, t0.o as c1, t2.c1 as c2
          from "quadstead".quad as t0
          inner join (
            select t1.s as c0, t1.o as c1
            from "quadstead".quad as t1
            where (t1.copy is null) and (t1.p = 1009::int8)
            offset 0
          ) as t2 on (t0.s = t2.c0)
          where (t0.copy is null) and (t0.p = 1018::int8)
        )
        select t4.c0 as c0,
          t4.c1 as c1,
          t4.c2 as c2,
          t4.c0 as c3,
          case
          when "quadstead".sparql_is_float(t4.c1) then case
          when t4.c1 < 0::int8 then "quadstead".sparql_inline_key(t4.c1)
          when (t4.c1 >= 1152921504606846976::int8) and (t4.c1 < 2305843009213693952::int8) then ($1::text[])[3] || text(t4.c1 - 1152921504606846976::int8)
          else case
          when t6.id < 4611686018427387904 then 'I' || t6.lex
          when t6.lang is not null then 'Lhttp://www.w3.org/1999/02/22-rdf-syntax-ns#langString ' || t6.lang || ' ' || t6.lex
          else 'L' || coalesce(t6.datatype, 'http://www.w3.org/2001/XMLSchema#string') || '  ' || t6.lex
          end
          end
          else coalesce("quadstead".sparql_float(case
              when (t4.c1 >= '-8070450532247928832'::int8) and (t4.c1 < '-6917529027641081856'::int8) then float8(float4((t4.c1 >> 4::int8::int) - '-468374361246531584'::int8))
              when (t4.c1 >= '-6917529027641081856'::int8) and (t4.c1 < '-5764607523034234880'::int8) then float8(float4("quadstead".sparql_of_millionths(float8("quadstead".sparql_millionths(t4.c1)))))
              end),
            "quadstead".sparql_cast(($1::text[])[4],
              case
              when t4.c1 < 0::int8 then "quadstead".sparql_inline_key(t4.c1)
              when (t4.c1 >= 1152921504606846976::int8) and (t4.c1 < 2305843009213693952::int8) then ($1::text[])[3] || text(t4.c1 - 1152921504606846976::int8)
              else case
              when t6.id < 4611686018427387904 then 'I' || t6.lex
              when t6.lang is not null then 'Lhttp://www.w3.org/1999/02/22-rdf-syntax-ns#langString ' || t6.lang || ' ' || t6.lex
              else 'L' || coalesce(t6.datatype, 'http://www.w3.org/2001/XMLSchema#string') || '  ' || t6.lex
              end
              end))
          end as c4,
          case
          when (t4.c1 >= '-8070450532247928832'::int8) and (t4.c1 < '-6917529027641081856'::int8) then float8(float4((t4.c1 >> 4::int8::int) - '-468374361246531584'::int8))
          when (t4.c1 >= '-6917529027641081856'::int8) and (t4.c1 < '-5764607523034234880'::int8) then float8(float4("quadstead".sparql_of_millionths(float8("quadstead".sparql_millionths(t4.c1)))))
          end as c5,
          case
          when case
          when (t4.c1 >= '-8070450532247928832'::int8) and (t4.c1 < '-6917529027641081856'::int8) then float8(float4((t4.c1 >> 4::int8::int) - '-468374361246531584'::int8))
          when (t4.c1 >= '-6917529027641081856'::int8) and (t4.c1 < '-5764607523034234880'::int8) then float8(float4("quadstead".sparql_of_millionths(float8("quadstead".sparql_millionths(t4.c1)))))
          end is null then case
          when "quadstead".sparql_is_float(t4.c1) then case
          when t4.c1 < 0::int8 then "quadstead".sparql_inline_key(t4.c1)
          when (t4.c1 >= 1152921504606846976::int8) and (t4.c1 < 2305843009213693952::int8) then ($1::text[])[3] || text(t4.c1 - 1152921504606846976::int8)
          else case
          when t6.id < 4611686018427387904 then 'I' || t6.lex
          when t6.lang is not null then 'Lhttp://www.w3.org/1999/02/22-rdf-syntax-ns#langString ' || t6.lang || ' ' || t6.lex
          else 'L' || coalesce(t6.datatype, 'http://www.w3.org/2001/XMLSchema#string') || '  ' || t6.lex
          end
          end
          else coalesce("quadstead".sparql_float(case
              when (t4.c1 >= '-8070450532247928832'::int8) and (t4.c1 < '-6917529027641081856'::int8) then float8(float4((t4.c1 >> 4::int8::int) - '-468374361246531584'::int8))
              when (t4.c1 >= '-6917529027641081856'::int8) and (t4.c1 < '-5764607523034234880'::int8) then float8(float4("quadstead".sparql_of_millionths(float8("quadstead".sparql_millionths(t4.c1)))))
              end),
            "quadstead".sparql_cast(($1::text[])[4],
              case
              when t4.c1 < 0::int8 then "quadstead".sparql_inline_key(t4.c1)
              when (t4.c1 >= 1152921504606846976::int8) and (t4.c1 < 2305843009213693952::int8) then ($1::text[])[3] || text(t4.c1 - 1152921504606846976::int8)
              else case
              when t6.id < 4611686018427387904 then 'I' || t6.lex
              when t6.lang is not null then 'Lhttp://www.w3.org/1999/02/22-rdf-syntax-ns#langString ' || t6.lang || ' ' || t6.lex
              else 'L' || coalesce(t6.datatype, 'http://www.w3.org/2001/XMLSchema#string') || '  ' || t6.lex
              end
              end))
          end
          end as c6,
          (
            select "quadstead".sparql_number_from(b0.c0, ($1::text[])[5]) as c0
            from (
              select case when t4.c2 < 0::int8 then "quadstead".sparql_inline_lex(t4.c2) else t7.lex end as c0
              offset 0
            ) as b0
          ) as c7,
          (
            select "quadstead".sparql_double_of(b0.c0) as c0
            from (
              select case when t4.c2 < 0::int8 then "quadstead".sparql_inline_lex(t4.c2) else t7.lex end as c0
              offset 0
            ) as b0
          ) as c8,
          case
          when (
            select "quadstead".sparql_double_of(b0.c0) as c0
            from (
              select case when t4.c2 < 0::int8 then "quadstead".sparql_inline_lex(t4.c2) else t7.lex end as c0
              offset 0
            ) as b0
          ) is null then (
            select "quadstead".sparql_number_from(b0.c0, ($1::text[])[5]) as c0
            from (
              select case when t4.c2 < 0::int8 then "quadstead".sparql_inline_lex(t4.c2) else t7.lex end as c0
              offset 0
            ) as b0
          )
          end as c9
        from t3 as t4
        left join "quadstead".term as t6 on (t6.id = t4.c1) and (t6.id = any (array(
          select t8.c1 as c0
          from t3 as t8
          where (t8.c1 >= 0::int8)
        )))
        left join "quadstead".term as t7 on (t7.id = t4.c2) and (t7.id = any (array(
          select t9.c2 as c0
          from t3 as t9
          where (t9.c2 >= 0::int8)
        )))
      ) as t5
    ) as t10
    group by t10.c3
  ) as t11
  offset 0
) as t14
order by "quadstead".sparql_canonical(t14.c5) desc nulls last,
  t14.c0 asc nulls first,
  t14.c3 collate "C" asc nulls first,
  t14.c4 collate "C" asc nulls first
-- $1[1] "/"
-- $1[2] ""
-- $1[3] "Bqs"
-- $1[4] "float"
-- $1[5] "double"
