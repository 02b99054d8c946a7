select t1.c0 as c0, t1.c1 as c1
from (
  select t0.s as c0, t0.o as c1
  from "quadstead".quad as t0
  where (t0.copy is null)
    and (t0.p = 1009::int8)
    and (((t0.o >= '-7493989779944505248'::int8) and (t0.o <= '-6917529027641081857'::int8))
      or ((t0.o >= '-6629298651329370080'::int8) and (t0.o <= '-5764607523034234881'::int8))
      or ((t0.o >= 4611686018427387904::int8) and (
        select coalesce(case
            when (t0.o >= '-8070450532247928832'::int8) and (t0.o < '-6917529027641081856'::int8) then "quadstead".sparql_integer_of(t0.o) > "quadstead".sparql_numeric(($1::text[])[1])
            when (t0.o >= '-6917529027641081856'::int8) and (t0.o < '-5764607523034234880'::int8) then "quadstead".sparql_decimal_of(t0.o) > "quadstead".sparql_numeric(($1::text[])[1])
            when (t0.o >= 5476377146882523136::int8) and (t0.o < 5764607523034234880::int8) then "quadstead".sparql_comparable(d0.lex, case when d0.id >= 4611686018427387904 then substr(d0.datatype, 34) end) > "quadstead".sparql_numeric(($1::text[])[1])
            end,
            "quadstead".sparql_ordered(($1::text[])[2],
              case
              when t0.o < 0::int8 then "quadstead".sparql_inline_key(t0.o)
              when (t0.o >= 1152921504606846976::int8) and (t0.o < 2305843009213693952::int8) then ($1::text[])[3] || text(t0.o - 1152921504606846976::int8)
              else case
              when d0.id < 4611686018427387904 then 'I' || d0.lex
              when d0.lang is not null then 'Lhttp://www.w3.org/1999/02/22-rdf-syntax-ns#langString ' || d0.lang || ' ' || d0.lex
              else 'L' || coalesce(d0.datatype, 'http://www.w3.org/2001/XMLSchema#string') || '  ' || d0.lex
              end
              end,
              ($1::text[])[4])) as c0
        from (
          select
        ) as one
        left join "quadstead".term as d0 on (d0.id = t0.o)
      )))
    and (((t0.o >= '-8070450532247928832'::int8) and (t0.o <= '-7493989779944505169'::int8))
      or ((t0.o >= '-6917529027641081856'::int8) and (t0.o <= '-6629298651153370081'::int8))
      or ((t0.o >= 4611686018427387904::int8) and (
        select coalesce(case
            when (t0.o >= '-8070450532247928832'::int8) and (t0.o < '-6917529027641081856'::int8) then "quadstead".sparql_integer_of(t0.o) <= "quadstead".sparql_numeric(($1::text[])[5])
            when (t0.o >= '-6917529027641081856'::int8) and (t0.o < '-5764607523034234880'::int8) then "quadstead".sparql_decimal_of(t0.o) <= "quadstead".sparql_numeric(($1::text[])[5])
            when (t0.o >= 5476377146882523136::int8) and (t0.o < 5764607523034234880::int8) then "quadstead".sparql_comparable(d0.lex, case when d0.id >= 4611686018427387904 then substr(d0.datatype, 34) end) <= "quadstead".sparql_numeric(($1::text[])[5])
            end,
            "quadstead".sparql_ordered(($1::text[])[6],
              case
              when t0.o < 0::int8 then "quadstead".sparql_inline_key(t0.o)
              when (t0.o >= 1152921504606846976::int8) and (t0.o < 2305843009213693952::int8) then ($1::text[])[3] || text(t0.o - 1152921504606846976::int8)
              else case
              when d0.id < 4611686018427387904 then 'I' || d0.lex
              when d0.lang is not null then 'Lhttp://www.w3.org/1999/02/22-rdf-syntax-ns#langString ' || d0.lang || ' ' || d0.lex
              else 'L' || coalesce(d0.datatype, 'http://www.w3.org/2001/XMLSchema#string') || '  ' || d0.lex
              end
              end,
              ($1::text[])[7])) as c0
        from (
          select
        ) as one
        left join "quadstead".term as d0 on (d0.id = t0.o)
      )))
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
          end = ($1::text[])[8] then int4(6::int8)
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
      end) desc nulls last,
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
    end desc nulls last,
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
    end collate "C" desc nulls last,
    t0.s asc nulls first,
    t0.o asc nulls first
  limit 10
) as t1
-- $1[1] "5"
-- $1[2] ">"
-- $1[3] "Bqs"
-- $1[4] "Lhttp://www.w3.org/2001/XMLSchema#integer  5"
-- $1[5] "10.5"
-- $1[6] "<="
-- $1[7] "Lhttp://www.w3.org/2001/XMLSchema#decimal  10.5"
-- $1[8] "date"
