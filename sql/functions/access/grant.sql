-- Grants: reads and changes them, for the command line and for callers with the mode control.

-- The grants of a document, and those of documents above it that it inherits. A caller needs the mode control. It may
-- control none of the documents above: an inherited grant is shown if the caller controls its document, or if it is to
-- one of the caller's own grantees.
--
--   own        [[grantee, [mode, …], expires or null, is expired], …]
--   inherited  [[IRI, grantee, [mode, …], expires or null, is expired], …], from the root down
--   inherits   false: the document is isolated and inherits no grants
--   etag       entity tag of its own grants
--   withheld   number of inherited grants that are not shown
--   raises     QS404 document-exists · QS403 access-granted · QS401 authentication-required
create or replace function read_grants(iri text, caller caller default null, out own json, out inherited json,
                                       out inherits boolean, out etag text, out withheld int)
language plpgsql stable
set search_path from current
as $$
declare
  v_path text[];
begin
  if caller.grantees is not null then
    perform require_access(iri, '{control}', caller);
  end if;
  v_path := granting_path(iri);
  select coalesce(json_agg(json_build_array(g.grantee, g.modes, show_instant(g.expires), g.expires <= now())
                           order by g.grantee, g.expires)
                    filter (where p.iri = read_grants.iri), '[]'),
         coalesce(json_agg(json_build_array(p.iri, g.grantee, g.modes, show_instant(g.expires), g.expires <= now())
                           order by p.n, g.grantee, g.expires)
                    filter (where p.iri <> read_grants.iri), '[]')
    into own, inherited
    from unnest(v_path) with ordinality as p (iri, n)
    join term as t on t.hash = term_hash('I' || p.iri)
    join access_grant as g on g.document = t.id;
  inherits := not exists (select from term as t
                            join access_realm as r on r.id = t.id
                           where t.hash = term_hash('I' || iri) and r.is_isolated);
  etag := grants_etag(own, inherits);
  withheld := 0;
  if caller.grantees is not null then
    select coalesce(json_agg(g.row order by g.n) filter (where g.is_shown), '[]'),
           count(*) filter (where not g.is_shown)
      into inherited, withheld
      from (select a.row, a.n,
                   a.row ->> 1 = any (caller.grantees)
                   or has_access(a.row ->> 0, '{control}', caller.grantees) as is_shown
              from json_array_elements(inherited) with ordinality as a (row, n)) as g;
  end if;
end
$$;

comment on function read_grants(text, caller) is 'Grants of a document, and those that it inherits.';

-- Grants of a document, those that it inherits, and those below it, in the order of their documents' IRIs. After the
-- grants of an isolated document comes a row without a grantee.
--
--   expires  null: never
--   raises   QS404 document-exists
create or replace function list_grants(iri text)
returns table (document text, grantee text, modes text[], expires text, is_expired boolean)
language plpgsql stable
set search_path from current
as $$
declare
  v_path text[] := granting_path(iri);
begin
  return query
    select t.lex, g.grantee, g.modes, show_instant(g.expires), g.expires <= now()
      from (select g.document, g.grantee, g.modes, g.expires from access_grant as g
            union all
            select r.id, null, null, null from access_realm as r where r.is_isolated) as g
      join term as t on t.id = g.document
     where t.lex = any (v_path) or starts_with(t.lex, iri)
     order by t.lex collate "C", g.grantee collate "C", g.expires;
end
$$;

comment on function list_grants(text) is
  'Grants of a document, those that it inherits, and those below it.';

