-- The size of the store in numbers. The cost does not grow with the store: beyond a limit, numbers are estimates from
-- PostgreSQL's statistics, which autovacuum updates.

-- The number of rows of a table, or of entries of an index.
--
--   relation     name of a table or index of the schema
--   table_name   the table, or the table of the index
--   condition    condition of a partial index as SQL; 'true' for all rows
--   count_limit  up to this number, rows are counted exactly
--   is_exact     true if counted, false if estimated
create or replace function count_rows(relation text, table_name text, condition text, count_limit int)
returns table (number int8, is_exact boolean)
language plpgsql stable
set search_path from current
as $$
declare
  v_counted int8;
  v_estimate real;
begin
  execute format('select count(*) from (select from %I where %s limit $1) as few', table_name, condition)
    into v_counted using count_limit + 1;
  if v_counted <= count_limit then
    return query select v_counted, true;
  else
    select c.reltuples into v_estimate
      from pg_class as c where c.oid = store_relation(relation, table_name);
    return query select greatest(v_estimate::int8, v_counted), false;
  end if;
end
$$;

comment on function count_rows(text, text, text, int) is 'Rows of a relation: counted up to a limit, else estimated.';

-- The numbers of documents, triples, quads and terms, with the size of their tables and indexes.
--
--   name      'documents', 'triples' (distinct), 'quads' (in all graphs), 'terms' (in the dictionary)
--   is_exact  true if counted, false if estimated
--   bytes     size of table and indexes; null for triples, which are part of the quads
create or replace function store_numbers(count_limit int)
returns table (name text, number int8, is_exact boolean, bytes int8)
language plpgsql stable
set search_path from current
as $$
begin
  return query
    select v.name, c.number, c.is_exact, pg_total_relation_size(store_relation(v.sized, v.sized))
      from (values ('documents', 'document', 'document', 'true', 'document'),
                   ('triples', 'quad_spo', 'quad', 'copy is null', null),
                   ('quads', 'quad', 'quad', 'true', 'quad'),
                   ('terms', 'term', 'term', 'true', 'term')) as v (name, relation, table_name, condition, sized),
           lateral count_rows(v.relation, v.table_name, v.condition, store_numbers.count_limit) as c;
end
$$;

comment on function store_numbers(int) is 'Numbers of documents, triples, quads and terms, with their sizes in bytes.';

-- The numbers of raw graphs and of their quads.
--
--   name      'raw graphs', 'raw quads'
--   is_exact  true if counted, false if estimated from the graphs that are frequent in PostgreSQL's statistics
create or replace function raw_graph_numbers(count_limit int)
returns table (name text, number int8, is_exact boolean)
language plpgsql stable
set search_path from current
as $$
declare
  v_quads int8 := (select count(*) from (select from raw_graph as r join quad as q on q.g = r.id
                                          limit count_limit + 1) as few);
begin
  return query
    select 'raw graphs', c.number, c.is_exact from count_rows('raw_graph', 'raw_graph', 'true', count_limit) as c;
  return query
    select 'raw quads', case when v_quads <= count_limit then v_quads else greatest(v_quads, f.quads) end,
           v_quads <= count_limit
      from (select sum(g.number)::int8 as quads from most_frequent('raw graphs', null) as g) as f;
end
$$;

comment on function raw_graph_numbers(int) is 'Numbers of raw graphs and of their quads.';

-- What occurs most in quads, from PostgreSQL's statistics; nothing before the first ANALYZE.
--
--   kind         'documents' or 'raw graphs', by their number of triples; 'predicates'
--   value_limit  null: no limit
--   number       estimated number of rows
create or replace function most_frequent(kind text, value_limit int)
returns table (iri text, number int8)
language plpgsql stable
set search_path from current
as $$
begin
  return query
    select t.lex, (v.frequency * c.reltuples)::int8
      from pg_stats as s
      join pg_class as c on c.oid = store_relation('quad', 'quad')
      join pg_namespace as n on n.oid = c.relnamespace and (n.nspname, c.relname) = (s.schemaname, s.tablename),
           lateral unnest(s.most_common_vals::text::int8[], s.most_common_freqs) as v (id, frequency)
      join term as t on t.id = v.id
     where s.attname = case when kind = 'predicates' then 'p' else 'g' end
       and case kind when 'documents' then exists (select from document as d where d.id = v.id)
                     when 'raw graphs' then exists (select from raw_graph as r where r.id = v.id)
                     else true end
     order by v.frequency desc
     limit value_limit;
end
$$;

comment on function most_frequent(text, int) is
  'The documents, raw graphs or predicates with the most triples, from statistics.';
