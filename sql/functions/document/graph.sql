-- Adds quads to graphs and removes them. Callers hold the row lock of the graph's document.
--
-- A triple has one primary row (copy is null). Every further graph with the triple has a copy. A derived membership
-- (document.member_by) counts as the primary of its triple.
--
-- The cost of a call must depend on the number of triples given, not on the size of the graph or the store, and not on
-- the planner's estimates: statistics lag behind, and (p, o) often looks as selective as (s, p, o). Therefore each
-- triple is looked up on its own, by the first three functions below. Their "offset 0" keeps PostgreSQL from flattening
-- them into the calling query. Their condition on the last column is a range, which makes an index look expensive if
-- the columns before it select little. Of two indexes with the same cost PostgreSQL takes the one created last: these
-- are quad_spo and quad_spog.

-- The primary row of a triple. None if a document's row implies the triple, or if no graph contains it.
--
-- PostgreSQL inlines functions of this form into the calling query.
create or replace function primary_row(subject int8, predicate int8, object int8) returns table (at tid, g int8)
language sql stable
begin atomic
  select q.ctid, q.g
    from quad as q
   where q.s = subject and q.p = predicate and q.o between object and object and q.copy is null
  offset 0;
end;

comment on function primary_row(int8, int8, int8) is 'Place and graph of a triple''s primary row.';

-- One copy of a triple.
create or replace function copy_row(subject int8, predicate int8, object int8) returns table (at tid, g int8)
language sql stable
begin atomic
  select q.ctid, q.g
    from quad as q
   where q.s = subject and q.p = predicate and q.o between object and object and q.copy
   limit 1;
end;

comment on function copy_row(int8, int8, int8) is 'Place and graph of one copy of a triple.';

-- The row with which a graph contains a triple, or none.
create or replace function graph_row(graph int8, subject int8, predicate int8, object int8) returns table (at tid)
language sql stable
begin atomic
  select q.at from primary_row(subject, predicate, object) as q where q.g = graph
   union all
  select q.ctid
    from quad as q
   where q.s = subject and q.p = predicate and q.o = object and q.g between graph and graph and q.copy
  offset 0;
end;

comment on function graph_row(int8, int8, int8, int8) is 'Place of the row with which a graph contains a triple.';

-- Adds triples to a graph. Ignores those that it already contains.
--
-- Leaves two kinds of triples to put_shared_quads: possible derived memberships, and triples of other graphs.
create or replace function put_quads(graph int8, subjects int8[], predicates int8[], objects int8[]) returns void
language plpgsql
set search_path from current
as $$
declare
  v_put record;
begin
  with put as (
    insert into quad (g, s, p, o)
    select distinct graph, n.s, n.p, n.o
      from unnest(subjects, predicates, objects) as n (s, p, o)
     where not exists (select from document as d where d.id = n.s and d.has_member_relation = n.p offset 0)
     order by 2, 3, 4
        on conflict do nothing
    returning g, s, p, o)
  select array_agg(q.g) as g, array_agg(q.s) as s, array_agg(q.p) as p, array_agg(q.o) as o, count(*) as number
    into v_put
    from put as q;
  perform log_quads(true, v_put.g, v_put.s, v_put.p, v_put.o);
  if v_put.number < cardinality(subjects) then
    perform put_shared_quads(graph, subjects, predicates, objects);
  end if;
end
$$;

comment on function put_quads(int8, int8[], int8[], int8[]) is 'Adds triples to a graph.';

-- Adds triples to several graphs at once. Inserts them in the order of the triples, so that calls do not deadlock.
create or replace function put_quads_of_graphs(graphs int8[], subjects int8[], predicates int8[], objects int8[])
returns void
language plpgsql
set search_path from current
as $$
declare
  v_put record;
begin
  with put as (
    insert into quad (g, s, p, o)
    select distinct n.g, n.s, n.p, n.o
      from unnest(graphs, subjects, predicates, objects) as n (g, s, p, o)
     where not exists (select from document as d where d.id = n.s and d.has_member_relation = n.p offset 0)
     order by 2, 3, 4, 1
        on conflict do nothing
    returning g, s, p, o)
  select array_agg(q.g) as g, array_agg(q.s) as s, array_agg(q.p) as p, array_agg(q.o) as o, count(*) as number
    into v_put
    from put as q;
  perform log_quads(true, v_put.g, v_put.s, v_put.p, v_put.o);
  if v_put.number < cardinality(subjects) then
    perform put_shared_quads(n.g, array_agg(n.s), array_agg(n.p), array_agg(n.o))
       from unnest(graphs, subjects, predicates, objects) as n (g, s, p, o)
      group by n.g
      order by n.g;
  end if;
end
$$;

comment on function put_quads_of_graphs(int8[], int8[], int8[], int8[]) is 'Adds triples to several graphs.';

