-- Deletes documents, everything below them, and all references to these, in one transaction.
--
-- Sources: docs/interface.md, Deleting; decision 0011.
--
-- With access control, references stay in documents that the caller may not edit. Such documents are neither locked nor
-- changed.

-- Deletes a document.
--
--   is_deep  false: refuse to delete a document that has children (Depth: 0)
--   returns  time of removal, for the Date header
--   raises   QS404 document-exists · QS412 etag-mismatch · QS409 document-empty · QS405 root-stays
--            QS401 authentication-required, QS403 access-granted: the caller may not delete it, or it is an access
--            point whose container document the caller may not edit
create or replace function delete_document(iri text, if_match text[] default null, if_none_match text[] default null,
                                           if_unmodified_since timestamptz default null, is_deep boolean default true,
                                           caller caller default null)
returns timestamptz
language plpgsql
security definer
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
  v_document document;
  v_is_alone boolean;
begin
  perform hold_names();
  if caller.grantees is not null then
    perform require_access(iri, '{delete}', caller);
  end if;
  for v_is_alone in select unnest('{false,true}'::boolean[]) loop
    begin
      perform hold_deletions(v_is_alone);
      v_document := lock_document(iri, is_going => true);
      perform require_container(v_document, 'edit', caller.grantees);
      perform require_state(v_document, if_match, if_none_match, if_unmodified_since);
      if v_document.parent is null then
        raise exception 'The root document <%> cannot be deleted.', iri
          using errcode = 'QS405', constraint = 'root-stays';
      elsif not is_deep and exists (select from document as d where d.parent = v_document.id) then
        raise exception '<%> has children, and Depth: 0 leaves them no parent.', iri
          using errcode = 'QS409', constraint = 'document-empty';
      end if;
      perform remove_documents(array[v_document.id] || lock_descendants(v_document.id), caller, array[v_document.id],
                               waits => v_is_alone);
      exit;
    exception
      when lock_not_available then -- the locks taken in this block are released
        continue;
    end;
  end loop;
  return clock_timestamp();
end
$$;

comment on function delete_document(text, text[], text[], timestamptz, boolean, caller) is
  'Deletes a document, everything below it and all references to these.';

-- Deletes all children of a document. The document itself changes only if its graph refers to one of them.
--
--   raises  QS404 document-exists · QS412 etag-mismatch
--           QS401 authentication-required, QS403 access-granted: the caller may not delete them, or a child is an
--           access point and the caller may not edit the document
create or replace function delete_children(iri text, if_match text[] default null, if_none_match text[] default null,
                                           if_unmodified_since timestamptz default null, caller caller default null)
returns timestamptz
language plpgsql
security definer
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
  v_document document;
  v_is_alone boolean;
begin
  perform hold_names();
  if caller.grantees is not null then
    perform require_access(iri, '{delete}', caller);
  end if;
  for v_is_alone in select unnest('{false,true}'::boolean[]) loop
    begin
      perform hold_deletions(v_is_alone);
      v_document := lock_document(iri);
      perform require_container(d, 'edit', caller.grantees)
         from document as d
        where caller.grantees is not null and d.parent = v_document.id and d.is_access_point
        limit 1;
      perform require_state(v_document, if_match, if_none_match, if_unmodified_since);
      perform remove_documents(lock_descendants(v_document.id), caller, waits => v_is_alone);
      exit;
    exception
      when lock_not_available then
        continue;
    end;
  end loop;
  perform record_change('delete-children', v_document.id, null, null, caller);
  return clock_timestamp();
end
$$;

comment on function delete_children(text, text[], text[], timestamptz, caller) is
  'Deletes everything below a document and all references to it; the document stays.';

-- Begins a deletion.
--
--   is_alone  wait until no other deletion runs, and keep others out until the transaction ends
--
-- A deletion locks the documents to delete, then those that refer to them. So two deletions could wait for each other:
-- if X refers to Y, the deletion of Y waits for X, and that of X may wait for a document that the other one has locked.
-- A deletion beside others therefore does not wait for documents that refer to its own. It releases its locks instead
-- and starts again alone.
create or replace function hold_deletions(is_alone boolean) returns void
language plpgsql
set search_path from current
as $$
declare
  v_key constant int8 := hashtextextended('quadstead deletions ' || current_schema(), 0);
begin
  if is_alone then
    perform pg_advisory_xact_lock(v_key);
  else
    perform pg_advisory_xact_lock_shared(v_key);
  end if;
end
$$;

comment on function hold_deletions(boolean) is 'Begins a deletion, beside others or alone.';

-- Finds and locks all documents below one, level by level. A transaction that adds a child must share-lock the parent
-- first, and so waits.
create or replace function lock_descendants(id int8) returns int8[]
language plpgsql
set search_path from current
as $$
declare
  v_level int8[] := array[lock_descendants.id];
  v_all   int8[] := '{}';
begin
  loop
    v_level := array(select c.id
                       from unnest(v_level) as above (id)
                      cross join lateral (select d.id from document as d where d.parent = above.id order by d.id
                                          offset 0 for update) as c); -- offset 0: one index probe per document
    exit when v_level = '{}';
    v_all := v_all || v_level;
  end loop;
  return v_all;
end
$$;

comment on function lock_descendants(int8) is 'Ids of all documents below one; their rows are locked.';

