with t2 as materialized (
  select t1.c0 as c0
  from (
    select t0.s as c0
    from "quadstead".quad as t0
    where (t0.copy is null) and (t0.p = 1018::int8)
    order by coalesce("quadstead".sparql_id_rank(t0.o),
        case
        when (t0.o >= 5476377146882523136::int8) and (t0.o < 5764607523034234880::int8) then case
        when (
          select "quadstead".sparql_number_of(d0.lex, case when d0.id >= 4611686018427387904 then substr(d0.datatype, 34) end) as c0
          from (
            select
          ) as one
          left join "quadstead".term as d0 on (d0.id = t0.o)
        ) is null then int4(9::int8)
        when t0.o is not null then int4(4::int8)
        end
        when (t0.o >= 5764607523034234880::int8) and (t0.o < 6052837899185946624::int8) then (
          select case
            when "quadstead".sparql_moment(d0.lex, case when d0.id >= 4611686018427387904 then substr(d0.datatype, 34) end) is null then int4(9::int8)
            when t0.o is not null then case
            when case
            when d0.id >= 4611686018427387904 then substr(d0.datatype, 34)
            end = ($1::text[])[1] then int4(6::int8)
            when t0.o is not null then int4(5::int8)
            end
            end as c0
          from (
            select
          ) as one
          left join "quadstead".term as d0 on (d0.id = t0.o)
        )
        when t0.o is not null then (
          select "quadstead".sparql_order_rank(case
              when d0.id < 4611686018427387904 then 'I' || d0.lex
              when d0.lang is not null then 'Lhttp://www.w3.org/1999/02/22-rdf-syntax-ns#langString ' || d0.lang || ' ' || d0.lex
              else 'L' || coalesce(d0.datatype, 'http://www.w3.org/2001/XMLSchema#string') || '  ' || d0.lex
              end) as c0
          from (
            select
          ) as one
          left join "quadstead".term as d0 on (d0.id = t0.o)
        )
        end) asc nulls first,
      case
      when t0.o < 0::int8 then "quadstead".sparql_inline_value(t0.o)
      when (t0.o >= 5476377146882523136::int8) and (t0.o < 5764607523034234880::int8) then (
        select "quadstead".sparql_number_of(d0.lex, case when d0.id >= 4611686018427387904 then substr(d0.datatype, 34) end) as c0
        from (
          select
        ) as one
        left join "quadstead".term as d0 on (d0.id = t0.o)
      )
      when (t0.o >= 5764607523034234880::int8) and (t0.o < 6052837899185946624::int8) then (
        select "quadstead".sparql_moment(d0.lex, case when d0.id >= 4611686018427387904 then substr(d0.datatype, 34) end) as c0
        from (
          select
        ) as one
        left join "quadstead".term as d0 on (d0.id = t0.o)
      )
      when "quadstead".sparql_id_rank(t0.o) is null then (
        select "quadstead".sparql_order_value(case
            when d0.id < 4611686018427387904 then 'I' || d0.lex
            when d0.lang is not null then 'Lhttp://www.w3.org/1999/02/22-rdf-syntax-ns#langString ' || d0.lang || ' ' || d0.lex
            else 'L' || coalesce(d0.datatype, 'http://www.w3.org/2001/XMLSchema#string') || '  ' || d0.lex
            end) as c0
        from (
          select
        ) as one
        left join "quadstead".term as d0 on (d0.id = t0.o)
      )
      end asc nulls first,
      case
      when t0.o < 0::int8 then null::text
      when ((t0.o >= 0::int8) and (t0.o < 576460752303423488::int8)) or ((t0.o >= 4611686018427387904::int8) and (t0.o < 4755801206503243776::int8)) or ((t0.o >= 4899916394579099648::int8) and (t0.o < 5188146770730811392::int8)) then (
        select d.lex
        from "quadstead".term as d
        where d.id = t0.o
      )
      when (t0.o >= 5476377146882523136::int8) and (t0.o < 5764607523034234880::int8) then (
        select case
          when "quadstead".sparql_number_of(d0.lex, case when d0.id >= 4611686018427387904 then substr(d0.datatype, 34) end) is null then d0.lex
          end as c0
        from (
          select
        ) as one
        left join "quadstead".term as d0 on (d0.id = t0.o)
      )
      when (t0.o >= 5764607523034234880::int8) and (t0.o < 6052837899185946624::int8) then (
        select case
          when "quadstead".sparql_moment(d0.lex, case when d0.id >= 4611686018427387904 then substr(d0.datatype, 34) end) is null then d0.lex
          end as c0
        from (
          select
        ) as one
        left join "quadstead".term as d0 on (d0.id = t0.o)
      )
      when t0.o is not null then (
        select "quadstead".sparql_order_text(case
            when d0.id < 4611686018427387904 then 'I' || d0.lex
            when d0.lang is not null then 'Lhttp://www.w3.org/1999/02/22-rdf-syntax-ns#langString ' || d0.lang || ' ' || d0.lex
            else 'L' || coalesce(d0.datatype, 'http://www.w3.org/2001/XMLSchema#string') || '  ' || d0.lex
            end) as c0
        from (
          select
        ) as one
        left join "quadstead".term as d0 on (d0.id = t0.o)
      )
      end collate "C" asc nulls first,
      t0.s asc nulls first
    limit 3
  ) as t1
)
select t9.c0 as c0, t9.c1 as c1, t9.c2 as c2
from (
  (
    select t3.c0 as c0, t5.c0 as c1, null::int8 as c2
    from t2 as t3
    left join lateral (
      select t4.o as c0
      from "quadstead".quad as t4
      where (t4.copy is null) and (t3.c0 = t4.s) and (t4.p = 1000::int8)
      offset 0
    ) as t5 on true
  )
  union all (
    select t6.c0 as c0, null::int8 as c1, t8.c0 as c2
    from t2 as t6
    left join lateral (
      select t7.o as c0
      from "quadstead".quad as t7
      where (t7.copy is null) and (t6.c0 = t7.s) and (t7.p = 1016::int8)
      offset 0
    ) as t8 on true
  )
) as t9
-- $1[1] "date"
