-- PUT with If-None-Match: * creates a document at the URL of the request (docs/interface.md, Creating at a URL).

-- Checks that a document can be created with an IRI, before its body is read. create_document then creates it.
--
--   raises  QS412 etag-mismatch: the document exists, with its entity tag if the caller may read it
--           QS404 parent-exists · QS400 segment-usable · QS409 document-iri-free: a raw graph has the IRI
--           QS401 authentication-required, QS403 access-granted: the caller may not create there
create or replace function require_free_iri(iri text, caller caller default null) returns void
language plpgsql stable
security definer
set search_path from current
as $$
declare
  v_parent   text := parent_iri(iri);
  v_document document;
begin
  select d.* into v_document from term as t join document as d on d.id = t.id where t.hash = term_hash('I' || iri);
  if v_document.id is not null and (caller.grantees is null or has_access(iri, '{read}', caller.grantees)) then
    perform require_state(v_document, null, '{*}', null);
  elsif caller.grantees is not null then
    perform require_access(v_parent, '{create}', caller, 'parent-exists');
  end if;
  if v_document.id is not null then
    raise exception 'The document <%> exists already.', iri using errcode = 'QS412', constraint = 'etag-mismatch';
  end if;
  perform require_free_child(iri, caller);
end
$$;

comment on function require_free_iri(text, caller) is 'Checks that a document can be created with an IRI.';

-- Refuses an IRI that is not the IRI of a free child of a document. The caller may create one there.
--
--   raises  QS404 parent-exists · QS400 segment-usable · QS409 document-iri-free: a raw graph has the IRI
create or replace function require_free_child(iri text, caller caller) returns void
language plpgsql stable
set search_path from current
as $$
declare
  v_parent text := parent_iri(iri);
begin
  if not exists (select from term as t join document as d on d.id = t.id where t.hash = term_hash('I' || v_parent)) then
    perform raise_missing_parent(v_parent);
  elsif not is_segment(substring(iri from '([^/]+)/$')) then
    raise exception '<%> cannot be a document: its last segment is reserved, too long, or not in normal form.', iri
      using errcode = 'QS400', constraint = 'segment-usable';
  elsif not is_free_child(iri, caller) then
    raise exception '<%> names a raw graph, so it cannot name a document.', iri
      using errcode = 'QS409', constraint = 'document-iri-free';
  end if;
end
$$;

comment on function require_free_child(text, caller) is
  'Refuses an IRI that is not the IRI of a free child of a document.';
