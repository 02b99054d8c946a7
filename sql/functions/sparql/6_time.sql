-- Functions on dates and times (SPARQL 1.1 §17.4.5), and the casts to XML Schema types (§17.5).

-- Milliseconds since the year 1 of an inline dateTime, in its own time zone: of one with at most three fraction digits,
-- and of one with six. Inline literals begin with the year 1.
create or replace function sparql_local_time(id int8) returns int8
language sql immutable parallel safe
return ((sparql_local_time.id >> 9) & 140737488355327) - 8233147377664
  + 1000 * sparql_zone_seconds((sparql_local_time.id >> 2) & 127);

create or replace function sparql_local_micro_time(id int8) returns int8
language sql immutable parallel safe
return (((sparql_local_micro_time.id >> 7) & 9007199254740991) + 57631997172629504) / 1000
  + 1000 * sparql_zone_seconds(sparql_local_micro_time.id & 127);

comment on function sparql_local_time(int8) is
  'Milliseconds since the year 1, in its own zone, of an inline dateTime with at most three fraction digits.';
comment on function sparql_local_micro_time(int8) is
  'Milliseconds since the year 1, in its own zone, of an inline dateTime with six fraction digits.';

create or replace function sparql_clock_day(clock int8) returns date
language sql immutable parallel safe
return date '0001-01-01' + (sparql_clock_day.clock / 86400000)::int;

comment on function sparql_clock_day(int8) is 'Day of a local time in milliseconds.';

create or replace function sparql_date_day(id int8) returns date
language sql immutable parallel safe
return case when sparql_date_day.id >> 60 = -1
  then date '1970-01-01' + (((sparql_date_day.id >> 7) & 2147483647) - 1073741824)::int
end;

comment on function sparql_date_day(int8) is 'Day of an inline date, in its own zone; null for another id.';

-- The function date_part takes half the time of extract, which returns numeric.
create or replace function sparql_day_number(part text, day date) returns int8
language sql immutable parallel safe
return date_part(sparql_day_number.part, sparql_day_number.day)::int8;

comment on function sparql_day_number(text, date) is 'YEAR, MONTH or DAY of a day.';

create or replace function sparql_hours(clock int8) returns numeric
language sql immutable parallel safe
return (sparql_hours.clock / 3600000 % 24)::numeric;

comment on function sparql_hours(int8) is 'HOURS of a local time in milliseconds.';

create or replace function sparql_minutes(clock int8) returns numeric
language sql immutable parallel safe
return (sparql_minutes.clock / 60000 % 60)::numeric;

comment on function sparql_minutes(int8) is 'MINUTES of a local time in milliseconds.';

-- SECONDS of an inline dateTime, from the microseconds since the year 1. Time zones are whole minutes.
create or replace function sparql_inline_seconds(id int8) returns text
language sql immutable parallel safe
return sparql_typed('decimal',
  trim_scale((sparql_microseconds(sparql_inline_seconds.id) + 62135596800000000) % 60000000 * 0.000001)::text);

comment on function sparql_inline_seconds(int8) is 'SECONDS of an inline dateTime.';

create or replace function sparql_inline_tz(id int8) returns text
language sql immutable parallel safe
return inline_zone(inline_zone_code(sparql_inline_tz.id)::int);

comment on function sparql_inline_tz(int8) is 'TZ of an inline dateTime or date.';

-- The same dateTime or date, with the end of a day (24:00:00) written as the beginning of the next one (XML Schema 1.1
-- part 2 §3.3.7). The calendar repeats after 400 years, so the year may be one that the type date does not have.
create or replace function sparql_begun(lex text) returns text
language plpgsql immutable parallel safe
as $$
declare
  v_parts text[];
  v_year  int8;
  v_cycle date;
  v_next  date;
