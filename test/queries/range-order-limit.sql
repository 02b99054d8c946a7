select t1.c0 as c0, t1.c1 as c1
from (select t0.s as c0, t0.o as c1
from "q".quad as t0
where (t0.copy is null) and (t0.p = 1000::int8) and (((t0.o >= '-7493989779944505248'::int8) and (t0.o <= '-6917529027641081857'::int8)) or ((t0.o >= '-6629298651329370080'::int8) and (t0.o <= '-5764607523034234881'::int8)) or ((t0.o >= 4611686018427387904::int8) and "q".sparql_ordered(($1::text[])[1], case when t0.o < 0::int8 then "q".sparql_inline_key(t0.o) when (t0.o >= 1152921504606846976::int8) and (t0.o < 2305843009213693952::int8) then ($1::text[])[2] || text(t0.o - 1152921504606846976::int8) else (select case when d.id < 4611686018427387904 then 'I' || d.lex when d.lang is not null then 'Lhttp://www.w3.org/1999/02/22-rdf-syntax-ns#langString ' || d.lang || ' ' || d.lex else 'L' || coalesce(d.datatype, 'http://www.w3.org/2001/XMLSchema#string') || '  ' || d.lex end
from "q".term as d
where d.id = t0.o) end, ($1::text[])[3]))) and (((t0.o >= '-8070450532247928832'::int8) and (t0.o <= '-7493989779944505169'::int8)) or ((t0.o >= '-6917529027641081856'::int8) and (t0.o <= '-6629298651153370081'::int8)) or ((t0.o >= 4611686018427387904::int8) and "q".sparql_ordered(($1::text[])[4], case when t0.o < 0::int8 then "q".sparql_inline_key(t0.o) when (t0.o >= 1152921504606846976::int8) and (t0.o < 2305843009213693952::int8) then ($1::text[])[2] || text(t0.o - 1152921504606846976::int8) else (select case when d.id < 4611686018427387904 then 'I' || d.lex when d.lang is not null then 'Lhttp://www.w3.org/1999/02/22-rdf-syntax-ns#langString ' || d.lang || ' ' || d.lex else 'L' || coalesce(d.datatype, 'http://www.w3.org/2001/XMLSchema#string') || '  ' || d.lex end
from "q".term as d
where d.id = t0.o) end, ($1::text[])[5])))
order by case when t0.o < 0::int8 then "q".sparql_inline_rank(t0.o) when t0.o is not null then "q".sparql_order_rank(case when t0.o < 0::int8 then "q".sparql_inline_key(t0.o) when (t0.o >= 1152921504606846976::int8) and (t0.o < 2305843009213693952::int8) then ($1::text[])[2] || text(t0.o - 1152921504606846976::int8) else (select case when d.id < 4611686018427387904 then 'I' || d.lex when d.lang is not null then 'Lhttp://www.w3.org/1999/02/22-rdf-syntax-ns#langString ' || d.lang || ' ' || d.lex else 'L' || coalesce(d.datatype, 'http://www.w3.org/2001/XMLSchema#string') || '  ' || d.lex end
from "q".term as d
where d.id = t0.o) end) end desc nulls last, case when t0.o < 0::int8 then "q".sparql_inline_value(t0.o) when t0.o is not null then "q".sparql_order_value(case when t0.o < 0::int8 then "q".sparql_inline_key(t0.o) when (t0.o >= 1152921504606846976::int8) and (t0.o < 2305843009213693952::int8) then ($1::text[])[2] || text(t0.o - 1152921504606846976::int8) else (select case when d.id < 4611686018427387904 then 'I' || d.lex when d.lang is not null then 'Lhttp://www.w3.org/1999/02/22-rdf-syntax-ns#langString ' || d.lang || ' ' || d.lex else 'L' || coalesce(d.datatype, 'http://www.w3.org/2001/XMLSchema#string') || '  ' || d.lex end
from "q".term as d
where d.id = t0.o) end) end desc nulls last, case when t0.o < 0::int8 then null::text when t0.o is not null then "q".sparql_order_text(case when t0.o < 0::int8 then "q".sparql_inline_key(t0.o) when (t0.o >= 1152921504606846976::int8) and (t0.o < 2305843009213693952::int8) then ($1::text[])[2] || text(t0.o - 1152921504606846976::int8) else (select case when d.id < 4611686018427387904 then 'I' || d.lex when d.lang is not null then 'Lhttp://www.w3.org/1999/02/22-rdf-syntax-ns#langString ' || d.lang || ' ' || d.lex else 'L' || coalesce(d.datatype, 'http://www.w3.org/2001/XMLSchema#string') || '  ' || d.lex end
from "q".term as d
where d.id = t0.o) end) end collate "C" desc nulls last, t0.s asc nulls first, t0.o asc nulls first
limit 10) as t1
-- $1[1] ">"
-- $1[2] "Bqs"
-- $1[3] "Lhttp://www.w3.org/2001/XMLSchema#integer  5"
-- $1[4] "<="
-- $1[5] "Lhttp://www.w3.org/2001/XMLSchema#decimal  10.5"
