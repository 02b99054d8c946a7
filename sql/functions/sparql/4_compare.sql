-- Comparison in SPARQL: operators by value, the order of ORDER BY, the effective boolean value.
--
-- Sources: SPARQL 1.1 §15.1 (ORDER BY), §17.2.2 (effective boolean value), §17.3 (operators), §17.4.1.7
-- (RDFterm-equal).

-- The effective boolean value; null for an error.
create or replace function sparql_ebv(key text) returns boolean
language plpgsql immutable parallel safe
set search_path from current
as $$
begin
  if key is null or key not like 'L%' then
    return null;
  elsif sparql_datatype(key) = 'http://www.w3.org/2001/XMLSchema#boolean' then
    return sparql_lex(key) in ('true', '1');
  elsif sparql_rank(key) is not null then
    return coalesce(sparql_number(key) not in (0, 'NaN'), false);
  end if;
  return sparql_text(key) <> '';
end
$$;

comment on function sparql_ebv(text) is 'Effective boolean value of a term; null for an error.';

create or replace function sparql_boolean(value boolean) returns text
language sql immutable parallel safe
return 'Lhttp://www.w3.org/2001/XMLSchema#boolean  '
  || case when sparql_boolean.value then 'true' when not sparql_boolean.value then 'false' end;

comment on function sparql_boolean(boolean) is 'Key of a boolean; null for null.';

-- The family of a literal: values can be compared within a family only. n numbers, s simple and l language-tagged
-- strings, b booleans, d dateTimes, e dates, t times of day, y years, m months of years, u durations without months, w
-- durations without seconds; null for unknown datatypes and ill-formed literals.
create or replace function sparql_family(key text) returns "char"
language plpgsql immutable parallel safe
set search_path from current
as $$
declare
  v_type text := sparql_datatype(key);
  v_lex  text;
begin
  if v_type = 'http://www.w3.org/2001/XMLSchema#string' then
    return 's';
  elsif v_type = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#langString' then
    return 'l';
  elsif v_type = 'http://www.w3.org/2001/XMLSchema#dateTime' then
    v_lex := substr(key, 45);
    return case when v_lex like '%T%' and sparql_seconds(v_lex) is not null then 'd' end;
  elsif sparql_number(key) is not null then
    return 'n';
  end if;
  v_lex := sparql_lex(key);
  return case
    when v_type = 'http://www.w3.org/2001/XMLSchema#boolean'
      then case when v_lex in ('true', 'false', '1', '0') then 'b' end
    when v_type = 'http://www.w3.org/2001/XMLSchema#dateTimeStamp'
      then case when v_lex like '%T%' and sparql_seconds(v_lex) is not null then 'd' end
    when v_type = 'http://www.w3.org/2001/XMLSchema#date'
      then case when v_lex not like '%T%' and sparql_seconds(v_lex) is not null then 'e' end
    when v_type in ('http://www.w3.org/2001/XMLSchema#time', 'http://www.w3.org/2001/XMLSchema#gYear',
        'http://www.w3.org/2001/XMLSchema#gYearMonth')
      then case when sparql_span(v_lex, substr(v_type, 34)) is not null then case substr(v_type, 34)
        when 'time' then 't' when 'gYear' then 'y' else 'm' end end
    when v_type in ('http://www.w3.org/2001/XMLSchema#duration', 'http://www.w3.org/2001/XMLSchema#dayTimeDuration',
        'http://www.w3.org/2001/XMLSchema#yearMonthDuration')
      then case 0 when (sparql_duration(v_lex, substr(v_type, 34)))[1] then 'u'
        when (sparql_duration(v_lex, substr(v_type, 34)))[2] then 'w' end
  end;
end
$$;

comment on function sparql_family(text) is 'Family of a literal, within which values can be compared; null for none.';

-- The order of two times by the seconds between them: -1, 0 or 1. Null if only one has a time zone and they are within
-- 14 hours of each other.
create or replace function sparql_order_apart(apart numeric, one text, other text) returns int
language sql immutable parallel safe
return case when abs(sparql_order_apart.apart) > 50400
                 or sparql_has_zone(sparql_order_apart.one) = sparql_has_zone(sparql_order_apart.other)
  then sign(sparql_order_apart.apart)::int end;

