select t0.s as c0
from "quadstead".quad as t0
where (t0.copy is null)
  and (t0.p = 1013::int8)
  and ("quadstead".sparql_single(case
      when ((t0.o >= 576460752303423488::int8) and (t0.o < 1152921504606846976::int8)) or ((t0.o >= 4755801206503243776::int8) and (t0.o < 4899916394579099648::int8)) then "quadstead".sparql_text(jsonb_array_element_text(
        (
          select ($1::text[])[1]::jsonb
        ), int4(t0.o & 16777215::int8)
      ))
      else (
        select d.lex
        from "quadstead".term as d
        where d.id = t0.o and d.id between 4611686018427387904 and 5188146770730811391
      )
      end) ~ (
        select "quadstead".sparql_regex(($1::text[])[2]) as c0
      ) collate "und-x-icu")
-- $1[1] "[\"Lhttp://www.w3.org/2001/XMLSchema#string  ^a.c$\",\"Lhttp://www.w3.org/2001/XMLSchema#string  i\"]"
-- $1[2] "(?is)^a[^\\n\\r]c$"
