select t8.c0 as c0
from (
  select t7.c0 as c0
  from (
    select t6.c0 as c0, min(t6.c1) as place
    from (
      select t3.c0 as c0,
        row_number() over (order by t3.k0 asc nulls first,
          t3.k1 asc nulls first,
          t3.k2 collate "C" asc nulls first,
          t3.c0 asc nulls first) as c1
      from (
        with t1 as materialized (
          select t0.s as c0, t0.o as c1
          from "quadstead".quad as t0
          where (t0.copy is null) and (t0.p = 1015::int8)
        )
        select t2.c0 as c0,
          t2.c1 as c1,
          coalesce("quadstead".sparql_id_rank(t2.c1),
            case
            when (t2.c1 >= 5476377146882523136::int8) and (t2.c1 < 5764607523034234880::int8) then case
            when "quadstead".sparql_number_of(t4.lex, case when t4.id >= 4611686018427387904 then substr(t4.datatype, 34) end) is null then int4(9::int8)
            when t2.c1 is not null then int4(4::int8)
            end
            when (t2.c1 >= 5764607523034234880::int8) and (t2.c1 < 6052837899185946624::int8) then case
            when not "quadstead".sparql_has_moment(t4.lex, case when t4.id >= 4611686018427387904 then substr(t4.datatype, 34) end) then int4(9::int8)
            when case
            when t4.id >= 4611686018427387904 then substr(t4.datatype, 34)
            end = ($1::text[])[1] then int4(6::int8)
            when t2.c1 is not null then int4(5::int8)
            end
            when (t2.c1 >= 6341068275337658368::int8) and (t2.c1 < 6629298651489370112::int8) then int4(9::int8)
            when t2.c1 is not null then "quadstead".sparql_order_rank(case
              when t4.id < 4611686018427387904 then 'I' || t4.lex
              when t4.lang is not null then 'Lhttp://www.w3.org/1999/02/22-rdf-syntax-ns#langString ' || t4.lang || ' ' || t4.lex
              else 'L' || coalesce(t4.datatype, 'http://www.w3.org/2001/XMLSchema#string') || '  ' || t4.lex
              end)
            end) as k0,
          case
          when t2.c1 < 0::int8 then "quadstead".sparql_inline_value(t2.c1)
          when (t2.c1 >= 5476377146882523136::int8) and (t2.c1 < 5764607523034234880::int8) then "quadstead".sparql_number_of(t4.lex, case when t4.id >= 4611686018427387904 then substr(t4.datatype, 34) end)
          when (t2.c1 >= 5764607523034234880::int8) and (t2.c1 < 6052837899185946624::int8) then "quadstead".sparql_moment(t4.lex, case when t4.id >= 4611686018427387904 then substr(t4.datatype, 34) end)
          when ("quadstead".sparql_id_rank(t2.c1) is null) and (not ((t2.c1 >= 6341068275337658368::int8) and (t2.c1 < 6629298651489370112::int8))) then "quadstead".sparql_order_value(case
            when t4.id < 4611686018427387904 then 'I' || t4.lex
            when t4.lang is not null then 'Lhttp://www.w3.org/1999/02/22-rdf-syntax-ns#langString ' || t4.lang || ' ' || t4.lex
            else 'L' || coalesce(t4.datatype, 'http://www.w3.org/2001/XMLSchema#string') || '  ' || t4.lex
            end)
          end as k1,
          case
          when t2.c1 < 0::int8 then null::text
          when ((t2.c1 >= 0::int8) and (t2.c1 < 576460752303423488::int8)) or ((t2.c1 >= 4611686018427387904::int8) and (t2.c1 < 4755801206503243776::int8)) or ((t2.c1 >= 4899916394579099648::int8) and (t2.c1 < 5188146770730811392::int8)) or ((t2.c1 >= 6341068275337658368::int8) and (t2.c1 < 6629298651489370112::int8)) then t4.lex
          when (t2.c1 >= 5476377146882523136::int8) and (t2.c1 < 5764607523034234880::int8) then case
          when "quadstead".sparql_number_of(t4.lex, case when t4.id >= 4611686018427387904 then substr(t4.datatype, 34) end) is null then t4.lex
          end
          when (t2.c1 >= 5764607523034234880::int8) and (t2.c1 < 6052837899185946624::int8) then case
          when not "quadstead".sparql_has_moment(t4.lex, case when t4.id >= 4611686018427387904 then substr(t4.datatype, 34) end) then t4.lex
          end
          when t2.c1 is not null then "quadstead".sparql_order_text(case
            when t4.id < 4611686018427387904 then 'I' || t4.lex
            when t4.lang is not null then 'Lhttp://www.w3.org/1999/02/22-rdf-syntax-ns#langString ' || t4.lang || ' ' || t4.lex
            else 'L' || coalesce(t4.datatype, 'http://www.w3.org/2001/XMLSchema#string') || '  ' || t4.lex
            end)
          end as k2
        from t1 as t2
        left join "quadstead".term as t4 on (t4.id = t2.c1) and (t4.id = any (array(
          select t5.c1 as c0
          from t1 as t5
          where (t5.c1 >= 0::int8)
        )))
      ) as t3
    ) as t6
    group by t6.c0
  ) as t7
  order by t7.place asc nulls first, t7.c0 asc nulls first
  limit 5
) as t8
-- $1[1] "date"
