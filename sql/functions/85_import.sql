-- Bulk load: rows that came by COPY become documents and quads (src/db/import-store.ts calls, in this order).
--
-- Into an empty dataset that nobody else uses, quads and terms are copied straight into their tables, whose indexes are
-- away meanwhile, in one transaction: import_empty … import_documents … import_indexes. Beside a working service they
-- are copied into tables of the session's own, and merged when all is known to be good: import_staging …
-- import_terms … import_documents … import_merge. No reader waits for that, and of writers only those who write the
-- very same triple.

-- How a dataset can be loaded.
--
--   is_empty        nothing but the root document
--   is_in_use       another session of a service is connected, or one whose name this role may not see
--   next_term, next_blank_node  first numbers that are free
create or replace function import_state(out is_empty boolean, out is_in_use boolean, out next_term int8,
                                        out next_blank_node int8, out has_blank_nodes boolean)
language plpgsql
set search_path from current
as $$
begin
  is_empty := not exists (select from document as d where d.parent is not null)
          and not exists (select from raw_graph)
          and (select count(*) from (select from term limit 10000) as t) < 10000;
  is_in_use := exists (select from pg_stat_activity as a
                        where a.datname = current_database() and a.pid <> pg_backend_pid() and a.usesysid is not null
                          and coalesce(a.backend_type, 'client backend') = 'client backend'
                          and coalesce(a.application_name, '<') ~ '^(quadstead|<)');
  next_term := nextval('term_seq');
  next_blank_node := nextval('blank_node_seq');
  has_blank_nodes := exists (select from quad as q where is_blank_node(q.s) or is_blank_node(q.o));
end
$$;

comment on function import_state() is 'Whether the dataset is empty and in use, and which numbers are free.';

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

-- Make an empty dataset ready: its tables locked and without indexes and keys, the root's quads aside.
--
--   returns  false when it is not empty any more; then nothing has changed
create or replace function import_empty() returns boolean
language plpgsql
set search_path from current
as $$
declare
  v_part record;
begin
  lock table document, term, quad, raw_graph in access exclusive mode;
  if not (select i.is_empty from import_state() as i) then
    return false;
  end if;
  perform import_open();
  create temp table import_root on commit drop as select * from quad;
  truncate quad;
  create temp table import_part on commit drop as
    select row_number() over (order by c.contype = 'f', c.oid) as n, c.conrelid::regclass::text as owner,
           format('alter table %s add constraint %I %s', c.conrelid::regclass, c.conname, pg_get_constraintdef(c.oid))
             as definition,
           format('alter table %s drop constraint %I', c.conrelid::regclass, c.conname) as removal
      from pg_constraint as c
     where (c.contype in ('p', 'u') and c.conrelid in ('quad'::regclass, 'term'::regclass, 'document'::regclass))
        or (c.contype = 'f' and c.confrelid in ('quad'::regclass, 'term'::regclass, 'document'::regclass))
     union all
    select 1000 + i.indexrelid::int8, i.indrelid::regclass::text, pg_get_indexdef(i.indexrelid),
           format('drop index %s', i.indexrelid::regclass)
      from pg_index as i
     where i.indrelid in ('quad'::regclass, 'term'::regclass, 'document'::regclass)
       and not exists (select from pg_constraint as c where c.conindid = i.indexrelid);
  for v_part in select * from import_part as p order by p.n desc loop
    execute v_part.removal;
  end loop;
  return true;
end
$$;

comment on function import_empty() is 'Lock an empty dataset and take its indexes and keys away, to be loaded.';

-- Put the indexes and keys back, and note which numbers were given.
--
-- Most data hold no triple twice, so the unique index is simply tried; when it cannot be, what stands twice is made
-- right first.
create or replace function import_indexes(last_term int8, last_blank_node int8) returns void
language plpgsql
set search_path from current
set maintenance_work_mem = '256MB'
as $$
declare
  v_part record;
begin
  perform setval('term_seq', last_term), setval('blank_node_seq', greatest(last_blank_node, 1));
  for v_part in select * from import_part as p order by p.n loop
    begin
      execute v_part.definition;
    exception when unique_violation then
      if v_part.owner <> 'quad' then
        raise;
      end if;
      perform import_copies();
      execute v_part.definition;
    end;
  end loop;
