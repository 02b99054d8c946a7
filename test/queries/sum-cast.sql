select t7.c0 as c0, t7.c3 as c1, t7.c4 as c2
from (
  select t4.c0 as c0,
    t4.c1 as c1,
    t4.c2 as c2,
    t4.c1 as c3,
    t4.c2 as c4,
    coalesce("quadstead".sparql_double(nullif("quadstead".sparql_moderate_double(t4.c2), float8(0::int8)) / nullif("quadstead".sparql_moderate_float(t4.c1), float8(0::int8))),
      "quadstead".sparql_arithmetic(($1::text[])[1], t4.c2, t4.c1)) as c5
  from (
    select t3.c3 as c0,
      "quadstead".sparql_average("quadstead".sparql_numeric(null::text),
        "quadstead".sparql_numeric(null::text),
        sum(float4(t3.c5)),
        float8(null::int8),
        "quadstead".sparql_sum(t3.c6) filter (where t3.c5 is null),
        count(*)) as c1,
      nullif("quadstead".sparql_total("quadstead".sparql_numeric(null::text),
          "quadstead".sparql_numeric(null::text),
          float4(null::int8),
          sum(t3.c8),
          "quadstead".sparql_sum(t3.c9) filter (where t3.c8 is null)),
        ($1::text[])[2]) as c2
    from (
      select t0.s as c0,
        t0.o as c1,
        t2.c1 as c2,
        t0.s as c3,
        case
        when "quadstead".sparql_is_float(t0.o) then case
        when t0.o < 0::int8 then "quadstead".sparql_inline_key(t0.o)
        when (t0.o >= 1152921504606846976::int8) and (t0.o < 2305843009213693952::int8) then ($1::text[])[3] || text(t0.o - 1152921504606846976::int8)
        else (
          select case
            when d.id < 4611686018427387904 then 'I' || d.lex
            when d.lang is not null then 'Lhttp://www.w3.org/1999/02/22-rdf-syntax-ns#langString ' || d.lang || ' ' || d.lex
            else 'L' || coalesce(d.datatype, 'http://www.w3.org/2001/XMLSchema#string') || '  ' || d.lex
            end
          from "quadstead".term as d
          where d.id = t0.o
        )
        end
        else coalesce("quadstead".sparql_float(case
            when (t0.o >= '-8070450532247928832'::int8) and (t0.o < '-6917529027641081856'::int8) then float8(float4((t0.o >> 4::int8::int) - '-468374361246531584'::int8))
            when (t0.o >= '-6917529027641081856'::int8) and (t0.o < '-5764607523034234880'::int8) then float8(float4("quadstead".sparql_of_millionths(float8("quadstead".sparql_millionths(t0.o)))))
            end),
          (
            select "quadstead".sparql_cast(($1::text[])[4],
                case
                when t0.o < 0::int8 then "quadstead".sparql_inline_key(t0.o)
                when (t0.o >= 1152921504606846976::int8) and (t0.o < 2305843009213693952::int8) then ($1::text[])[3] || text(t0.o - 1152921504606846976::int8)
                else case
                when d0.id < 4611686018427387904 then 'I' || d0.lex
                when d0.lang is not null then 'Lhttp://www.w3.org/1999/02/22-rdf-syntax-ns#langString ' || d0.lang || ' ' || d0.lex
                else 'L' || coalesce(d0.datatype, 'http://www.w3.org/2001/XMLSchema#string') || '  ' || d0.lex
                end
                end) as c0
            from (
              select
            ) as one
            left join "quadstead".term as d0 on (d0.id = t0.o)
          ))
        end as c4,
        case
        when (t0.o >= '-8070450532247928832'::int8) and (t0.o < '-6917529027641081856'::int8) then float8(float4((t0.o >> 4::int8::int) - '-468374361246531584'::int8))
        when (t0.o >= '-6917529027641081856'::int8) and (t0.o < '-5764607523034234880'::int8) then float8(float4("quadstead".sparql_of_millionths(float8("quadstead".sparql_millionths(t0.o)))))
        end as c5,
        case
        when case
        when (t0.o >= '-8070450532247928832'::int8) and (t0.o < '-6917529027641081856'::int8) then float8(float4((t0.o >> 4::int8::int) - '-468374361246531584'::int8))
        when (t0.o >= '-6917529027641081856'::int8) and (t0.o < '-5764607523034234880'::int8) then float8(float4("quadstead".sparql_of_millionths(float8("quadstead".sparql_millionths(t0.o)))))
        end is null then case
        when "quadstead".sparql_is_float(t0.o) then case
        when t0.o < 0::int8 then "quadstead".sparql_inline_key(t0.o)
        when (t0.o >= 1152921504606846976::int8) and (t0.o < 2305843009213693952::int8) then ($1::text[])[3] || text(t0.o - 1152921504606846976::int8)
        else (
          select case
            when d.id < 4611686018427387904 then 'I' || d.lex
            when d.lang is not null then 'Lhttp://www.w3.org/1999/02/22-rdf-syntax-ns#langString ' || d.lang || ' ' || d.lex
            else 'L' || coalesce(d.datatype, 'http://www.w3.org/2001/XMLSchema#string') || '  ' || d.lex
            end
          from "quadstead".term as d
          where d.id = t0.o
        )
        end
        else coalesce("quadstead".sparql_float(case
            when (t0.o >= '-8070450532247928832'::int8) and (t0.o < '-6917529027641081856'::int8) then float8(float4((t0.o >> 4::int8::int) - '-468374361246531584'::int8))
            when (t0.o >= '-6917529027641081856'::int8) and (t0.o < '-5764607523034234880'::int8) then float8(float4("quadstead".sparql_of_millionths(float8("quadstead".sparql_millionths(t0.o)))))
            end),
          (
            select "quadstead".sparql_cast(($1::text[])[4],
                case
                when t0.o < 0::int8 then "quadstead".sparql_inline_key(t0.o)
                when (t0.o >= 1152921504606846976::int8) and (t0.o < 2305843009213693952::int8) then ($1::text[])[3] || text(t0.o - 1152921504606846976::int8)
                else case
                when d0.id < 4611686018427387904 then 'I' || d0.lex
                when d0.lang is not null then 'Lhttp://www.w3.org/1999/02/22-rdf-syntax-ns#langString ' || d0.lang || ' ' || d0.lex
                else 'L' || coalesce(d0.datatype, 'http://www.w3.org/2001/XMLSchema#string') || '  ' || d0.lex
                end
                end) as c0
            from (
              select
            ) as one
            left join "quadstead".term as d0 on (d0.id = t0.o)
          ))
        end
        end as c6,
        (
          select (
            select "quadstead".sparql_number_from(b0.c0, ($1::text[])[5]) as c0
            from (
              select case when t2.c1 < 0::int8 then "quadstead".sparql_inline_lex(t2.c1) else d0.lex end as c0
              offset 0
            ) as b0
          ) as c0
          from (
            select
          ) as one
          left join "quadstead".term as d0 on (d0.id = t2.c1)
        ) as c7,
        (
          select (
            select "quadstead".sparql_double_of(b0.c0) as c0
            from (
              select case when t2.c1 < 0::int8 then "quadstead".sparql_inline_lex(t2.c1) else d0.lex end as c0
              offset 0
            ) as b0
          ) as c0
          from (
            select
          ) as one
          left join "quadstead".term as d0 on (d0.id = t2.c1)
        ) as c8,
        (
          select case when (
            select "quadstead".sparql_double_of(b0.c0) as c0
            from (
              select case when t2.c1 < 0::int8 then "quadstead".sparql_inline_lex(t2.c1) else d0.lex end as c0
              offset 0
            ) as b0
          ) is null then (
            select "quadstead".sparql_number_from(b0.c0, ($1::text[])[5]) as c0
            from (
              select case when t2.c1 < 0::int8 then "quadstead".sparql_inline_lex(t2.c1) else d0.lex end as c0
              offset 0
            ) as b0
          ) end as c0
          from (
            select
          ) as one
          left join "quadstead".term as d0 on (d0.id = t2.c1)
        ) as c9
      from "quadstead".quad as t0
      inner join (
        select t1.s as c0, t1.o as c1
        from "quadstead".quad as t1
        where (t1.copy is null) and (t1.p = 1009::int8)
        offset 0
      ) as t2 on (t0.s = t2.c0)
      where (t0.copy is null) and (t0.p = 1018::int8)
      offset 0
    ) as t3
    group by t3.c3
  ) as t4
  offset 0
) as t7
order by "quadstead".sparql_canonical(t7.c5) desc nulls last,
  t7.c0 asc nulls first,
  t7.c3 collate "C" asc nulls first,
  t7.c4 collate "C" asc nulls first
-- $1[1] "/"
-- $1[2] ""
-- $1[3] "Bqs"
-- $1[4] "float"
-- $1[5] "double"
