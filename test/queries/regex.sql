select t0.s as c0
from "q".quad as t0
where (t0.copy is null) and (t0.p = 1002::int8) and "q".sparql_matches("q".sparql_text(case when t0.o < 0::int8 then "q".sparql_inline_key(t0.o) when (t0.o >= 1152921504606846976::int8) and (t0.o < 2305843009213693952::int8) then ($1::text[])[1] || text(t0.o - 1152921504606846976::int8) else (select case when d.id < 4611686018427387904 then 'I' || d.lex when d.lang is not null then 'Lhttp://www.w3.org/1999/02/22-rdf-syntax-ns#langString ' || d.lang || ' ' || d.lex else 'L' || coalesce(d.datatype, 'http://www.w3.org/2001/XMLSchema#string') || '  ' || d.lex end
from "q".term as d
where d.id = t0.o) end), ($1::text[])[2])
-- $1[1] "Bqs"
-- $1[2] "(?is)^a[^\\n\\r]c$"