begin
  if lex not like '%T24:%' then
    return lex;
  end if;
  v_parts := regexp_match(lex, '^(-?[0-9]+)-([0-9]{2})-([0-9]{2})T24:(.*)$');
  v_year := v_parts[1]::int8;
  v_cycle := make_date(2000 + (v_year % 400)::int, v_parts[2]::int, v_parts[3]::int);
  v_next := v_cycle + 1;
  v_year := v_year + extract(year from v_next)::int8 - extract(year from v_cycle)::int8;
  return case when v_year < 0 then '-' else '' end
    || lpad(abs(v_year)::text, greatest(4, length(abs(v_year)::text)), '0')
    || to_char(v_next, '-MM-DD') || 'T00:' || v_parts[4];
end
$$;

comment on function sparql_begun(text) is 'A dateTime without 24:00:00, which is the beginning of the next day.';

-- YEAR, MONTH, DAY, HOURS and MINUTES of a dateTime; those of a date, a time of day, a year and a month of a year that
-- these have, which SPARQL leaves to extensions.
create or replace function sparql_time_number(operator text, key text) returns numeric
language plpgsql immutable parallel safe
set search_path from current
as $$
declare
  v_lex    text := sparql_lex(key);
  v_family "char" := sparql_family(key);
  v_day    text[];
begin
  if not coalesce(operator = any (case v_family
      when 'd' then '{year,month,day,hours,minutes}'::text[] when 'e' then '{year,month,day}'
      when 't' then '{hours,minutes}' when 'y' then '{year}' when 'm' then '{year,month}' end), false) then
    return null;
  end if;
  v_lex := sparql_begun(case v_family when 't' then '2000-01-01T' else '' end || v_lex);
  if operator = 'hours' then
    return left(split_part(v_lex, 'T', 2), 2)::numeric;
  elsif operator = 'minutes' then
    return substr(split_part(v_lex, 'T', 2), 4, 2)::numeric;
  end if;
  v_day := case when v_lex like '____-__-__%' then array[left(v_lex, 4), substr(v_lex, 6, 2), substr(v_lex, 9, 2)]
                else regexp_match(v_lex, '^(-?[0-9]+)(?:-([0-9]{2}))?(?:-([0-9]{2}))?') end;
  return v_day[case operator when 'year' then 1 when 'month' then 2 else 3 end]::numeric;
end
$$;

comment on function sparql_time_number(text, text) is 'YEAR, MONTH, DAY, HOURS and MINUTES; null for an error.';

-- The same for a term of the dictionary, by its parts. Null for others, and if its lexical form is unusual.
create or replace function sparql_time_field(operator text, lex text, local_name text) returns numeric
language sql immutable parallel safe
return case
  when sparql_time_field.local_name in ('dateTime', 'dateTimeStamp')
    then (sparql_usual_time(sparql_time_field.lex)
      / case sparql_time_field.operator when 'year' then 10000000000 when 'month' then 100000000 when 'day' then 1000000
             when 'hours' then 10000 else 100 end
      % case sparql_time_field.operator when 'year' then 10000 else 100 end)::numeric
  when sparql_time_field.local_name = 'gYear' and sparql_time_field.operator = 'year'
       and sparql_time_field.lex ~ '^[0-9]{4}$'
    then sparql_time_field.lex::numeric
  when sparql_time_field.local_name = 'gYearMonth' and sparql_time_field.operator in ('year', 'month')
       and sparql_time_field.lex ~ '^[0-9]{4}-(0[1-9]|1[0-2])$'
    then substr(sparql_time_field.lex, case sparql_time_field.operator when 'year' then 1 else 6 end,
      case sparql_time_field.operator when 'year' then 4 else 2 end)::numeric
end;

comment on function sparql_time_field(text, text, text) is 'YEAR to MINUTES of a usual time; null for others.';

-- SECONDS and TZ of a dateTime or a time of day, and TZ of the others, which have no SECONDS.
create or replace function sparql_time_part(operator text, key text) returns text
language plpgsql immutable parallel safe
set search_path from current
as $$
declare
  v_lex    text := sparql_lex(key);
  v_family "char" := sparql_family(key);