end
$$;

comment on function import_indexes(int8, int8) is 'Put indexes and keys of a loaded dataset back.';

-- One row a graph for each triple, and one primary row for each triple, where no index helps yet.
create or replace function import_copies() returns void
language plpgsql
set search_path from current
set work_mem = '256MB'
as $$
begin
  create temp table import_twice as
    select q.s, q.p, q.o from quad as q where q.copy is null group by q.s, q.p, q.o having count(*) > 1;
  analyze import_twice;
  with numbered as (
    select q.ctid as at, row_number() over (partition by q.g, q.s, q.p, q.o order by q.ctid) as n
      from quad as q join import_twice as t on (t.s, t.p, t.o) = (q.s, q.p, q.o)
     where q.copy is null)
  delete from quad as q using numbered as n where q.ctid = n.at and n.n > 1;
  with numbered as (
    select q.ctid as at, row_number() over (partition by q.s, q.p, q.o order by q.ctid) as n
      from quad as q join import_twice as t on (t.s, t.p, t.o) = (q.s, q.p, q.o)
     where q.copy is null)
  update quad as q set copy = true from numbered as n where q.ctid = n.at and n.n > 1;
  drop table import_twice;
end
$$;

comment on function import_copies() is 'Mark the copies among quads that were loaded without an index.';

-- Tables of the session for everything, to be loaded beside a working service.
create or replace function import_staging() returns void
language plpgsql
set search_path from current
as $$
begin
  perform import_open();
  drop table if exists pg_temp.import_term, pg_temp.import_quad;
  create temp table import_term (id int8, hash uuid, lex text collate "C", datatype text collate "C",
                                 lang text collate "C", final int8);
  create temp table import_quad (g int8, s int8, p int8, o int8);
end
$$;

comment on function import_staging() is 'Tables of this session for everything that comes by COPY.';

-- Final ids for staged terms: those of the dictionary, which gets the ones it lacks. In a transaction of its own, so
-- that nobody waits long for a new term; terms that end up unused say nothing.
create or replace function import_terms() returns void
language plpgsql
set search_path from current
set work_mem = '128MB'
as $$
begin
  analyze import_term;
  insert into term (id, hash, lex, datatype, lang)
  select nextval('term_seq') + ((n.id >> 58) << 58), n.hash, n.lex, n.datatype, n.lang
    from (select * from import_term as i
           where i.lex is not null and not exists (select from term as t where t.hash = i.hash)
           order by i.hash) as n
      on conflict on constraint term_hash_key do nothing;
  update import_term as i set final = t.id from term as t where t.hash = i.hash and i.lex is not null;
  update import_term as i set final = first_blank_node() + nextval('blank_node_seq') where i.lex is null;
end
$$;

comment on function import_terms() is 'Final ids for staged terms; new ones enter the dictionary.';

-- Staged rows with final ids. Terms that had theirs from the start, and inline literals, are not among the staged.
create or replace function import_renumber() returns void
language plpgsql
set search_path from current
set work_mem = '128MB'
as $$
begin
  create index on import_term (id);
  analyze import_term;
  create temp table import_final on commit drop as
    select coalesce(g.final, q.g) as g, coalesce(s.final, q.s) as s, coalesce(p.final, q.p) as p,
           coalesce(o.final, q.o) as o
      from import_quad as q
      left join import_term as g on g.id = q.g
      left join import_term as s on s.id = q.s
      left join import_term as p on p.id = q.p
      left join import_term as o on o.id = q.o;
  update import_link as l
     set g = import_final_id(l.g), s = import_final_id(l.s), p = import_final_id(l.p), o = import_final_id(l.o);
  update import_document as d
     set id = import_final_id(d.id), parent = import_final_id(d.parent), resource = import_final_id(d.resource),
         relation = import_final_id(d.relation), content = import_final_id(d.content);
  update import_graph as g set id = import_final_id(g.id);
end
$$;

comment on function import_renumber() is 'Staged rows with final ids.';

create or replace function import_final_id(id int8) returns int8
language plpgsql stable
set search_path from current
as $$
begin
  return coalesce((select i.final from import_term as i where i.id = import_final_id.id), import_final_id.id);
end
$$;

comment on function import_final_id(int8) is 'Final id of a staged term.';
