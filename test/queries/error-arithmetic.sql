select t0.s as c0, t0.o as c1, (
  select "quadstead".sparql_arithmetic(($1::text[])[1],
      case
      when t0.o < 0::int8 then "quadstead".sparql_inline_key(t0.o)
      when (t0.o >= 1152921504606846976::int8) and (t0.o < 2305843009213693952::int8) then ($1::text[])[2] || text(t0.o - 1152921504606846976::int8)
      else case
      when d0.id < 4611686018427387904 then 'I' || d0.lex
      when d0.lang is not null then 'Lhttp://www.w3.org/1999/02/22-rdf-syntax-ns#langString ' || d0.lang || ' ' || d0.lex
      else 'L' || coalesce(d0.datatype, 'http://www.w3.org/2001/XMLSchema#string') || '  ' || d0.lex
      end
      end,
      ($1::text[])[3]) as c0
  from (
    select
  ) as one
  left join "quadstead".term as d0 on (d0.id = t0.o)
) as c2, coalesce(null::int8, 4755801206503243777::int8) as c3
from "quadstead".quad as t0
where (t0.copy is null)
  and (t0.p = 1009::int8)
  and ((not (null::boolean))
    or (((t0.o >= '-7493989779944505248'::int8) and (t0.o <= '-6917529027641081857'::int8))
      or ((t0.o >= '-8507299696102866944'::int8) and (t0.o <= '-8070450532247928833'::int8))
      or ((t0.o >= '-6629298651297370112'::int8) and (t0.o <= '-5764607523034234881'::int8))
      or (((t0.o >= 5476377146882523136::int8) and (t0.o <= 5764607523034234879::int8)) and (
        select coalesce(case
            when case
            when d0.id >= 4611686018427387904 then substr(d0.datatype, 34)
            end = ($1::text[])[4] then "quadstead".sparql_double_of(d0.lex) >= float8("quadstead".sparql_numeric(($1::text[])[5]))
            else "quadstead".sparql_comparable(d0.lex, case when d0.id >= 4611686018427387904 then substr(d0.datatype, 34) end) >= "quadstead".sparql_numeric(($1::text[])[5])
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
      ))))
-- $1[1] "+"
-- $1[2] "Bqs"
-- $1[3] "Lhttp://www.w3.org/2001/XMLSchema#dayTimeDuration  P1D"
-- $1[4] "double"
-- $1[5] "6"
-- $1[6] ">="
-- $1[7] "Lhttp://www.w3.org/2001/XMLSchema#integer  6"