begin
  if v_family in ('d', 't') and operator = 'seconds' then
    return sparql_typed('decimal', trim_scale(substring(v_lex from
      case v_family when 'd' then 'T.{6}([0-9.]+)' else '^.{6}([0-9.]+)' end)::numeric)::text);
  elsif operator = 'seconds' or not coalesce(v_family in ('d', 'e', 't', 'y', 'm'), false) then
    return null;
  end if;
  return sparql_string(coalesce(substring(v_lex from '(Z|[+-][0-9]{2}:[0-9]{2})$'), ''));
end
$$;

comment on function sparql_time_part(text, text) is 'SECONDS and TZ; null for an error.';

-- The same for a dateTime of the dictionary, by its parts. Null for others, and if its lexical form is unusual. Time
-- zones are whole minutes.
create or replace function sparql_stored_seconds(lex text, local_name text) returns text
language sql immutable parallel safe
return case when sparql_stored_seconds.local_name in ('dateTime', 'dateTimeStamp')
  then sparql_typed('decimal', trim_scale(mod(60 + mod(
    sparql_usual_seconds(sparql_usual_time(sparql_stored_seconds.lex), sparql_stored_seconds.lex), 60), 60))::text) end;

comment on function sparql_stored_seconds(text, text) is 'SECONDS of a usual dateTime; null for others.';

create or replace function sparql_stored_tz(lex text, local_name text) returns text
language sql immutable parallel safe
return case when sparql_stored_tz.local_name in ('dateTime', 'dateTimeStamp')
                 and sparql_usual_time(sparql_stored_tz.lex) is not null
  then case when sparql_stored_tz.lex like '%Z' then 'Z'
            when sparql_has_zone(sparql_stored_tz.lex) then right(sparql_stored_tz.lex, 6) else '' end end;

comment on function sparql_stored_tz(text, text) is 'TZ of a usual dateTime; null for others.';

-- A time zone as an xsd:dayTimeDuration: PT5H30M for +05:30.
create or replace function sparql_zone_duration(zone text) returns text
language sql immutable parallel safe
return case when substr(sparql_zone_duration.zone, 2) = '00:00' then 'PT0S' else
  case left(sparql_zone_duration.zone, 1) when '-' then '-' else '' end || 'PT'
  || case when substr(sparql_zone_duration.zone, 2, 2) = '00' then ''
          else substr(sparql_zone_duration.zone, 2, 2)::int || 'H' end
  || case when substr(sparql_zone_duration.zone, 5, 2) = '00' then ''
          else substr(sparql_zone_duration.zone, 5, 2)::int || 'M' end end;

comment on function sparql_zone_duration(text) is 'A time zone as an xsd:dayTimeDuration.';

-- Arithmetic of times and durations, which SPARQL 1.1 §17.3.1 leaves to extensions: the operators of XPath functions
-- 3.1 §8.4 and §9.7, and additions of an xsd:duration (XML Schema 1.1 part 2 §E.3.3).

-- A duration in canonical form (XML Schema 1.1 part 2 §E.2). Null if the months and the seconds have different signs,
-- or if it is longer than 10^18 months or seconds.
create or replace function sparql_duration_form(months numeric, seconds numeric, local_name text) returns text
language plpgsql strict immutable parallel safe
as $$
declare
  v_months  numeric := abs(months);
  v_seconds numeric := trim_scale(abs(seconds));
  v_minutes numeric := div(v_seconds, 60);
  v_clock   text; -- hours, minutes and seconds
