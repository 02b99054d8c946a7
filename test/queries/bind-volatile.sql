select t0.c0 as c0, t0.c0 as c1
from (select "q".sparql_random() as c0 offset 0) as t0
