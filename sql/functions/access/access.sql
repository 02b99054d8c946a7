-- Access: what grants allow a caller.
--
-- The last argument of each public function that reads or changes documents is the caller (type `caller`). Such a
-- function checks the grants itself, before all else, if the caller has grantees. A null caller may do everything: the
-- functions can be called from psql without one.
--
-- `grantees` describes the caller (src/base/caller.ts): the grantees that it matches ('public', 'authenticated',
-- 'agent <IRI>', 'group <name>') and the scope of its key ('only <mode>,<mode>,…' and 'within <IRI>').
--
-- Grants are found by realm. The head of a realm is a document that has grants of its own or is isolated. A document's
-- row names the nearest head, at or above it (null: the root); access_realm names the next head above each head.
-- Expired grants have no effect. Grants above an isolated document have no effect in it and below it.

-- Modes with those that they include, and without the modes that are names for several others (append, write).
create or replace function single_modes(modes text[]) returns text[]
language sql immutable parallel safe
return array_remove(array_remove(
  single_modes.modes || case when 'append' = any (single_modes.modes) then '{create,members}'::text[] end
                     || case when 'edit' = any (single_modes.modes) then '{read,members}'::text[] end
                     || case when 'delete' = any (single_modes.modes) then '{read}'::text[] end
                     || case when 'write' = any (single_modes.modes)
                             then '{read,create,members,edit,delete}'::text[] end, 'append'), 'write');

comment on function single_modes(text[]) is 'Modes with those that they include.';

-- Whether granted modes include the needed ones.
create or replace function has_modes(modes text[], needs text[]) returns boolean
language sql immutable parallel safe
return single_modes(has_modes.needs) <@ single_modes(has_modes.modes);

comment on function has_modes(text[], text[]) is 'Whether granted modes include the needed ones.';

-- The scope of a caller's key.
--
--   modes  the modes that the key allows; null: all
--   head   id of the document to whose subtree the key is confined; null: not confined; 0: the document does not exist
create or replace function caller_scope(grantees text[], out modes text[], out head int8)
language plpgsql stable
set search_path from current
as $$
declare
  v_text text;
begin
  foreach v_text in array grantees loop
    if starts_with(v_text, 'only ') then
      modes := single_modes(string_to_array(substr(v_text, 6), ','));
    elsif starts_with(v_text, 'within ') then
      head := coalesce((select t.id from term as t where t.hash = term_hash('I' || substr(v_text, 8))), 0);
    end if;
  end loop;
end
$$;

comment on function caller_scope(text[]) is 'Modes and document to which a caller''s key is confined.';

-- The realm of a document, or of the nearest existing one above it; null: the realm of the root.
create or replace function realm_at(iri text, base text) returns int8
language plpgsql stable
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
  v_path  text := case when right(iri, 1) = '/' then iri else iri || '/' end;
  v_realm int8;
  v_next  int8;
  v_rest  text;
begin
  select d.realm into v_realm from term as t join document as d on d.id = t.id where t.hash = term_hash('I' || v_path);
  if found then
    return v_realm;
  end if;
  v_path := base;
  loop
    select d.realm into v_next from term as t join document as d on d.id = t.id where t.hash = term_hash('I' || v_path);
    exit when not found;
    v_realm := v_next;
    v_rest := substr(iri, length(v_path) + 1);
    exit when v_rest = '';
    v_path := v_path || split_part(v_rest, '/', 1) || '/';
  end loop;
  return v_realm;
end
$$;

comment on function realm_at(text, text) is 'Realm of a document, or of the nearest existing one above it.';

-- The modes that a caller has on a document, which need not exist.
--
--   own        modes of the caller, as single_modes returns them
--   everybody  modes that grants to 'public' give
create or replace function access_modes(iri text, grantees text[], out own text[], out everybody text[])
language plpgsql stable
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
  v_base      text := (select d.base from dataset as d where d.is_only); -- by the index: enable_seqscan is off
  v_scope     record := caller_scope(grantees);
  v_realm     int8;
  v_is_within boolean := v_scope.head is null;
  v_counts    boolean := true; -- false above an isolated document
  v_grant     record;
