-- Instants for the comparison of dateTimes and dates.

-- The number YYYYMMDDhhmmss of a dateTime, in its own time zone: of a well-formed one of the years 1 to 9999, except on
-- 29 February and at 24:00:00. Null for other texts. A match of a whole dateTime takes more time than all of this.
create or replace function sparql_usual_time(lex text) returns int8
language plpgsql immutable parallel safe
as $$
declare
  v_digits text;
  v_rest   text; -- after the seconds and their fraction
  v_time   int8;
begin
  if lex not like '____-__-__T__:__:__%' or length(lex) > 100 then
    return null;
  end if;
  v_digits := translate(left(lex, 19), '-T:', '');
  v_rest := case when substr(lex, 20, 1) = '.' then ltrim(substr(lex, 21), '0123456789') else substr(lex, 20) end;
  if length(v_digits) <> 14 or v_digits ~ '[^0-9]' or substr(lex, 20) = '.' || v_rest
     or v_rest not in ('Z', '') and v_rest !~ '^[+-]((0[0-9]|1[0-3]):[0-5][0-9]|14:00)$' then
    return null;
  end if;
  v_time := v_digits::int8;
  return case when v_time >= 10000000000 and v_time / 100000000 % 100 between 1 and 12
    and v_time / 1000000 % 100 between 1 and (case v_time / 100000000 % 100 when 2 then 28 when 4 then 30 when 6 then 30
                                                   when 9 then 30 when 11 then 30 else 31 end)
    and v_time % 1000000 < 240000 and v_time % 10000 < 6000 and v_time % 100 < 60 then v_time end;
end
$$;

comment on function sparql_usual_time(text) is 'A dateTime as the number YYYYMMDDhhmmss; null for unusual ones.';

-- The seconds since 1970 in UTC of a dateTime with the number of sparql_usual_time.
create or replace function sparql_usual_seconds(usual int8, lex text) returns numeric
language plpgsql strict immutable parallel safe
as $$
declare
  v_end  text := right(lex, 6);
  v_sign int := case left(v_end, 1) when '+' then 1 when '-' then -1 else 0 end; -- of the offset of its time zone
begin
  return (make_date((usual / 10000000000)::int, (usual / 100000000 % 100)::int, (usual / 1000000 % 100)::int)
      - date '1970-01-01') * 86400::int8 + usual / 10000 % 100 * 3600 + usual / 100 % 100 * 60
    + (case v_sign when 0 then rtrim(substr(lex, 18), 'Z') else left(substr(lex, 18), -6) end)::numeric
    - case v_sign when 0 then 0 else v_sign * (substr(v_end, 2, 2)::int * 3600 + substr(v_end, 5)::int * 60) end;
end
$$;

comment on function sparql_usual_seconds(int8, text) is 'Seconds since 1970 of a dateTime with a usual number.';

create or replace function sparql_other_seconds(lex text) returns numeric
language plpgsql immutable parallel safe
as $$
declare
  v_digits text := split_part(ltrim(lex, '-'), '-', 1);
  v_rest   text; -- after the year
  v_year   int8;
  v_month  int;
  v_day    int;
  v_moved  int8;
  v_zone   int := 0;
  v_clock  numeric := 0;
begin
  -- The parts are read by their places: a match with groups takes ten times as long.
  if length(lex) > 100 or lex !~ ('^-?([1-9][0-9]{4,8}|[0-9]{4})-[0-9]{2}-[0-9]{2}'
      || '(T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]+)?)?(Z|[+-][0-9]{2}:[0-9]{2})?$') then
    return null;
  end if;
  v_year := case when lex like '-%' then -v_digits::int8 else v_digits::int8 end;
  v_rest := substr(lex, strpos(lex, v_digits) + length(v_digits));
  v_month := substr(v_rest, 2, 2)::int;
  v_day := substr(v_rest, 5, 2)::int;
  v_rest := rtrim(substr(v_rest, 7), 'Z');
  if left(right(v_rest, 6), 1) in ('+', '-') then
    v_zone := substr(right(v_rest, 5), 1, 2)::int * 60 + right(v_rest, 2)::int;
    if v_zone > 840 or right(v_rest, 2) > '59' collate "C" then
      return null;
    end if;
    v_zone := case when left(right(v_rest, 6), 1) = '-' then -v_zone else v_zone end;
    v_rest := left(v_rest, -6);
  end if;
  if v_rest <> '' then
    v_clock := substr(v_rest, 2, 2)::int * 3600 + substr(v_rest, 5, 2)::int * 60 + substr(v_rest, 8)::numeric;
    if substr(v_rest, 5, 2) > '59' collate "C" or substr(v_rest, 8, 2) > '59' collate "C" or v_clock > 86400 then
      return null;
    end if;
  end if;
  if v_month not between 1 and 12 or v_day < 1
     or v_day > (case when v_month in (4, 6, 9, 11) then 30 when v_month <> 2 then 31
                      when v_year % 4 = 0 and (v_year % 100 <> 0 or v_year % 400 = 0) then 29 else 28 end) then
    return null;
  end if;
  -- Days of the proleptic Gregorian calendar, with years that begin in March, counted from the year -1,000,000,000.
  v_moved := v_year - case when v_month <= 2 then 1 else 0 end + 1000000000;
  return (365 * v_moved + v_moved / 4 - v_moved / 100 + v_moved / 400
      + (153 * ((v_month + 9) % 12) + 2) / 5 + v_day - 1 - 719468 - 365242500000) * 86400 + v_clock - v_zone * 60;