begin
  if months * seconds < 0 or v_months > 1e18 or v_seconds > 1e18 then
    return null;
  elsif months = 0 and seconds = 0 then
    return case local_name when 'yearMonthDuration' then 'P0M' else 'PT0S' end;
  end if;
  v_clock := case when div(v_minutes, 60) % 24 > 0 then div(v_minutes, 60) % 24 || 'H' else '' end
    || case when v_minutes % 60 > 0 then v_minutes % 60 || 'M' else '' end
    || case when v_seconds % 60 > 0 then v_seconds % 60 || 'S' else '' end;
  return case when months < 0 or seconds < 0 then '-P' else 'P' end
    || case when v_months >= 12 then div(v_months, 12) || 'Y' else '' end
    || case when v_months % 12 > 0 then v_months % 12 || 'M' else '' end
    || case when v_minutes >= 1440 then div(v_minutes, 1440) || 'D' else '' end
    || case when v_clock <> '' then 'T' || v_clock else '' end;
end
$$;

comment on function sparql_duration_form(numeric, numeric, text) is
  'Canonical form of a duration of months and seconds; null for an error.';

-- The key of an xsd:dayTimeDuration in canonical form.
create or replace function sparql_day_time(seconds numeric) returns text
language sql immutable parallel safe
return 'Lhttp://www.w3.org/2001/XMLSchema#dayTimeDuration  '
  || sparql_duration_form(0, sparql_day_time.seconds, 'dayTimeDuration');

comment on function sparql_day_time(numeric) is 'Key of an xsd:dayTimeDuration of a number of seconds.';

-- The seconds from one time to another: two dateTimes, two dates or two times of day, both with a time zone or both
-- without. Null for others.
create or replace function sparql_between(later_key text, earlier_key text) returns numeric
language plpgsql immutable parallel safe
set search_path from current
as $$
declare
  v_family  "char" := sparql_family(later_key);
  v_later   text := sparql_lex(later_key);
  v_earlier text := sparql_lex(earlier_key);
begin
  if not coalesce(v_family in ('d', 'e', 't') and v_family = sparql_family(earlier_key)
                  and sparql_has_zone(v_later) = sparql_has_zone(v_earlier), false) then
    return null;
  elsif v_family = 't' then
    return sparql_span(v_later, 'time') - sparql_span(v_earlier, 'time');
  end if;
  return sparql_seconds(v_later) - sparql_seconds(v_earlier);
end
$$;

comment on function sparql_between(text, text) is 'Seconds between two times; null for an error.';

-- A dateTime, a date or a time of day, later by a duration (XML Schema 1.1 part 2 §E.3.3): the months are added first,
-- and a day that the month does not have becomes its last one. Null for an error, and outside the years 1 to 9999.
create or replace function sparql_later(key text, months numeric, seconds numeric) returns text
language plpgsql immutable parallel safe
set search_path from current
as $$
declare
  v_family "char" := sparql_family(key);
  v_lex    text := sparql_begun(sparql_lex(key));
  v_zone   text := coalesce(substring(v_lex from '(?:Z|[+-][0-9]{2}:[0-9]{2})$'), '');
  v_local  text := left(v_lex, length(v_lex) - length(v_zone));
  v_month  numeric; -- counted from the year 0
  v_first  date;
  v_moment numeric; -- local seconds
  v_days   numeric;
  v_clock  numeric;
  v_time   text;
  v_date   text;