begin
  own := '{}';
  everybody := '{}';
  if not starts_with(iri, v_base) then
    return;
  end if;
  v_realm := realm_at(iri, v_base);
  loop
    if v_counts then
      for v_grant in
        select g.grantee, g.modes
          from access_grant as g
         where g.document = coalesce(v_realm, (select t.id from term as t where t.hash = term_hash('I' || v_base)))
           and g.grantee = any (grantees) and g.expires > now()
      loop
        own := own || v_grant.modes;
        if v_grant.grantee = 'public' then
          everybody := everybody || v_grant.modes;
        end if;
      end loop;
    end if;
    v_is_within := v_is_within or v_realm is not distinct from v_scope.head;
    exit when v_realm is null or not v_counts and v_is_within;
    select r.above, v_counts and not r.is_isolated into v_realm, v_counts from access_realm as r where r.id = v_realm;
  end loop;
  own := case when v_is_within then single_modes(own) else '{}' end;
  everybody := single_modes(everybody);
  if v_scope.modes is not null then
    own := array(select unnest(own) intersect select unnest(v_scope.modes));
  end if;
end
$$;

comment on function access_modes(text, text[]) is 'Modes that a caller, and everybody, have on a document.';

-- Refuses a request that no grant allows. It is called first, by functions whose caller has grantees.
--
--   needs   modes that the request needs. Delete is needed on everything below the document, too.
--   caller  who may not read the document, and from whom it is hidden, is told that it does not exist
--   rule    rule of that error: document-exists or parent-exists
--   raises  QS401 authentication-required · QS403 access-granted · QS404 document-exists, parent-exists
create or replace function require_access(iri text, needs text[], caller caller, rule text default 'document-exists')
returns void
language plpgsql stable
set search_path from current
as $$
declare
  v_modes text[] := (select m.own from access_modes(iri, caller.grantees) as m);
begin
  if has_modes(v_modes, needs) then
    if has_modes(needs, '{delete}') then
      perform require_below(iri, 'delete', caller.grantees);
    end if;
  elsif caller.is_hidden is false or has_modes(v_modes, '{read}') then
    perform raise_refused(iri, needs, caller.grantees);
  elsif rule = 'parent-exists' then
    perform raise_missing_parent(iri);
  else
    perform raise_missing(iri);
  end if;
end
$$;

comment on function require_access(text, text[], caller, text) is 'Refuses a request that no grant allows.';

-- Refuses a request if there is an isolated document below on which the caller lacks a mode that it needs everywhere.
--
-- The error names the uppermost one. The caller may read its parent and so may know its IRI.
create or replace function require_below(iri text, need text, grantees text[]) returns void
language plpgsql stable
set search_path from current
as $$
declare
  v_inside text;
begin
  if not exists (select from access_realm as r where r.is_isolated)
     or not exists (select from term as t
                      join document as d on d.parent = t.id
                     where t.hash = term_hash('I' || iri)) then
    return;
  end if;
  select t.lex into v_inside
    from access_realm as r
    join term as t on t.id = r.id
   where r.is_isolated and starts_with(t.lex, iri) and t.lex <> iri
     and not is_in_realms(r.id, granted_realms(grantees, need))
   order by length(t.lex)
   limit 1;
  if found then
    perform raise_refused(v_inside, array[need], grantees);
  end if;
end
$$;

comment on function require_below(text, text, text[]) is
  'Refuses a request if the caller lacks a mode on an isolated document below.';

-- Raises the error for a request that no grant allows.
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

-- The realms in which a caller has a mode.
--
--   returns  null: everywhere, including graphs that are not documents
--            ids, ascending: in these realms only
--            negated ids: everywhere except in these realms
create or replace function granted_realms(grantees text[], mode text) returns int8[]
language plpgsql stable
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
  v_scope  record := caller_scope(grantees);
  v_heads  int8[];
  v_realms int8[];
