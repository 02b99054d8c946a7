select t0.s as c0, t1.o as c1
from "quadstead".quad as t0
left join "quadstead".quad as t1 on (t0.s = t1.s) and (t1.copy is null) and (t1.p = 1000::int8) and case
  when ((t1.o >= 4611686018427387904::int8) and (t1.o < 4755801206503243776::int8)) and ((t0.o >= 4611686018427387904::int8) and (t0.o < 4755801206503243776::int8)) then (
    select "quadstead".sparql_text_before(case
        when d0.id between 4611686018427387904 and 4899916394579099647 then d0.lex
        end,
        case
        when d1.id between 4611686018427387904 and 4899916394579099647 then d1.lex
        end) as c0
    from (
      select
    ) as one
    left join "quadstead".term as d0 on (d0.id = t0.o)
    left join "quadstead".term as d1 on (d1.id = t1.o)
  )
  when ((t1.o < 0::int8) or (t1.o >= 4611686018427387904::int8)) and ((t0.o < 0::int8) or (t0.o >= 4611686018427387904::int8)) then case
  when ((t1.o >= '-8070450532247928832'::int8) and (t1.o < '-6917529027641081856'::int8)) and ((t0.o >= '-8070450532247928832'::int8) and (t0.o < '-6917529027641081856'::int8)) then (t1.o >> 4::int8::int) > (t0.o >> 4::int8::int)
  when (((t1.o >= '-5764607523034234880'::int8) and (t1.o < '-3458764513820540928'::int8))
    and ((t0.o >= '-5764607523034234880'::int8) and (t0.o < '-3458764513820540928'::int8))) or (((t1.o >= '-3458764513820540928'::int8) and (t1.o < '-1152921504606846976'::int8))
    and ((t0.o >= '-3458764513820540928'::int8) and (t0.o < '-1152921504606846976'::int8))) then "quadstead".sparql_microseconds(t1.o) > "quadstead".sparql_microseconds(t0.o)
  when (((t1.o >= '-5764607523034234880'::int8) and (t1.o < '-1152921504606846976'::int8))
    and ((t0.o >= '-5764607523034234880'::int8) and (t0.o < '-1152921504606846976'::int8))) and (abs("quadstead".sparql_microseconds(t1.o) - "quadstead".sparql_microseconds(t0.o)) > 50400000000::int8) then "quadstead".sparql_microseconds(t1.o) > "quadstead".sparql_microseconds(t0.o)
  when (((t1.o >= '-1152921504606846976'::int8) and (t1.o < 0::int8))
    and ((t0.o >= '-1152921504606846976'::int8) and (t0.o < 0::int8))) and (int8and(t1.o, 127::int8) = int8and(t0.o, 127::int8)) then (t1.o >> 7::int8::int) > (t0.o >> 7::int8::int)
  when (((t1.o >= '-1152921504606846976'::int8) and (t1.o < 0::int8))
    and ((t0.o >= '-5764607523034234880'::int8) and (t0.o < '-1152921504606846976'::int8))) or (((t1.o >= '-5764607523034234880'::int8) and (t1.o < '-1152921504606846976'::int8))
    and ((t0.o >= '-1152921504606846976'::int8) and (t0.o < 0::int8))) then null::boolean
  else (
    select coalesce(case
        when (((t1.o >= '-5764607523034234880'::int8) and (t1.o < '-1152921504606846976'::int8))
          or ((t1.o >= 5764607523034234880::int8) and (t1.o < 6052837899185946624::int8))) and (((t0.o >= '-5764607523034234880'::int8) and (t0.o < '-1152921504606846976'::int8))
          or ((t0.o >= 5764607523034234880::int8) and (t0.o < 6052837899185946624::int8))) then "quadstead".sparql_time_order(t1.o,
          d0.lex,
          case
          when d0.id >= 4611686018427387904 then substr(d0.datatype, 34)
          end,
          t0.o,
          d1.lex,
          case
          when d1.id >= 4611686018427387904 then substr(d1.datatype, 34)
          end) > int4(0::int8)
        end,
        "quadstead".sparql_ordered(($1::text[])[1],
          case
          when t1.o < 0::int8 then "quadstead".sparql_inline_key(t1.o)
          when (t1.o >= 1152921504606846976::int8) and (t1.o < 2305843009213693952::int8) then ($1::text[])[2] || text(t1.o - 1152921504606846976::int8)
          else case
          when d0.id < 4611686018427387904 then 'I' || d0.lex
          when d0.lang is not null then 'Lhttp://www.w3.org/1999/02/22-rdf-syntax-ns#langString ' || d0.lang || ' ' || d0.lex
          else 'L' || coalesce(d0.datatype, 'http://www.w3.org/2001/XMLSchema#string') || '  ' || d0.lex
          end
          end,
          case
          when t0.o < 0::int8 then "quadstead".sparql_inline_key(t0.o)
          when (t0.o >= 1152921504606846976::int8) and (t0.o < 2305843009213693952::int8) then ($1::text[])[2] || text(t0.o - 1152921504606846976::int8)
          else case
          when d1.id < 4611686018427387904 then 'I' || d1.lex
          when d1.lang is not null then 'Lhttp://www.w3.org/1999/02/22-rdf-syntax-ns#langString ' || d1.lang || ' ' || d1.lex
          else 'L' || coalesce(d1.datatype, 'http://www.w3.org/2001/XMLSchema#string') || '  ' || d1.lex
          end
          end)) as c0
    from (
      select
    ) as one
    left join "quadstead".term as d0 on (d0.id = t1.o)
    left join "quadstead".term as d1 on (d1.id = t0.o)
  )
  end
  end
where (t0.copy is null) and (t0.p = 1015::int8)
-- $1[1] ">"
-- $1[2] "Bqs"