-- Grants of documents below a document, in the order of the documents' IRIs. A caller needs the mode control on the
-- document, and sees the grants of documents that it controls. After the grants of an isolated document comes a row
-- without a grantee.
--
--   after       IRI after which to begin; null: with the first
--   head_limit  number of documents
--   raises      QS404 document-exists · QS403 access-granted · QS401 authentication-required
create or replace function read_grants_below(iri text, after text, head_limit int, caller caller default null)
returns table (document text, grantee text, modes text[], expires text, is_expired boolean)
language plpgsql stable
set search_path from current
as $$
begin
  if caller.grantees is not null then
    perform require_access(iri, '{control}', caller);
  end if;
  perform granting_path(iri);
  return query
    select h.lex, g.grantee, g.modes, show_instant(g.expires), g.expires <= now()
      from (select o.lex, o.id, o.is_isolated
              from (select t.lex, t.id, r.is_isolated
                      from access_realm as r
                      join term as t on t.id = r.id
                     where starts_with(t.lex, iri) and t.lex <> iri and t.lex collate "C" > after is not false
                     order by t.lex collate "C") as o
             where caller.grantees is null or has_access(o.lex, '{control}', caller.grantees)
             limit head_limit) as h
      cross join lateral (select g.grantee, g.modes, g.expires from access_grant as g where g.document = h.id
                          union all
                          select null, null, null where h.is_isolated) as g
     order by h.lex collate "C", g.grantee collate "C", g.expires;
end
$$;

comment on function read_grants_below(text, text, int, caller) is 'Grants of documents below a document.';

-- The IRIs of a document and of those above it whose grants it inherits, from the uppermost down.
--
--   raises  QS404 document-exists
create or replace function granting_path(iri text) returns text[]
language plpgsql stable
set search_path from current
as $$
declare
  v_path text[] := document_path(iri);
begin
  if v_path[cardinality(v_path)] is distinct from iri then
    perform raise_missing(iri);
  end if;
  return v_path[coalesce((select max(p.n)
                            from unnest(v_path) with ordinality as p (iri, n)
                            join term as t on t.hash = term_hash('I' || p.iri)
                            join access_realm as r on r.id = t.id
                           where r.is_isolated), 1):];
end
$$;

comment on function granting_path(text) is 'IRIs of a document and of those above it whose grants it inherits.';

