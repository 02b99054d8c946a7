select t5.c0 as c0, t11.c0 as c1, t11.c1 as c2
from (
  select t4.c0 as c0, "quadstead".sparql_id(t4.c1) as c1
  from (
    select t3.c3 as c0,
      "quadstead".sparql_extreme(($1::text[])[1],
        array[max(t3.c4) filter (where (t3.c4 >= '-9223372036854775808'::int8) and (t3.c4 < '-9223372036854775806'::int8)),
        max(t3.c4) filter (where (t3.c4 >= '-8070450532247928832'::int8) and (t3.c4 < '-6917529027641081856'::int8)),
        max(t3.c4) filter (where (t3.c4 >= '-6917529027641081856'::int8) and (t3.c4 < '-5764607523034234880'::int8)),
        max(t3.c4) filter (where (t3.c4 >= '-5764607523034234880'::int8) and (t3.c4 < '-4611686018427387904'::int8)),
        max(t3.c4) filter (where (t3.c4 >= '-4611686018427387904'::int8) and (t3.c4 < '-3458764513820540928'::int8)),
        max(t3.c4) filter (where (t3.c4 >= '-3458764513820540928'::int8) and (t3.c4 < '-2305843009213693952'::int8)),
        max(t3.c4) filter (where (t3.c4 >= '-2305843009213693952'::int8) and (t3.c4 < '-1152921504606846976'::int8)),
        "quadstead".sparql_date_of(max("quadstead".sparql_date_order(t3.c4)) filter (where (t3.c4 >= '-1152921504606846976'::int8) and (t3.c4 < 0::int8))),
        max(t3.c4) filter (where (t3.c4 >= '-9223372036854775806'::int8) and (t3.c4 < '-8070450532247928832'::int8))]::int8[],
        max(
          (
            select d.lex
            from "quadstead".term as d
            where d.id = t3.c4
          )
        ) filter (where (t3.c4 >= 4611686018427387904::int8) and (t3.c4 < 4755801206503243776::int8)),
        max(
          (
            select array[d.lex, d.lang collate "C"]
            from "quadstead".term as d
            where d.id = t3.c4 and d.id between 4899916394579099648 and 5188146770730811391
          )
        ) filter (where (t3.c4 >= 4899916394579099648::int8) and (t3.c4 < 5188146770730811392::int8)),
        max(
          (
            select array[d.lex, d.datatype collate "C"]
            from "quadstead".term as d
            where d.id = t3.c4 and d.id >= 6341068275337658368
          )
        ) filter (where (t3.c4 >= 6341068275337658368::int8) and (t3.c4 < 6629298651489370112::int8)),
        max(
          (
            select d.lex
            from "quadstead".term as d
            where d.id = t3.c4
          )
        ) filter (where (t3.c4 >= 0::int8) and (t3.c4 < 576460752303423488::int8)),
        "quadstead".sparql_max(case
          when t3.c4 < 0::int8 then "quadstead".sparql_inline_key(t3.c4)
          when (t3.c4 >= 1152921504606846976::int8) and (t3.c4 < 2305843009213693952::int8) then ($1::text[])[2] || text(t3.c4 - 1152921504606846976::int8)
          else (
            select case
              when d.id < 4611686018427387904 then 'I' || d.lex
              when d.lang is not null then 'Lhttp://www.w3.org/1999/02/22-rdf-syntax-ns#langString ' || d.lang || ' ' || d.lex
              else 'L' || coalesce(d.datatype, 'http://www.w3.org/2001/XMLSchema#string') || '  ' || d.lex
              end
            from "quadstead".term as d
            where d.id = t3.c4
          )
          end) filter (where (t3.c4 is null)
          or (not (((t3.c4 >= '-9223372036854775808'::int8) and (t3.c4 < '-9223372036854775806'::int8))
              or ((t3.c4 >= '-8070450532247928832'::int8) and (t3.c4 < '-6917529027641081856'::int8))
              or ((t3.c4 >= '-6917529027641081856'::int8) and (t3.c4 < '-5764607523034234880'::int8))
              or ((t3.c4 >= '-5764607523034234880'::int8) and (t3.c4 < '-4611686018427387904'::int8))
              or ((t3.c4 >= '-4611686018427387904'::int8) and (t3.c4 < '-3458764513820540928'::int8))
              or ((t3.c4 >= '-3458764513820540928'::int8) and (t3.c4 < '-2305843009213693952'::int8))
              or ((t3.c4 >= '-2305843009213693952'::int8) and (t3.c4 < '-1152921504606846976'::int8))
              or ((t3.c4 >= '-1152921504606846976'::int8) and (t3.c4 < 0::int8))
              or ((t3.c4 >= '-9223372036854775806'::int8) and (t3.c4 < '-8070450532247928832'::int8))
              or ((t3.c4 >= 4611686018427387904::int8) and (t3.c4 < 4755801206503243776::int8))
              or ((t3.c4 >= 4899916394579099648::int8) and (t3.c4 < 5188146770730811392::int8))
              or ((t3.c4 >= 6341068275337658368::int8) and (t3.c4 < 6629298651489370112::int8))
              or ((t3.c4 >= 0::int8) and (t3.c4 < 576460752303423488::int8)))))) as c1
    from (
      select t0.s as c0, t0.o as c1, t2.c1 as c2, t0.o as c3, t2.c1 as c4
      from "quadstead".quad as t0
      inner join (
        select t1.s as c0, t1.o as c1
        from "quadstead".quad as t1
        where (t1.copy is null) and (t1.p = 1009::int8)
        offset 0
      ) as t2 on (t0.s = t2.c0)
      where (t0.copy is null) and (t0.p = 1017::int8)
    ) as t3
    group by t3.c3
  ) as t4
  offset 0
) as t5
inner join (
  select t6.s as c0, t6.o as c1
  from "quadstead".quad as t6
  where (t6.copy is null) and (t6.p = 1017::int8)
  offset 0
) as t7 on (t5.c0 = t7.c1)
cross join lateral (
  select t10.c0 as c0, t10.c1 as c1
  from (
    (
      select t7.c0 as c0, t5.c1 as c1
      from "quadstead".quad as t8
      where (t5.c1 is not null)
        and (t8.copy is null)
        and (t7.c0 = t8.s)
        and (t8.p = 1009::int8)
        and (t5.c1 = t8.o)
    )
    union all (
      select t7.c0 as c0, t9.o as c1
      from "quadstead".quad as t9
      where (t5.c1 is null) and (t9.copy is null) and (t7.c0 = t9.s) and (t9.p = 1009::int8)
    )
  ) as t10
  offset 0
) as t11
-- $1[1] "max"
-- $1[2] "Bqs"
