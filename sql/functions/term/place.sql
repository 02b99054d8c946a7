-- Where the rows of the store are. Here, they are in the tables of this schema.
--
-- In a Citus cluster the names of the tables are views, because the rows are in shards. There, the service replaces the
-- functions of this file (src/db/citus/node-schema.ts), so other functions use them wherever a view will not do.

-- A table, or an index of a table.
--
--   returns  null if there is none, or if no name is given
create or replace function store_relation(relation text, table_name text) returns regclass
language plpgsql stable strict
set search_path from current
as $$
begin
  return to_regclass(quote_ident(relation));
end
$$;

comment on function store_relation(text, text) is 'A table of the store, or an index of one.';

-- Keeps the dataset on this server until the transaction ends. Only a Citus cluster moves datasets.
create or replace function hold_place() returns void
language plpgsql
as $$
begin
end
$$;

comment on function hold_place() is 'Keeps the dataset on this server until the transaction ends; writers call it.';

-- Sets a sequence so that its next numbers are greater than a number. In a cluster, the node first takes these numbers.
create or replace function reach_number(sequence text, number int8) returns void
language plpgsql
set search_path from current
as $$
begin
  perform setval(sequence::regclass, number) where number > coalesce(pg_sequence_last_value(sequence::regclass), 0);
end
$$;

comment on function reach_number(text, int8) is 'Sets a sequence so that its next numbers are greater than a number.';

-- A sample of pages of quads.
--
--   part  the part of all pages, from 0 to 1
--   page  number of the page
create or replace function quad_sample(part float8)
returns table (g int8, s int8, p int8, o int8, copy boolean, page int8)
language plpgsql stable
security definer
set search_path from current
as $$
begin
  return query execute format(
    'select q.g, q.s, q.p, q.o, q.copy, (q.ctid::text::point)[0]::int8
       from %s as q tablesample system ($1) repeatable (0)', store_relation('quad', 'quad')) using 100 * part;
end
$$;

comment on function quad_sample(float8) is 'The quads of a sample of pages.';

-- A sample of pages of documents: the parents of the documents.
create or replace function parent_sample(part float8) returns table (parent int8, page int8)
language plpgsql stable
security definer
set search_path from current
as $$
begin
  return query execute format(
    'select d.parent, (d.ctid::text::point)[0]::int8 from %s as d tablesample system ($1) repeatable (0)',
    store_relation('document', 'document')) using 100 * part;
end
$$;

comment on function parent_sample(float8) is 'The parents of the documents of a sample of pages.';

-- A sample of pages of literals: their lexical forms.
create or replace function sample_literals(part float8) returns table (lex text)
language plpgsql stable
security definer
set search_path from current
as $$
begin
  return query execute format('select t.lex from %s as t tablesample system ($1) repeatable (0) where t.id >= %s',
                              store_relation('term', 'term'), first_literal()) using 100 * part;
end
$$;

comment on function sample_literals(float8) is 'The lexical forms of literals of a sample of pages.';
