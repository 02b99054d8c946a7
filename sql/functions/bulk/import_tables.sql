-- New tables in the place of quad and term, for a bulk load into an empty dataset. Readers and writers use the old
-- ones until a transaction that holds both for some milliseconds gives the new ones their names.
--
-- Rows of the old tables are copied with FREEZE, new quads without: a snapshot from before the exchange that meets the
-- new tables finds what the old ones held, and no more. New terms may be seen early; nothing names them. Documents are
-- rows of the live table from the start of import_documents, unseen until the commit, as in every transaction.
--
-- The exchange needs old tables that nobody has written to since import_tables. Otherwise import_restage makes the new
-- rows staged ones, which are merged.

-- Begin a load into new tables.
--
--   next_term, next_blank_node  first numbers that the load gives: greater than any that the old tables have. Null when
--                               it must be merged: the dataset is not empty, is being loaded already, or its tables
--                               have something that would not be carried over
--   has_blank_nodes             the old tables name some
create or replace function import_tables(out next_term int8, out next_blank_node int8, out has_blank_nodes boolean)
language plpgsql
set search_path from current
as $$
begin
  perform hold_names();
  if not pg_try_advisory_xact_lock(hashtextextended('quadstead import ' || current_schema(), 0))
     or not import_is_empty() or not import_is_replaceable() then
    return;
  end if;
  perform import_open();
  create temp table import_old_term on commit drop as
    select t.id, t.hash, t.lex, t.datatype, t.lang from term as t;
  create temp table import_old_quad on commit drop as select q.g, q.s, q.p, q.o, q.copy from quad as q;
  has_blank_nodes := exists (select from import_old_quad as q where is_blank_node(q.s) or is_blank_node(q.o));
  next_term := nextval('term_seq');
  next_blank_node := nextval('blank_node_seq');
  create temp table import_begun on commit drop as
    select import_tables.next_term, import_tables.next_blank_node, '(0,0)'::tid as old_rows;
  create temp table import_index (part int4 generated always as identity, owner text, name text, new_name text,
                                  is_unique boolean, is_constraint boolean, definition text, options text,
                                  is_early boolean) on commit drop;
  perform import_table('quad'), import_table('term'), import_early_index();
end
$$;

comment on function import_tables() is 'New tables to be loaded in the place of an empty dataset''s.';

-- Whether quad and term can be replaced by tables like them: this role owns them and what depends on them, and they
-- have no part that import_table does not know.
create or replace function import_is_replaceable() returns boolean
language plpgsql
set search_path from current
as $$
declare
  v_tables constant oid[] := array['quad'::regclass, 'term'::regclass];
begin
  return not exists (
    select from pg_class as c
     where c.oid = any (v_tables)
       and (not pg_has_role(c.relowner, 'member') or c.relkind <> 'r' or c.relpersistence <> 'p' or c.relhastriggers
            or c.relrowsecurity or c.reltablespace <> 0 or c.relreplident <> 'd' or c.relhassubclass
            or c.relispartition))
  and not exists (
    select from pg_attribute as a
     where a.attrelid = any (v_tables) and a.attnum > 0
       and (a.attacl is not null or a.attisdropped
            -- minor releases of November 2026, such as 15.20, give each column an option pg_attver of their own
            or exists (select from unnest(a.attoptions) as o (text) where not starts_with(o.text, 'pg_attver='))))
  and not exists (select from pg_constraint as k where k.contype = 'f' and k.confrelid = any (v_tables))
  and not exists (select from pg_inherits as i where i.inhrelid = any (v_tables))
  and not exists (select from pg_publication_rel as r where r.prrelid = any (v_tables))
  and not exists (select from pg_publication as p where p.puballtables)
  and not exists (select from pg_publication_namespace as n where n.pnnspid = current_schema()::regnamespace)
  and not exists (
    select from pg_depend as d
      join pg_type as t on t.oid = d.refobjid and d.refclassid = 'pg_type'::regclass
     where (t.typrelid = any (v_tables) and d.classid <> 'pg_type'::regclass)
        or t.typelem in (select r.reltype from pg_class as r where r.oid = any (v_tables)))
  and not exists (
    select from pg_depend as d
     where d.refclassid = 'pg_class'::regclass and d.refobjid = any (v_tables)
       and d.classid not in ('pg_class'::regclass, 'pg_type'::regclass, 'pg_constraint'::regclass,
                             'pg_statistic_ext'::regclass, 'pg_attrdef'::regclass)
       and d.objid not in (select u.id from import_users() as u where u.is_own));
