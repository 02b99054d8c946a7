-- Lists and removes raw graphs, which an import with --raw has loaded. For operators, who need no grants.

-- Lists the raw graphs with the number of their quads, in the order of the IRIs. Counts all quads of raw graphs.
--
--   bytes  what their share of the table with its indexes takes, by the average row; null before the first ANALYZE
create or replace function list_raw_graphs() returns table (iri text, quads int8, bytes int8)
language plpgsql stable
set search_path from current
as $$
declare
  v_row float8 := (select pg_total_relation_size(c.oid) / nullif(greatest(c.reltuples, 0), 0)
                     from pg_class as c where c.oid = store_relation('quad', 'quad'));
begin
  return query
    select t.lex, q.number, (q.number * v_row)::int8
      from raw_graph as r
      join term as t on t.id = r.id
     cross join lateral (select count(*) as number from quad as k where k.g = r.id) as q
     order by t.lex collate "C";
end
$$;

comment on function list_raw_graphs() is 'The raw graphs, with the number of their quads and about how many bytes.';

-- Removes raw graphs, all of them or none. Triples that documents contain as well stay there.
--
--   returns  the number of removed quads
--   raises   QS422 graph-known: one is not a raw graph
create or replace function remove_raw_graphs(iris text[]) returns int8
language plpgsql
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
  v_graph record;
  v_quads int8;
  v_all   int8 := 0;
begin
  perform hold_names();
  for v_graph in -- in the order in which import_graphs locks them
    select i.iri, t.id
      from (select distinct i.iri from unnest(iris) as i (iri)) as i
      left join term as t on t.hash = term_hash('I' || i.iri)
     order by t.id
  loop
    delete from raw_graph as r where r.id = v_graph.id;
    if not found then
      raise exception '<%> is not a raw graph.', v_graph.iri
        using errcode = 'QS422', constraint = 'graph-known';
    end if;
    select count(*) into v_quads from quad as q where q.g = v_graph.id;
    v_all := v_all + v_quads;
    perform plan_for(least(v_quads, 1000)::int);
    perform drop_graphs(array[v_graph.id]);
    perform record_change('remove-graph', null, null, null, null, v_graph.iri);
    perform log_graphs('deleted', array[v_graph.id]);
  end loop;
  return v_all;
end
$$;

comment on function remove_raw_graphs(text[]) is 'Removes raw graphs, all of them or none.';
