-- Entity tags: the state of a document against what a request expects of it (RFC 9110 §13).

-- The document of an IRI, its row locked against other writers, though not against new children.
--
--   raises  QS404 document-exists
--   is_going  the document is to be deleted: also new children wait, and then find no parent
create or replace function lock_document(iri text, is_going boolean default false) returns document
language plpgsql
set search_path from current
as $$
declare
  v_document document;
begin
  if is_going then
    select d.* into v_document
      from term as t join document as d on d.id = t.id
     where t.hash = term_hash('I' || iri) for update of d;
  else
    select d.* into v_document
      from term as t join document as d on d.id = t.id
     where t.hash = term_hash('I' || iri) for no key update of d;
  end if;
  if v_document.id is null then
    perform raise_missing(iri);
  end if;
  return v_document;
end
$$;

comment on function lock_document(text, boolean) is
  'Row of the document with this IRI, locked; QS404 when there is none.';

-- One wording for a document that is not there.
create or replace function raise_missing(iri text) returns void
language plpgsql stable
set search_path from current
as $$
begin
  raise exception 'There is no document <%>.', iri
    using errcode = 'QS404', constraint = 'document-exists';
end
$$;

comment on function raise_missing(text) is 'Raises QS404 document-exists.';

-- Refuses a write whose conditions the document's state does not meet.
--
--   if_match             entity tags, any of which may match, or {*}; null for no condition. Weak ones must be left
--                        out.
--   if_none_match        entity tags of which none may match, or {*}; null for no condition
--   if_unmodified_since  counts only where there is no if_match (RFC 9110 §13.2.2)
--   raises               QS412 etag-mismatch, with the current tag as detail
create or replace function require_state(document document, if_match text[], if_none_match text[],
                                         if_unmodified_since timestamptz) returns void
language plpgsql stable
set search_path from current
as $$
declare
  v_etag text := document.revision::text;
begin
  if if_match is not null and not (v_etag = any (if_match) or '*' = any (if_match)) then
    raise exception 'The document has changed: its entity tag is "%", not %.', v_etag,
      coalesce(nullif('"' || array_to_string(if_match, '", "') || '"', '""'), 'a weak one')
      using errcode = 'QS412', constraint = 'etag-mismatch', detail = json_build_object('etag', v_etag);
  elsif if_none_match is not null and (v_etag = any (if_none_match) or '*' = any (if_none_match)) then
    raise exception 'The document exists and its entity tag is "%".', v_etag
      using errcode = 'QS412', constraint = 'etag-mismatch', detail = json_build_object('etag', v_etag);
  elsif if_match is null and date_trunc('second', document.modified) > if_unmodified_since then
    raise exception 'The document was modified at %, after %.', document.modified, if_unmodified_since
      using errcode = 'QS412', constraint = 'etag-mismatch', detail = json_build_object('etag', v_etag);
  end if;
end
$$;

comment on function require_state(document, text[], text[], timestamptz) is
  'Checks a write''s preconditions against a document; QS412 when they fail.';

-- The same check without a write, for requests whose body turns out unusable: the earlier failure is the one to report.
create or replace function check_precondition(iri text, if_match text[], if_none_match text[],
                                              if_unmodified_since timestamptz) returns void
language plpgsql stable
set search_path from current
as $$
declare
  v_document document;
begin
  select d.* into v_document from term as t join document as d on d.id = t.id where t.hash = term_hash('I' || iri);
  if v_document.id is null then
    perform raise_missing(iri);
  end if;
  perform require_state(v_document, if_match, if_none_match, if_unmodified_since);
end
$$;

comment on function check_precondition(text, text[], text[], timestamptz) is
  'Existence and preconditions of a document, without a write.';

-- What a write tells of the document it was asked of.
create or replace function state_of(id int8) returns written
language plpgsql
set search_path from current
as $$
declare
  v_written written;
begin
  select d.id, d.revision, d.modified, d.is_access_point, '{}' into v_written
    from document as d where d.id = state_of.id;
  return v_written;
end
$$;

comment on function state_of(int8) is 'What a write tells of a document: entity tag, time, kind.';
