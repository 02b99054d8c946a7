select t6.c0 as c0, t6.c1 as c1
from (
  select t3.c0 as c0, t3.c1 as c1
  from (
    with t1 as materialized (
      select t0.s as c0, t0.o as c1
      from "quadstead".quad as t0
      where (t0.copy is null)
        and (t0.p = 1009::int8)
        and (((t0.o >= '-7493989779944505248'::int8) and (t0.o <= '-6917529027641081857'::int8))
          or ((t0.o >= '-8509551495916552190'::int8) and (t0.o <= '-8070450532247928833'::int8))
          or ((t0.o >= '-6629298651329370080'::int8) and (t0.o <= '-5764607523034234881'::int8))
          or (((t0.o >= 5476377146882523136::int8) and (t0.o <= 5764607523034234879::int8)) and (
            select coalesce(case
                when case
                when d0.id >= 4611686018427387904 then substr(d0.datatype, 34)
                end = ($1::text[])[1] then "quadstead".sparql_double_of(d0.lex) > float8("quadstead".sparql_numeric(($1::text[])[2]))
                else "quadstead".sparql_comparable(d0.lex, case when d0.id >= 4611686018427387904 then substr(d0.datatype, 34) end) > "quadstead".sparql_numeric(($1::text[])[2])
                end,
                "quadstead".sparql_ordered(($1::text[])[3],
                  case
                  when d0.id < 4611686018427387904 then 'I' || d0.lex
                  when d0.lang is not null then 'Lhttp://www.w3.org/1999/02/22-rdf-syntax-ns#langString ' || d0.lang || ' ' || d0.lex
                  else 'L' || coalesce(d0.datatype, 'http://www.w3.org/2001/XMLSchema#string') || '  ' || d0.lex
                  end,
                  ($1::text[])[4])) as c0
            from (
              select
            ) as one
            left join "quadstead".term as d0 on (d0.id = t0.o)
          )))
        and (((t0.o >= '-8070450532247928832'::int8) and (t0.o <= '-7493989779944505169'::int8))
          or ((t0.o >= '-9223372036854775806'::int8) and (t0.o <= '-8499981346708389887'::int8))
          or ((t0.o >= '-6917529027641081856'::int8) and (t0.o <= '-6629298651153370081'::int8))
          or (((t0.o >= 5476377146882523136::int8) and (t0.o <= 5764607523034234879::int8)) and (
            select coalesce(case
                when case
                when d0.id >= 4611686018427387904 then substr(d0.datatype, 34)
                end = ($1::text[])[1] then "quadstead".sparql_double_of(d0.lex) <= float8("quadstead".sparql_numeric(($1::text[])[5]))
                else "quadstead".sparql_comparable(d0.lex, case when d0.id >= 4611686018427387904 then substr(d0.datatype, 34) end) <= "quadstead".sparql_numeric(($1::text[])[5])
                end,
                "quadstead".sparql_ordered(($1::text[])[6],
                  case
                  when d0.id < 4611686018427387904 then 'I' || d0.lex
                  when d0.lang is not null then 'Lhttp://www.w3.org/1999/02/22-rdf-syntax-ns#langString ' || d0.lang || ' ' || d0.lex
                  else 'L' || coalesce(d0.datatype, 'http://www.w3.org/2001/XMLSchema#string') || '  ' || d0.lex
                  end,
                  ($1::text[])[7])) as c0
            from (
              select
            ) as one
            left join "quadstead".term as d0 on (d0.id = t0.o)
          )))
    )
    select t2.c0 as c0,
      t2.c1 as c1,
      coalesce("quadstead".sparql_id_rank(t2.c1),
        case
        when (t2.c1 >= 5476377146882523136::int8) and (t2.c1 < 5764607523034234880::int8) then case
        when "quadstead".sparql_number_of(t4.lex, case when t4.id >= 4611686018427387904 then substr(t4.datatype, 34) end) is null then int4(9::int8)
        when t2.c1 is not null then int4(4::int8)
        end
        when t2.c1 is not null then "quadstead".sparql_order_rank(case
          when t4.id < 4611686018427387904 then 'I' || t4.lex
          when t4.lang is not null then 'Lhttp://www.w3.org/1999/02/22-rdf-syntax-ns#langString ' || t4.lang || ' ' || t4.lex
          else 'L' || coalesce(t4.datatype, 'http://www.w3.org/2001/XMLSchema#string') || '  ' || t4.lex
          end)
        end) as k0,
      case
      when t2.c1 < 0::int8 then "quadstead".sparql_inline_value(t2.c1)
      when (t2.c1 >= 5476377146882523136::int8) and (t2.c1 < 5764607523034234880::int8) then "quadstead".sparql_number_of(t4.lex, case when t4.id >= 4611686018427387904 then substr(t4.datatype, 34) end)
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
  order by t3.k0 desc nulls last,
    t3.k1 desc nulls last,
    t3.k2 collate "C" desc nulls last,
    t3.c0 asc nulls first,
    t3.c1 asc nulls first
  limit 10
) as t6
-- $1[1] "double"
-- $1[2] "5"
-- $1[3] ">"
-- $1[4] "Lhttp://www.w3.org/2001/XMLSchema#integer  5"
-- $1[5] "10.5"
-- $1[6] "<="
-- $1[7] "Lhttp://www.w3.org/2001/XMLSchema#decimal  10.5"
