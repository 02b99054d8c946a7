-- RDF terms in SPARQL functions, given by their keys, the texts that term_hash takes (src/rdf/term.ts, termKey):
--
--   I<iri>    B<blank node label>    L<datatype IRI> <language tag> <lexical form>
--
-- An error of a SPARQL expression is null. No function here raises an error, because that would end the whole query.

create or replace function sparql_lex(key text) returns text
language sql immutable parallel safe
return case left(sparql_lex.key, 1)
  when 'L' then substr(sparql_lex.key,
    length(split_part(sparql_lex.key, ' ', 1)) + length(split_part(sparql_lex.key, ' ', 2)) + 3)
  when 'I' then substr(sparql_lex.key, 2)
end;

comment on function sparql_lex(text) is 'STR: the IRI or the lexical form; null for blank nodes.';

create or replace function sparql_datatype(key text) returns text
language sql immutable parallel safe
return case when sparql_datatype.key like 'L%' then substr(split_part(sparql_datatype.key, ' ', 1), 2) end;

comment on function sparql_datatype(text) is 'Datatype IRI of a literal; null for other terms.';

create or replace function sparql_lang(key text) returns text
language sql immutable parallel safe
return case when sparql_lang.key like 'L%' then split_part(sparql_lang.key, ' ', 2) end;

