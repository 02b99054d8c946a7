-- SPARQL Update: creates, clears, drops and copies documents (docs/sparql.md, Updates).
--
-- What the service keeps of a document (its types, times, membership relations, children) is neither cleared nor
-- copied. All functions are part of an update: update.sql says how it begins and ends, and explains `created` and
-- `nodes`.

-- CREATE GRAPH.
--
--   is_silent  do nothing if the document exists, or its IRI is not free
--   raises     QS409 document-iri-free: it exists · as add_graph
create or replace function update_create(iri text, is_silent boolean, inout created int8[], caller caller)
language plpgsql
security definer
set search_path from current
as $$
begin
  perform hold_names();
  if exists (select from term as t join document as d on d.id = t.id where t.hash = term_hash('I' || iri)) then
    if not is_silent and caller.is_hidden and caller.grantees is not null
       and not has_access(iri, '{read}', caller.grantees) then
      perform raise_unknown_graph(iri);
    elsif not is_silent then
      raise exception 'There is already a document <%>.', iri using errcode = 'QS409', constraint = 'document-iri-free';
    end if;
  elsif not is_silent or is_free_child(iri, caller) then
    created := created || add_graph(iri, caller);
  end if;
end
$$;

comment on function update_create(text, boolean, int8[], caller) is 'CREATE GRAPH of an update.';

-- CLEAR GRAPH, and CLEAR ALL and NAMED.
--
--   iri        the document; null: all documents
--   besides    the document that CLEAR NAMED leaves alone; null: none
--   is_silent  do nothing if there is no such document
--   returns, raises  as change_quads
create or replace function update_clear(iri text, besides text, is_silent boolean, inout created int8[],
                                        inout nodes int8[], caller caller, out changed int8[], out inserted int8,
                                        out removed int8)
language plpgsql
security definer
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
  v_ids   int8[];
  v_quads record;
begin
  perform hold_names();
  if iri is not null then
    v_ids := array[graph_to_read(iri, is_silent, created, caller)];
  else
    v_ids := array(select d.id from document as d join term as t on t.id = d.id
                    where t.lex is distinct from besides order by d.id);
  end if;
  perform hold_states(v_ids);
  v_quads := own_quads(v_ids);
  v_quads := change_quads(array_fill(false, array[cardinality(v_quads.graphs)]), v_quads.graphs, v_quads.subjects,
                          v_quads.predicates, v_quads.objects, '{}', '{}', '{}', created, nodes, caller);
  changed := v_quads.changed;
  inserted := v_quads.inserted;
  removed := v_quads.removed;
end
$$;

comment on function update_clear(text, text, boolean, int8[], int8[], caller) is 'CLEAR of an update.';

-- ADD, COPY and MOVE, without the end of MOVE, which drops or clears its source.
--
--   is_whole  remove what the target has and the source has not
--   is_found  whether it was done; false if it could not be, and is_silent
--   returns, raises  as change_quads · QS404 document-exists: the caller may not read the source
create or replace function update_copy(source text, target text, is_whole boolean, is_silent boolean,
                                       inout created int8[], inout nodes int8[], caller caller, out changed int8[],
                                       out inserted int8, out removed int8, out is_found boolean)
language plpgsql
security definer
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
  v_source int8;
  v_target int8;
  v_old    record;
  v_new    record;
begin
  perform hold_names();
  v_source := graph_to_read(source, is_silent, created, caller);
  changed := '{}';
  inserted := 0;
  removed := 0;
  is_found := v_source is not null;
  if not is_found or source = target then
    return;
  end if;
  v_target := (select d.id from term as t join document as d on d.id = t.id where t.hash = term_hash('I' || target));
  if v_target is null then
    if is_silent and not is_free_child(target, caller) then
      is_found := false;
      return;
    end if;
    v_target := add_graph(target, caller);
    created := created || v_target;
  end if;
  perform hold_states(array[v_source, v_target]);
  perform require_graphs(array[v_target], created, caller);
  v_old := own_quads(case when is_whole then array[v_target] else '{}' end);
  v_new := own_quads(array[v_source]);
  perform plan_for(cardinality(v_old.graphs) + cardinality(v_new.graphs));
  v_new := change_quads(array_fill(false, array[cardinality(v_old.graphs)])
                          || array_fill(true, array[cardinality(v_new.graphs)]),
                        v_old.graphs || array_fill(v_target, array[cardinality(v_new.graphs)]),
                        v_old.subjects || v_new.subjects, v_old.predicates || v_new.predicates,
                        v_old.objects || v_new.objects, '{}', '{}', '{}', created, nodes, caller);
  nodes := v_new.nodes;
  changed := v_new.changed;
  inserted := v_new.inserted;
  removed := v_new.removed;
end
$$;

comment on function update_copy(text, text, boolean, boolean, int8[], int8[], caller) is
  'ADD, COPY and the copying of MOVE of an update.';

