-- Aggregates of SPARQL (SPARQL 1.1 §18.5.1).

-- SUM over keys. A member that is not a number makes the sum an error, '' in the state. The sum of no members is 0.
create or replace function sparql_sum_step(state text, key text) returns text
language plpgsql immutable parallel safe
set search_path from current
as $$
begin
  return case when state = '' then '' else coalesce(sparql_arithmetic('+', state, key), '') end; -- '': an error
end
$$;

comment on function sparql_sum_step(text,text) is 'One step of SUM, over keys.';

create or replace aggregate sparql_sum (key text) (
  sfunc = sparql_sum_step,
  stype = text,
  combinefunc = sparql_sum_step,
  initcond = 'Lhttp://www.w3.org/2001/XMLSchema#integer  0',
  parallel = safe
);

comment on aggregate sparql_sum(text) is 'SUM: key of the sum of numbers; '''' if a member is not a number.';

-- sparql_total of members of several datatypes.
create or replace function sparql_total_of_keys(integers numeric, decimals numeric, floats float4, doubles float8,
                                                others text)
returns text
language plpgsql immutable parallel safe
set search_path from current
as $$
declare
  v_total text := others;
  v_key   text;
begin
  foreach v_key in array array[sparql_integer(integers), sparql_decimal(decimals),
                               sparql_number_key(floats::text::numeric, 3), sparql_double(doubles)] loop
    exit when v_total = ''; -- an error
    v_total := case when v_key is null then v_total else sparql_arithmetic('+', v_total, v_key) end;
  end loop;
  return v_total;
end
$$;

comment on function sparql_total_of_keys(numeric, numeric, float4, float8, text) is
  'Sum of members of several datatypes.';

-- SUM from the sums of inline numbers by datatype, and sparql_sum of all other members.
--
--   integers, decimals, floats, doubles  null for none
--   others                               key, or '' for an error
create or replace function sparql_total(integers numeric, decimals numeric, floats float4, doubles float8, others text)
returns text
language sql immutable parallel safe
return case
  when sparql_total.others = 'Lhttp://www.w3.org/2001/XMLSchema#integer  0' and sparql_total.floats is null
       and sparql_total.doubles is null
    then case when sparql_total.decimals is null then sparql_integer(coalesce(sparql_total.integers, 0))
              else sparql_decimal(coalesce(sparql_total.integers, 0) + sparql_total.decimals) end
  when sparql_total.others = 'Lhttp://www.w3.org/2001/XMLSchema#integer  0' and sparql_total.integers is null
       and sparql_total.decimals is null and sparql_total.doubles is null
       and abs(sparql_total.floats) between 1e-15::float4 and 1e15::float4
    then sparql_float(sparql_total.floats)
  when sparql_total.others = 'Lhttp://www.w3.org/2001/XMLSchema#integer  0' and sparql_total.floats is null
       and abs(sparql_total.doubles) between 1e-100::float8 and 1e100::float8
       and abs(coalesce(sparql_total.integers, 0) + coalesce(sparql_total.decimals, 0)) < 1e100
    then sparql_double(sparql_total.doubles
      + (coalesce(sparql_total.integers, 0) + coalesce(sparql_total.decimals, 0))::float8)
  else sparql_total_of_keys(sparql_total.integers, sparql_total.decimals, sparql_total.floats, sparql_total.doubles,
    sparql_total.others) end;

comment on function sparql_total(numeric, numeric, float4, float8, text) is
  'Sum of inline numbers and of other members; '''' for an error.';

-- AVG from the parts of a sum and its number of members.
create or replace function sparql_average(integers numeric, decimals numeric, floats float4, doubles float8,
                                          others text, members int8)