comment on function sparql_lang(text) is 'Language tag of a literal, '''' if it has none; null for other terms.';

create or replace function sparql_string(value text) returns text
language sql immutable parallel safe
return 'Lhttp://www.w3.org/2001/XMLSchema#string  ' || sparql_string.value;

comment on function sparql_string(text) is 'Key of a simple literal.';

create or replace function sparql_typed(local_name text, value text) returns text
language sql immutable parallel safe
return 'Lhttp://www.w3.org/2001/XMLSchema#' || sparql_typed.local_name || '  ' || sparql_typed.value;

comment on function sparql_typed(text, text) is 'Key of a literal with a datatype of XML Schema.';

-- The text of a string literal, with or without a language; null for all other terms.
create or replace function sparql_text(key text) returns text
language sql immutable parallel safe
return case
  when sparql_text.key like 'Lhttp://www.w3.org/2001/XMLSchema#string  %' then substr(sparql_text.key, 43)
  when sparql_text.key like 'Lhttp://www.w3.org/1999/02/22-rdf-syntax-ns#langString %' then sparql_lex(sparql_text.key)
end;

comment on function sparql_text(text) is 'Text of a string literal; null for other terms.';

-- The part of a string literal's key before the text; null for all other terms.
create or replace function sparql_kind(key text) returns text
language sql immutable parallel safe
return case when sparql_text(sparql_kind.key) is not null
  then split_part(sparql_kind.key, ' ', 1) || ' ' || split_part(sparql_kind.key, ' ', 2) || ' ' end;

comment on function sparql_kind(text) is 'Part of a string literal''s key before the text; null for other terms.';

-- The text of a simple literal; null for all other terms.
create or replace function sparql_simple(key text) returns text
language sql immutable parallel safe
return case
  when sparql_simple.key like 'Lhttp://www.w3.org/2001/XMLSchema#string  %' then substr(sparql_simple.key, 43)
end;

comment on function sparql_simple(text) is 'Text of a simple literal; null for other terms.';

-- The key of a literal with its lexical form replaced.
create or replace function sparql_relex(key text, value text) returns text
language sql immutable parallel safe
return split_part(sparql_relex.key, ' ', 1) || ' ' || split_part(sparql_relex.key, ' ', 2) || ' ' || sparql_relex.value;

comment on function sparql_relex(text, text) is 'A literal''s key with another lexical form.';

-- The id of a term: that of an inline literal, a blank node or a dictionary term. -1, which no term has, if the term is
-- not stored.
create or replace function sparql_id(key text) returns int8
language plpgsql stable parallel safe
set search_path from current
as $$
begin
  if key like 'Bqs%' then
    return case when key ~ '^Bqs[1-9][0-9]{0,16}$' then 1152921504606846976 + substr(key, 4)::int8 else -1 end;
  end if;
  return coalesce(sparql_inline_id(key), (select t.id from term as t where t.hash = term_hash(key)),
    case when key is not null then -1 end);
end
$$;

comment on function sparql_id(text) is 'Id of a term by key; -1 if it is not stored.';

-- The id of a literal that can be inline (src/rdf/inline.ts, packLiteral); null for others.
create or replace function sparql_inline_id(key text) returns int8
language plpgsql immutable parallel safe
set search_path from current
as $$
declare
  v_type text := substr(split_part(key, ' ', 1), 35);
  v_lex  text := sparql_lex(key);
  v_code int;
begin
  if key not like 'Lhttp://www.w3.org/2001/XMLSchema#%' then
    return null;
  elsif v_type = 'boolean' then
    return case v_lex when 'true' then -9223372036854775807 when 'false' then -9223372036854775808 end;
  elsif v_type in ('decimal', 'float', 'double') then
    return coalesce(sparql_inline_decimal(v_lex, array_position(array['decimal', 'float', 'double'], v_type) - 1),
      case when v_type = 'double' then sparql_inline_scientific(v_lex) end,
      case when v_type <> 'float' then sparql_inline_fine(v_lex, v_type = 'double') end);
  elsif v_type in ('dateTime', 'date') then
    return sparql_inline_time(v_type, v_lex);
  end if;
  v_code := array_position(array['integer', 'int', 'long', 'short', 'byte', 'nonNegativeInteger', 'positiveInteger',
    'nonPositiveInteger', 'negativeInteger', 'unsignedLong', 'unsignedInt', 'unsignedShort', 'unsignedByte'],
    v_type) - 1;
  if v_code is null or v_lex !~ '^(0|-?[1-9][0-9]{0,16})$' or not sparql_fits(v_lex::numeric, v_type)
     or v_lex::numeric not between -36028797018963968 and 36028797018963967 then
    return null;
  end if;
  return -8070450532247928832 + ((v_lex::int8 + 36028797018963968) << 4) + v_code;
end
$$;

comment on function sparql_inline_id(text) is 'Id of a literal that can be inline; null for others.';

-- Whether a value is in the value space of an integer datatype.
create or replace function sparql_fits(value numeric, local_name text) returns boolean
language sql immutable parallel safe
return case sparql_fits.local_name
  when 'int' then sparql_fits.value between -2147483648 and 2147483647
  when 'long' then sparql_fits.value between -9223372036854775808 and 9223372036854775807
  when 'short' then sparql_fits.value between -32768 and 32767
  when 'byte' then sparql_fits.value between -128 and 127
  when 'nonNegativeInteger' then sparql_fits.value >= 0
  when 'positiveInteger' then sparql_fits.value > 0
  when 'nonPositiveInteger' then sparql_fits.value <= 0
  when 'negativeInteger' then sparql_fits.value < 0
  when 'unsignedLong' then sparql_fits.value between 0 and 18446744073709551615
  when 'unsignedInt' then sparql_fits.value between 0 and 4294967295
  when 'unsignedShort' then sparql_fits.value between 0 and 65535
  when 'unsignedByte' then sparql_fits.value between 0 and 255
  else true
end;

comment on function sparql_fits(numeric,text) is 'Whether a value is in an integer datatype''s value space.';

create or replace function sparql_inline_scientific(lex text) returns int8
language plpgsql immutable parallel safe
set search_path from current
as $$
declare
  v_millionths numeric;
  v_first      int8; -- the id with style 0 and E
begin
  if length(lex) > 24 or lex !~ '^-?[0-9]+(\.[0-9]+)?[Ee][+-]?[0-9]{1,2}$' then
    return null;
  end if;
  v_millionths := lex::numeric * 1000000;
  if abs(v_millionths) >= 9007199254740992 or v_millionths <> trunc(v_millionths)
     or length(rtrim(abs(v_millionths)::int8::text, '0')) > 15 then
    return null;
  end if;
  v_first := -6917529027641081856 + ((v_millionths::int8 + 9007199254740992) << 5) + 24;
  for v_form in 0 .. 5 loop
    if inline_scientific(v_millionths::int8, v_form) = lex then
      return v_first + v_form;
    end if;
  end loop;
  return null;
end
$$;

comment on function sparql_inline_scientific(text) is 'Inline id of a double with an exponent; null for others.';

-- The bits of the double: without its sign, and with the exponent counted from -13.
create or replace function sparql_inline_fine(lex text, is_double boolean) returns int8
language plpgsql immutable parallel safe
set search_path from current
as $$
declare
  v_value float8;
  v_bits  int8;
begin
  if lex !~ '^-?(0|[1-9][0-9]{0,14})\.[0-9]{1,20}$' then
    return null;
  end if;
  v_value := lex::float8;
  if not (abs(v_value) >= 2 ^ -13 and abs(v_value) < 2 ^ 49 and inline_fine_form(v_value) = lex) then
    return null;
  end if;
  v_bits := ('x' || encode(float8send(abs(v_value)), 'hex'))::bit(64)::int8 - (1010::int8 << 52);
  return -8646911284551352320 + ((case when v_value < 0 then ~v_bits else v_bits end) << 1) + is_double::int;
end
$$;

comment on function sparql_inline_fine(text, boolean) is
  'Inline id of a decimal or double by the bits of its double; null if it does not fit.';

create or replace function sparql_inline_decimal(lex text, code int) returns int8
language plpgsql immutable parallel safe
as $$
declare
  v_fraction   text := split_part(lex, '.', 2);
  v_millionths numeric;
begin
  if lex !~ '^-?(0|[1-9][0-9]{0,9})(\.[0-9]{1,6})?$'
     or length(ltrim(replace(replace(lex, '-', ''), '.', ''), '0')) > (array[16, 6, 15])[code + 1] then
    return null;
  end if;
  v_millionths := lex::numeric * 1000000;
  if abs(v_millionths) >= 9007199254740992 or (v_millionths = 0 and lex like '-%') then
    return null;
  end if;
  return -6917529027641081856 + ((v_millionths::int8 + 9007199254740992) << 5) + (code << 3) + length(v_fraction);
end
$$;

comment on function sparql_inline_decimal(text,int) is 'Inline id of a decimal form; null if it does not fit.';

create or replace function sparql_inline_time(local_name text, lex text) returns int8
language plpgsql immutable parallel safe
set search_path from current
as $$
declare
  v_zone     text := coalesce(substring(lex from '(Z|[+-][0-9]{2}:[0-9]{2})$'), '');
  v_minutes  int := case when length(v_zone) = 6
    then (substr(v_zone, 2, 2)::int * 60 + substr(v_zone, 5, 2)::int)
      * case left(v_zone, 1) when '-' then -1 else 1 end
    else 0 end;
  v_code     int := case v_zone when '' then 0 when 'Z' then 1 else 58 + v_minutes / 15 end;
  v_fraction text := coalesce(substring(lex from '\.([0-9]+)'), '');
  v_seconds  numeric := sparql_seconds(lex);
begin
  if v_seconds is null or v_minutes % 15 <> 0 or abs(v_minutes) > 840 or v_zone = '-00:00' or lex !~ '^[0-9]{4}-'
     or length(v_fraction) not in (0, 1, 2, 3, 6) or lex ~ 'T24' or v_seconds + v_minutes * 60 < -62135510400 then
    return null;
  elsif local_name = 'date' then
    return case when lex !~ 'T' then -1152921504606846976
      + ((((v_seconds + v_minutes * 60) / 86400)::int8 + 1073741824) << 7) + v_code end;
  end if;
  return case
    when lex !~ 'T' then null
    when length(v_fraction) = 6 then case when v_seconds >= -4503599627.370496 and v_seconds < 4503599627.370496
      then case v_code when 0 then -2305843009213693952 else -4611686018427387904 end
        + (((v_seconds * 1000000)::int8 + 4503599627370496) << 7) + v_code end
    when v_seconds < 70368744177.664 then case v_code when 0 then -3458764513820540928 else -5764607523034234880 end
      + (((v_seconds * 1000)::int8 + 70368744177664) << 9) + (v_code << 2) + length(v_fraction) end;
end
$$;

comment on function sparql_inline_time(text,text) is 'Inline id of a dateTime or date form; null if it does not fit.';

-- UUID and RAND, volatile: each call gives another value.
create or replace function sparql_uuid() returns text
language sql volatile parallel safe
return gen_random_uuid()::text;

comment on function sparql_uuid() is 'A random UUID.';

create or replace function sparql_random() returns text
language sql volatile parallel restricted
return sparql_double(random());

comment on function sparql_random() is 'RAND().';

-- BNODE(label): the same node for the same label within a solution.
create or replace function sparql_blank_node(label_key text, solution text) returns text
language sql immutable parallel safe
return 'Bn' || md5(sparql_blank_node.solution || sparql_simple(sparql_blank_node.label_key));

comment on function sparql_blank_node(text, text) is 'BNODE(label); null for an error.';

-- Keys and values of inline literals, from their ids alone.
create or replace function sparql_inline_key(id int8) returns text
language sql immutable parallel safe
return 'Lhttp://www.w3.org/2001/XMLSchema#' || inline_datatype(sparql_inline_key.id) || '  '
  || inline_lexical_form(sparql_inline_key.id);

comment on function sparql_inline_key(int8) is 'Key of an inline literal.';

-- The key of a stored term. The compiler writes this as an expression, except where few terms need it.
create or replace function sparql_key(id int8) returns text
language plpgsql stable parallel safe
set search_path from current
as $$
begin
  if id < 0 then
    return sparql_inline_key(id);
  elsif id between 1152921504606846976 and 2305843009213693951 then
    return 'Bqs' || id - 1152921504606846976;
  end if;
  return (select case when t.id < 4611686018427387904 then 'I' || t.lex
                      when t.lang is not null
                        then 'Lhttp://www.w3.org/1999/02/22-rdf-syntax-ns#langString ' || t.lang || ' ' || t.lex
                      else 'L' || coalesce(t.datatype, 'http://www.w3.org/2001/XMLSchema#string') || '  ' || t.lex end
            from term as t
           where t.id = sparql_key.id);
end
$$;

comment on function sparql_key(int8) is 'Key of a stored term.';

create or replace function sparql_inline_lex(id int8) returns text
language sql immutable parallel safe
return inline_lexical_form(sparql_inline_lex.id);

comment on function sparql_inline_lex(int8) is 'Lexical form of an inline literal.';

-- The offset of a time zone's code (src/rdf/inline.ts), in seconds.
create or replace function sparql_zone_seconds(code int8) returns int8
language sql immutable parallel safe
return case when sparql_zone_seconds.code < 2 then 0 else (sparql_zone_seconds.code - 58) * 900 end;

comment on function sparql_zone_seconds(int8) is 'Offset of a time zone''s code, in seconds.';

-- First key of ORDER BY for an inline literal: the same as sparql_order_rank of its key.
create or replace function sparql_inline_rank(id int8) returns int
language sql immutable parallel safe
return case (sparql_inline_rank.id >> 60) & 7
  when 0 then case when sparql_inline_rank.id < -9223372036854775806 then 3 else 4 end
  when 1 then 4 when 2 then 4 when 7 then 6 else 5 end;

comment on function sparql_inline_rank(int8) is 'First key of ORDER BY of an inline literal.';

-- First key of ORDER BY for a term, if its id determines it. Null for dictionary literals that are not strings, and for
-- literals that only the query contains (src/sparql/analyse/constants.ts).
create or replace function sparql_id_rank(id int8) returns int
language sql immutable parallel safe
return case
  when sparql_id_rank.id < 0 then sparql_inline_rank(sparql_id_rank.id)
  when sparql_id_rank.id < 1152921504606846976 then 2
  when sparql_id_rank.id < 2305843009213693952 then 1
  when sparql_id_rank.id between 4611686018427387904 and 4755801206503243775 then 7
  when sparql_id_rank.id between 4899916394579099648 and 5188146770730811391 then 8
end;

comment on function sparql_id_rank(int8) is 'First key of ORDER BY if the id determines it; null for other terms.';

create or replace function sparql_integer_of(id int8) returns numeric
language sql immutable parallel safe
return ((sparql_integer_of.id >> 4) + 468374361246531584)::numeric;

comment on function sparql_integer_of(int8) is 'Value of an inline integer.';

create or replace function sparql_decimal_of(id int8) returns numeric
language sql immutable parallel safe
return ((sparql_decimal_of.id >> 5) + 207165582859042816) * 0.000001;

comment on function sparql_decimal_of(int8) is 'Value of an inline decimal, float or double, as written.';

-- The value of an inline decimal or double as the nearest double; null for a float.
create or replace function sparql_as_double(id int8) returns float8
language sql immutable parallel safe
return case when (sparql_as_double.id >> 3) & 3 <> 1
  then ((sparql_as_double.id >> 5) + 207165582859042816)::float8 / 1000000 end;

comment on function sparql_as_double(int8) is 'Value of an inline decimal or double as a double; null for a float.';

-- A decimal that is whole has a scale of one, too (src/sparql/plan/likely-number.ts).
create or replace function sparql_fine_decimal(id int8) returns numeric
language sql immutable parallel safe
return inline_fine(sparql_fine_decimal.id)::text::numeric + 0.0;

comment on function sparql_fine_decimal(int8) is 'Scaled value of an inline decimal of kind 8.';

-- For sums of decimals: adding an int8 costs a tenth of adding a numeric.
create or replace function sparql_millionths(id int8) returns int8
language sql immutable parallel safe
return (sparql_millionths.id >> 5) + 207165582859042816;

comment on function sparql_millionths(int8) is 'Value of an inline decimal in millionths.';

create or replace function sparql_of_millionths(sum numeric) returns numeric
language sql immutable parallel safe
return sparql_of_millionths.sum * 0.000001;

comment on function sparql_of_millionths(numeric) is 'Value of a sum of millionths.';

-- The double nearest to a number of millionths below 2^53: both operands of the division are exact.
create or replace function sparql_of_millionths(millionths float8) returns float8
language sql immutable parallel safe
return sparql_of_millionths.millionths / 1000000;

comment on function sparql_of_millionths(float8) is 'Double nearest to a number of millionths.';

-- PostgreSQL may compute it of any constant when it plans a query, so no id may make it overflow: days have 31 bits.
create or replace function sparql_day_start(id int8) returns int8
language sql immutable parallel safe
return (((sparql_day_start.id >> 7) & 2147483647) - 1073741824) * 86400
  - sparql_zone_seconds(sparql_day_start.id & 127);

comment on function sparql_day_start(int8) is 'First second of an inline date, since 1970.';

-- Numbers in the order of dates: quarters of an hour, then the code of the time zone, which is the order of
-- sparql_day_start and id.
create or replace function sparql_date_order(id int8) returns int8
language sql immutable parallel safe
return ((sparql_day_start(sparql_date_order.id) / 900) << 7) | (sparql_date_order.id & 127);

comment on function sparql_date_order(int8) is 'Number of an inline date that has the order of dates.';

create or replace function sparql_date_of(date_order int8) returns int8
language sql immutable parallel safe
return ((((sparql_date_of.date_order >> 7) * 900 + sparql_zone_seconds(sparql_date_of.date_order & 127)) / 86400) << 7)
  + (sparql_date_of.date_order & 127) - 1152921367167893504;

comment on function sparql_date_of(int8) is 'Id of the date with a number of sparql_date_order.';

-- The value of an inline dateTime. PostgreSQL may compute it of any constant: no id makes it overflow.
create or replace function sparql_microseconds(id int8) returns int8
language sql immutable parallel safe
return case when sparql_microseconds.id & 1152921504606846976 <> 0
  then (((sparql_microseconds.id & 1152921504606846975) >> 9) - 70368744177664) * 1000
  else ((sparql_microseconds.id & 1152921504606846975) >> 7) - 4503599627370496 end;

comment on function sparql_microseconds(int8) is 'Microseconds of an inline dateTime since 1970.';

create or replace function sparql_inline_value(id int8) returns numeric
language sql immutable parallel safe
return case (sparql_inline_value.id >> 60) & 7
  when 0 then case when sparql_inline_value.id < -9223372036854775806 then (sparql_inline_value.id & 1)::numeric
    else inline_fine(sparql_inline_value.id)::text::numeric end
  when 1 then sparql_integer_of(sparql_inline_value.id)
  when 2 then sparql_decimal_of(sparql_inline_value.id)
  when 7 then sparql_day_start(sparql_inline_value.id)
  else sparql_microseconds(sparql_inline_value.id) * 0.000001
end;

comment on function sparql_inline_value(int8) is 'Second key of ORDER BY of an inline literal.';

-- Whether an id is an inline xsd:float. The value of a float is the binary one, not the decimal in its lexical form.
create or replace function sparql_is_float(id int8) returns boolean
language sql immutable parallel safe
return sparql_is_float.id & -1152921504606846952 = -6917529027641081848;

comment on function sparql_is_float(int8) is 'Whether an id is an inline xsd:float.';
