-- Bulk load: rows that came by COPY become documents and quads (src/db/bulk/import-store.ts calls, in this order).
--
-- Into an empty dataset quads and terms are copied into new tables, which get their indexes when all rows are there and
-- then take the place of the old ones, all in one transaction (import_tables.sql): import_tables … import_old_rows …
-- import_documents, import_finish_tables, import_indexes, import_replace. Into any other they are copied into tables of
-- the session, and merged when all is known to be good: import_staging … import_terms, import_renumber,
-- import_documents, import_merge. No reader waits for the merge, and of writers only those who write the very same
-- triple.

-- Whether a dataset has nothing but its root document, and terms of the root and the vocabulary.
create or replace function import_is_empty() returns boolean
language plpgsql
set search_path from current
as $$
begin
  return not exists (select from document as d where d.parent is not null)
     and not exists (select from raw_graph)
     and (select count(*) from (select from term limit 10000) as t) < 10000
     and (select count(*) from (select from quad limit 10000) as q) < 10000;
end
$$;

comment on function import_is_empty() is 'Whether the dataset has nothing but its root document.';

-- Tables of the session for what is known at the end only: what graphs say of their documents, and triples that
-- document rows may imply.
create or replace function import_open() returns void
language plpgsql
set search_path from current
as $$
begin
  drop table if exists pg_temp.import_document, pg_temp.import_link, pg_temp.import_graph;
  create temp table import_document (id int8, parent int8, file int4, line int8, mask int4, created int8, modified int8,
                                     resource int8, relation int8, content int8);
  create temp table import_link (g int8, s int8, p int8, o int8);
  create temp table import_graph (id int8);
end
$$;

comment on function import_open() is 'Tables of this session for documents and links that come by COPY.';

-- Tables of the session for everything, to be merged.
create or replace function import_staging() returns void
language plpgsql
set search_path from current
as $$
begin
  perform import_open();
  drop table if exists pg_temp.import_term, pg_temp.import_quad;
  create temp table import_term (id int8, hash uuid, lex text collate "C", datatype text collate "C",
                                 lang text collate "C");
  create temp table import_quad (g int8, s int8, p int8, o int8);
end
$$;

comment on function import_staging() is 'Tables of this session for everything that comes by COPY.';

-- Ids of staged terms in the dictionary, which gets the ones it lacks, and new ids of blank nodes. In a transaction of
-- its own, so that nobody waits long for a new term; terms that end up unused say nothing.
--
--   returns  an id below those of the new IRIs and blank nodes, and above those of IRIs known before
create or replace function import_terms() returns int8
language plpgsql
set search_path from current
set work_mem = '128MB'
as $$
declare
  v_first int8 := nextval('term_seq');
begin
  perform hold_names();
  drop table if exists pg_temp.import_names;
  create temp table import_names as select d.names_revision as revision from dataset as d;
  analyze import_term;
  insert into term (id, hash, lex, datatype, lang)
  select nextval('term_seq') + ((n.id >> 58) << 58), n.hash, n.lex, n.datatype, n.lang
    from (select * from import_term as i
           where i.lex is not null and not exists (select from term as t where t.hash = i.hash)
           order by i.hash) as n
      on conflict (hash) do nothing;
  drop table if exists pg_temp.import_id;
  create temp table import_id as
    select i.id, t.id as final from import_term as i join term as t on t.hash = i.hash where i.lex is not null
     union all
    select i.id, first_blank_node() + nextval('blank_node_seq') from import_term as i where i.lex is null;
  drop table import_term;
  analyze import_id;
  return v_first;
end
$$;

comment on function import_terms() is 'Ids of staged terms and blank nodes; new terms enter the dictionary.';

-- Staged documents, links and graphs with the ids of the dictionary. Terms that had theirs from the start keep them.
--
--   raises  QS503 busy: documents have moved since import_terms found the ids
create or replace function import_renumber() returns void
language plpgsql
set search_path from current
set work_mem = '128MB'
as $$
begin
  perform hold_names();
  if (select n.revision from import_names as n) <> (select d.names_revision from dataset as d) then
    raise exception 'Documents were moved meanwhile, so nothing was loaded. Load the input again.'
      using errcode = 'QS503', constraint = 'busy';
  end if;
  create temp table import_final_link on commit drop as
    select coalesce(g.final, l.g) as g, coalesce(s.final, l.s) as s, coalesce(p.final, l.p) as p,
           coalesce(o.final, l.o) as o
      from import_link as l
      left join import_id as g on g.id = l.g
      left join import_id as s on s.id = l.s
      left join import_id as p on p.id = l.p
      left join import_id as o on o.id = l.o;
  create temp table import_final_document on commit drop as
    select coalesce(i.final, d.id) as id, coalesce(p.final, d.parent) as parent, d.file, d.line, d.mask, d.created,
           d.modified, coalesce(r.final, d.resource) as resource, coalesce(m.final, d.relation) as relation,
           coalesce(c.final, d.content) as content
      from import_document as d
      left join import_id as i on i.id = d.id
      left join import_id as p on p.id = d.parent
      left join import_id as r on r.id = d.resource
      left join import_id as m on m.id = d.relation
      left join import_id as c on c.id = d.content;
  truncate import_link, import_document;
  insert into import_link select * from import_final_link;
  insert into import_document select * from import_final_document;
  update import_graph as g set id = i.final from import_id as i where i.id = g.id;
end
$$;

comment on function import_renumber() is 'Staged documents and links with the ids of the dictionary.';
