-- Aggregates of keys: parallel workers may each aggregate a part, and the parts combine to the same result.
begin;
do $test$
declare
  v_line    text;
  v_plan    text := '';
  v_serial  text[];
  v_workers text[];
begin
  perform test_equal(array(select p.proname::text from pg_aggregate as a join pg_proc as p on p.oid = a.aggfnoid
    where p.pronamespace = current_schema()::regnamespace and (a.aggcombinefn = 0 or p.proparallel <> 's')), '{}');

  create table member as
    select case n % 3 when 0 then sparql_integer(n) when 1 then sparql_decimal(n * 0.25) else sparql_double(n * 1e3) end
             as key
      from generate_series(1, 5000) as n;
  analyze member;
  set local max_parallel_workers_per_gather = 0;
  select array[sparql_sum(m.key), sparql_min(m.key), sparql_max(m.key), sparql_size(m.key)::text]
    into v_serial from member as m;
  set local max_parallel_workers_per_gather = 2;
  set local min_parallel_table_scan_size = 0;
  set local parallel_setup_cost = 0;
  set local parallel_tuple_cost = 0;
  select array[sparql_sum(m.key), sparql_min(m.key), sparql_max(m.key), sparql_size(m.key)::text]
    into v_workers from member as m;
  for v_line in explain select sparql_sum(m.key), sparql_min(m.key), sparql_max(m.key), sparql_size(m.key)
                          from member as m loop
    v_plan := v_plan || v_line || e'\n';
  end loop;
  assert v_plan ~ 'Partial Aggregate', v_plan;
  perform test_equal(v_workers, v_serial);

  -- Two keys are compared as their parts are, whichever way is taken.
  create table one_of as select k.key from unnest(array['Lhttp://www.w3.org/2001/XMLSchema#time  08:15:00',
    'Lhttp://www.w3.org/2001/XMLSchema#time  08:15:00Z', 'Lhttp://www.w3.org/2001/XMLSchema#time  23:00:00',
    'Lhttp://www.w3.org/2001/XMLSchema#time  late', 'Lhttp://www.w3.org/2001/XMLSchema#string  08:15:00',
    'Lhttp://www.w3.org/2001/XMLSchema#string  Z  a', 'Lhttp://www.w3.org/2001/XMLSchema#gYear  2024',
    'Lhttp://www.w3.org/1999/02/22-rdf-syntax-ns#langString en 08:15:00', sparql_integer(9), sparql_integer(10),
    sparql_decimal(9.5), 'Lhttp://www.w3.org/2001/XMLSchema#dateTime  2024-01-01T00:00:00Z',
    'Lhttp://www.w3.org/2001/XMLSchema#dateTime  2024-01-01T00:00:00+01:00', 'Iz', 'Ia', 'B5']) as k (key);
  perform test_equal(
    array(select a.key || ' < ' || b.key from one_of as a, one_of as b where sparql_before(a.key, b.key) order by 1),
    array(select a.key || ' < ' || b.key from one_of as a, one_of as b
           where (sparql_order_rank(a.key), coalesce(sparql_order_value(a.key), 'NaN'),
                  coalesce(sparql_lex(a.key), '') collate "C", a.key collate "C")
               < (sparql_order_rank(b.key), coalesce(sparql_order_value(b.key), 'NaN'),
                  coalesce(sparql_lex(b.key), '') collate "C", b.key collate "C") order by 1));

  -- The record of a stored term has the keys that ORDER BY computes apart.
  create table stored_one as select o.key from one_of as o where o.key not like 'B%';
  alter table stored_one add column id int8;
  update stored_one as o set id = (intern_terms(array[o.key]))[1];
  perform test_equal(
    array(select format('%s %s', o.key, sparql_order_key(o.id)) from stored_one as o order by 1),
    array(select format('%s %s', o.key, row(sparql_order_rank(o.key), sparql_order_value(o.key),
                                            convert_to(sparql_order_text(o.key), 'UTF8')))
            from stored_one as o order by 1));
  perform test_equal(array[sparql_order_key(first_blank_node() + 7) < all (array_agg(sparql_order_key(o.id))),
                           sparql_order_key(null) is null], '{true,true}')
     from stored_one as o where o.key like 'I%';

  -- Members have the order of their values, then of their keys.
  perform test_equal(
    array(select v.value from unnest('{0,1e-300,-1e-300,2.5,-2.5,10,9,-10,-9,1e300,-1e300,0.1,-0.1}'::float8[]) as v (value)
           order by sparql_member(v.value, 'x') collate "C"),
    array(select v.value from unnest('{0,1e-300,-1e-300,2.5,-2.5,10,9,-10,-9,1e300,-1e300,0.1,-0.1}'::float8[]) as v (value)
           order by v.value));
  perform test_equal(array[sparql_key_of_member(min(sparql_member(1.5, m.key) collate "C"))], '{Ia}')
     from unnest(array['Ib', 'Ia']) as m (key);

  perform test_equal(array[sparql_min_combine(null, 'Ia'), sparql_min_combine('Ib', null), sparql_min_combine('Ib', 'Ia'),
                           sparql_min_combine('Ia', ''), sparql_min_combine(null, '')], array['Ia', 'Ib', 'Ia', '', '']);
  perform test_equal(array[sparql_max_combine(null, 'Ia'), sparql_max_combine('Ib', null), sparql_max_combine('Ib', 'Ia'),
                           sparql_max_combine('', 'Ia'), sparql_max_combine(null, '')], array['Ia', 'Ib', 'Ib', '', '']);
end
$test$;
rollback;
