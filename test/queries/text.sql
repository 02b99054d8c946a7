select t0.s as c0
from "quadstead".quad as t0
where (t0.copy is null)
  and (t0.p = 1013::int8)
  and (strpos("quadstead".sparql_lower_ascii(case when t0.o < 0::int8 then "quadstead".sparql_inline_lex(t0.o) else (
    select d.lex
    from "quadstead".term as d
    where d.id = t0.o
  ) end),
      ($1::text[])[1]) > 0::int8)
-- $1[1] "o'); drop table"
