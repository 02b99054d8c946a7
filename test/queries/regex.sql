select t0.s as c0
from "quadstead".quad as t0
where (t0.copy is null)
  and (t0.p = 1013::int8)
  and ("quadstead".sparql_single(
    (
      select d.lex
      from "quadstead".term as d
      where d.id = t0.o and d.id between 4611686018427387904 and 5188146770730811391
    )
  ) ~ (
    select "quadstead".sparql_regex(($1::text[])[1]) as c0
  ) collate "und-x-icu")
-- $1[1] "(?is)^a[^\\n\\r]c$"