returns text
language sql immutable parallel safe
return case
  when sparql_average.others = '' then null -- a member is an error
  when sparql_average.members = 0 then 'Lhttp://www.w3.org/2001/XMLSchema#integer  0'
  when sparql_average.others = 'Lhttp://www.w3.org/2001/XMLSchema#integer  0' and sparql_average.integers is null
       and sparql_average.decimals is null and sparql_average.doubles is null
       and abs(sparql_average.floats) between 1e-15::float4 and 1e15::float4
    then sparql_float(sparql_average.floats::float8 / sparql_average.members::float4::float8)
  when sparql_average.others = 'Lhttp://www.w3.org/2001/XMLSchema#integer  0' and sparql_average.floats is null
       and abs(sparql_average.doubles) between 1e-100::float8 and 1e100::float8
       and abs(coalesce(sparql_average.integers, 0) + coalesce(sparql_average.decimals, 0)) < 1e100
    then sparql_double((sparql_average.doubles
      + (coalesce(sparql_average.integers, 0) + coalesce(sparql_average.decimals, 0))::float8) / sparql_average.members)
  when sparql_average.others <> 'Lhttp://www.w3.org/2001/XMLSchema#integer  0' or sparql_average.floats is not null
       or (sparql_average.doubles is not null
           and coalesce(sparql_average.integers, sparql_average.decimals) is not null)
    then sparql_arithmetic('/', sparql_total_of_keys(sparql_average.integers, sparql_average.decimals,
      sparql_average.floats, sparql_average.doubles, sparql_average.others), sparql_integer(sparql_average.members))
  when sparql_average.doubles is not null then sparql_double(sparql_average.doubles / sparql_average.members)
  when sparql_average.integers is null and sparql_average.decimals is null -- the others are keys, and their sum is 0
    then 'Lhttp://www.w3.org/2001/XMLSchema#decimal  0.0'
  else sparql_decimal(sparql_quotient(coalesce(sparql_average.integers, 0) + coalesce(sparql_average.decimals, 0),
    sparql_average.members)) end;

comment on function sparql_average(numeric, numeric, float4, float8, text, int8) is
  'AVG from the parts of a sum and its number of members.';

-- Limits the length of GROUP_CONCAT. The members' lengths are summed in an aggregate of their own, which raises as soon
-- as the sum exceeds the limit. string_agg would build up to a gigabyte first.
create or replace function sparql_size_step(state int8, bytes int) returns int8
language plpgsql immutable strict parallel safe
set search_path from current
as $$
begin
  if state + bytes > 10000000 then
    perform sparql_refuse_group_text();
  end if;
  return state + bytes;
end
$$;

comment on function sparql_size_step(int8, int) is 'One step of the size of texts; raises group-concat-size.';

create or replace function sparql_size_step(state int8, key text) returns int8
language plpgsql immutable strict parallel safe
set search_path from current
as $$
begin
  return sparql_size_step(state, octet_length(key));
end
$$;

comment on function sparql_size_step(int8, text) is 'One step of the size of keys; raises group-concat-size.';

create or replace function sparql_refuse_group_text() returns void
language plpgsql immutable parallel safe
as $$
begin
  raise exception 'GROUP_CONCAT would make a text of more than 10000000 bytes.'
    using errcode = 'QS422', constraint = 'group-concat-size', detail = '{"limitBytes": 10000000}';
end
$$;

comment on function sparql_refuse_group_text() is 'Raises group-concat-size.';

create or replace aggregate sparql_size (bytes int) (
  sfunc = sparql_size_step,
  stype = int8,
  initcond = '0',
  combinefunc = int8pl,
  parallel = safe
);

comment on aggregate sparql_size(int) is 'Size of texts; raises group-concat-size.';

create or replace aggregate sparql_size (key text) (
  sfunc = sparql_size_step,
  stype = int8,
  initcond = '0',
  combinefunc = int8pl,
  parallel = safe
);

comment on aggregate sparql_size(text) is 'Size of keys; raises group-concat-size.';

-- GROUP_CONCAT from the result of string_agg.
--
--   members  number of members of the group
--   texts    number of members that have a text; the others are errors
--   size     total length of the texts in bytes. Partial sums of parallel workers may each be below the limit.
create or replace function sparql_concatenated(members int8, texts int8, size int8, value text) returns text
language plpgsql immutable parallel safe
set search_path from current
as $$
begin
  if members <> texts then
    return null;
  elsif size > 10000000 then
    perform sparql_refuse_group_text();
  end if;
  return sparql_string(coalesce(value, ''));
end
$$;

comment on function sparql_concatenated(int8, int8, int8, text) is
  'GROUP_CONCAT from counts and a joined text; null if a member is an error.';

