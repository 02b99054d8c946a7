select t0.s as c0
from "q".quad as t0
where (t0.copy is null) and (t0.p = 1002::int8) and (select "q".sparql_matches(case when d0.id between 4611686018427387904 and 5188146770730811391 then d0.lex end, ($1::text[])[1]) as c0
from (select ) as one
left join "q".term as d0 on (d0.id = t0.o))
-- $1[1] "(?is)^a[^\\n\\r]c$"
