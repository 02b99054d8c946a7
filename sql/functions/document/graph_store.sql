-- The Graph Store Protocol (docs/interface.md, Graph store): a named graph is a document.

-- What the graph is that a request writes to.
--
--   returns  'document', which the caller may edit; 'raw', a graph that queries see and no document serves; 'free', the
--            IRI of a new child, which the caller may create
--   raises   QS422 graph-known: the IRI is not below the root, or does not end with a segment and a slash
--            QS404 document-exists · as require_free_child · QS401 authentication-required · QS403 access-granted
create or replace function graph_to_write(iri text, caller caller default null) returns text
language plpgsql stable
security definer
set search_path from current
as $$
declare
  v_base        text := (select d.base from dataset as d where d.is_only);
  v_parent      text := parent_iri(iri);
  v_is_document boolean := exists (select from term as t join document as d on d.id = t.id
                                    where t.hash = term_hash('I' || iri));
begin
  if not v_is_document and has_raw_graph(iri, caller) then
    return 'raw';
  elsif not v_is_document and starts_with(v_parent, v_base) is not true then
    perform raise_unknown_graph(iri);
  elsif caller.grantees is not null and not has_access(iri, '{edit}', caller.grantees)
        and (v_is_document or not has_access(v_parent, '{create}', caller.grantees)) then
    perform require_access(iri, '{edit}', caller); -- the same error for a missing document
  elsif v_is_document then
    return 'document';
  elsif caller.grantees is not null then
    perform require_access(v_parent, '{create}', caller, 'parent-exists');
  end if;
  perform require_free_child(iri, caller);
  return 'free';
end
$$;

comment on function graph_to_write(text, caller) is 'What the graph is that a request writes to.';

-- Whether there is a raw graph with this IRI that the caller may read. Raw graphs have no grants: callers who may read
-- the root may read all of them.
create or replace function has_raw_graph(iri text, caller caller default null) returns boolean
language plpgsql stable
security definer
set search_path from current
as $$
begin
  return exists (select from term as t join raw_graph as r on r.id = t.id where t.hash = term_hash('I' || iri))
     and (caller.grantees is null
          or has_access((select d.base from dataset as d where d.is_only), '{read}', caller.grantees));
end
$$;

comment on function has_raw_graph(text, caller) is 'Whether there is a raw graph that the caller may read.';

-- PUT: replaces a document's graph. Unlike in replace_document, triples of the service that the body lacks stay.
--
--   raises  as replace_document, but QS409 reserved-free in place of QS412 reserved-kept
create or replace function put_graph(iri text, if_match text[], if_none_match text[], if_unmodified_since timestamptz,
                                     keys text[], subjects int8[], predicates int8[], objects int8[],
                                     caller caller default null) returns written
language plpgsql
security definer
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
begin
  return replace_graph(iri, if_match, if_none_match, if_unmodified_since, true, keys, subjects, predicates, objects,
                       caller);
end
$$;

comment on function put_graph(text, text[], text[], timestamptz, text[], int8[], int8[], int8[], caller) is
  'Replaces a document''s graph, without the triples of the service.';
