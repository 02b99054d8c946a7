-- Access to documents that a request does not address but would change as well.
--
-- If such a change is essential to the request, the request is refused; otherwise the change is omitted. The table in
-- docs/security.md, Grants, lists the cases. `grantees` describes the caller; null: access control is off.

-- Checks that a caller may change the container document of an access point. That document's graph contains the access
-- point's list, and the triple that lists the access point.
--
--   need    the mode that is needed on the container document
--   raises  QS403 access-granted · QS401 authentication-required
create or replace function require_container(keeper document, need text, grantees text[]) returns void
language plpgsql stable
set search_path from current
as $$
declare
  v_container text;
begin
  if grantees is null or not keeper.is_access_point then
    return;
  end if;
  v_container := (select t.lex from term as t where t.id = keeper.parent);
  if not has_access(v_container, array[need], grantees) then
    perform raise_refused(v_container, array[need], grantees);
  end if;
end
$$;

comment on function require_container(document, text, text[]) is
  'Refuses a change of an access point''s list by a caller who may not change its container document.';

-- The realms in which a caller may change documents that a request does not address, as granted_realms returns them.
create or replace function writable_realms(grantees text[]) returns int8[]
language plpgsql stable
set search_path from current
as $$
begin
  return case when grantees is not null then granted_realms(grantees, 'edit') end;
end
$$;

comment on function writable_realms(text[]) is 'Realms in which a caller may change documents; null for everywhere.';

-- The graphs that are in one of the realms. A graph that is not a document is in them if they are null or negated.
--
-- Because of "is true" PostgreSQL hashes the subquery, whatever it estimates the lengths of the arrays to be.
create or replace function within_realms(graphs int8[], realms int8[]) returns int8[]
language plpgsql stable
set search_path from current
as $$
begin
  if realms is null or graphs = '{}' then
    return graphs;
  end if;
  return array(select g.id
                 from unnest(graphs) as g (id)
                 left join document as d on d.id = g.id
                where ((d.realm in (select abs(r.id) from unnest(realms) as r (id))) is true)
                      <> (coalesce(realms[1], 0) < 0));
end
$$;

comment on function within_realms(int8[], int8[]) is
  'Graphs that are in realms, as granted_realms returns them.';

-- Refuses members that are not documents, or that the caller may not read. The error is the same, so that it does not
-- reveal which documents exist.
--
--   members  IRIs
--   held     ids of the members that are documents
--   raises   QS422 member-known
create or replace function require_known(members text[], held int8[], grantees text[]) returns void
language plpgsql stable
set search_path from current
as $$
declare
  v_known   int8[] := held;
  v_unknown text;
begin
  if grantees is not null then
    v_known := within_realms(held, granted_realms(grantees, 'read'));
  end if;
  if cardinality(v_known) < (select count(distinct m.iri) from unnest(members) as m (iri)) then
    select string_agg(format('<%s>', m.iri), ', ') into v_unknown
      from unnest(members) as m (iri)
     where not exists (select from term as t where t.hash = term_hash('I' || m.iri) and t.id = any (v_known));
    raise exception 'Only documents of this service can be members: % is none.', v_unknown
      using errcode = 'QS422', constraint = 'member-known';
  end if;
end
$$;

comment on function require_known(text[], int8[], text[]) is 'Refuses members that are not documents, or unreadable.';

-- Refuses members on which the caller lacks the mode `members`, if the list's relation has an inverse: the inverse
-- triple is stored in the graph of the member.
--
--   raises  QS403 access-granted · QS401 authentication-required
create or replace function require_inverse(keeper document, held int8[], grantees text[]) returns void
language plpgsql stable
set search_path from current
as $$
declare
  v_closed text;
begin
  if grantees is not null and inverse_relation(keeper.id) is not null then
    select t.lex into v_closed
      from (select unnest(held)
            except
            select unnest(within_realms(held, granted_realms(grantees, 'members')))) as m (id)
      join term as t on t.id = m.id
     order by t.lex
     limit 1;
    if found then
      perform raise_refused(v_closed, '{members}', grantees);
    end if;
  end if;
end
$$;

comment on function require_inverse(document, int8[], text[]) is
  'Refuses members in whose graphs the caller may not write the inverse triple.';