comment on function sparql_order_apart(numeric, text, text) is
  'Order of two times by the seconds between them; null for an error.';

-- The order of two dateTimes or two dates by their lexical forms: -1, 0 or 1. Null if one is ill-formed, or if only one
-- has a time zone and they are within 14 hours of each other.
create or replace function sparql_compare_times(one text, other text, is_clocked boolean) returns int
language plpgsql immutable parallel safe
set search_path from current
as $$
begin
  if (one like '%T%') is distinct from is_clocked or (other like '%T%') is distinct from is_clocked then
    return null;
  end if;
  return sparql_order_apart(sparql_seconds(one) - sparql_seconds(other), one, other);
end
$$;

comment on function sparql_compare_times(text, text, boolean) is 'Order of two dateTimes or dates; null for an error.';

-- A dateTime in seconds, by its id if it is inline, otherwise by its parts.
create or replace function sparql_instant_of(id int8, lex text, local_name text) returns numeric
language sql immutable parallel safe
return case when sparql_instant_of.id < 0 then sparql_inline_value(sparql_instant_of.id)
            when sparql_instant_of.local_name <> 'date'
              then sparql_moment(sparql_instant_of.lex, sparql_instant_of.local_name) end;

comment on function sparql_instant_of(int8, text, text) is
  'Seconds since 1970 of a dateTime; null for other terms of the dictionary.';

create or replace function sparql_is_zoned(id int8, lex text) returns boolean
language sql immutable parallel safe
return case when sparql_is_zoned.id < 0 then sparql_is_zoned.id >> 60 in (-5, -4)
            else sparql_has_zone(sparql_is_zoned.lex) end;

comment on function sparql_is_zoned(int8, text) is 'Whether a dateTime has a time zone, by its id if it is inline.';

-- The order of two dateTimes, of which each is inline or in the dictionary: -1, 0 or 1. Null for other terms, and if
-- only one has a time zone.
create or replace function sparql_time_order(one int8, one_lex text, one_name text, other int8, other_lex text,
                                             other_name text) returns int
language sql immutable parallel safe
return case when sparql_is_zoned(sparql_time_order.one, sparql_time_order.one_lex)
                 = sparql_is_zoned(sparql_time_order.other, sparql_time_order.other_lex)
  then sign(sparql_instant_of(sparql_time_order.one, sparql_time_order.one_lex, sparql_time_order.one_name)
    - sparql_instant_of(sparql_time_order.other, sparql_time_order.other_lex, sparql_time_order.other_name))::int end;

comment on function sparql_time_order(int8, text, text, int8, text, text) is
  'Order of two dateTimes with a time zone, or of two without; null for others.';

-- The order of two literals of one family: -1, 0 or 1; 2 if one is NaN; null if they cannot be compared.
create or replace function sparql_compare(left_key text, right_key text) returns int
language plpgsql immutable parallel safe
set search_path from current
as $$
declare
  v_a      numeric := sparql_number(left_key);
  v_b      numeric := case when v_a is not null then sparql_number(right_key) end;
  v_rank_a int;
  v_rank_b int;
  v_family "char";
  v_left   text;
  v_right  text;
