select t0.s as c0
from "q".quad as t0
where (t0.copy is null) and (t0.p = 1002::int8) and ((select d.lex
from "q".term as d
where d.id = t0.o and d.id between 4611686018427387904 and 5188146770730811391) ~ (select "q".sparql_regex(($1::text[])[1]) as c0))
-- $1[1] "(?is)^a[^\\n\\r]c$"
