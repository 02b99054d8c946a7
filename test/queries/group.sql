select t9.c0 as c0, t9.c1 as c1, t9.c2 as c2
from (
  select t8.c3 as c0,
    (count(*) * 16::int8) + '-7493989779944505344'::int8 as c1,
    "quadstead".sparql_average(sum(t8.c5) filter (where not (scale(t8.c5) > 0::int8)),
      sum(t8.c5) filter (where scale(t8.c5) > 0::int8),
      sum(float4(t8.c6)),
      sum(t8.c7),
      "quadstead".sparql_sum(case
        when t8.c4 < 0::int8 then "quadstead".sparql_inline_key(t8.c4)
        when (t8.c4 >= 1152921504606846976::int8) and (t8.c4 < 2305843009213693952::int8) then ($1::text[])[1] || text(t8.c4 - 1152921504606846976::int8)
        else (
          select case
            when d.id < 4611686018427387904 then 'I' || d.lex
            when d.lang is not null then 'Lhttp://www.w3.org/1999/02/22-rdf-syntax-ns#langString ' || d.lang || ' ' || d.lex
            else 'L' || coalesce(d.datatype, 'http://www.w3.org/2001/XMLSchema#string') || '  ' || d.lex
            end
          from "quadstead".term as d
          where d.id = t8.c4
        )
        end) filter (where (t8.c5 is null) and (t8.c6 is null) and (t8.c7 is null)),
      count(*)) as c2
  from (
    select t5.c0 as c0,
      t5.c1 as c1,
      t5.c2 as c2,
      t5.c3 as c3,
      t5.c4 as c4,
      t5.c5 as c5,
      t5.c6 as c6,
      t5.c7 as c7
    from (
      with t3 as materialized (
        select t0.s as c0, t0.o as c1, t2.c1 as c2
        from "quadstead".quad as t0
        inner join (
          select t1.s as c0, t1.o as c1
          from "quadstead".quad as t1
          where (t1.copy is null) and (t1.p = 1014::int8)
          offset 0
        ) as t2 on (t0.s = t2.c0)
        where (t0.copy is null) and (t0.p = 1017::int8)
      )
      select t4.c0 as c0,
        t4.c1 as c1,
        t4.c2 as c2,
        t4.c1 as c3,
        t4.c2 as c4,
        case
        when (t4.c2 >= '-8070450532247928832'::int8) and (t4.c2 < '-6917529027641081856'::int8) then "quadstead".sparql_integer_of(t4.c2)
        when "quadstead".sparql_is_decimal(t4.c2) then "quadstead".sparql_decimal_of(t4.c2)
        when (t4.c2 >= 5476377146882523136::int8) and (t4.c2 < 5764607523034234880::int8) then "quadstead".sparql_exact_of(t6.lex, case when t6.id >= 4611686018427387904 then substr(t6.datatype, 34) end)
        end as c5,
        case
        when "quadstead".sparql_is_float(t4.c2) then "quadstead".sparql_of_millionths(float8("quadstead".sparql_millionths(t4.c2)))
        when (t4.c2 >= 5476377146882523136::int8) and (t4.c2 < 5764607523034234880::int8) then case
        when case
        when t6.id >= 4611686018427387904 then substr(t6.datatype, 34)
        end = ($1::text[])[2] then "quadstead".sparql_float_of(t6.lex)
        end
        end as c6,
        case
        when "quadstead".sparql_is_double(t4.c2) then "quadstead".sparql_as_double(t4.c2)
        when (t4.c2 >= 5476377146882523136::int8) and (t4.c2 < 5764607523034234880::int8) then case
        when case
        when t6.id >= 4611686018427387904 then substr(t6.datatype, 34)
        end = ($1::text[])[3] then "quadstead".sparql_double_of(t6.lex)
        end
        end as c7
      from t3 as t4
      left join "quadstead".term as t6 on (t6.id = t4.c2) and (t6.id = any (array(
        select t7.c2 as c0
        from t3 as t7
      )))
    ) as t5
  ) as t8
  group by t8.c3
) as t9
where (t9.c1 >= '-7493989779944505312'::int8)
-- $1[1] "Bqs"
-- $1[2] "float"
-- $1[3] "double"
