-- Deletion: documents, all they contain, and every reference to either, in one transaction (interface, endpoints 5 and 6).

-- Delete a document.
--
--   is_deep  false refuses a document that has children (Depth: 0)
--   returns  time of removal, for the Date header
--   raises   QS404 document-exists · QS412 etag-mismatch · QS409 document-empty · QS405 root-stays
create or replace function delete_document(iri text, if_match text[] default null, if_none_match text[] default null,
                                           if_unmodified_since timestamptz default null, is_deep boolean default true)
returns timestamptz
language plpgsql
security definer
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
  v_document document := lock_document(iri);
begin
  perform require_state(v_document, if_match, if_none_match, if_unmodified_since);
  if v_document.parent is null then
    raise exception 'The root document <%> cannot be deleted.', iri
      using errcode = 'QS405', constraint = 'root-stays';
  elsif not is_deep and exists (select from document as d where d.parent = v_document.id) then
    raise exception '<%> has children, and Depth: 0 leaves them no parent.', iri
      using errcode = 'QS409', constraint = 'document-empty';
  end if;

  perform remove_documents(array[v_document.id] || lock_descendants(v_document.id));
  return clock_timestamp();
end
$$;

comment on function delete_document(text, text[], text[], timestamptz, boolean) is
  'Delete a document, all it contains and every reference to either.';

-- Delete all children of a document; the document stays, and changes only where its own graph refers to one of them.
create or replace function delete_children(iri text, if_match text[] default null, if_none_match text[] default null,
                                           if_unmodified_since timestamptz default null)
returns timestamptz
language plpgsql
security definer
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
  v_document document := lock_document(iri);
begin
  perform require_state(v_document, if_match, if_none_match, if_unmodified_since);
  perform remove_documents(lock_descendants(v_document.id));
  return clock_timestamp();
end
$$;

comment on function delete_children(text, text[], text[], timestamptz) is
  'Delete all that a document contains and every reference to it; the document stays.';

-- Everything below a document, locked level by level: whoever wants to add a child must first share-lock its parent, and waits.
create or replace function lock_descendants(id int8) returns int8[]
language plpgsql
set search_path from current
as $$
declare
  v_level int8[] := array[lock_descendants.id];
  v_all   int8[] := '{}';
begin
  loop
    v_level := array(select d.id from document as d where d.parent = any (v_level) order by d.id for update);
    exit when v_level = '{}';
    v_all := v_all || v_level;
  end loop;
  return v_all;
end
$$;

-- Remove locked documents: their graphs, the references to them in other documents, their rows.
create or replace function remove_documents(ids int8[]) returns void
language plpgsql
set search_path from current
as $$
declare
  v_referring int8[];
begin
  perform plan_for(25 * cardinality(ids)); -- constants of more than eight elements are searched by hash
  -- Documents that refer to one of these change too. Their rows are locked, in one order, before their quads are read again.
  perform from document as d
    where d.id in (select q.g from quad as q where q.o = any (ids)) and d.id <> all (ids)
    order by d.id
      for update;
  v_referring := array(select distinct q.g from quad as q where q.o = any (ids) and q.g <> all (ids));

  perform drop_list_entries(ids);
  perform drop_quads(q.g, array_agg(q.s), array_agg(q.p), array_agg(q.o))
     from quad as q
    where q.o = any (ids) and q.g <> all (ids)
    group by q.g;
  perform drop_graphs(ids);
  delete from document as d where d.id = any (ids);
  perform touch_documents(v_referring);
end
$$;

-- Close lists over the entries that hold one of these documents: the cell goes, and what pointed at it points at the next.
create or replace function drop_list_entries(ids int8[]) returns void
language plpgsql
set search_path from current
as $$
declare
  v_cell quad;
  v_next int8;
begin
  for v_cell in
    select * from quad as q where q.o = any (ids) and q.p = rdf_first() and q.g <> all (ids)
  loop
    select q.o into v_next from quad as q where q.g = v_cell.g and q.s = v_cell.s and q.p = rdf_rest();
    continue when not found;

    perform put_quads(v_cell.g, array_agg(q.s), array_agg(q.p), array_agg(v_next))
       from quad as q where q.g = v_cell.g and q.o = v_cell.s having count(*) > 0;
    perform drop_quads(v_cell.g, array_agg(q.s), array_agg(q.p), array_agg(q.o))
       from quad as q
      where q.g = v_cell.g
        and (q.o = v_cell.s or q.s = v_cell.s and (is_blank_node(q.s) or q.p in (rdf_first(), rdf_rest())));
  end loop;
end
$$;