begin
  if v_scope.modes is not null and not mode = any (v_scope.modes) then
    return '{}';
  end if;
  v_heads := array(select g.document from access_grant as g
                    where g.grantee = any (grantees) and g.expires > now() and has_modes(g.modes, array[mode]));
  if exists (select from document as d where d.id = any (v_heads) and d.parent is null) then
    v_realms := realms_left_out(v_heads);
    return case when v_scope.head is not null
                then array(select unnest(realms_below(array[v_scope.head], true))
                           except select -unnest(v_realms) order by 1)
                else nullif(v_realms, '{}') end;
  end if;
  v_realms := realms_below(v_heads, false);
  return case when v_scope.head is not null
              then array(select unnest(v_realms)
                         intersect select unnest(realms_below(array[v_scope.head], true)) order by 1)
              else v_realms end;
end
$$;

comment on function granted_realms(text[], text) is
  'Realms in which a caller has a mode; negated: all others; null: everywhere.';

-- The given realms and those below them, ascending.
--
--   isolated  include isolated realms below, with those below them
create or replace function realms_below(heads int8[], isolated boolean) returns int8[]
language plpgsql stable
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
begin
  return array(
    with recursive below (id) as (
      select r.id from access_realm as r where r.id = any (heads)
       union
      select r.id from below as b join access_realm as r on r.above = b.id where isolated or not r.is_isolated)
    select b.id from below as b order by b.id);
end
$$;

comment on function realms_below(int8[], boolean) is 'Realms and those below them.';

-- The realms that grants on the root and on other documents do not reach: ids in ascending order, then negated.
create or replace function realms_left_out(heads int8[]) returns int8[]
language plpgsql stable
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
begin
  return array(
    with recursive out (id) as (
      select r.id from access_realm as r where r.is_isolated and r.id <> all (heads)
       union
      select r.id from out as o join access_realm as r on r.above = o.id
       where not r.is_isolated and r.id <> all (heads))
    select -o.id from out as o order by o.id);
end
$$;

comment on function realms_left_out(int8[]) is 'Realms that grants on the root and others do not reach, negated.';

-- Whether a document is in one of the realms.
--
--   realms  result of granted_realms
create or replace function is_in_realms(document int8, realms int8[]) returns boolean
language plpgsql stable
set search_path from current
as $$
declare
  v_realm int8;
begin
  if realms is null then return true; end if;
  -- Found by id: an index on realms would have all documents with one.
  v_realm := (select d.realm from document as d where d.id = is_in_realms.document);
  if realms[1] < 0 then return coalesce(-v_realm <> all (realms), true); end if;
  return coalesce(v_realm = any (realms), false);
end
$$;

comment on function is_in_realms(int8, int8[]) is 'Whether a document is in realms, as granted_realms returns them.';

-- Checks documents that several callers request together.
--
--   callers  for each IRI the caller
--   returns  the IRIs; null for those on which the caller lacks the modes
create or replace function permitted_iris(iris text[], needs text[], callers caller[]) returns text[]
language plpgsql stable
set search_path from current
as $$
begin
  return array(
    select case when a.grantees is null or has_access(a.iri, needs, a.grantees) then a.iri end
      from unnest(iris, callers) with ordinality as a (iri, grantees, is_hidden, agent, request_id, is_audited, n)
     order by a.n);
end
$$;

comment on function permitted_iris(text[], text[], caller[]) is
  'IRIs of documents; null for those on which their callers lack modes.';

-- Whether grants give a caller modes on a document, which need not exist.
create or replace function has_access(iri text, needs text[], grantees text[]) returns boolean
language plpgsql stable
set search_path from current
as $$
begin
  return has_modes((select m.own from access_modes(iri, grantees) as m), needs);
end
$$;

comment on function has_access(text, text[], text[]) is 'Whether grants give a caller modes on a document.';
