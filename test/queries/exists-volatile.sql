select t3.c0 as c0, t3.c2 as c1
from (
  select t0.s as c0, t0.o as c1, t2.c1 as c2
  from "quadstead".quad as t0
  inner join (
    select t1.s as c0, t1.o as c1
    from "quadstead".quad as t1
    where (t1.copy is null) and (t1.p = 1015::int8)
    offset 0
  ) as t2 on (t0.o = t2.c0)
  where (t0.copy is null) and (t0.p = 1008::int8)
  offset 0
) as t3
where exists (
  select 1::int8 as c0
  from "quadstead".quad as t4
  where (t4.copy is null)
    and (t4.p = 1025::int8)
    and coalesce("quadstead".sparql_comparable("quadstead".sparql_random()) < "quadstead".sparql_numeric(($1::text[])[1]),
      "quadstead".sparql_ordered(($1::text[])[2], "quadstead".sparql_random(), ($1::text[])[3]))
    and (t4.s = t3.c0)
)
-- $1[1] "1"
-- $1[2] "<"
-- $1[3] "Lhttp://www.w3.org/2001/XMLSchema#integer  1"
