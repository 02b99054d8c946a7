-- Aggregates of SPARQL (§18.5.1) over keys: one member that is no number makes the sum an error, none makes it 0.

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
  initcond = 'Lhttp://www.w3.org/2001/XMLSchema#integer  0',
  parallel = safe
);

comment on aggregate sparql_sum(text) is 'SUM: key of the sum of numbers; '''' when a member is none.';

-- The rank of an inline number whose sums are exact: 1 integers, 2 decimals; null for floats, doubles and all other
-- ids.
create or replace function sparql_exact_rank(id int8) returns int
language sql immutable parallel safe
return case when sparql_exact_rank.id < 0 then case (sparql_exact_rank.id >> 60) & 7
  when 1 then 1
  when 2 then case when (sparql_exact_rank.id >> 3) & 3 = 0 then 2 end end end;

comment on function sparql_exact_rank(int8) is 'Rank of an inline integer or decimal; null for other ids.';

-- The quotient of two numbers that a double holds exactly is the double nearest to the decimal.
create or replace function sparql_double_of(id int8) returns float8
language sql immutable parallel safe
return case when sparql_double_of.id < 0 and (sparql_double_of.id >> 60) & 7 = 2 and (sparql_double_of.id >> 3) & 3 = 2
  then (((sparql_double_of.id & 1152921504606846975) >> 5) - 9007199254740992)::float8 / 1000000 end;

comment on function sparql_double_of(int8) is 'Value of an inline double; null for other ids.';

-- A sum made of three: of inline integers and decimals, of inline doubles, and of all other members by sparql_sum.
create or replace function sparql_total(exact numeric, exact_rank int8, doubles float8, others text) returns text
language plpgsql immutable parallel safe
set search_path from current
as $$
declare
  v_total text := others;
begin
  if others = '' then
    return others;
  elsif doubles is not null then
    v_total := sparql_arithmetic('+', sparql_number_key(doubles::text::numeric, 4), v_total);
  end if;
  return case when exact is null then v_total
              else sparql_arithmetic('+', sparql_number_key(exact, exact_rank::int), v_total) end;
end
$$;

comment on function sparql_total(numeric, int8, float8, text) is
  'Sum of inline numbers and of other members; '''' for an error.';

create or replace function sparql_average(sum text, members int8) returns text
language sql immutable parallel safe
return case
  when sparql_average.sum = '' then null -- a member is an error
  when sparql_average.members = 0 then 'Lhttp://www.w3.org/2001/XMLSchema#integer  0'
  else sparql_arithmetic('/', nullif(sparql_average.sum, ''), sparql_integer(sparql_average.members)) end;

comment on function sparql_average(text, int8) is 'AVG of a sum and its number of members.';

-- What GROUP_CONCAT puts together is counted beside it, and refused while it grows: SQL's own aggregates would make a
-- gigabyte first.
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
  parallel = safe
);

comment on aggregate sparql_size(text) is 'Size of keys; raises group-concat-size.';

-- GROUP_CONCAT from what SQL's own aggregates made of the members' texts.
--
--   members  of the group
--   texts    that have a text: the others are errors
--   size     of all texts together, of which parts may have been counted apart
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
  'GROUP_CONCAT of so many members with so many texts; null when one is an error.';

-- GROUP_CONCAT(DISTINCT …): of different terms, which may have the same text.
--
--   size  of the keys, which was bounded before they were put into an array
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
  'GROUP_CONCAT of different members; null when one is an error.';

-- Whether a term stands before another in the order of ORDER BY; keys decide between terms that it leaves open.
create or replace function sparql_before(one text, other text) returns boolean
language plpgsql immutable parallel safe
set search_path from current
as $$
declare
  v_one   numeric;
  v_other numeric;
begin
  if left(one, 1) = left(other, 1) and left(one, 1) <> 'L'
     or starts_with(one, 'Lhttp://www.w3.org/2001/XMLSchema#string  ')
        and starts_with(other, 'Lhttp://www.w3.org/2001/XMLSchema#string  ') then
    return one < other collate "C";
  end if;
  v_one := sparql_number(one);
  v_other := case when v_one is not null then sparql_number(other) end;
  if v_one <> v_other then
    return v_one < v_other;
  end if;
  return (sparql_order_rank(one), coalesce(sparql_order_value(one), 'NaN'),
          coalesce(sparql_lex(one), '') collate "C", one collate "C")
       < (sparql_order_rank(other), coalesce(sparql_order_value(other), 'NaN'),
          coalesce(sparql_lex(other), '') collate "C", other collate "C");
end
$$;

comment on function sparql_before(text, text) is 'Whether a term stands before another in the order of ORDER BY.';

create or replace function sparql_min_step(state text, key text) returns text
language plpgsql immutable parallel safe
set search_path from current
as $$
begin
  return case when key is null or state = '' then '' -- an error
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
              when state is null or sparql_before(state, key) then key else state end;
end
$$;

comment on function sparql_max_step(text, text) is 'One step of MAX, over keys.';

create or replace aggregate sparql_min (key text) (sfunc = sparql_min_step, stype = text, parallel = safe);
create or replace aggregate sparql_max (key text) (sfunc = sparql_max_step, stype = text, parallel = safe);

comment on aggregate sparql_min(text) is 'MIN: key of the first member in the order of ORDER BY; '''' for an error.';
comment on aggregate sparql_max(text) is 'MAX: key of the last member in the order of ORDER BY; '''' for an error.';

-- MIN and MAX of ids: of the extremes of each kind of inline literal, the extreme text of simple literals, and of all
-- other members by sparql_min and sparql_max.
create or replace function sparql_extreme(operator text, inline_ids int8[], simple text, others text) returns text
language plpgsql immutable parallel safe
set search_path from current
as $$
declare
  v_next text;
  v_key  text := others;
begin
  if others = '' then
    return null; -- a member is an error
  end if;
  foreach v_next in array array(select sparql_inline_key(i.id) from unnest(inline_ids) as i (id))
      || sparql_string(simple) loop
    if v_next is not null then
      v_key := case operator when 'min' then sparql_min_step(v_key, v_next) else sparql_max_step(v_key, v_next) end;
    end if;
  end loop;
  return v_key;
end
$$;

comment on function sparql_extreme(text, int8[], text, text) is 'MIN and MAX of ids; null for an error.';