end
$$;

comment on function import_is_replaceable() is 'Whether new tables can take the place of quad and term.';

-- Functions and views that hold on to quad or term by identity, not by name.
--
--   id          of the function, or of the view's rule
--   is_own      this role may replace it
--   definition  makes it anew for the tables that have the names then
create or replace function import_users() returns table (id oid, is_own boolean, definition text)
language plpgsql stable
set search_path from current
as $$
begin
  return query
    with used as (
      select distinct d.classid, d.objid from pg_depend as d
       where d.refclassid = 'pg_class'::regclass and d.refobjid in ('quad'::regclass, 'term'::regclass))
    select p.oid, pg_has_role(p.proowner, 'member'), pg_get_functiondef(p.oid)
      from used as u join pg_proc as p on p.oid = u.objid and u.classid = 'pg_proc'::regclass
     where p.prokind = 'f'
     union all
    select r.oid, pg_has_role(c.relowner, 'member'),
           format('create or replace view %s %s as %s', c.oid::regclass,
                  'with (' || array_to_string(c.reloptions, ', ') || ')', pg_get_viewdef(c.oid))
      from used as u
      join pg_rewrite as r on r.oid = u.objid and u.classid = 'pg_rewrite'::regclass
      join pg_class as c on c.oid = r.ev_class and c.relkind = 'v';
end
$$;

comment on function import_users() is 'Functions and views that hold on to quad or term by identity.';

-- A table like another, without its indexes and keys, which import_index gets. A search index that is not complete is
-- left to the service (src/search-index.ts).
create or replace function import_table(old text) returns void
language plpgsql
set search_path from current
as $$
declare
  v_new   constant text := 'import_' || old;
  v_class pg_class;
  v_part  record;
begin
  select * into v_class from pg_class as c where c.oid = old::regclass;
  execute format('create table %I (like %I including all excluding indexes excluding statistics)', v_new, old);
  if v_class.reloptions is not null then
    execute format('alter table %I set (%s)', v_new, array_to_string(v_class.reloptions, ', '));
  end if;
  for v_part in select a.attname as name, a.attstattarget as target from pg_attribute as a
                 where a.attrelid = v_class.oid and a.attnum > 0 and a.attstattarget >= 0 loop
    execute format('alter table %I alter column %I set statistics %s', v_new, v_part.name, v_part.target);
  end loop;
  execute format('comment on table %I is %L', v_new, obj_description(v_class.oid, 'pg_class'));
  execute format('alter table %I owner to %s', v_new, v_class.relowner::regrole);
  perform import_grants(v_class, v_new);
  insert into import_index (owner, name, new_name, is_unique, is_constraint, definition, options, is_early)
  select old, c.relname, format('import_%s_%s', old, row_number() over (order by c.oid)), i.indisunique,
         k.oid is not null,
         coalesce(pg_get_constraintdef(k.oid), substring(pg_get_indexdef(c.oid) from ' USING .*$')),
         coalesce('set (' || array_to_string(c.reloptions, ', ') || ')', 'reset (gin_pending_list_limit)'),
         c.relname = 'term_words'
    from pg_index as i
    join pg_class as c on c.oid = i.indexrelid
    left join pg_constraint as k on k.conindid = i.indexrelid
   where i.indrelid = v_class.oid and (i.indisvalid or c.relname <> 'term_words')
   order by c.oid; -- the order in which they were made counts (functions/document/graph.sql)
end
$$;

comment on function import_table(text) is 'A table like another, without indexes.';

-- The search index of the new dictionary. It grows while rows come, because PostgreSQL waits for the reader of the text
-- then, and most of the cost of this index is to find the words. Fewer and larger merges of its list of new words cost
-- as much as an index that is made at the end.
create or replace function import_early_index() returns void
language plpgsql
set search_path from current
as $$
declare
  v_index record;
begin
  for v_index in select * from import_index as i where i.is_early loop
    execute format('create index %I on import_%s %s', v_index.new_name, v_index.owner, v_index.definition);
    execute format('alter index %I set (gin_pending_list_limit = 4096)', v_index.new_name);
  end loop;
end
$$;

comment on function import_early_index() is 'Creates the search index of the new dictionary before its rows come.';

-- The rights that people have on a table, on another one.
create or replace function import_grants(old pg_class, new text) returns void
language plpgsql
set search_path from current
as $$
declare
  v_right record;
