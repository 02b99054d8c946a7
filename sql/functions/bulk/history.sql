-- Exports a dataset with its change log, and imports it into an empty one (docs/import-export.md, With history).
--
-- An export reads these in one snapshot: export_head, and the cursors of export_names, export_states and
-- export_changes. An import is one transaction: import_history, rows by COPY into `change`, `old_name` and the tables
-- of import_history, and import_history_end.

-- The settings of the dataset that belong to the log, and the numbers that were given last. Null if there is no log.
create or replace function export_head() returns json
language plpgsql stable
set search_path from current
as $$
begin
  return (select json_build_object(
                   'base', d.base, 'platform', d.platform_ns, 'kept', d.changes_kept::text,
                   'lost', d.changes_lost::text, 'lostTime', export_time(d.changes_lost_time),
                   'lostTag', d.changes_lost_tag::text,
                   'lastPosition', pg_sequence_last_value('change_seq')::text,
                   'lastTag', coalesce(pg_sequence_last_value('revision_seq'), 0)::text,
                   'lastNode', coalesce(pg_sequence_last_value('blank_node_seq'), 0)::text)
            from dataset as d
           where d.logs_changes);
end
$$;

comment on function export_head() is 'Settings of the change log and the numbers that were given last, as JSON.';

-- A time in UTC with microseconds.
create or replace function export_time("time" timestamptz) returns text
language sql immutable parallel safe
return to_char(export_time.time at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"');

comment on function export_time(timestamptz) is 'A time in UTC with microseconds.';

-- Opens a cursor over the names that terms had before moves.
create or replace function export_names() returns refcursor
language plpgsql
set search_path from current
as $$
declare
  v_rows refcursor := 'export_rows';
begin
  open v_rows no scroll for
    select o.id::text, o.position::text, o.name, exists (select from term as t where t.id = o.id) as is_named
      from old_name as o
     where o.position > (select d.changes_lost from dataset as d)
     order by o.position, o.name;
  return v_rows;
end
$$;

comment on function export_names() is 'A cursor over the names that terms had before moves.';

-- Opens a cursor over documents and raw graphs with their quads. Documents come first, each before those below it.
--
--   quads  subject, predicate and object of up to 5,000 quads, 24 bytes each. A graph with more has several rows
create or replace function export_states() returns refcursor
language plpgsql
set search_path from current
as $$
declare
  v_rows refcursor := 'export_rows';
begin
  open v_rows no scroll for
    select g.iri, d.id is null as is_raw, q.part > 0 as is_continued, d.parent::text, d.revision::text as tag,
           export_time(d.created) as created, export_time(d.modified) as modified, d.is_access_point,
           d.has_member_relation::text as member_relation, d.member_by::text, q.quads
      from (select t.lex as iri, e.id, 0 as kind from document as e join term as t on t.id = e.id
             union all
            select t.lex, r.id, 1 from raw_graph as r join term as t on t.id = r.id
             order by 3, 1) as g
      left join document as d on d.id = g.id
     cross join lateral (
       select coalesce(k.part, 0) as part, coalesce(k.quads, '') as quads
         from (select 1) as one
         left join (select n.part, string_agg(int8send(n.s) || int8send(n.p) || int8send(n.o), '') as quads
                      from (select i.s, i.p, i.o, (row_number() over () - 1) / 5000 as part
                              from quad as i where i.g = g.id) as n
                     group by n.part) as k on true
        order by 1) as q
     order by g.kind, g.iri;
  return v_rows;
end
$$;

comment on function export_states() is 'A cursor over documents and raw graphs with their quads.';

-- Opens a cursor over the rows of the log.
--
--   added_s …  of up to 5,000 triples, as array_send writes them. A row with more comes in several parts
create or replace function export_changes() returns refcursor
language plpgsql
set search_path from current
as $$
declare
  v_rows refcursor := 'export_rows';
begin
  open v_rows no scroll for
    select c.position::text, k.part > 0 as is_continued, c.transaction::text, export_time(c.time) as time,
           c.document::text, c.parent::text, c.member_by::text, c.realm::text, c.before::text, c.after::text,
           c.is_access_point, c.action, c.agent, c.request_id,
           array_send(c.added_s[k.part * 5000 + 1:(k.part + 1) * 5000]) as added_s,
           array_send(c.added_p[k.part * 5000 + 1:(k.part + 1) * 5000]) as added_p,
           array_send(c.added_o[k.part * 5000 + 1:(k.part + 1) * 5000]) as added_o,
           array_send(c.removed_s[k.part * 5000 + 1:(k.part + 1) * 5000]) as removed_s,
           array_send(c.removed_p[k.part * 5000 + 1:(k.part + 1) * 5000]) as removed_p,
           array_send(c.removed_o[k.part * 5000 + 1:(k.part + 1) * 5000]) as removed_o
      from change as c
     cross join lateral generate_series(
       0, (greatest(cardinality(c.added_s), cardinality(c.removed_s), 1) - 1) / 5000) as k (part)
     where c.position > (select d.changes_lost from dataset as d)
     order by c.position, k.part;
  return v_rows;
end
$$;

comment on function export_changes() is 'A cursor over the rows of the change log.';

-- Begins to import a dataset with its history. Keeps writers out until the transaction ends.
--
--   raises  QS409 history-fits: the dataset has documents, raw graphs or a history
create or replace function import_history() returns void
language plpgsql
set search_path from current
as $$
begin
  perform change_names();
  if not import_is_empty() or exists (select from old_name)
     or exists (select from change as c join document as d on d.parent is null where c.document <> d.id) then
    raise exception 'The dataset is not empty, or has a history of its own. A history is imported into a new dataset.'
      using errcode = 'QS409', constraint = 'history-fits';
  end if;
  delete from change;
  delete from kept_state;
  create temp table history_document (id int8, parent int8, tag int8, created timestamptz, modified timestamptz,
                                      is_access_point boolean, member_relation int8, member_by int8) on commit drop;
  create temp table history_graph (id int8) on commit drop;
  create temp table history_quad (g int8, s int8, p int8, o int8) on commit drop;
  create temp table history_more (position int8, part int4, added_s int8[], added_p int8[], added_o int8[],
                                  removed_s int8[], removed_p int8[], removed_o int8[]) on commit drop;
end
$$;

comment on function import_history() is 'Begins to import a dataset with its history.';

-- Numbers for terms that left the dictionary when another term got their name.
create or replace function import_gone_terms(number int) returns text[]
language plpgsql
set search_path from current
as $$
begin
  return array(select nextval('term_seq')::text from generate_series(1, number));
end
$$;

comment on function import_gone_terms(int) is 'Ids for terms that are only in the history.';

-- Ends the import: moves the staged rows to their tables.
--
--   head  as export_head returned it
create or replace function import_history_end(head json) returns void
language plpgsql
set search_path from current
set work_mem = '128MB'
as $$
declare
  v_root int8 := (select d.id from document as d where d.parent is null);
begin
  delete from quad;
  update document as d
     set revision = h.tag, created = h.created, modified = h.modified, has_member_relation = h.member_relation
    from history_document as h
   where d.id = v_root and h.id = v_root;
  insert into document (id, parent, revision, created, modified, is_access_point, has_member_relation, member_by)
  select h.id, h.parent, h.tag, h.created, h.modified, h.is_access_point, h.member_relation, h.member_by
    from history_document as h
   where h.id <> v_root
   order by h.id;
  insert into raw_graph (id) select h.id from history_graph as h;
  insert into quad (g, s, p, o, copy)
  select q.g, q.s, q.p, q.o, case when q.place > 1 or d.id is not null then true end
    from (select h.*, row_number() over (partition by h.s, h.p, h.o order by h.g) as place
            from history_quad as h) as q
    left join document as d on d.id = q.o and d.parent = q.s and d.member_by = q.p
   order by q.s, q.p, q.o, q.place;
  update change as c
     set added_s = c.added_s || m.s, added_p = c.added_p || m.p, added_o = c.added_o || m.o
    from (select h.position, array_agg(a.s order by h.part, a.n) as s, array_agg(a.p order by h.part, a.n) as p,
                 array_agg(a.o order by h.part, a.n) as o
            from history_more as h
           cross join lateral unnest(h.added_s, h.added_p, h.added_o) with ordinality as a (s, p, o, n)
           group by h.position) as m
   where c.position = m.position;
  update change as c
     set removed_s = c.removed_s || m.s, removed_p = c.removed_p || m.p, removed_o = c.removed_o || m.o
    from (select h.position, array_agg(r.s order by h.part, r.n) as s, array_agg(r.p order by h.part, r.n) as p,
                 array_agg(r.o order by h.part, r.n) as o
            from history_more as h
           cross join lateral unnest(h.removed_s, h.removed_p, h.removed_o) with ordinality as r (s, p, o, n)
           group by h.position) as m
   where c.position = m.position;
  update dataset as d
     set logs_changes = true, changes_kept = (head->>'kept')::interval, changes_lost = (head->>'lost')::int8,
         changes_lost_time = (head->>'lostTime')::timestamptz, changes_lost_tag = (head->>'lostTag')::int8,
         states_seen = 0, names_revision = nextval('revision_seq')
   where d.is_only;
  perform reach_number(k.name, (head->>k.member)::int8)
     from (values ('change_seq', 'lastPosition'), ('revision_seq', 'lastTag'), ('blank_node_seq', 'lastNode'))
       as k (name, member);
end
$$;

comment on function import_history_end(json) is 'Moves the rows of an imported history to their tables.';
