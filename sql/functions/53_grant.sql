-- Grants: kept by the command line and by callers with control. src/db/grants.ts makes the calls.

-- The grants of a document and of those above it.
--
--   own        [[grantee, [mode, …]], …]
--   inherited  [[IRI, grantee, [mode, …]], …], from the root down
--   etag       of the own ones
--   raises     QS404 document-exists
create or replace function read_grants(iri text, out own json, out inherited json, out etag text)
language plpgsql stable
set search_path from current
as $$
declare
  v_path text[] := document_path(iri);
begin
  if v_path[cardinality(v_path)] is distinct from iri then
    perform raise_missing(iri);
  end if;
  select coalesce(json_agg(json_build_array(g.grantee, g.modes) order by g.grantee)
                    filter (where p.iri = read_grants.iri), '[]'),
         coalesce(json_agg(json_build_array(p.iri, g.grantee, g.modes) order by p.n, g.grantee)
                    filter (where p.iri <> read_grants.iri), '[]')
    into own, inherited
    from unnest(v_path) with ordinality as p (iri, n)
    join term as t on t.hash = term_hash('I' || p.iri)
    join access_grant as g on g.document = t.id;
  etag := grants_etag(own);
end
$$;

comment on function read_grants(text) is 'Grants of a document and of those above it.';

-- The same for a caller who controls the document and perhaps none above it: inherited grants that are neither under
-- the caller's control nor to one of the caller's own grantees are counted, not shown.
--
--   withheld  how many
create or replace function read_grants_for(iri text, grantees text[], out own json, out inherited json, out etag text,
                                           out withheld int)
language plpgsql stable
set search_path from current
as $$
declare
  v_all record := read_grants(iri);
begin
  own := v_all.own;
  etag := v_all.etag;
  select coalesce(json_agg(g.row order by g.n) filter (where g.is_shown), '[]'),
         count(*) filter (where not g.is_shown)
    into inherited, withheld
    from (select a.row, a.n,
                 a.row ->> 1 = any (grantees)
                 or has_access(a.row ->> 0, '{control}', grantees) as is_shown
            from json_array_elements(v_all.inherited) with ordinality as a (row, n)) as g;
end
$$;

comment on function read_grants_for(text, text[]) is
  'Grants of a document and of those above it, as far as a caller may know them.';

-- Grants of a document, of those above it and of those below it, in the order of their IRIs: from the root down.
--
--   raises  QS404 document-exists
create or replace function list_grants(iri text) returns table (document text, grantee text, modes text[])
language plpgsql stable
set search_path from current
as $$
declare
  v_path text[] := document_path(iri);
begin
  if v_path[cardinality(v_path)] is distinct from iri then
    perform raise_missing(iri);
  end if;
  return query
    select t.lex, g.grantee, g.modes
      from access_grant as g
      join term as t on t.id = g.document
     where t.lex = any (v_path) or starts_with(t.lex, iri)
     order by t.lex collate "C", g.grantee collate "C";
end
$$;

comment on function list_grants(text) is 'Grants of a document, of those above it and of those below it.';

-- The IRIs of a document and of those above it, from the root down; shorter where one is missing.
create or replace function document_path(iri text) returns text[]
language plpgsql stable
set search_path from current
as $$
declare
  v_path text := (select d.base from dataset as d where d.is_only);
  v_all  text[] := '{}';
  v_rest text;
begin
  loop
    exit when not starts_with(iri, v_path) or not has_document(v_path);
    v_all := v_all || v_path;
    v_rest := substr(iri, length(v_path) + 1);
    exit when v_rest = '';
    v_path := v_path || split_part(v_rest, '/', 1) || '/';
  end loop;
  return v_all;
end
$$;

comment on function document_path(text) is 'IRIs of a document and of those above it, from the root down.';

-- The entity tag of a document's own grants.
create or replace function grants_etag(own json) returns text
language sql immutable
return left(encode(sha256(convert_to(grants_etag.own::text, 'UTF8')), 'hex'), 16);

comment on function grants_etag(json) is 'Entity tag of a document''s own grants.';