-- GROUP_CONCAT(DISTINCT …) of different terms, which may have the same text.
--
--   size  total length of the keys in bytes, limited before they were collected in an array
create or replace function sparql_joined(size int8, keys text[], separator text) returns text
language plpgsql immutable parallel safe
set search_path from current
as $$
declare
  v_between constant int8 := cardinality(keys)::int8 * octet_length(separator);
begin
  return (select sparql_concatenated(count(*), count(sparql_lex(k.key)), size + v_between,
                                     string_agg(sparql_lex(k.key), separator order by k.n)
                                       filter (where size + v_between <= 10000000))
            from unnest(keys) with ordinality as k (key, n));
end
$$;

comment on function sparql_joined(int8, text[], text) is
  'GROUP_CONCAT of different members; null if one is an error.';

-- Whether a term comes before another in the order of ORDER BY. Keys decide where that order leaves two terms equal.
create or replace function sparql_before(one text, other text) returns boolean
language plpgsql immutable parallel safe
set search_path from current
as $$
declare
  v_one   numeric;
  v_other numeric;
  v_time  int8;
  v_then  int8;
begin
  -- Strings and times of day have no value: of one datatype, the keys have the order of the texts.
  if left(one, 1) = left(other, 1) and left(one, 1) <> 'L'
     or split_part(one, '  ', 1) = split_part(other, '  ', 1) and split_part(one, '  ', 1)
        in ('Lhttp://www.w3.org/2001/XMLSchema#string', 'Lhttp://www.w3.org/2001/XMLSchema#time') then
    return one < other collate "C";
  end if;
  if one like 'Lhttp://www.w3.org/2001/XMLSchema#dateTime  %T%'
     and other like 'Lhttp://www.w3.org/2001/XMLSchema#dateTime  %T%' then
    -- Two usual dateTimes in UTC have the order of their digits, which are read faster than their seconds.
    if one like '%Z' and other like '%Z' then
      v_time := sparql_usual_time(substr(one, 45));
      v_then := sparql_usual_time(substr(other, 45));
      if v_time <> v_then then
        return v_time < v_then;
      end if;
    end if;
    v_one := sparql_seconds(substr(one, 45));
    v_other := sparql_seconds(substr(other, 45));
  else
    v_one := sparql_number(one);
    v_other := case when v_one is not null then sparql_number(other) end;
  end if;
  if v_one <> v_other then
    return v_one < v_other;
  end if;
  return (sparql_order_rank(one), coalesce(sparql_order_value(one), 'NaN'),
          coalesce(sparql_lex(one), '') collate "C", one collate "C")
       < (sparql_order_rank(other), coalesce(sparql_order_value(other), 'NaN'),
          coalesce(sparql_lex(other), '') collate "C", other collate "C");
end
$$;

comment on function sparql_before(text, text) is 'Whether a term comes before another in the order of ORDER BY.';

create or replace function sparql_min_step(state text, key text) returns text
language plpgsql immutable parallel safe
set search_path from current
as $$
begin
  return case when key is null or state = '' then '' -- an error
              when key = state then state
              when state is null or sparql_before(key, state) then key else state end;
end
$$;

comment on function sparql_min_step(text, text) is 'One step of MIN, over keys.';

create or replace function sparql_max_step(state text, key text) returns text
language plpgsql immutable parallel safe
set search_path from current
as $$
begin
  return case when key is null or state = '' then '' -- an error
              when key = state then state
              when state is null or sparql_before(state, key) then key else state end;
end
$$;

comment on function sparql_max_step(text, text) is 'One step of MAX, over keys.';

-- Combine the results of parallel workers. A state is null where a worker had no members.
create or replace function sparql_min_combine(one text, other text) returns text
language plpgsql immutable parallel safe
set search_path from current
as $$
begin
  return case when one is null then other when other is null then one else sparql_min_step(one, nullif(other, '')) end;
end
$$;

comment on function sparql_min_combine(text, text) is 'MIN of two results of MIN, over keys.';

create or replace function sparql_max_combine(one text, other text) returns text
language plpgsql immutable parallel safe
set search_path from current
as $$
begin
  return case when one is null then other when other is null then one else sparql_max_step(one, nullif(other, '')) end;
end
$$;

comment on function sparql_max_combine(text, text) is 'MAX of two results of MAX, over keys.';