begin
  if v_family = 't' then
    if months <> 0 then
      return null;
    end if;
    v_moment := sparql_span(v_local, 'time');
  elsif v_family in ('d', 'e') and v_local like '____-__-__%' and v_local >= '0001' collate "C" then
    v_month := left(v_local, 4)::numeric * 12 + substr(v_local, 6, 2)::numeric - 1 + months;
    if v_month not between 12 and 119999 then
      return null;
    end if;
    v_first := make_date((div(v_month, 12))::int, (v_month % 12)::int + 1, 1);
    v_moment := ((v_first - date '1970-01-01') + least(substr(v_local, 9, 2)::int,
        extract(day from v_first + interval '1 month' - interval '1 day')::int) - 1) * 86400::numeric
      + case v_family when 'd' then sparql_span(substr(v_local, 12), 'time') else 0 end;
  end if;
  v_moment := v_moment + seconds;
  v_days := floor(v_moment / 86400);
  if v_moment is null or v_family <> 't' and v_days not between -719162 and 2932896 then
    return null;
  end if;
  v_clock := trim_scale(v_moment - v_days * 86400);
  v_time := lpad(div(v_clock, 3600)::text, 2, '0') || ':' || lpad((div(v_clock, 60) % 60)::text, 2, '0') || ':'
    || case when v_clock % 60 < 10 then '0' else '' end || v_clock % 60;
  if v_family = 't' then
    return sparql_typed('time', v_time || v_zone);
  end if;
  v_date := to_char(date '1970-01-01' + v_days::int, 'YYYY-MM-DD');
  return case v_family when 'e' then sparql_typed('date', v_date || v_zone)
    else sparql_typed('dateTime', v_date || 'T' || v_time || v_zone) end;
end
$$;

comment on function sparql_later(text, numeric, numeric) is
  'A time, later by months and seconds, as a key; null for an error.';

-- The operators + - * / with a time or a duration; null for an error.
create or replace function sparql_time_arithmetic(operator text, left_key text, right_key text) returns text
language plpgsql immutable parallel safe
set search_path from current
as $$
declare
  v_left   text := substr(sparql_datatype(left_key), 34);
  v_right  text := substr(sparql_datatype(right_key), 34);
  v_a      numeric[] := sparql_duration(sparql_lex(left_key), v_left); -- months and seconds
  v_b      numeric[] := sparql_duration(sparql_lex(right_key), v_right);
  v_sign   int := case operator when '-' then -1 else 1 end;
  v_number numeric;
  v_part   int := case v_left when 'yearMonthDuration' then 1 else 2 end;
begin
  if v_a is null and v_b is null then
    return case when operator = '-' then sparql_day_time(sparql_between(left_key, right_key)) end;
  elsif operator in ('+', '-') then
    if v_a is null then
      return sparql_later(left_key, v_sign * v_b[1], v_sign * v_b[2]);
    elsif v_b is null then
      return case operator when '+' then sparql_later(right_key, v_a[1], v_a[2]) end;
    end if;
    v_left := case when v_left = v_right then v_left else 'duration' end;
    return sparql_typed(v_left, sparql_duration_form(v_a[1] + v_sign * v_b[1], v_a[2] + v_sign * v_b[2], v_left));
  elsif v_a is null then
    return case operator when '*' then sparql_time_arithmetic('*', right_key, left_key) end;
  elsif v_left = 'duration' then
    return null; -- XPath has * and / for the two other types only
  elsif v_b is not null then
    return case when operator = '/' and v_left = v_right
      then sparql_decimal(sparql_quotient(v_a[v_part], v_b[v_part])) end;
  end if;
  v_number := nullif(nullif(nullif(sparql_number(right_key), 'NaN'), 'Infinity'), '-Infinity');
  v_number := case operator when '*' then v_a[v_part] * v_number
                            else v_a[v_part] * 1.000000000000000000000000 / nullif(v_number, 0) end;
  return sparql_typed(v_left, case v_part
    when 1 then sparql_duration_form(floor(v_number + 0.5), 0, v_left)
    else sparql_duration_form(0, round(v_number, 12), v_left) end);
end
$$;

comment on function sparql_time_arithmetic(text, text, text) is
  'Operators + - * / with a time or a duration; null for an error.';

-- TIMEZONE, by TZ. It is an error without a time zone.
create or replace function sparql_timezone(zone text) returns text
language sql immutable parallel safe
return case sparql_timezone.zone when '' then null when 'Z' then sparql_typed('dayTimeDuration', 'PT0S')
  else sparql_typed('dayTimeDuration', sparql_zone_duration(sparql_timezone.zone)) end;

comment on function sparql_timezone(text) is 'A time zone as the result of TIMEZONE; null for an empty one.';