begin
  for v_right in select distinct a.grantee
                   from pg_class as c, aclexplode(c.relacl) as a where c.oid = new::regclass loop
    execute format('revoke all on %I from %s', new,
                   case v_right.grantee when 0 then 'public' else v_right.grantee::regrole::text end);
  end loop;
  if old.relacl is not null then
    execute format('revoke all on %I from %s', new, old.relowner::regrole);
  end if;
  for v_right in select * from aclexplode(old.relacl) loop
    execute format('grant %s on %I to %s%s', v_right.privilege_type, new,
                   case v_right.grantee when 0 then 'public' else v_right.grantee::regrole::text end,
                   case when v_right.is_grantable then ' with grant option' else '' end);
  end loop;
end
$$;

comment on function import_grants(pg_class, text) is 'The rights on one table for another.';

-- Note which rows of the new table of quads are those of the old, after they were copied and before any other.
create or replace function import_old_rows() returns void
language plpgsql
set search_path from current
as $$
begin
  update import_begun set old_rows = coalesce((select max(q.ctid) from import_quad as q), '(0,0)');
end
$$;

comment on function import_old_rows() is 'Notes where new quads begin in the table that is loaded.';

-- Links into the new quads, and the old ones set right: those of a root that the input replaced go, and what a loaded
-- document's row implies is a copy.
create or replace function import_finish_tables() returns void
language plpgsql
set search_path from current
as $$
declare
  v_old_rows tid := (select b.old_rows from import_begun as b); -- no more than these are looked at
begin
  insert into import_quad (g, s, p, o, copy) select k.g, k.s, k.p, k.o, k.copy from import_kept as k;
  delete from import_quad as q
   where q.ctid <= v_old_rows and exists (select from import_whole as w where w.id = q.g);
  with gone as (
    delete from import_quad as q
     using document as d
     where q.ctid <= v_old_rows and q.copy is null and (d.parent, d.member_by, d.id) = (q.s, q.p, q.o)
    returning q.*)
  insert into import_quad (g, s, p, o, copy) select n.g, n.s, n.p, n.o, true from gone as n;
end
$$;

comment on function import_finish_tables() is 'Stores links into the new quads, and sets the old ones right.';

-- Indexes, keys and statistics of the new tables.
--
-- Most data hold no triple twice, so the unique index is simply tried; when it cannot be, what stands twice is made
-- right first.
create or replace function import_indexes() returns void
language plpgsql
set search_path from current
set maintenance_work_mem = '256MB'
as $$
declare
  v_index     record;
  v_statement text;
begin
  for v_index in select * from import_index as i where not i.is_early order by i.part loop
    v_statement := case when v_index.is_constraint
      then format('alter table import_%s add constraint %I %s', v_index.owner, v_index.new_name, v_index.definition)
      else format('create %s index %I on import_%s %s', case when v_index.is_unique then 'unique' end,
                  v_index.new_name, v_index.owner, v_index.definition) end;
    begin
      execute v_statement;
    exception when unique_violation then
      if v_index.owner <> 'quad' then
        raise;
      end if;
      perform import_copies();
      execute v_statement;
    end;
  end loop;
  for v_index in select * from import_index as i where i.is_early loop
    execute format('alter index %I %s', v_index.new_name, v_index.options);
  end loop;
  analyze import_quad, import_term (id, hash, lex, datatype, lang); -- VACUUM (ANALYZE) reads the words, see vacuumStore
end
$$;

comment on function import_indexes() is 'Indexes and statistics of the new tables.';

-- One row a graph for each triple, and one primary row for each triple, where no index helps yet.
--
-- Rows are written anew instead of updated: after an update in place PostgreSQL would keep older snapshots from the
-- indexes made next.
create or replace function import_copies() returns void
language plpgsql
set search_path from current
set work_mem = '256MB'
as $$
begin
  create temp table import_twice on commit drop as
    select q.s, q.p, q.o from import_quad as q where q.copy is null group by q.s, q.p, q.o having count(*) > 1;
  analyze import_twice;
  with numbered as (
    select q.ctid as at, row_number() over (partition by q.s, q.p, q.o order by q.ctid) as n,
           row_number() over (partition by q.g, q.s, q.p, q.o order by q.ctid) as of_graph
      from import_quad as q join import_twice as t on (t.s, t.p, t.o) = (q.s, q.p, q.o)
     where q.copy is null),
  gone as (
    delete from import_quad as q using numbered as n where q.ctid = n.at and n.n > 1
    returning q.g, q.s, q.p, q.o, n.of_graph)
  insert into import_quad (g, s, p, o, copy) select g.g, g.s, g.p, g.o, true from gone as g where g.of_graph = 1;
  drop table import_twice;
