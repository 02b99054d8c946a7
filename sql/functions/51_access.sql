-- Access: what grants let a caller do. Nothing here is called while everybody may do everything.
--
-- A caller is told by its grantees: 'public', 'authenticated', 'agent <IRI>', 'group <name>'. A document's IRI begins
-- with those of all documents above it, so its grants are found along its path, also when there is no such document.

-- Whether modes that were granted are enough. Who may write may read and append.
create or replace function has_modes(modes text[], needs text[]) returns boolean
language sql immutable parallel safe
return has_modes.needs <@ case when 'write' = any (has_modes.modes) then has_modes.modes || '{read,append}'
                               else has_modes.modes end;

comment on function has_modes(text[], text[]) is 'Whether granted modes include those that are needed.';

-- The modes granted on an IRI's path, from the root down to the document or to the last one that there is.
--
--   needs  the rest of the path is not looked at once these are found
create or replace function access_modes(iri text, grantees text[], needs text[]) returns text[]
language plpgsql stable
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
  v_path  text := (select d.base from dataset as d where d.is_only); -- by its index, as all here
  v_id    int8;
  v_modes text[] := '{}';
  v_rest  text;
begin
  if not starts_with(iri, v_path) then
    return v_modes;
  end if;
  loop
    select d.id into v_id from term as t join document as d on d.id = t.id where t.hash = term_hash('I' || v_path);
    exit when v_id is null;
    v_modes := v_modes || array(select unnest(g.modes) from access_grant as g
                                 where g.document = v_id and g.grantee = any (grantees));
    v_rest := substr(iri, length(v_path) + 1);
    exit when v_rest = '' or has_modes(v_modes, needs);
    v_path := v_path || split_part(v_rest, '/', 1) || '/';
  end loop;
  return v_modes;
end
$$;

comment on function access_modes(text, text[], text[]) is 'Modes that grants on an IRI''s path give a caller.';

-- Let a request pass, or refuse it.
--
--   needs     modes
--   is_hidden what the caller may not read is refused as if it were not there
--   rule      how that is told: document-exists or parent-exists
--   returns   the IRI, for the function that does the work to be called with: so it comes after
--   raises    QS401 authentication-required · QS403 access-granted · QS404 document-exists, parent-exists
create or replace function require_access(iri text, needs text[], grantees text[], is_hidden boolean, rule text)
returns text
language plpgsql stable
set search_path from current
as $$
declare
  v_modes text[] := access_modes(iri, grantees, needs);
begin
  if has_modes(v_modes, needs) then
    return iri;
  elsif not is_hidden or has_modes(v_modes, '{read}') then
    perform raise_refused(iri, needs, grantees);
  elsif rule = 'parent-exists' then
    raise exception 'There is no document <%> to create a child in.', iri
      using errcode = 'QS404', constraint = 'parent-exists';
  end if;
  perform raise_missing(iri);
end
$$;

comment on function require_access(text, text[], text[], boolean, text) is
  'Refuses what no grant allows; else gives back the IRI.';

-- One wording for what no grant allows.
create or replace function raise_refused(iri text, needs text[], grantees text[]) returns void
language plpgsql stable
set search_path from current
as $$
begin
  if 'authenticated' = any (grantees) then
    raise exception 'No grant gives you % on <%>.', array_to_string(needs, ' and '), iri
      using errcode = 'QS403', constraint = 'access-granted';
  end if;
  raise exception 'No grant gives everybody % on <%>: say who you are.', array_to_string(needs, ' and '), iri
    using errcode = 'QS401', constraint = 'authentication-required';
end
$$;

comment on function raise_refused(text, text[], text[]) is
  'Raises QS403 access-granted or QS401 authentication-required.';

-- The realms in which a caller has a mode; null: everywhere.
create or replace function granted_realms(grantees text[], mode text) returns int8[]
language plpgsql stable
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
begin
  if exists (select from access_grant as g
               join document as d on d.id = g.document
              where g.grantee = any (grantees) and has_modes(g.modes, array[mode]) and d.parent is null) then
    return null;
  end if;
  return array(
    with recursive granted (id) as (
      select g.document from access_grant as g
       where g.grantee = any (grantees) and has_modes(g.modes, array[mode])
       union
      select r.id from granted as g join access_realm as r on r.above = g.id)
    select g.id from granted as g order by g.id);
end
$$;

comment on function granted_realms(text[], text) is 'Realms in which a caller has a mode; null for everywhere.';

-- Whether a document lies in one of some realms; null: all.
create or replace function is_in_realms(document int8, realms int8[]) returns boolean
language plpgsql stable
set search_path from current
as $$
begin
  return realms is null
      or exists (select from document as d where d.id = is_in_realms.document and d.realm = any (realms));
end
$$;

comment on function is_in_realms(int8, int8[]) is 'Whether a document lies in one of some realms; null stands for all.';

-- Documents that several callers ask for at once: null in place of one on which its caller lacks the modes.
--
--   callers  for each IRI an array of grantees, as text
create or replace function permitted_iris(iris text[], callers text[], needs text[]) returns text[]
language plpgsql stable
set search_path from current
as $$
begin
  return array(
    select case when has_modes(access_modes(a.iri, a.grantees::text[], needs), needs) then a.iri end
      from unnest(iris, callers) with ordinality as a (iri, grantees, n)
     order by a.n);
end
$$;

comment on function permitted_iris(text[], text[], text[]) is
  'IRIs of documents, null in place of those on which their callers lack modes.';

-- Whether grants give a caller modes on a document, which need not exist.
create or replace function has_access(iri text, needs text[], grantees text[]) returns boolean
language plpgsql stable
set search_path from current
as $$
begin
  return has_modes(access_modes(iri, grantees, needs), needs);
end
$$;

comment on function has_access(text, text[], text[]) is 'Whether grants give a caller modes on a document.';
