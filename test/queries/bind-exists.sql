select t2.c0 as c0, (
  select "quadstead".sparql_boolean(b0.c0) as c0
  from (
    select "quadstead".sparql_equal(t2.c2, t2.c2) as c0
    offset 0
  ) as b0
) as c1
from (
  select t0.s as c0, t0.o as c1, "quadstead".sparql_boolean(exists (
    select 1::int8 as c0
    from "quadstead".quad as t1
    where (t1.copy is null)
      and (t0.s = t1.s)
      and (t1.p = 1015::int8)
      and coalesce("quadstead".sparql_comparable("quadstead".sparql_random()) < "quadstead".sparql_numeric(($1::text[])[1]),
        "quadstead".sparql_ordered(($1::text[])[2], "quadstead".sparql_random(), ($1::text[])[3]))
    offset 0
  )) as c2
  from "quadstead".quad as t0
  where (t0.copy is null) and (t0.p = 1008::int8)
  offset 0
) as t2
-- $1[1] "0.5"
-- $1[2] "<"
-- $1[3] "Lhttp://www.w3.org/2001/XMLSchema#decimal  0.5"
