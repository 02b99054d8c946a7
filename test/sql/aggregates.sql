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

  perform test_equal(array[sparql_min_combine(null, 'Ia'), sparql_min_combine('Ib', null), sparql_min_combine('Ib', 'Ia'),
                           sparql_min_combine('Ia', ''), sparql_min_combine(null, '')], array['Ia', 'Ib', 'Ia', '', '']);
  perform test_equal(array[sparql_max_combine(null, 'Ia'), sparql_max_combine('Ib', null), sparql_max_combine('Ib', 'Ia'),
                           sparql_max_combine('', 'Ia'), sparql_max_combine(null, '')], array['Ia', 'Ib', 'Ib', '', '']);
end
$test$;
rollback;