end
$$;

comment on function sparql_other_seconds(text) is 'sparql_seconds, for texts of any form.';

-- Seconds since 1970 in UTC of a dateTime, or of the beginning of a date. Without a time zone, UTC is assumed. Null if
-- the lexical form is ill-formed.
create or replace function sparql_seconds(lex text) returns numeric
language sql immutable parallel safe
return coalesce(sparql_usual_seconds(sparql_usual_time(sparql_seconds.lex), sparql_seconds.lex),
  sparql_other_seconds(sparql_seconds.lex));

comment on function sparql_seconds(text) is 'Seconds since 1970 of a dateTime or date; null for other texts.';

create or replace function sparql_has_zone(lex text) returns boolean
language sql immutable parallel safe
return sparql_has_zone.lex like '%Z' or sparql_has_zone.lex like '%+__:__' or sparql_has_zone.lex like '%-__:__';

comment on function sparql_has_zone(text) is 'Whether a well-formed dateTime or date has a time zone.';

-- A dateTime of the dictionary in seconds, for a comparison with another one. Null unless both have a time zone or both
-- have none.
--
--   is_zoned  whether the other has a time zone
create or replace function sparql_instant(lex text, local_name text, is_zoned boolean) returns numeric
language sql immutable parallel safe
return case when sparql_instant.local_name = 'dateTime' and sparql_instant.lex like '%T%'
                 and sparql_has_zone(sparql_instant.lex) = sparql_instant.is_zoned
  then sparql_seconds(sparql_instant.lex) end;

comment on function sparql_instant(text, text, boolean) is
  'Seconds since 1970 of a dateTime by its parts; null if it cannot be compared.';

-- The value of a dateTime or a date of the dictionary, for ORDER BY.
create or replace function sparql_moment(lex text, local_name text) returns numeric
language sql immutable parallel safe
return case when (sparql_moment.lex like '%T%') = (sparql_moment.local_name in ('dateTime', 'dateTimeStamp'))
                 and sparql_moment.local_name in ('dateTime', 'dateTimeStamp', 'date')
  then sparql_seconds(sparql_moment.lex) end;

comment on function sparql_moment(text, text) is 'Seconds of a dateTime or date by its parts; null for others.';

create or replace function sparql_has_moment(lex text, local_name text) returns boolean
language sql immutable parallel safe
return (sparql_has_moment.lex like '%T%') = (sparql_has_moment.local_name in ('dateTime', 'dateTimeStamp'))
  and sparql_has_moment.local_name in ('dateTime', 'dateTimeStamp', 'date')
  and coalesce(sparql_usual_time(sparql_has_moment.lex), sparql_other_seconds(sparql_has_moment.lex)) is not null;

comment on function sparql_has_moment(text, text) is 'Whether sparql_moment is not null; takes two thirds of its time.';

-- The months and the seconds of a duration, signed. Null for other datatypes and for ill-formed literals.
-- Source: XML Schema 1.1 part 2 §3.3.6, §3.4.26, §3.4.27.
create or replace function sparql_duration(lex text, local_name text) returns numeric[]
language plpgsql immutable parallel safe
as $$
declare
  v_days text := split_part(lex, 'T', 1);
  v_time text := split_part(lex, 'T', 2);
  v_sign int := case when lex like '-%' then -1 else 1 end;
begin
  if length(lex) > 100 or lex ~ (case local_name
      when 'duration' then '^-?P(?=[0-9T])[0-9YMD]*(T(?=[0-9]).*)?$'
      when 'dayTimeDuration' then '^-?P(?=[0-9T])[0-9D]*(T(?=[0-9]).*)?$'
      when 'yearMonthDuration' then '^-?P(?=[0-9])[0-9YM]*$' end) is not true
     or lex !~ '^-?P([0-9]+Y)?([0-9]+M)?([0-9]+D)?(T([0-9]+H)?([0-9]+M)?([0-9]+(\.[0-9]+)?S)?)?$' then
    return null;
  end if;
  return array[
    v_sign * (coalesce(substring(v_days from '[0-9]+(?=Y)')::numeric, 0) * 12
      + coalesce(substring(v_days from '[0-9]+(?=M)')::numeric, 0)),
    v_sign * (((coalesce(substring(v_days from '[0-9]+(?=D)')::numeric, 0) * 24
      + coalesce(substring(v_time from '[0-9]+(?=H)')::numeric, 0)) * 60
      + coalesce(substring(v_time from '[0-9]+(?=M)')::numeric, 0)) * 60
      + coalesce(substring(v_time from '[0-9.]+(?=S)')::numeric, 0))];
