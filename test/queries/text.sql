select t3.c0 as c0
from (
  with t1 as materialized (
    select t0.o as c0, t0.s as c1
    from "quadstead".quad as t0
    where (t0.copy is null) and (t0.p = 1013::int8)
  )
  select t2.c1 as c0, t2.c0 as c1
  from t1 as t2
  left join "quadstead".term as t4 on (t4.id = t2.c0) and (t4.id = any (array(
    select t5.c0 as c0
    from t1 as t5
    where (t5.c0 >= 0::int8)
  )))
  where (strpos("quadstead".sparql_lower_ascii(case when t2.c0 < 0::int8 then "quadstead".sparql_inline_lex(t2.c0) else t4.lex end),
        ($1::text[])[1]) > 0::int8)
) as t3
-- $1[1] "o'); drop table"