-- A cast to one of XML Schema's types, by its local name (SPARQL 1.1 §17.5).
create or replace function sparql_cast(local_name text, key text) returns text
language plpgsql immutable parallel safe
set search_path from current
as $$
declare
  v_lex  text := sparql_lex(key);
  v_rank int := sparql_rank(key);
  v_kind "char";
begin
  if key is null or key like 'B%' or (key like 'I%' and local_name <> 'string') then
    return null;
  elsif local_name = 'string' then
    return sparql_string(sparql_printed(key));
  end if;
  v_kind := case when sparql_simple(key) is not null then 's' else sparql_family(key) end;
  if v_kind = 's' then
    v_lex := btrim(v_lex, e' \t\r\n');
  end if;
  return case local_name
    when 'boolean' then case
      when v_kind = 'n' then sparql_boolean(sparql_number(key) not in (0, 'NaN'))
      when v_kind in ('b', 's') and v_lex in ('true', '1', 'false', '0') then sparql_boolean(v_lex in ('true', '1')) end
    when 'dateTime' then case
      when v_kind in ('d', 's') and v_lex like '%T%' and sparql_seconds(v_lex) is not null
        then sparql_typed(local_name, v_lex)
      when v_kind = 'e'
        then sparql_typed(local_name, regexp_replace(v_lex, '^(-?[0-9]+-[0-9]{2}-[0-9]{2})', '\1T00:00:00')) end
    when 'date' then case
      when v_kind in ('e', 's') and v_lex not like '%T%' and sparql_seconds(v_lex) is not null
        then sparql_typed(local_name, v_lex)
      when v_kind = 'd' then sparql_typed(local_name, regexp_replace(sparql_begun(v_lex), 'T[0-9:.]+', '')) end
    else case when sparql_rank(sparql_typed(local_name, '0')) is null then sparql_cast_time(local_name, v_lex, key)
      else sparql_cast_number(local_name, case when v_kind = 's' then sparql_typed(local_name, v_lex) end, key, v_kind)
    end end;
end
$$;

comment on function sparql_cast(text, text) is 'Constructor function of an XML Schema type; null for an error.';

-- A cast to xsd:time, xsd:gYear, xsd:gYearMonth or a duration, which SPARQL leaves to extensions (XPath functions 3.1
-- §19.1). A cast from a string or from the same type keeps the lexical form.
--
--   lex  the lexical form, of a string without space around it
create or replace function sparql_cast_time(local_name text, lex text, key text) returns text
language plpgsql immutable parallel safe
set search_path from current
as $$
declare
  v_type  text := case when sparql_simple(key) is null then substr(sparql_datatype(key), 34) else local_name end;
  v_parts numeric[];
  v_begun text;
begin
  if local_name in ('duration', 'dayTimeDuration', 'yearMonthDuration') then
    v_parts := sparql_duration(lex, v_type);
    return sparql_typed(local_name, case when v_parts is null then null when v_type = local_name then lex
      else sparql_duration_form(case local_name when 'dayTimeDuration' then 0 else v_parts[1] end,
        case local_name when 'yearMonthDuration' then 0 else v_parts[2] end, local_name) end);
  elsif local_name not in ('time', 'gYear', 'gYearMonth') then
    return null;
  elsif v_type = local_name then
    return case when sparql_span(lex, local_name) is not null then sparql_typed(local_name, lex) end;
  elsif not coalesce(sparql_family(key) in ('d', 'e'), false) then
    return null;
  end if;
  v_begun := sparql_begun(lex);
  return sparql_typed(local_name, case local_name
    when 'time' then nullif(split_part(v_begun, 'T', 2), '')
    else substring(v_begun from case local_name when 'gYear' then '^-?[0-9]+' else '^-?[0-9]+-[0-9]{2}' end)
      || coalesce(substring(v_begun from '(?:Z|[+-][0-9]{2}:[0-9]{2})$'), '') end);
end
$$;

