select t0.s as c0, t0.p as c1, t0.o as c2
from (
  (
    select t3.g as g, t3.s as s, t3.p as p, t3.o as o
    from "quadstead".quad as t3
    where (t3.copy is null)
  )
  union all (
    select t1.parent as g, t1.parent as s, 10::int8 as p, t1.id as o
    from "quadstead".document as t1
    where (t1.parent is not null)
  )
  union all (
    select t2.parent as g, t2.parent as s, t2.member_by as p, t2.id as o
    from "quadstead".document as t2
    where (t2.parent is not null) and (t2.member_by is not null)
  )
) as t0
where (((t0.o >= '-7493989779944505232'::int8) and (t0.o <= '-6917529027641081857'::int8))
    or ((t0.o >= '-8507299696102866942'::int8) and (t0.o <= '-8070450532247928833'::int8))
    or ((t0.o >= '-6629298651297370080'::int8) and (t0.o <= '-5764607523034234881'::int8))
    or ((t0.o >= 5476377146882523136::int8) and (t0.o <= 5764607523034234879::int8))) and case
  when ((t0.o >= '-7493989779944505232'::int8) and (t0.o <= '-6917529027641081857'::int8)) or ((t0.o >= '-8507299696102866942'::int8) and (t0.o <= '-8070450532247928833'::int8)) or ((t0.o >= '-6629298651297370080'::int8) and (t0.o <= '-5764607523034234881'::int8)) or (((t0.o >= 5476377146882523136::int8) and (t0.o <= 5764607523034234879::int8)) and (
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
  )) then true
  end
-- $1[1] "double"
-- $1[2] "6"
-- $1[3] ">"
-- $1[4] "Lhttp://www.w3.org/2001/XMLSchema#integer  6"