end
$$;

comment on function sparql_duration(text, text) is 'Months and seconds of a duration; null for other literals.';

-- The value of a time of day, a year, a month of a year, or a duration, which SPARQL 1.1 leaves to extensions: seconds,
-- of a year or month those since 1970 of its beginning, of a duration without seconds its months. Without a time zone,
-- UTC is assumed. Null for other datatypes, for ill-formed literals, and for durations of months and seconds.
create or replace function sparql_span(lex text, local_name text) returns numeric
language plpgsql immutable parallel safe
set search_path from current
as $$
declare
  v_parts text[];
begin
  if length(lex) > 100 then
    return null;
  end if;
  case local_name
    when 'time' then
      v_parts := regexp_match(lex, '^(?:([01][0-9]|2[0-3]):([0-5][0-9]):([0-5][0-9](?:\.[0-9]+)?)|24:00:00(?:\.0+)?)'
        || '(Z|[+-](?:0[0-9]|1[0-3]):[0-5][0-9]|[+-]14:00)?$');
      return case when v_parts is not null then
        coalesce(v_parts[1]::int * 3600 + v_parts[2]::int * 60 + v_parts[3]::numeric, 0)
          - coalesce(extract(epoch from nullif(v_parts[4], 'Z')::interval), 0) end;
    when 'gYear' then
      v_parts := regexp_match(lex, '^(-?[0-9]+)(Z|[+-][0-9:]{5})?$');
      return sparql_seconds(v_parts[1] || '-01-01' || coalesce(v_parts[2], ''));
    when 'gYearMonth' then
      v_parts := regexp_match(lex, '^(-?[0-9]+-[0-9]{2})(Z|[+-][0-9:]{5})?$');
      return sparql_seconds(v_parts[1] || '-01' || coalesce(v_parts[2], ''));
    else
      v_parts := sparql_duration(lex, local_name)::text[];
      return case when v_parts[1]::numeric = 0 then v_parts[2] when v_parts[2]::numeric = 0 then v_parts[1] end;
  end case;
end
$$;

comment on function sparql_span(text, text) is 'Value of a time of day, a year, a month or a duration.';

-- The same for a usual form without a time zone, in seconds, years or months. A usual duration has no sign and neither
-- years nor months.
--
--   datatype     the key of the datatype's IRI
--   of_datatype  likewise; null for literals of another datatype
create or replace function sparql_usual_span(lex text, datatype text, of_datatype text) returns numeric
language sql immutable parallel safe
return case when sparql_usual_span.datatype = sparql_usual_span.of_datatype then case
  when sparql_usual_span.of_datatype = 'Ihttp://www.w3.org/2001/XMLSchema#time'
       and sparql_usual_span.lex ~ '^([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\.[0-9]{1,12})?$'
    then substr(sparql_usual_span.lex, 1, 2)::int * 3600 + substr(sparql_usual_span.lex, 4, 2)::int * 60
      + substr(sparql_usual_span.lex, 7)::numeric
  when sparql_usual_span.of_datatype = 'Ihttp://www.w3.org/2001/XMLSchema#gYear'
       and sparql_usual_span.lex ~ '^[0-9]{4}$'
    then sparql_usual_span.lex::numeric
  when sparql_usual_span.of_datatype = 'Ihttp://www.w3.org/2001/XMLSchema#gYearMonth'
       and sparql_usual_span.lex ~ '^[0-9]{4}-(0[1-9]|1[0-2])$'
    then (left(sparql_usual_span.lex, 4)::int * 12 + right(sparql_usual_span.lex, 2)::int)::numeric
  when sparql_usual_span.of_datatype not in ('Ihttp://www.w3.org/2001/XMLSchema#dayTimeDuration',
      'Ihttp://www.w3.org/2001/XMLSchema#duration') then null
  when sparql_usual_span.lex ~ '^PT[0-9]{1,9}(\.[0-9]{1,12})?S$'
    then left(substr(sparql_usual_span.lex, 3), -1)::numeric
  when sparql_usual_span.lex ~ '^P([0-9]{1,9}D)?(T([0-9]{1,9}H)?([0-9]{1,9}M)?([0-9]{1,9}(\.[0-9]{1,12})?S)?)?$'
       and right(sparql_usual_span.lex, 1) not in ('P', 'T')
    then coalesce(substring(sparql_usual_span.lex from '([0-9]+)D')::numeric, 0) * 86400
      + coalesce(substring(sparql_usual_span.lex from '([0-9]+)H')::numeric, 0) * 3600
      + coalesce(substring(sparql_usual_span.lex from '([0-9]+)M')::numeric, 0) * 60
      + coalesce(substring(sparql_usual_span.lex from '([0-9.]+)S')::numeric, 0)
end end;

comment on function sparql_usual_span(text, text, text) is
  'Value of a time of day, a year, a month or a duration in a usual form; null for others.';
