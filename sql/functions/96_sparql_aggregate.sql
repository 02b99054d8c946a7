-- Aggregates of SPARQL (§18.5.1) over keys: one member that is no number makes the sum an error, none makes it 0.

create or replace function sparql_sum_step(state text, key text) returns text
language plpgsql immutable parallel safe
set search_path from current
as $$
begin
  return case when state = '' then '' else coalesce(sparql_arithmetic('+', state, key), '') end; -- '': an error
end
$$;

create or replace aggregate sparql_sum (key text) (
  sfunc = sparql_sum_step,
  stype = text,
  initcond = 'Lhttp://www.w3.org/2001/XMLSchema#integer  0'
);

comment on aggregate sparql_sum(text) is 'SUM: key of the sum of numbers; '''' when a member is none.';

-- The rank of an inline number whose sums are exact: 1 integers, 2 decimals; null for floats, doubles and all other ids.
create or replace function sparql_exact_rank(id int8) returns int
language sql immutable parallel safe
return case when sparql_exact_rank.id < 0 then case (sparql_exact_rank.id >> 60) & 7
  when 1 then 1
  when 2 then case when (sparql_exact_rank.id >> 3) & 3 = 0 then 2 end end end;

comment on function sparql_exact_rank(int8) is 'Rank of an inline integer or decimal; null for other ids.';

-- A sum made of two: of inline integers and decimals as numbers, of all other members by sparql_sum.
create or replace function sparql_total(exact numeric, exact_rank int, others text) returns text
language plpgsql immutable parallel safe
set search_path from current
as $$
begin
  return case when others = '' or exact is null then others
              else sparql_arithmetic('+', sparql_number_key(exact, exact_rank), others) end;
end
$$;

comment on function sparql_total(numeric, int, text) is 'Sum of inline numbers and of other members; '''' for an error.';

create or replace function sparql_average(sum text, members int8) returns text
language sql immutable parallel safe
return case when sparql_average.sum = '' then null
  when sparql_average.members = 0 then 'Lhttp://www.w3.org/2001/XMLSchema#integer  0'
  else sparql_arithmetic('/', nullif(sparql_average.sum, ''), sparql_integer(sparql_average.members)) end;

comment on function sparql_average(text, int8) is 'AVG of a sum and its number of members.';

create or replace function sparql_joined(keys text[], separator text) returns text
language plpgsql immutable parallel safe
set search_path from current
as $$
begin
  return case when array_position(keys, null) is null then
    (select case when count(*) = count(sparql_lex(k.key))
                 then sparql_string(coalesce(string_agg(sparql_lex(k.key), separator order by k.n), '')) end
       from unnest(keys) with ordinality as k (key, n)) end;
end
$$;

comment on function sparql_joined(text[], text) is 'GROUP_CONCAT of the members'' texts; null when one is an error.';

-- The least or greatest member in the order of ORDER BY; an error when one is unbound.
create or replace function sparql_extreme(operator text, keys text[]) returns text
language plpgsql immutable parallel safe
set search_path from current
as $$
begin
  if array_position(keys, null) is not null then
    return null;
  elsif operator = 'min' then
    return (select k.key from unnest(keys) as k (key)
             order by sparql_order_rank(k.key), sparql_order_value(k.key), sparql_order_text(k.key) collate "C", k.key
             limit 1);
  end if;
  return (select k.key from unnest(keys) as k (key)
           order by sparql_order_rank(k.key) desc, sparql_order_value(k.key) desc,
                    sparql_order_text(k.key) collate "C" desc, k.key desc
           limit 1);
end
$$;

comment on function sparql_extreme(text, text[]) is 'MIN and MAX of terms; null for an error.';
