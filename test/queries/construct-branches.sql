with t7 as materialized (
  select t6.c0 as c0
  from (
    select t3.c0 as c0
    from (
      with t1 as materialized (
        select t0.s as c0, t0.o as c1
        from "quadstead".quad as t0
        where (t0.copy is null) and (t0.p = 1018::int8)
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
    order by t3.k0 asc nulls first,
      t3.k1 asc nulls first,
      t3.k2 collate "C" asc nulls first,
      t3.c0 asc nulls first
    limit 3
  ) as t6
)
select t14.c0 as c0, t14.c1 as c1, t14.c2 as c2
from (
  (
    select t8.c0 as c0, t10.c0 as c1, null::int8 as c2
    from t7 as t8
    left join lateral (
      select t9.o as c0
      from "quadstead".quad as t9
      where (t9.copy is null) and (t8.c0 = t9.s) and (t9.p = 1000::int8)
      offset 0
    ) as t10 on true
  )
  union all (
    select t11.c0 as c0, null::int8 as c1, t13.c0 as c2
    from t7 as t11
    left join lateral (
      select t12.o as c0
      from "quadstead".quad as t12
      where (t12.copy is null) and (t11.c0 = t12.s) and (t12.p = 1016::int8)
      offset 0
    ) as t13 on true
  )
) as t14
-- $1[1] "date"
