select (
  select "quadstead".sparql_boolean(b0.c0) as c0
  from (
    select "quadstead".sparql_equal(t0.c0, t0.c0) as c0
    offset 0
  ) as b0
) as c0
from (
  select "quadstead".sparql_random() as c0
  offset 0
) as t0