-- A time in the form of RFC 3339, in UTC whatever the session's time zone; null for 'infinity'.
create or replace function show_instant(instant timestamptz) returns text
language sql stable
return to_char(nullif(show_instant.instant, 'infinity') at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');

comment on function show_instant(timestamptz) is 'A time in the form of RFC 3339; null for infinity.';

-- The IRIs of a document and of those above it, from the root down; ends before the first that does not exist.
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
create or replace function grants_etag(own json, inherits boolean) returns text
language sql immutable
return left(encode(sha256(convert_to(
  grants_etag.own::text || case when grants_etag.inherits then '' else ' isolated' end, 'UTF8')), 'hex'), 16);

comment on function grants_etag(json, boolean) is 'Entity tag of a document''s own grants.';

-- Checks that the caller controls a document, and locks it before a change of its grants.
--
--   if_match  the entity tag that its own grants must have; null: any
--   etag      the entity tag that they have
--   raises    QS404 document-exists · QS412 etag-mismatch · QS403 access-granted · QS401 authentication-required
create or replace function lock_grants(iri text, if_match text, caller caller, out locked document, out etag text)
language plpgsql
set search_path from current
as $$
begin
  perform hold_names();
  if caller.grantees is not null then
    perform require_access(iri, '{control}', caller);
  end if;
  locked := lock_document(iri, is_going => true);
  etag := (select r.etag from read_grants(iri) as r);
  if if_match <> etag then
    raise exception 'The grants have changed: their entity tag is "%", not "%".', etag, if_match
      using errcode = 'QS412', constraint = 'etag-mismatch', detail = json_build_object('etag', etag);
  end if;
end
$$;

comment on function lock_grants(text, text, caller) is 'Locks a document before a change of its grants.';

-- Replaces the grants of a document.
--
--   grantees, modes, expires  parallel arrays; modes as the text of an array; expires null: never. Expired grants are
--                             dropped.
--   inherits                  false: isolate the document; null: leave this unchanged
--   if_match                  the entity tag that its own grants must have; null: any
--   keeps_control             true: the root or an isolated document must keep a grant of control without expiry
--   returns                   the new entity tag
--   raises                    QS404 document-exists · QS412 etag-mismatch · QS409 control-kept
--                             QS422 isolation-place
create or replace function put_grants(iri text, grantees text[], modes text[], expires timestamptz[], inherits boolean,
                                      if_match text, keeps_control boolean, caller caller default null)
returns text
language plpgsql
security definer
set search_path from current
as $$
declare
  v_before record := lock_grants(iri, if_match, caller);
  v_id     int8 := (v_before.locked).id;
begin
  delete from access_grant as g where g.document = v_id;
  insert into access_grant (document, grantee, modes, expires)
  select v_id, g.grantee, array(select distinct m.mode from unnest(g.modes::text[]) as m (mode) order by 1),
         coalesce(g.expires, 'infinity')
    from unnest(put_grants.grantees, put_grants.modes, put_grants.expires) as g (grantee, modes, expires)
   where coalesce(g.expires, 'infinity') > now();
  return settle_grants(v_before.locked, v_before.etag, iri, inherits, keeps_control, caller);
end
$$;

comment on function put_grants(text, text[], text[], timestamptz[], boolean, text, boolean, caller) is
  'Replaces the grants of a document.';

-- Adds a grant to those of a document.
--
--   expires  null: never
--   returns  the new entity tag
--   raises   QS404 document-exists · QS412 etag-mismatch · QS409 grant-free · QS422 expiry-ahead
create or replace function add_grant(iri text, grantee text, modes text[], expires timestamptz, if_match text,
                                     caller caller default null)
returns text
language plpgsql
security definer
set search_path from current
as $$
declare
  v_before record := lock_grants(iri, if_match, caller);
begin
  if add_grant.expires <= now() then
    raise exception 'The grant to "%" would have expired already: it is % now.', grantee, now()
      using errcode = 'QS422', constraint = 'expiry-ahead';
  end if;
  insert into access_grant (document, grantee, modes, expires)
  values ((v_before.locked).id, add_grant.grantee,
          array(select distinct m.mode from unnest(add_grant.modes) as m (mode) order by 1),
          coalesce(add_grant.expires, 'infinity'))
      on conflict do nothing;
  if not found then
    raise exception '"%" has a grant of the same expiry on <%> already. Delete it first.', grantee, iri
      using errcode = 'QS409', constraint = 'grant-free';
  end if;
  return settle_grants(v_before.locked, v_before.etag, iri, null, false, caller);
end
$$;

comment on function add_grant(text, text, text[], timestamptz, text, caller) is 'Adds a grant to those of a document.';

-- Removes a grantee's grants on a document.
--
--   expires        only the grant with this expiry ('infinity': the one that never expires); null: all
--   keeps_control  as for put_grants
--   returns        the new entity tag
--   raises         QS404 document-exists, grant-exists · QS412 etag-mismatch · QS409 control-kept
create or replace function remove_grant(iri text, grantee text, expires timestamptz, if_match text,
                                        keeps_control boolean, caller caller default null)
returns text
language plpgsql
security definer
set search_path from current
as $$
declare
  v_before record := lock_grants(iri, if_match, caller);
begin
  delete from access_grant as g
   where g.document = (v_before.locked).id and g.grantee = remove_grant.grantee
     and (remove_grant.expires is null or date_trunc('milliseconds', g.expires) = remove_grant.expires);
  if not found then
    raise exception '<%> has no such grant of its own to "%".', iri, grantee
      using errcode = 'QS404', constraint = 'grant-exists';
  end if;
  return settle_grants(v_before.locked, v_before.etag, iri, null, keeps_control, caller);
end
$$;

comment on function remove_grant(text, text, timestamptz, text, boolean, caller) is
  'Removes a grantee''s grants on a document.';

-- Completes a change of a document's grants: removes expired ones, updates its realm, and records the change.
--
-- A document becomes the head of a realm with its first grant, or when it is isolated. It stops being one with its last
-- grant, if it inherits. Both lock all documents below it and rewrite their rows, but not their entity tags.
--
--   locked, etag   the document, and the entity tag of its grants before the change
--   inherits       as for put_grants
--   keeps_control  as for put_grants
--   returns        the new entity tag of the grants
--   raises         QS422 isolation-place · QS409 control-kept
create or replace function settle_grants(locked document, etag text, iri text, inherits boolean, keeps_control boolean,
                                         caller caller)
returns text
language plpgsql
set search_path from current
as $$
declare
  v_was_isolated boolean := (select r.is_isolated from access_realm as r where r.id = locked.id); -- null: no realm
  v_isolated     boolean := coalesce(not inherits, v_was_isolated, false);
  v_has_grants   boolean;
  v_etag         text;
begin
  if v_isolated and locked.parent is null then
    raise exception 'The root document <%> inherits from nothing.', iri
      using errcode = 'QS422', constraint = 'isolation-place';
  elsif keeps_control and (v_isolated or locked.parent is null)
        and not exists (select from access_grant as g
                         where g.document = locked.id and 'control' = any (g.modes) and g.expires = 'infinity') then
    raise exception 'Somebody must keep control of <%>, by a grant that does not expire.', iri
      using errcode = 'QS409', constraint = 'control-kept';
  end if;
  delete from access_grant as g where g.document = locked.id and g.expires <= now();
  v_has_grants := exists (select from access_grant as g where g.document = locked.id);
  if locked.parent is not null and v_was_isolated is null and (v_has_grants or v_isolated) then
    perform open_realm(locked);
  elsif v_was_isolated is not null and not v_has_grants and not v_isolated then
    perform close_realm(locked.id);
  end if;
  update access_realm as r set is_isolated = v_isolated where r.id = locked.id and r.is_isolated <> v_isolated;
  -- Last, because every change of grants waits for this row.
  update dataset as d set grants_revision = d.grants_revision + 1 where d.is_only;
  v_etag := (select r.etag from read_grants(iri) as r);
  perform record_change('grant', locked.id, etag, v_etag, caller);
  return v_etag;
end
$$;

comment on function settle_grants(document, text, text, boolean, boolean, caller) is
  'Completes a change of a document''s grants.';

-- Removes the expired grants of one document. They have had no effect since they expired.
--
--   returns  the number of grants removed; null: no document has any
--
-- A call handles one document only, because a change of grants locks the row of the dataset until its transaction ends.
create or replace function prune_grants() returns int
language plpgsql
security definer
set search_path from current
as $$
declare
  v_document document;
  v_iri      text;
  v_count    int;
begin
  perform hold_names();
  select d.* into v_document
    from document as d
   where d.id = (select g.document from access_grant as g
                  where g.expires < 'infinity' and g.expires <= now() limit 1)
     for update of d;
  if not found then
    return case when exists (select from access_grant as g where g.expires < 'infinity' and g.expires <= now())
                then 0 end; -- 0: another transaction has just deleted the document
  end if;
  v_count := (select count(*) from access_grant as g where g.document = v_document.id and g.expires <= now());
  v_iri := (select t.lex from term as t where t.id = v_document.id);
  perform settle_grants(v_document, (select r.etag from read_grants(v_iri) as r), v_iri, null, false, null);
  return v_count;
end
$$;

comment on function prune_grants() is 'Removes the expired grants of one document.';

-- Makes a document the head of a realm, which contains everything below it that is not in a realm further down. The
-- caller has locked its row.
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

comment on function open_realm(document) is 'Makes a document the head of a realm.';

-- Removes a realm: its documents join the realm above.
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

comment on function close_realm(int8) is 'Removes the realm of a document that is no longer a head.';

-- Removes the grants and realms of documents that are being deleted.
create or replace function drop_grants(ids int8[]) returns void
language plpgsql
set search_path from current
as $$
begin
  if exists (select from access_realm) then
    delete from access_grant as g using unnest(ids) as going (id) where g.document = going.id;
    delete from access_realm as r using unnest(ids) as going (id) where r.id = going.id;
  end if;
end
$$;

comment on function drop_grants(int8[]) is 'Removes grants and realms of documents that are being deleted.';

-- Puts documents of a bulk load into the realms of their parents, level by level.
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

comment on function inherit_realms(int8[]) is 'Puts documents of a bulk load into the realms of their parents.';
