select t4.c0 as c0, t4.c1 as c1, t4.c2 as c2
from (
  select t3.c3 as c0,
    (count(*) * 16::int8) + '-7493989779944505344'::int8 as c1,
    "quadstead".sparql_average(sum((t3.c4 >> 4::int8::int) - '-468374361246531584'::int8) filter (where (t3.c4 >= '-8070450532247928832'::int8) and (t3.c4 < '-6917529027641081856'::int8)),
      coalesce("quadstead".sparql_of_millionths(sum("quadstead".sparql_millionths(t3.c4)) filter (where "quadstead".sparql_is_decimal(t3.c4))) + sum("quadstead".sparql_fine_decimal(t3.c4)) filter (where ((t3.c4 >= '-9223372036854775806'::int8) and (t3.c4 < '-8070450532247928832'::int8))
          and (int8and(t3.c4, 1::int8) = 0::int8)),
        "quadstead".sparql_of_millionths(sum("quadstead".sparql_millionths(t3.c4)) filter (where "quadstead".sparql_is_decimal(t3.c4))),
        sum("quadstead".sparql_fine_decimal(t3.c4)) filter (where ((t3.c4 >= '-9223372036854775806'::int8) and (t3.c4 < '-8070450532247928832'::int8))
          and (int8and(t3.c4, 1::int8) = 0::int8))),
      sum(float4("quadstead".sparql_of_millionths(float8("quadstead".sparql_millionths(t3.c4))))) filter (where "quadstead".sparql_is_float(t3.c4)),
      sum(case
        when "quadstead".sparql_is_double(t3.c4) then "quadstead".sparql_of_millionths(float8("quadstead".sparql_millionths(t3.c4)))
        else "quadstead".inline_fine(t3.c4)
        end) filter (where "quadstead".sparql_is_double(t3.c4)
        or (((t3.c4 >= '-9223372036854775806'::int8) and (t3.c4 < '-8070450532247928832'::int8))
          and (int8and(t3.c4, 1::int8) = 1::int8))),
      "quadstead".sparql_sum("quadstead".sparql_key(t3.c4)) filter (where not ((t3.c4 >= '-9223372036854775806'::int8) and (t3.c4 < '-5764607523034234880'::int8))),
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