-- DROP GRAPH, and DROP ALL and NAMED. Deletes documents with the references to them.
--
--   iri       the document; null: all but the root, `besides`, and the documents above it
--   touched   documents that changed because they referred to a deleted one
--   raises    QS409 document-empty: the document has children · QS405 root-stays · QS422 graph-known
--             QS401 authentication-required · QS403 access-granted
--
-- What stays is cleared: the caller does that first.
create or replace function update_drop(iri text, besides text, is_silent boolean, created int8[], caller caller,
                                       out touched int8[], out dropped int8[])
language plpgsql
security definer
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
  v_root document;
  v_id   int8;
begin
  perform hold_names();
  touched := '{}';
  dropped := '{}';
  if iri is not null then
    v_id := graph_to_read(iri, is_silent, created, caller);
    if v_id is null then
      return;
    end if;
    dropped := array[v_id];
    perform require_droppable(dropped, created, caller.grantees); -- grants come before the other rules
    perform hold_deletions(is_alone => true);
    v_root := lock_document(iri, is_going => true);
    if v_root.parent is null then
      raise exception 'The root document <%> cannot be deleted.', iri
        using errcode = 'QS405', constraint = 'root-stays';
    elsif exists (select from document as d where d.parent = v_id) then
      raise exception '<%> has children, and DROP GRAPH deletes one document alone.', iri
        using errcode = 'QS409', constraint = 'document-empty';
    end if;
  else
    perform hold_deletions(is_alone => true);
    v_root := lock_document((select d.base from dataset as d where d.is_only), is_going => true);
    dropped := array(select d.id
                       from unnest(lock_descendants(v_root.id)) as d (id)
                       join term as t on t.id = d.id
                      where besides is null or not starts_with(besides, t.lex));
  end if;
  perform require_droppable(dropped, created, caller.grantees);
  touched := remove_documents(dropped, caller, dropped);
end
$$;

comment on function update_drop(text, text, boolean, int8[], caller) is 'DROP of an update.';

-- Refuses to drop documents that the caller may not delete, or that are access points of a document that it may not
-- edit.
create or replace function require_droppable(ids int8[], created int8[], grantees text[]) returns void
language plpgsql stable
set search_path from current
as $$
declare
  v_closed text;
begin
  if grantees is null then
    return;
  end if;
  select t.lex into v_closed
    from (select unnest(ids) except select unnest(created) except
          select unnest(within_realms(ids, granted_realms(grantees, 'delete')))) as d (id)
    join term as t on t.id = d.id
   order by t.lex
   limit 1;
  if found then
    perform raise_refused(v_closed, '{delete}', grantees);
  end if;
  perform require_container(d, 'edit', grantees)
     from document as d
    where d.id = any (ids) and d.is_access_point and d.parent <> all (ids);
end
$$;

comment on function require_droppable(int8[], int8[], text[]) is
  'Refuses to drop documents that a caller may not delete.';

-- The quads of documents without those of the service.
create or replace function own_quads(ids int8[], out graphs int8[], out subjects int8[], out predicates int8[],
                                     out objects int8[])
language plpgsql stable
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
begin
  select coalesce(array_agg(q.g), '{}'), coalesce(array_agg(q.s), '{}'), coalesce(array_agg(q.p), '{}'),
         coalesce(array_agg(q.o), '{}')
    into graphs, subjects, predicates, objects
    from unnest(ids) as g (id)
    join document as d on d.id = g.id
   cross join lateral (select q.g, q.s, q.p, q.o from quad as q where q.g = d.id offset 0) as q
   where q.s <> d.id or not is_reserved(d.is_access_point, q.p, q.o);
end
$$;

comment on function own_quads(int8[]) is 'The quads of documents without those of the service.';

-- The id of a document that an update copies, clears or drops. A document that the caller may not read is as one
-- that does not exist; edit and delete include read.
--
--   returns  null: there is none, and is_silent
--   raises   QS422 graph-known · QS401 authentication-required · QS403 access-granted
create or replace function graph_to_read(iri text, is_silent boolean, created int8[], caller caller) returns int8
language plpgsql stable
set search_path from current
as $$
declare
  v_id int8 := (select d.id from term as t join document as d on d.id = t.id where t.hash = term_hash('I' || iri));
begin
  if caller.grantees is not null and coalesce(v_id <> all (created), true)
     and not has_access(iri, '{read}', caller.grantees) then
    if not caller.is_hidden then
      perform raise_refused(iri, '{read}', caller.grantees);
    end if;
    v_id := null;
  end if;
  if v_id is null and not is_silent then
    raise exception 'There is no document <%>: an update copies, clears and deletes documents only.', iri
      using errcode = 'QS422', constraint = 'graph-known';
  end if;
  return v_id;
end
$$;

comment on function graph_to_read(text, boolean, int8[], caller) is
  'Id of a document that an update copies, clears or drops.';
