select t4.c0 as c0, t4.c1 as c1, t4.c2 as c2
from (
  select t3.c3 as c0,
    (count(*) * 16::int8) + '-7493989779944505344'::int8 as c1,
    "quadstead".sparql_average(sum((t3.c4 >> 4::int8::int) - '-468374361246531584'::int8) filter (where (t3.c4 >= '-8070450532247928832'::int8) and (t3.c4 < '-6917529027641081856'::int8)),
      "quadstead".sparql_of_millionths(sum("quadstead".sparql_millionths(t3.c4)) filter (where "quadstead".sparql_is_decimal(t3.c4))),
      sum(float4("quadstead".sparql_of_millionths(float8("quadstead".sparql_millionths(t3.c4))))) filter (where "quadstead".sparql_is_float(t3.c4)),
      sum("quadstead".sparql_of_millionths(float8("quadstead".sparql_millionths(t3.c4)))) filter (where "quadstead".sparql_is_double(t3.c4)),
      "quadstead".sparql_sum(case
        when t3.c4 < 0::int8 then "quadstead".sparql_inline_key(t3.c4)
        when (t3.c4 >= 1152921504606846976::int8) and (t3.c4 < 2305843009213693952::int8) then ($1::text[])[1] || text(t3.c4 - 1152921504606846976::int8)
        else (
          select case
            when d.id < 4611686018427387904 then 'I' || d.lex
            when d.lang is not null then 'Lhttp://www.w3.org/1999/02/22-rdf-syntax-ns#langString ' || d.lang || ' ' || d.lex
            else 'L' || coalesce(d.datatype, 'http://www.w3.org/2001/XMLSchema#string') || '  ' || d.lex
            end
          from "quadstead".term as d
          where d.id = t3.c4
        )
        end) filter (where not ((t3.c4 >= '-8070450532247928832'::int8) and (t3.c4 < '-5764607523034234880'::int8))),
      count(*)) as c2
  from (
    select t0.s as c0, t0.o as c1, t2.c1 as c2, t0.o as c3, t2.c1 as c4
    from "quadstead".quad as t0
    inner join (
      select t1.s as c0, t1.o as c1
      from "quadstead".quad as t1
      where (t1.copy is null) and (t1.p = 1014::int8)
      offset 0
    ) as t2 on (t0.s = t2.c0)
    where (t0.copy is null) and (t0.p = 1017::int8)
  ) as t3
  group by t3.c3
) as t4
where (t4.c1 >= '-7493989779944505312'::int8)
-- $1[1] "Bqs"