-- Removes locked documents: their graphs, the references to them in other documents, their rows.
--
--   caller   references stay in documents that the caller may not edit, and in graphs that are not documents, unless
--            the caller may edit everything
--   deleted  the documents whose deletion was requested; none if it is a document above
--   waits    whether to wait for documents that refer to them (hold_deletions)
--   returns  the other documents that changed, because they referred to one of them
--   raises   lock_not_available: `waits` is false, and another transaction has locked a document that refers to them
create or replace function remove_documents(ids int8[], caller caller, deleted int8[] default '{}',
                                            waits boolean default true)
returns int8[]
language plpgsql
set search_path from current
as $$
declare
  v_realms    int8[] := writable_realms(caller.grantees);
  v_referring int8[] := lock_referring(ids, v_realms, waits);
begin
  perform require_unfollowed(ids);
  perform plan_for(25 * cardinality(ids)); -- a document has about 25 triples
  if v_referring <> '{}' then
    perform drop_references(ids, v_referring);
  end if;
  perform remove_rows(ids, caller, deleted, v_realms is not null or exists (select from follow));
  if v_referring <> '{}' then
    perform touch_documents(v_referring, null, caller);
  end if;
  return v_referring;
end
$$;

comment on function remove_documents(int8[], caller, int8[], boolean) is
  'Removes locked documents with their graphs and the references to them.';

-- Removes locked documents with their graphs and grants. References to them stay.
--
--   deleted      as remove_documents
--   has_copies   other graphs may contain copies of the memberships that the rows implied
create or replace function remove_rows(ids int8[], caller caller, deleted int8[], has_copies boolean) returns void
language plpgsql
set search_path from current
as $$
declare
  v_quads record;
  v_gone  record;
begin
  perform plan_for(25 * cardinality(ids));
  v_quads := drop_graphs(ids);
  perform drop_grants(ids);
  with gone as (
    delete from document as d where d.id = any (ids)
    returning d.parent, d.member_by, d.id, d.revision, d.realm, d.is_access_point)
  select array_agg(g.id) as ids, array_agg(g.revision) as tags, array_agg(g.parent) as parents,
         array_agg(g.member_by) as relations, array_agg(g.realm) as realms, array_agg(g.is_access_point) as points,
         array_agg(g.parent) filter (where g.member_by is not null) as s,
         array_agg(g.member_by) filter (where g.member_by is not null) as p,
         array_agg(g.id) filter (where g.member_by is not null) as o
    into v_gone
    from gone as g;
  if has_copies then
    perform promote_copies(v_gone.s, v_gone.p, v_gone.o);
  end if;
  perform record_change('delete', g.id, g.tag::text, null, caller)
     from unnest(v_gone.ids, v_gone.tags) as g (id, tag)
    where g.id = any (deleted);
  perform log_deleted(v_gone.ids, v_gone.tags, v_gone.parents, v_gone.relations, v_gone.realms, v_gone.points, caller,
                      v_quads.graphs, v_quads.subjects, v_quads.predicates, v_quads.objects);
end
$$;

comment on function remove_rows(int8[], caller, int8[], boolean) is
  'Removes locked documents with their graphs and grants.';

-- Removes references to some documents from graphs whose documents are locked.
create or replace function drop_references(ids int8[], referring int8[]) returns void
language plpgsql
set search_path from current
as $$
declare
  v_gone record;
begin
  perform drop_list_entries(ids, referring);
  with gone as (
    delete from quad as q
     where q.o = any (ids) and q.o between 1 and 2305843009213693951
       and q.g + 0 = any (referring) -- + 0: the index of objects is read, not that of graphs, which may be large
    returning q.g, q.s, q.p, q.o, q.copy)
  select array_agg(g.s) filter (where g.copy is null) as s, array_agg(g.p) filter (where g.copy is null) as p,
         array_agg(g.o) filter (where g.copy is null) as o,
         array_agg(g.g) as graphs, array_agg(g.s) as subjects, array_agg(g.p) as predicates, array_agg(g.o) as objects
    into v_gone
    from gone as g;
  perform log_quads(false, v_gone.graphs, v_gone.subjects, v_gone.predicates, v_gone.objects);
  perform promote_copies(v_gone.s, v_gone.p, v_gone.o);
end
$$;

comment on function drop_references(int8[], int8[]) is 'Removes references to some documents from locked graphs.';

-- Finds and locks the other documents that refer to some documents, in the given realms. Repeats until it finds no
-- further one.
--
--   waits   whether to wait for other transactions that have locked one of them
--   raises  lock_not_available: `waits` is false, and another transaction has locked one of them
--
-- A later reference counts as written after the removal, to an IRI that is no longer a document.
create or replace function lock_referring(ids int8[], realms int8[], waits boolean) returns int8[]
language plpgsql
set search_path from current
as $$
declare
  v_all   int8[] := '{}';
  v_found int8[];
begin
  loop
    v_found := array(select q.g
                       from unnest(ids) as going (id)
                      cross join lateral (select q.g from quad as q
                                           where q.o = going.id and q.o between 1 and 2305843009213693951
                                          offset 0) as q
                     except
                     (select * from unnest(ids) union all select * from unnest(v_all)));
    v_found := unfollowed(within_realms(v_found, realms));
    exit when v_found = '{}';
    if waits then
      perform from unnest(v_found) as found (id) join document as d on d.id = found.id
        order by d.id
          for no key update of d;
    else
      perform from unnest(v_found) as found (id) join document as d on d.id = found.id
        order by d.id
          for no key update of d nowait;
    end if;
    v_all := v_all || v_found;
  end loop;
  return v_all;
end
$$;

comment on function lock_referring(int8[], int8[], boolean) is
  'Ids of other documents in some realms that refer to some documents; their rows are locked.';