comment on function sparql_cast_time(text, text, text) is
  'Casts to a time of day, a year, a month of a year or a duration; null for an error.';

-- A cast to a numeric type. A cast from a string keeps its lexical form if that is valid for the type.
create or replace function sparql_cast_number(local_name text, from_string text, key text, kind "char") returns text
language plpgsql immutable parallel safe
set search_path from current
as $$
declare
  v_rank  int := sparql_rank(sparql_typed(local_name, '0'));
  v_value numeric := case kind when 'n' then sparql_number(key)
                               when 'b' then (sparql_lex(key) in ('true', '1'))::int end;
begin
  if from_string is not null then
    return case when sparql_number(from_string) is not null then from_string end;
  elsif v_rank <= 2 and v_value in ('NaN', 'Infinity', '-Infinity') then
    return null;
  elsif v_rank <= 2 and sparql_rank(key) = 3 then
    v_value := sparql_promoted(v_value, 3, 4); -- the binary value of a float
  end if;
  if v_rank = 1 then
    return case when sparql_fits(trunc(v_value), local_name) then sparql_typed(local_name, trunc(v_value)::text) end;
  elsif v_rank = sparql_rank(key) and v_rank >= 3 then
    return key;
  elsif v_rank >= 3 then
    return sparql_signed_key(case sparql_rank(key) when 4 then sparql_nearest(v_value::text, v_rank)
      else sparql_promoted(v_value, coalesce(sparql_rank(key), 1), v_rank) end, v_rank,
      sparql_is_negative(key, v_value));
  end if;
  return sparql_number_key(v_value, v_rank);
end
$$;

comment on function sparql_cast_number(text,text,text,"char") is 'The numeric casts of §17.5; null for an error.';

-- The text of a literal cast to xsd:string. Floats and doubles of at least 0.000001 and below 1000000 have no exponent
-- (XPath, casting to xs:string).
create or replace function sparql_printed(key text) returns text
language plpgsql immutable parallel safe
set search_path from current
as $$
declare
  v_rank  int := sparql_rank(key);
  v_value numeric := sparql_number(key);
begin
  if sparql_family(key) = 'b' then
    return case when sparql_ebv(key) then 'true' else 'false' end;
  elsif v_value is null then
    return sparql_lex(key);
  elsif v_rank = 3 then
    v_value := sparql_promoted(v_value, 3, 4); -- the limits below apply to its binary value
  end if;
  if v_rank <= 2 or v_value = 0 or (abs(v_value) >= 0.000001 and abs(v_value) < 1000000) then
    return case when v_value = 0 and sparql_is_negative(key, v_value) then '-' else '' end || trim_scale(v_value)::text;
  end if;
  v_value := sparql_number(key);
  return sparql_lex(sparql_number_key(v_value, v_rank));
end
$$;

comment on function sparql_printed(text) is 'Text of a literal cast to xsd:string.';

create or replace function sparql_strdt(key text, datatype_key text) returns text
language sql immutable parallel safe
return case when sparql_strdt.datatype_key like 'I%'
                 and sparql_strdt.datatype_key <> 'Ihttp://www.w3.org/1999/02/22-rdf-syntax-ns#langString'
  then 'L' || substr(sparql_strdt.datatype_key, 2) || '  ' || sparql_simple(sparql_strdt.key) end;

comment on function sparql_strdt(text, text) is 'STRDT; null for an error.';

create or replace function sparql_strlang(key text, tag_key text) returns text
language sql immutable parallel safe
return case when sparql_simple(sparql_strlang.tag_key) ~ '^[A-Za-z]+(-[A-Za-z0-9]+)*$'
  then 'Lhttp://www.w3.org/1999/02/22-rdf-syntax-ns#langString ' || sparql_simple(sparql_strlang.tag_key) || ' '
    || sparql_simple(sparql_strlang.key) end;

comment on function sparql_strlang(text, text) is 'STRLANG; null for an error.';
