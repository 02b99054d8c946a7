-- Preconditions: compares the state of a document with what a request expects (RFC 9110 §13).

-- Finds a document by its IRI and locks its row against other writers, but not against new children.
--
--   is_going  true before a deletion: new children wait as well, and then find no parent
--   raises    QS404 document-exists
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
  'Row of the document with this IRI, locked; QS404 if there is none.';

-- Raises the error for a missing document.
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

-- Raises the error for a missing parent of a new document.
create or replace function raise_missing_parent(iri text) returns void
language plpgsql stable
set search_path from current
as $$
begin
  raise exception 'There is no document <%> to create a child in.', iri
    using errcode = 'QS404', constraint = 'parent-exists';
end
$$;

comment on function raise_missing_parent(text) is 'Raises QS404 parent-exists.';

-- Raises an error if a write's preconditions do not hold.
--
--   if_match             entity tags, one of which must match, or {*}; null for no condition; without weak tags
--   if_none_match        entity tags, none of which may match, or {*}; null for no condition
--   if_unmodified_since  ignored if there is an if_match (RFC 9110 §13.2.2)
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
  'Checks a write''s preconditions against a document; QS412 if they fail.';

-- Checks existence and preconditions without a write, for a request with an invalid body: a missing document or a
-- failed precondition takes precedence over it (decision 0010).
--
-- Without preconditions nothing is checked for a caller who may not read the document. With them such a caller is
-- refused, because a failed one reveals the state.
--
--   need    mode without which the caller is refused
--   caller  null permits everything
--   raises  QS401 authentication-required · QS403 access-granted · QS404 document-exists · QS412 etag-mismatch
create or replace function check_precondition(iri text, if_match text[], if_none_match text[],
                                              if_unmodified_since timestamptz, need text default 'read',
                                              caller caller default null) returns void
language plpgsql stable
set search_path from current
as $$
declare
  v_document document;
  v_needs    text[] := array[need];
begin
  if caller.grantees is not null then
    if need <> 'read' and num_nonnulls(if_match, if_none_match, if_unmodified_since) > 0 then
      v_needs := array[need, 'read'];
    end if;
    perform require_access(iri, v_needs, caller);
    if not has_access(iri, '{read}', caller.grantees) then
      return;
    end if;
  end if;
  select d.* into v_document from term as t join document as d on d.id = t.id where t.hash = term_hash('I' || iri);
  if v_document.id is null then
    perform raise_missing(iri);
  end if;
  perform require_state(v_document, if_match, if_none_match, if_unmodified_since);
end
$$;

comment on function check_precondition(text, text[], text[], timestamptz, text, caller) is
  'Existence and preconditions of a document, without a write.';

-- The result of a write: the state of its document.
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

comment on function state_of(int8) is 'Result of a write: entity tag, modification time and kind of the document.';