end
$$;

comment on function import_copies() is 'Marks the copies among quads that were loaded without an index.';

-- Whether somebody has written to quad or term since import_tables. New numbers of a sequence count: who took them may
-- use them still.
create or replace function import_is_overtaken() returns boolean
language plpgsql
set search_path from current
as $$
declare
  v_begun record;
  v_quads int8 := (select count(*) from import_old_quad);
  v_terms int8 := (select count(*) from import_old_term);
begin
  select * into v_begun from import_begun;
  return (select s.last_value from term_seq as s) <> v_begun.next_term
    or (select s.last_value from blank_node_seq as s) <> v_begun.next_blank_node
    or (select count(*) from (select from term limit v_terms + 1) as t) <> v_terms
    or (select count(*) from (select from quad limit v_quads + 1) as q) <> v_quads
    or exists (select q.g, q.s, q.p, q.o, q.copy from quad as q except select * from import_old_quad)
    or exists (select r.id from raw_graph as r except select g.id from import_graph as g);
end
$$;

comment on function import_is_overtaken() is 'Whether the tables that are to be replaced were written to.';

-- Put the new tables in the place of the old ones, and note which numbers were given.
--
--   wait_ms  the longest that others are held up by the wait for either table
--   returns  'replaced', 'busy' when others did not leave the tables in time, or 'overtaken'
create or replace function import_replace(last_term int8, last_blank_node int8, wait_ms int4) returns text
language plpgsql
set search_path from current
as $$
declare
  v_users text[];
  v_user  text;
begin
  if not import_lock(wait_ms) then
    return 'busy';
  elsif import_is_overtaken() then
    return 'overtaken';
  end if;
  perform setval('term_seq', last_term), setval('blank_node_seq', greatest(last_blank_node, 1));
  v_users := array(select u.definition from import_users() as u)
          || array(select pg_get_statisticsobjdef(s.oid)
                     from pg_statistic_ext as s where s.stxrelid in ('quad'::regclass, 'term'::regclass));
  execute (select coalesce(string_agg(format('drop statistics %I.%I', s.stxnamespace::regnamespace, s.stxname),
                                      ';'), '')
             from pg_statistic_ext as s where s.stxrelid in ('quad'::regclass, 'term'::regclass));
  alter table quad rename to import_gone_quad;
  alter table term rename to import_gone_term;
  alter table import_quad rename to quad;
  alter table import_term rename to term;
  foreach v_user in array v_users loop
    execute v_user;
  end loop;
  execute format('drop table %1$I.import_gone_quad, %1$I.import_gone_term', current_schema());
  execute (select string_agg(case when i.is_constraint
                                  then format('alter table %I rename constraint %I to %I', i.owner, i.new_name, i.name)
                                  else format('alter index %I rename to %I', i.new_name, i.name) end, ';')
             from import_index as i);
  return 'replaced';
end
$$;

comment on function import_replace(int8, int8, int4) is 'Puts loaded tables in the place of quad and term.';

-- Lock quad and term against everybody, or neither.
create or replace function import_lock(wait_ms int4) returns boolean
language plpgsql
set search_path from current
as $$
begin
  perform set_config('lock_timeout', wait_ms::text, true);
  lock table term, quad in access exclusive mode;
  perform set_config('lock_timeout', '0', true);
  return true;
exception when lock_not_available then
  return false;
end
$$;

comment on function import_lock(int4) is 'Locks quad and term against everybody, unless that takes too long.';

-- Rows of the new tables as staged ones of the session. The new tables go.
create or replace function import_restage() returns void
language plpgsql
set search_path from current
as $$
begin
  create temp table import_staged_term as
    select t.id, t.hash, t.lex, t.datatype, t.lang
      from import_term as t
     where not exists (select from import_old_term as o where o.id = t.id);
  create temp table import_staged_quad as
    select q.g, q.s, q.p, q.o from import_quad as q, import_begun as b where q.ctid > b.old_rows;
  insert into import_staged_term (id)
  select q.s from import_staged_quad as q where is_blank_node(q.s)
   union
  select q.o from import_staged_quad as q where is_blank_node(q.o);
  drop table import_quad, import_term;
  drop table if exists pg_temp.import_term, pg_temp.import_quad;
  alter table import_staged_term rename to import_term;
  alter table import_staged_quad rename to import_quad;
end
$$;

comment on function import_restage() is 'Makes rows of the new tables staged ones.';