-- Replace the grants of a document.
--
--   grantees, modes  parallel; modes as the text of an array
--   if_match         the etag that the own grants must have; null: any
--   keeps_control    refuses to leave the root without anybody in control
--   returns          the new etag
--   raises           QS404 document-exists · QS412 etag-mismatch · QS409 control-kept
--
-- With its first grant a document becomes the head of a realm, with its last it ceases to be one: then all below it is
-- locked and their rows are rewritten. Entity tags stay.
create or replace function put_grants(iri text, grantees text[], modes text[], if_match text, keeps_control boolean)
returns text
language plpgsql
security definer
set search_path from current
as $$
declare
  v_document document := lock_document(iri, is_going => true);
  v_etag     text := (select r.etag from read_grants(iri) as r);
  v_is_head  boolean := exists (select from access_realm as r where r.id = v_document.id);
begin
  if if_match <> v_etag then
    raise exception 'The grants have changed: their entity tag is "%", not "%".', v_etag, if_match
      using errcode = 'QS412', constraint = 'etag-mismatch', detail = json_build_object('etag', v_etag);
  elsif keeps_control and v_document.parent is null
        and not exists (select from unnest(put_grants.modes) as m (modes) where 'control' = any (m.modes::text[])) then
    raise exception 'Somebody must keep control of the root document.'
      using errcode = 'QS409', constraint = 'control-kept';
  end if;
  delete from access_grant as g where g.document = v_document.id;
  insert into access_grant (document, grantee, modes)
  select v_document.id, g.grantee, array(select distinct m.mode from unnest(g.modes::text[]) as m (mode) order by 1)
    from unnest(put_grants.grantees, put_grants.modes) as g (grantee, modes);
  if v_document.parent is not null and not v_is_head and grantees <> '{}' then
    perform open_realm(v_document);
  elsif v_is_head and grantees = '{}' then
    perform close_realm(v_document.id);
  end if;
  update dataset as d set grants_revision = d.grants_revision + 1 where d.is_only; -- last: the lock is everybody's
  return (select r.etag from read_grants(iri) as r);
end
$$;

comment on function put_grants(text, text[], text[], text, boolean) is 'Replace the grants of a document.';

-- A document and all below it, but for what is in realms further down, become a realm. Its row is locked.
create or replace function open_realm(head document) returns void
language plpgsql
set search_path from current
as $$
declare
  v_ids int8[] := array[head.id] || lock_descendants(head.id);
begin
  perform plan_for(cardinality(v_ids));
  update access_realm as r
     set above = head.id
    from unnest(v_ids) as d (id)
   where r.id = d.id and r.above is not distinct from head.realm;
  insert into access_realm (id, above) values (head.id, head.realm);
  update document as d
     set realm = head.id
    from unnest(v_ids) as inside (id)
   where d.id = inside.id and d.realm is not distinct from head.realm;
end
$$;

comment on function open_realm(document) is 'Make a document with its first grant the head of a realm.';

-- The opposite: what was in the realm is in the one around it.
create or replace function close_realm(id int8) returns void
language plpgsql
set search_path from current
as $$
declare
  v_above int8 := (select r.above from access_realm as r where r.id = close_realm.id);
begin
  perform lock_descendants(id);
  update access_realm as r set above = v_above where r.above = close_realm.id;
  delete from access_realm as r where r.id = close_realm.id;
  update document as d set realm = v_above where d.realm = close_realm.id;
end
$$;

comment on function close_realm(int8) is 'Undo the realm of a document that has no grants any more.';

-- Grants and realms of documents that go.
create or replace function drop_grants(ids int8[]) returns void
language plpgsql
set search_path from current
as $$
begin
  if exists (select from access_grant) then
    delete from access_grant as g using unnest(ids) as going (id) where g.document = going.id;
    delete from access_realm as r using unnest(ids) as going (id) where r.id = going.id;
  end if;
end
$$;

comment on function drop_grants(int8[]) is 'Take away grants and realms of documents that go.';

-- Realms for documents that a bulk load brought: those of their parents, level by level.
create or replace function inherit_realms(ids int8[]) returns void
language plpgsql
set search_path from current
as $$
begin
  while exists (select from access_realm) loop
    update document as d
       set realm = p.realm
      from unnest(ids) as loaded (id), document as p
     where d.id = loaded.id and p.id = d.parent and d.realm is distinct from p.realm
       and not exists (select from access_realm as r where r.id = d.id);
    exit when not found;
  end loop;
end
$$;

comment on function inherit_realms(int8[]) is 'Put documents of a bulk load into the realms of their parents.';