-- Adds triples to the graph of a new document whose IRI is a new term. No other graph contains or implies a triple with
-- that subject.
create or replace function put_new_quads(graph int8, subjects int8[], predicates int8[], objects int8[]) returns void
language plpgsql
set search_path from current
as $$
declare
  v_put record;
begin
  with put as (
    insert into quad (g, s, p, o)
    select distinct graph, graph, n.p, n.o
      from unnest(subjects, predicates, objects) as n (s, p, o)
     where n.s = graph
    returning g, s, p, o)
  select array_agg(q.g) as g, array_agg(q.s) as s, array_agg(q.p) as p, array_agg(q.o) as o into v_put from put as q;
  perform log_quads(true, v_put.g, v_put.s, v_put.p, v_put.o);
  if not (graph = all (subjects)) then
    perform put_quads(graph, array_agg(n.s), array_agg(n.p), array_agg(n.o))
       from unnest(subjects, predicates, objects) as n (s, p, o)
      where n.s <> graph;
  end if;
end
$$;

comment on function put_new_quads(int8, int8[], int8[], int8[]) is
  'Adds triples to the graph of a document whose IRI is a new term.';

-- Adds triples that the graph may contain already, or that may have a primary in another graph or in a document's row.
--
-- A copy is made only while its primary is locked, so that the primary cannot disappear before the copy is visible. If
-- there is no primary to lock, the new row is inserted as the primary. On a conflict in the unique index, another
-- transaction has inserted the primary first, and the next iteration makes a copy.
create or replace function put_shared_quads(graph int8, subjects int8[], predicates int8[], objects int8[])
returns void
language plpgsql
set search_path from current
as $$
declare
  v_missing record;
  v_locked  record;
  v_put     record;
begin
  loop
    v_missing := missing_from(graph, subjects, predicates, objects);
    exit when v_missing.subjects is null;

    v_locked := lock_primaries(v_missing.subjects, v_missing.predicates, v_missing.objects);
    with put as (
      insert into quad (g, s, p, o, copy)
      select graph, n.s, n.p, n.o, case when l.s is not null then true end
        from unnest(v_missing.subjects, v_missing.predicates, v_missing.objects) as n (s, p, o)
        left join (select distinct *
                     from unnest(v_locked.subjects, v_locked.predicates, v_locked.objects) as l (s, p, o)) as l
          on (l.s, l.p, l.o) = (n.s, n.p, n.o)
       order by 2, 3, 4
          on conflict do nothing
      returning g, s, p, o)
    select array_agg(q.g) as g, array_agg(q.s) as s, array_agg(q.p) as p, array_agg(q.o) as o, count(*) as number
      into v_put
      from put as q;
    perform log_quads(true, v_put.g, v_put.s, v_put.p, v_put.o);
    exit when v_put.number = cardinality(v_missing.subjects);
  end loop;
end
$$;

comment on function put_shared_quads(int8, int8[], int8[], int8[]) is
  'Adds triples to a graph, as copies if another graph or a document''s row has the primary.';

-- The triples that a graph does not contain, each once; nulls for none.
create or replace function missing_from(graph int8, inout subjects int8[], inout predicates int8[],
                                        inout objects int8[])
language plpgsql
set search_path from current
as $$
begin
  select array_agg(n.s), array_agg(n.p), array_agg(n.o)
    into subjects, predicates, objects
    from (select distinct * from unnest(subjects, predicates, objects) as n (s, p, o)) as n
   where not exists (select from graph_row(graph, n.s, n.p, n.o));
end
$$;

comment on function missing_from(int8, int8[], int8[], int8[]) is 'Triples that a graph does not contain, each once.';

-- The triples that have a primary. Locks the primaries against removal until this transaction ends.
--
-- A triple can become implied only when a document is created. Writers of a triple that a new row could imply
-- therefore share-lock the term of the document's IRI. The creator of the document locks it as well (claim_iri).
create or replace function lock_primaries(inout subjects int8[], inout predicates int8[], inout objects int8[])
language plpgsql
set search_path from current
as $$
declare
  v_derived record;
  v_stored  record;
begin
  perform from unnest(subjects, predicates, objects) as n (s, p, o)
          join document as d on d.id = n.s and d.has_member_relation = n.p
         cross join lateral (select t.id from term as t where t.id = n.o offset 0 for key share) as t;
  select array_agg(l.s) as s, array_agg(l.p) as p, array_agg(l.o) as o
    into v_derived
    from unnest(subjects, predicates, objects) as l (s, p, o)
   cross join lateral (select from document as d
                        where d.id = l.o and d.parent = l.s and d.member_by = l.p
                       offset 0 for share) as d;
  select array_agg(l.s) as s, array_agg(l.p) as p, array_agg(l.o) as o
    into v_stored
    from (select n.s, n.p, n.o
            from (select * from unnest(subjects, predicates, objects) as n (s, p, o) order by n.s, n.p, n.o) as n
           cross join lateral primary_row(n.s, n.p, n.o) as held
            join quad as q on q.ctid = held.at
             for share of q) as l;
  subjects := v_derived.s || v_stored.s;
  predicates := v_derived.p || v_stored.p;
  objects := v_derived.o || v_stored.o;