begin
  if v_b is not null then
    if v_a = 'NaN' or v_b = 'NaN' then
      return 2;
    end if;
    v_rank_a := sparql_rank(left_key);
    v_rank_b := sparql_rank(right_key);
    if v_rank_a < v_rank_b then
      v_a := sparql_promoted(v_a, v_rank_a, v_rank_b);
    elsif v_rank_b < v_rank_a then
      v_b := sparql_promoted(v_b, v_rank_b, v_rank_a);
    end if;
    return case when v_a < v_b then -1 when v_a = v_b then 0 else 1 end; -- sign(v_a - v_b) fails for infinities
  elsif v_a is not null then
    return null;
  end if;
  if left_key like 'Lhttp://www.w3.org/2001/XMLSchema#dateTime  %'
     and right_key like 'Lhttp://www.w3.org/2001/XMLSchema#dateTime  %' then
    return sparql_compare_times(substr(left_key, 45), substr(right_key, 45), true);
  elsif left_key like 'Lhttp://www.w3.org/2001/XMLSchema#date  %'
     and right_key like 'Lhttp://www.w3.org/2001/XMLSchema#date  %' then
    return sparql_compare_times(substr(left_key, 41), substr(right_key, 41), false);
  end if;
  v_family := sparql_family(left_key);
  if v_family is null or v_family is distinct from sparql_family(right_key) then
    return null;
  end if;
  v_left := sparql_lex(left_key);
  v_right := sparql_lex(right_key);
  if v_family = 's' then
    return case when v_left collate "C" < v_right then -1 when v_left = v_right then 0 else 1 end;
  elsif v_family = 'l' then
    return case when lower(sparql_lang(left_key)) = lower(sparql_lang(right_key))
      then case when v_left collate "C" < v_right then -1 when v_left = v_right then 0 else 1 end end;
  elsif v_family = 'b' then
    return (v_left in ('true', '1'))::int - (v_right in ('true', '1'))::int;
  elsif v_family in ('d', 'e') then
    return sparql_compare_times(v_left, v_right, v_family = 'd');
  end if;
  return sparql_order_apart(
    sparql_span(v_left, substr(sparql_datatype(left_key), 34))
      - sparql_span(v_right, substr(sparql_datatype(right_key), 34)),
    v_left, v_right);
end
$$;

comment on function sparql_compare(text, text) is
  'Order of two literals by value: -1, 0, 1; 2 with NaN; null for an error.';

create or replace function sparql_text_before(one text, other text) returns boolean
language sql immutable parallel safe
return sparql_text_before.one collate "C" < sparql_text_before.other;

comment on function sparql_text_before(text, text) is 'Whether a text comes before another by code points.';

-- The operator =, by value; null for an error.
create or replace function sparql_equal(left_key text, right_key text) returns boolean
language plpgsql immutable parallel safe
set search_path from current
as $$
declare
  v_left  "char";
  v_right "char";
  v_a     numeric;
  v_b     numeric;
begin
  if left_key is null or right_key is null then
    return null;
  elsif left_key = right_key then
    return not coalesce(sparql_number(left_key) = 'NaN', false);
  elsif left_key not like 'L%' or right_key not like 'L%' then
    return false;
  elsif sparql_rank(left_key) is not null and sparql_rank(right_key) is not null then
    v_a := sparql_number(left_key);
    v_b := sparql_number(right_key);
    if v_a is not null and v_b is not null then
      return case when v_a = 'NaN' or v_b = 'NaN' then false
                  when sparql_rank(left_key) = sparql_rank(right_key) then v_a = v_b
                  else sparql_compare(left_key, right_key) = 0 end;
    end if;
  end if;
  v_left := sparql_family(left_key);
  v_right := sparql_family(right_key);
  if (v_left is not distinct from 'l') <> (v_right is not distinct from 'l') then
    return false; -- a language-tagged string equals only another one
  elsif v_left is null or v_right is null then
    return null;
  elsif v_left <> v_right then
    return false;
  elsif v_left = 'l' then
    return sparql_lex(left_key) = sparql_lex(right_key)
      and lower(sparql_lang(left_key)) = lower(sparql_lang(right_key));
  end if;
  return sparql_compare(left_key, right_key) = 0;
end
$$;

comment on function sparql_equal(text, text) is 'Operator = of SPARQL; null for an error.';

-- A number as a double that equal numbers share: its value as xsd:float, the type of the lowest precision. Numbers that
-- are too large for a float share one value for each sign, and those that are too small are 0.
create or replace function sparql_match_number(value float8) returns float8
language sql immutable parallel safe
return case
  when abs(sparql_match_number.value) >= 3.4e38 then sign(sparql_match_number.value) * 'Infinity'::float8
  when abs(sparql_match_number.value) <= 1e-37 then 0
  else sparql_match_number.value::float4::float8 end;

create or replace function sparql_match_number(value numeric) returns float8
language sql immutable parallel safe
return case
  when abs(sparql_match_number.value) >= 3.4e38 then sign(sparql_match_number.value)::float8 * 'Infinity'::float8
  when abs(sparql_match_number.value) <= 1e-37 then 0
  else sparql_match_number.value::float8::float4::float8 end;

