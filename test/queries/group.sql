select t3.c0 as c0, t3.c1 as c1, t3.c2 as c2
from (select t2.c3 as c0, "q".sparql_integer(count(*)) as c1, "q".sparql_average("q".sparql_total(sum("q".sparql_inline_value(t2.c4)) filter (where "q".sparql_exact_rank(t2.c4) is not null), max("q".sparql_exact_rank(t2.c4)) filter (where "q".sparql_exact_rank(t2.c4) is not null), "q".sparql_sum(case when t2.c4 < 0::int8 then "q".sparql_inline_key(t2.c4) when (t2.c4 >= 1152921504606846976::int8) and (t2.c4 < 2305843009213693952::int8) then ($1::text[])[1] || text(t2.c4 - 1152921504606846976::int8) else (select case when d.id < 4611686018427387904 then 'I' || d.lex when d.lang is not null then 'Lhttp://www.w3.org/1999/02/22-rdf-syntax-ns#langString ' || d.lang || ' ' || d.lex else 'L' || coalesce(d.datatype, 'http://www.w3.org/2001/XMLSchema#string') || '  ' || d.lex end
from "q".term as d
where d.id = t2.c4) end) filter (where "q".sparql_exact_rank(t2.c4) is null)), count(*)) as c2
from (select t0.s as c0, t0.o as c1, t1.o as c2, t0.o as c3, t1.o as c4
from "q".quad as t0
inner join "q".quad as t1 on (t1.copy is null) and (t0.s = t1.s) and (t1.p = 1001::int8)
where (t0.copy is null) and (t0.p = 1000::int8)) as t2
group by t2.c3) as t3
where "q".sparql_ordered(($1::text[])[2], t3.c1, ($1::text[])[3])
-- $1[1] "Bqs"
-- $1[2] ">"
-- $1[3] "Lhttp://www.w3.org/2001/XMLSchema#integer  1"
