with t2 as materialized (select t1.c0 as c0
from (select t0.s as c0
from "q".quad as t0
where (t0.copy is null) and (t0.p = 1000::int8)
order by case when t0.o < 0::int8 then "q".sparql_inline_rank(t0.o) when t0.o is not null then "q".sparql_order_rank(case when t0.o < 0::int8 then "q".sparql_inline_key(t0.o) when (t0.o >= 1152921504606846976::int8) and (t0.o < 2305843009213693952::int8) then ($1::text[])[1] || text(t0.o - 1152921504606846976::int8) else (select case when d.id < 4611686018427387904 then 'I' || d.lex when d.lang is not null then 'Lhttp://www.w3.org/1999/02/22-rdf-syntax-ns#langString ' || d.lang || ' ' || d.lex else 'L' || coalesce(d.datatype, 'http://www.w3.org/2001/XMLSchema#string') || '  ' || d.lex end
from "q".term as d
where d.id = t0.o) end) end asc nulls first, case when t0.o < 0::int8 then "q".sparql_inline_value(t0.o) when t0.o is not null then "q".sparql_order_value(case when t0.o < 0::int8 then "q".sparql_inline_key(t0.o) when (t0.o >= 1152921504606846976::int8) and (t0.o < 2305843009213693952::int8) then ($1::text[])[1] || text(t0.o - 1152921504606846976::int8) else (select case when d.id < 4611686018427387904 then 'I' || d.lex when d.lang is not null then 'Lhttp://www.w3.org/1999/02/22-rdf-syntax-ns#langString ' || d.lang || ' ' || d.lex else 'L' || coalesce(d.datatype, 'http://www.w3.org/2001/XMLSchema#string') || '  ' || d.lex end
from "q".term as d
where d.id = t0.o) end) end asc nulls first, case when t0.o < 0::int8 then null::text when t0.o is not null then "q".sparql_order_text(case when t0.o < 0::int8 then "q".sparql_inline_key(t0.o) when (t0.o >= 1152921504606846976::int8) and (t0.o < 2305843009213693952::int8) then ($1::text[])[1] || text(t0.o - 1152921504606846976::int8) else (select case when d.id < 4611686018427387904 then 'I' || d.lex when d.lang is not null then 'Lhttp://www.w3.org/1999/02/22-rdf-syntax-ns#langString ' || d.lang || ' ' || d.lex else 'L' || coalesce(d.datatype, 'http://www.w3.org/2001/XMLSchema#string') || '  ' || d.lex end
from "q".term as d
where d.id = t0.o) end) end collate "C" asc nulls first, t0.s asc nulls first
limit 3) as t1) select t9.c0 as c0, t9.c1 as c1, t9.c2 as c2
from ((select t3.c0 as c0, t5.c0 as c1, null::int8 as c2
from t2 as t3
left join lateral (select t4.o as c0
from "q".quad as t4
where (t4.copy is null) and (t3.c0 = t4.s) and (t4.p = 1001::int8) offset 0) as t5 on true)
union all (select t6.c0 as c0, null::int8 as c1, t8.c0 as c2
from t2 as t6
left join lateral (select t7.o as c0
from "q".quad as t7
where (t7.copy is null) and (t6.c0 = t7.s) and (t7.p = 1002::int8) offset 0) as t8 on true)) as t9
-- $1[1] "Bqs"
