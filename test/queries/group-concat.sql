select t5.c0 as c0, t5.c1 as c1, t5.c2 as c2, t5.c3 as c3
from (
  select t4.c3 as c0,
    "quadstead".sparql_concatenated(count(*),
      count(t4.c5),
      "quadstead".sparql_size(octet_length(t4.c5) + octet_length(($1::text[])[1])),
      string_agg(t4.c5, ($1::text[])[1])) as c1,
    "quadstead".sparql_joined("quadstead".sparql_size(distinct t4.c6),
      coalesce(array_agg(distinct t4.c6), array[]::text[]),
      ($1::text[])[2]) as c2,
    case
    when count(*) = count(t4.c8) then "quadstead".sparql_string(max(t4.c8 collate "C"))
    end as c3
  from (
    select t3.c0 as c0,
      t3.c1 as c1,
      t3.c2 as c2,
      t3.c3 as c3,
      t3.c4 as c4,
      t3.c5 as c5,
      t3.c6 as c6,
      t3.c7 as c7,
      t3.c8 as c8
    from (
      select t0.s as c0,
        t0.o as c1,
        t2.c1 as c2,
        t0.o as c3,
        t2.c1 as c4,
        case
        when t2.c1 < 0::int8 then "quadstead".sparql_inline_lex(t2.c1)
        else (
          select d.lex
          from "quadstead".term as d
          where d.id = t2.c1
        )
        end as c5,
        case
        when t2.c1 < 0::int8 then "quadstead".sparql_inline_key(t2.c1)
        when (t2.c1 >= 1152921504606846976::int8) and (t2.c1 < 2305843009213693952::int8) then ($1::text[])[3] || text(t2.c1 - 1152921504606846976::int8)
        else (
          select case
            when d.id < 4611686018427387904 then 'I' || d.lex
            when d.lang is not null then 'Lhttp://www.w3.org/1999/02/22-rdf-syntax-ns#langString ' || d.lang || ' ' || d.lex
            else 'L' || coalesce(d.datatype, 'http://www.w3.org/2001/XMLSchema#string') || '  ' || d.lex
            end
          from "quadstead".term as d
          where d.id = t2.c1
        )
        end as c6,
        "quadstead".sparql_string(case when t2.c1 < 0::int8 then "quadstead".sparql_inline_lex(t2.c1) else (
          select d.lex
          from "quadstead".term as d
          where d.id = t2.c1
        ) end) as c7,
        case
        when t2.c1 < 0::int8 then "quadstead".sparql_inline_lex(t2.c1)
        else (
          select d.lex
          from "quadstead".term as d
          where d.id = t2.c1
        )
        end as c8
      from "quadstead".quad as t0
      inner join (
        select t1.s as c0, t1.o as c1
        from "quadstead".quad as t1
        where (t1.copy is null) and (t1.p = 1014::int8)
        offset 0
      ) as t2 on (t0.s = t2.c0)
      where (t0.copy is null) and (t0.p = 1017::int8)
      offset 0
    ) as t3
    order by t3.c3 asc
    offset 0
  ) as t4
  group by t4.c3
) as t5
-- $1[1] ", "
-- $1[2] " "
-- $1[3] "Bqs"