end
$$;

comment on function lock_primaries(int8[], int8[], int8[]) is
  'Triples that have a primary, stored or derived; it is share-locked.';

-- Removes triples from a graph. Ignores those that it does not contain.
create or replace function drop_quads(graph int8, subjects int8[], predicates int8[], objects int8[]) returns void
language plpgsql
set search_path from current
as $$
begin
  if subjects <> '{}' then
    perform drop_quads_of_graphs(array_fill(graph, array[cardinality(subjects)]), subjects, predicates, objects);
  end if;
end
$$;

comment on function drop_quads(int8, int8[], int8[], int8[]) is 'Removes triples from a graph.';

-- Removes triples from several graphs at once. Ignores those that they do not contain.
--
-- If another transaction turns a row from a copy into the primary or back, the row moves and is not found. If fewer
-- rows than triples were removed, the function therefore looks again.
create or replace function drop_quads_of_graphs(graphs int8[], subjects int8[], predicates int8[], objects int8[])
returns void
language plpgsql
set search_path from current
as $$
declare
  v_gone record;
begin
  loop
    with named as (
      select q.at
        from (select distinct * from unnest(graphs, subjects, predicates, objects) as n (g, s, p, o)) as n
       cross join lateral graph_row(n.g, n.s, n.p, n.o) as q),
    gone as (
      delete from quad as q using named as n where q.ctid = n.at returning q.g, q.s, q.p, q.o, q.copy)
    select array_agg(g.s) filter (where g.copy is null) as s, array_agg(g.p) filter (where g.copy is null) as p,
           array_agg(g.o) filter (where g.copy is null) as o, count(*) >= cardinality(subjects) as is_all,
           array_agg(g.g) as graphs, array_agg(g.s) as subjects, array_agg(g.p) as predicates,
           array_agg(g.o) as objects
      into v_gone
      from gone as g;

    perform log_quads(false, v_gone.graphs, v_gone.subjects, v_gone.predicates, v_gone.objects);
    perform promote_copies(v_gone.s, v_gone.p, v_gone.o);
    exit when v_gone.is_all
      or not exists (select from unnest(graphs, subjects, predicates, objects) as n (g, s, p, o)
                      cross join lateral graph_row(n.g, n.s, n.p, n.o));
  end loop;
end
$$;

comment on function drop_quads_of_graphs(int8[], int8[], int8[], int8[]) is 'Removes triples from several graphs.';

-- Removes all triples of graphs that are being deleted. Returns them, and does not log them.
create or replace function drop_graphs(inout graphs int8[], out subjects int8[], out predicates int8[],
                                       out objects int8[])
language plpgsql
set search_path from current
as $$
declare
  v_gone record;
begin
  with gone as (
    delete from quad as q where q.g = any (drop_graphs.graphs)
    returning q.g, q.s, q.p, q.o, q.copy)
  select array_agg(g.s) filter (where g.copy is null) as s, array_agg(g.p) filter (where g.copy is null) as p,
         array_agg(g.o) filter (where g.copy is null) as o,
         array_agg(g.g) as graphs, array_agg(g.s) as subjects, array_agg(g.p) as predicates, array_agg(g.o) as objects
    into v_gone
    from gone as g;

  perform promote_copies(v_gone.s, v_gone.p, v_gone.o);
  graphs := v_gone.graphs;
  subjects := v_gone.subjects;
  predicates := v_gone.predicates;
  objects := v_gone.objects;
end
$$;

comment on function drop_graphs(int8[]) is 'Removes all triples of graphs, and returns them.';

-- Makes one copy of each triple, if it has any, the primary.
--
-- This is a statement of its own after the delete, so that it sees the copies that writers made while the delete waited
-- for them. It repeats if another transaction removes a chosen copy in the meantime.
create or replace function promote_copies(subjects int8[], predicates int8[], objects int8[]) returns void
language plpgsql
set search_path from current
as $$
declare
  v_is_done boolean;
begin
  loop
    with heir as materialized (
      select c.at
        from (select distinct * from unnest(subjects, predicates, objects) as n (s, p, o)) as n
       cross join lateral copy_row(n.s, n.p, n.o) as c
       where not exists (select from primary_row(n.s, n.p, n.o))),
    promoted as (
      update quad as q set copy = null from heir as h where q.ctid = h.at returning q.g)
    select (select count(*) from heir) = (select count(*) from promoted) into v_is_done;
    exit when v_is_done;
  end loop;