create or replace aggregate sparql_min (key text) (
  sfunc = sparql_min_step,
  stype = text,
  combinefunc = sparql_min_combine,
  parallel = safe
);
create or replace aggregate sparql_max (key text) (
  sfunc = sparql_max_step,
  stype = text,
  combinefunc = sparql_max_combine,
  parallel = safe
);

comment on aggregate sparql_min(text) is 'MIN: key of the first member in the order of ORDER BY; '''' for an error.';
comment on aggregate sparql_max(text) is 'MAX: key of the last member in the order of ORDER BY; '''' for an error.';

-- Keys of literals that MIN and MAX compare by their parts.
create or replace function sparql_tagged(parts text[]) returns text
language sql immutable parallel safe
return 'Lhttp://www.w3.org/1999/02/22-rdf-syntax-ns#langString ' || sparql_tagged.parts[2] || ' '
  || sparql_tagged.parts[1];

comment on function sparql_tagged(text[]) is 'Key of a string with a language, from its text and language.';

create or replace function sparql_valueless(parts text[]) returns text
language sql immutable parallel safe
return 'L' || sparql_valueless.parts[2] || '  ' || sparql_valueless.parts[1];

comment on function sparql_valueless(text[]) is
  'Key of a literal without a value in ORDER BY, from its text and datatype.';

-- The key of a stored number that MIN or MAX has found: its value, and its id.
create or replace function sparql_key_of_member(member numeric[]) returns text
language plpgsql stable parallel safe
set search_path from current
as $$
declare
  v_id constant int8 := member[2];
begin
  return case when v_id < 0 then sparql_inline_key(v_id)
    else (select sparql_typed(substr(t.datatype, 34), t.lex) from term as t where t.id = v_id) end;
end
$$;

comment on function sparql_key_of_member(numeric[]) is 'Key of the number with a value and an id.';

create or replace function sparql_id_of_member(member numeric[]) returns int8
language sql immutable parallel safe
return sparql_id_of_member.member[2]::int8;

comment on function sparql_id_of_member(numeric[]) is 'Id of the number with a value and an id.';

-- A float or a double as a member of MIN and MAX: a text with the order of the values, and its key. The key decides
-- between equal values, as the lexical form does in sparql_before.
create or replace function sparql_member(value float8, key text) returns text[]
language sql immutable parallel safe
return case
  when sparql_member.value >= 0 then array['1' || encode(float8send(sparql_member.value), 'hex'), sparql_member.key]
  when sparql_member.value < 0
    then array['0' || translate(encode(float8send(sparql_member.value), 'hex'), '0123456789abcdef', 'fedcba9876543210'),
               sparql_member.key] end;

comment on function sparql_member(float8, text) is 'A float or a double as a member of MIN and MAX; null for others.';

create or replace function sparql_key_of_member(member text[]) returns text
language sql immutable parallel safe
return sparql_key_of_member.member[2];

comment on function sparql_key_of_member(text[]) is 'Key of a member that sparql_member has made.';

-- MIN and MAX from their parts; each is null or empty for none.
--
--   inline_ids  the extreme ids of each kind of inline literals
--   simple      extreme text of the simple literals
--   tagged      text and language of the extreme string with a language
--   typed       text and datatype of the extreme literal without a value in ORDER BY
--   iri         extreme IRI
--   others      sparql_min or sparql_max of all other members
create or replace function sparql_extreme(operator text, inline_ids int8[], simple text, tagged text[], typed text[],
                                          iri text, others text)
returns text
language plpgsql immutable parallel safe
set search_path from current
as $$
declare
  v_id   int8;
  v_next text;
  v_keys text[] := array[others, sparql_string(simple), 'I' || iri, sparql_tagged(tagged), sparql_valueless(typed)];
  v_key  text;
begin
  if others = '' then
    return null; -- a member is an error
  end if;
  foreach v_id in array inline_ids loop
    if v_id is not null then
      v_keys := v_keys || sparql_inline_key(v_id);
    end if;
  end loop;
  foreach v_next in array v_keys loop
    if v_key is null then
      v_key := v_next;
    elsif v_next is not null then
      v_key := case operator when 'min' then sparql_min_step(v_key, v_next) else sparql_max_step(v_key, v_next) end;
    end if;
  end loop;
  return v_key;
end
$$;

comment on function sparql_extreme(text, int8[], text, text[], text[], text, text) is
  'MIN and MAX of ids from their parts; null for an error.';