comment on function sparql_match_number(float8) is 'A number as a double that equal numbers share.';
comment on function sparql_match_number(numeric) is 'A number as a double that equal numbers share.';

create or replace function sparql_match_key(key text) returns text
language plpgsql immutable parallel safe
set search_path from current
as $$
declare
  v_number numeric := sparql_number(key);
  v_family "char" := case when v_number is null then sparql_family(key) end;
begin
  return case
    when v_number is not null then sparql_match_number(v_number)::text
    when v_family is null then key
    when v_family in ('s', 'l') then sparql_lex(key)
    when v_family in ('b', 'd', 'e') then sparql_order_value(key)::float8::text
    else sparql_span(sparql_lex(key), substr(sparql_datatype(key), 34))::float8::text end;
end
$$;

comment on function sparql_match_key(text) is 'A text that terms share if the operator = finds them equal.';

-- The operators < > <= >=; null for an error.
create or replace function sparql_ordered(operator text, left_key text, right_key text) returns boolean
language sql immutable parallel safe
return sparql_compare(sparql_ordered.left_key, sparql_ordered.right_key) = any (case sparql_ordered.operator
  when '<' then '{-1}'::int[] when '>' then '{1}'::int[] when '<=' then '{-1,0}'::int[] else '{0,1}'::int[] end);

comment on function sparql_ordered(text, text, text) is 'Operators < > <= >= of SPARQL; null for an error.';

-- First key of ORDER BY; then come sparql_order_value and sparql_order_text. Unbound is null, which sorts first.
create or replace function sparql_order_rank(key text) returns int
language plpgsql immutable parallel safe
set search_path from current
as $$
begin
  return case left(key, 1)
    when 'B' then 1
    when 'I' then 2
    when 'L' then case sparql_family(key)
      when 'b' then 3 when 'n' then 4 when 'd' then 5 when 'e' then 6 when 's' then 7 when 'l' then 8 else 9 end end;
end
$$;

comment on function sparql_order_rank(text) is 'First key of ORDER BY: kind of term.';

create or replace function sparql_order_value(key text) returns numeric
language plpgsql immutable parallel safe
set search_path from current
as $$
begin
  return case sparql_family(key)
    when 'b' then (sparql_lex(key) in ('true', '1'))::int
    when 'n' then sparql_number(key)
    when 'd' then sparql_seconds(sparql_lex(key))
    when 'e' then sparql_seconds(sparql_lex(key)) end;
end
$$;

comment on function sparql_order_value(text) is 'Second key of ORDER BY: number or time.';

-- Third key of ORDER BY. Null for terms with a second key: the next condition orders equal values with different forms.
-- The caller compares it by code points (collate "C").
create or replace function sparql_order_text(key text) returns text
language plpgsql immutable parallel safe
set search_path from current
as $$
begin
  if sparql_family(key) in ('b', 'n', 'd', 'e') then
    return null;
  end if;
  return coalesce(sparql_lex(key), key);
end
$$;

comment on function sparql_order_text(text) is 'Third key of ORDER BY: the text.';

-- The three keys of ORDER BY of a stored term, as a record: PostgreSQL compares records by their columns. The bytes of
-- a text in UTF-8 have the order of its code points. For a few rows one call takes less time than the expressions that
-- the compiler writes for many, which PostgreSQL has to prepare.
create or replace function sparql_order_key(id int8, out rank int, out value numeric, out bytes bytea)
language plpgsql stable strict parallel safe
set search_path from current
as $$
declare
  v_key text;
begin
  rank := sparql_id_rank(id);
  if id < 0 then
    value := sparql_inline_value(id);
    return;
  end if;
  if rank in (2, 7, 8) then -- IRIs and strings, which have a text and no value
    bytes := (select convert_to(t.lex, 'UTF8') from term as t where t.id = sparql_order_key.id);
    return;
  end if;
  v_key := sparql_key(id);
  rank := sparql_order_rank(v_key);
  value := sparql_order_value(v_key);
  bytes := convert_to(sparql_order_text(v_key), 'UTF8');
end
$$;

comment on function sparql_order_key(int8) is 'All keys of ORDER BY of a stored term.';