end
$$;

comment on function promote_copies(int8[], int8[], int8[]) is 'Gives triples that lost their primary row a new one.';

-- Gives changed documents a new entity tag and a modification time at least a millisecond later than before.
--
--   returns  the new rows; who calls this updates c:modified among the quads, and records the change
--   raises   QS403 followed-kept
create or replace function touch_rows(ids int8[]) returns setof document
language plpgsql
set search_path from current
as $$
begin
  perform require_unfollowed(ids);
  return query
    update document as d
       set revision = nextval('revision_seq'),
           modified = greatest(date_trunc('milliseconds', clock_timestamp()), d.modified + interval '1 millisecond')
     where d.id = any (ids)
    returning d.*;
end
$$;

comment on function touch_rows(int8[]) is 'New entity tag and modification time in the rows of changed documents.';

-- Gives changed documents a new entity tag, updates their c:modified, and records the change. Callers hold the rows'
-- locks.
--
--   action, caller  as record_change takes them
--   kind            action of the change log; null: follows from `action`
--
-- Another document may contain the old or the new c:modified triple as well. The function therefore removes and adds
-- the triples, with their copies and primaries, instead of updating rows.
create or replace function touch_documents(ids int8[], action text default null, caller caller default null,
                                           kind text default null) returns void
language plpgsql
set search_path from current
as $$
declare
  v_old  record;
  v_new  record;
  v_both record;
  v_gone record;
  v_put  record;
begin
  select array_agg(d.id) as ids, array_agg(inline_instant(d.modified)) as instants, array_agg(d.revision) as tags
    into v_old from unnest(ids) as changed (id) join document as d on d.id = changed.id;
  select array_agg(d.id) as ids, array_agg(inline_instant(d.modified)) as instants, array_agg(d.revision) as tags
    into v_new from touch_rows(ids) as d;
  select array_agg(n.id) as ids, array_agg(o.tag) as tags, array_agg(o.instant) as olds, array_agg(n.instant) as news
    into v_both
    from unnest(v_old.ids, v_old.tags, v_old.instants) as o (id, tag, instant)
    join unnest(v_new.ids, v_new.instants) as n (id, instant) on n.id = o.id;
  perform record_change(touch_documents.action, n.id, o.tag::text, n.tag::text, touch_documents.caller)
     from unnest(v_old.ids, v_old.tags) as o (id, tag)
     join unnest(v_new.ids, v_new.tags) as n (id, tag) on n.id = o.id
    where touch_documents.action is not null;

  with named as (
    select q.at
      from unnest(v_old.ids, v_old.instants) as n (id, instant)
     cross join lateral graph_row(n.id, n.id, platform_modified(), n.instant) as q),
  gone as (
    delete from quad as q using named as n where q.ctid = n.at returning q.s, q.p, q.o)
  select array_agg(g.s) as s, array_agg(g.p) as p, array_agg(g.o) as o, count(*) as number
    into v_gone
    from gone as g;
  perform promote_copies(v_gone.s, v_gone.p, v_gone.o);
  if v_gone.number < cardinality(v_old.ids) then
    perform drop_quads(n.id, array[n.id], array[platform_modified()], array[n.instant])
       from unnest(v_old.ids, v_old.instants) as n (id, instant);
  end if;

  with put as (
    insert into quad (g, s, p, o)
    select n.id, n.id, platform_modified(), n.instant
      from unnest(v_new.ids, v_new.instants) as n (id, instant)
     order by n.id
        on conflict do nothing
    returning s, p, o)
  select array_agg(q.s) as s, array_agg(q.p) as p, array_agg(q.o) as o, count(*) as number into v_put from put as q;
  if v_put.number < cardinality(v_new.ids) then
    perform put_quads(n.id, array[n.id], array[platform_modified()], array[n.instant])
       from unnest(v_new.ids, v_new.instants) as n (id, instant);
  end if;

  kind := coalesce(kind, case action when 'replace' then 'replaced' when 'move-to' then 'moved' end,
                   case when action is null then 'changed' else 'patched' end);
  if v_gone.number = cardinality(v_old.ids) and v_put.number = cardinality(v_new.ids) then
    perform log_touched(kind, v_both.ids, v_both.tags, v_both.olds, v_both.news, caller);
  else -- drop_quads or put_quads has logged a part of it
    perform log_quads(false, v_gone.s, v_gone.s, v_gone.p, v_gone.o);
    perform log_quads(true, v_put.s, v_put.s, v_put.p, v_put.o);
    perform log_changes(kind, v_both.ids, v_both.tags, caller);
  end if;
end
$$;

comment on function touch_documents(int8[], text, caller, text) is
  'New entity tag and c:modified for changed documents.';
