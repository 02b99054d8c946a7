-- Members: the lists that documents keep, themselves or through access points (docs/interface.md, Members).
--
-- The graph of the container has <container> <relation> <member>. If the relation has an inverse, the graph of the
-- member has <member> <inverse> <container>. The container of a plain document's list is the document itself; that of
-- an access point's list is its parent. The keeper is the document or access point that the request addresses.
-- Statements here use the indexes on (subject, predicate, object), so their cost depends on the members given and not
-- on the length of the list.

-- The inverse of a document's membership relation; null for none.
--
-- The document's graph may contain a long list. The subqueries therefore use the two indexes that begin with
-- (subject, predicate).
create or replace function inverse_relation(id int8) returns int8
language plpgsql stable
set search_path from current
as $$
begin
  return (select min(held.o) from (
    select q.o from quad as q
     where q.s = inverse_relation.id and q.p = ldp_is_member_of_relation() and q.copy is null
       and q.g = inverse_relation.id
     union all
    select q.o from quad as q
     where q.s = inverse_relation.id and q.p = ldp_is_member_of_relation() and q.copy
       and q.g = inverse_relation.id) as held);
end
$$;

comment on function inverse_relation(int8) is 'ldp:isMemberOfRelation of a document; null for none.';

-- Finds the keeper of a list by its IRI. Locks the container document first, then the keeper.
--
--   raises  QS404 document-exists
create or replace function lock_container(iri text) returns document
language plpgsql
set search_path from current
as $$
declare
  v_keeper document;
begin
  select d.* into v_keeper from term as t join document as d on d.id = t.id where t.hash = term_hash('I' || iri);
  if v_keeper.is_access_point then
    perform from document as d where d.id = v_keeper.parent for no key update;
  end if;
  return lock_document(iri);
end
$$;

comment on function lock_container(text) is 'The keeper of a list, locked after its container document.';

-- Locks documents against deletion until this transaction ends. Returns those that exist.
--
-- Members are locked before their container document. A deletion locks the documents to delete before those that refer
-- to them. With the same order the two queue instead of deadlocking, and a deletion sees all memberships.
create or replace function hold_documents(ids int8[]) returns int8[]
language plpgsql
set search_path from current
as $$
begin
  return array(select d.id from document as d where d.id = any (ids) order by d.id for key share);
end
$$;

comment on function hold_documents(int8[]) is
  'Documents among ids, locked against deletion until the transaction ends.';

-- Adds members to the list of a document or access point (docs/interface.md, Members). Ignores existing members.
--
--   members  IRIs of documents of this dataset
--   returns  the state of the keeper; of an access point it does not change, but that of its container document does.
--            null if the caller may not read the keeper
--   raises   QS404 document-exists · QS412 etag-mismatch · QS422 member-known
--            QS401 authentication-required · QS403 access-granted
--
-- With preconditions the caller needs the mode read as well, because a failed one reveals the state.
create or replace function add_members(iri text, if_match text[], if_none_match text[], if_unmodified_since timestamptz,
                                       members text[], caller caller default null) returns written
language plpgsql
security definer
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
  v_is_readable boolean := true;
  v_members     int8[];
  v_keeper      document;
  v_written     written;
begin
  perform hold_names();
  if caller.grantees is not null then
    perform require_access(iri, case when num_nonnulls(if_match, if_none_match, if_unmodified_since) = 0
                                     then '{members}'::text[] else '{members,read}' end, caller);
    v_is_readable := has_access(iri, '{read}', caller.grantees);
  end if;
  v_members := hold_documents(iri_ids(members));
  perform plan_for(cardinality(members));
  if not v_is_readable then
    perform require_known(members, v_members, caller.grantees); -- before it could learn whether the keeper exists
  end if;
  v_keeper := lock_container(iri);
  perform require_container(v_keeper, 'members', caller.grantees);
  perform require_state(v_keeper, if_match, if_none_match, if_unmodified_since);
  perform require_known(members, v_members, caller.grantees);
  perform require_inverse(v_keeper, v_members, caller.grantees);
  perform put_members(v_keeper, v_members, caller);
  v_written := state_of(v_keeper.id);
  perform record_change('add-members', v_keeper.id, v_written.etag, v_written.etag, caller);
  return case when v_is_readable then v_written end;
end
$$;

comment on function add_members(text, text[], text[], timestamptz, text[], caller) is
  'Adds members to the list of a document or access point.';

-- Removes members from a list (docs/interface.md, Members). Ignores IRIs that are not members.
--
--   members  IRIs; null: all members
--   raises   QS404 document-exists · QS412 etag-mismatch · QS401 authentication-required · QS403 access-granted
--
-- The inverse triples stay in members that the caller may not edit.
create or replace function remove_members(iri text, if_match text[], if_none_match text[],
                                          if_unmodified_since timestamptz, members text[],
                                          caller caller default null) returns written
language plpgsql
security definer
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
  v_keeper  document;
  v_written written;
begin
  perform hold_names();
  if caller.grantees is not null then
    perform require_access(iri, '{edit}', caller);
  end if;
  perform hold_referring_members(iri, members);
  v_keeper := lock_container(iri);
  perform require_container(v_keeper, 'edit', caller.grantees);
  perform require_state(v_keeper, if_match, if_none_match, if_unmodified_since);
  if members is null then
    perform plan_for(1000000); -- their number is unknown and may be large
    perform drop_members(v_keeper, all_members(v_keeper), caller);
  else
    perform plan_for(cardinality(members));
    perform drop_members(v_keeper, iri_ids(members), caller);
  end if;
  v_written := state_of(v_keeper.id);
  perform record_change('remove-members', v_keeper.id, v_written.etag, v_written.etag, caller);
  return v_written;
end
$$;

comment on function remove_members(text, text[], text[], timestamptz, text[], caller) is
  'Removes some or all members from the list of a document or access point.';

-- Locks the members of a list against deletion if it has an inverse, because their graphs change too. This comes before
-- the lock on the container document (hold_documents).
--
--   members  IRIs; null: all members
create or replace function hold_referring_members(iri text, members text[]) returns void
language plpgsql
set search_path from current
as $$
declare
  v_keeper document;
begin
  select d.* into v_keeper from term as t join document as d on d.id = t.id where t.hash = term_hash('I' || iri);
  if inverse_relation(v_keeper.id) is not null then
    perform hold_documents(case when members is null then all_members(v_keeper) else iri_ids(members) end);
  end if;
end
$$;

comment on function hold_referring_members(text, text[]) is
  'Locks members of a list against deletion if their graphs change too; null for all.';

-- Ids of IRIs that are in the dictionary, each once. They need not be documents: a client may have stored any IRI under
-- the relation.
create or replace function iri_ids(iris text[]) returns int8[]
language plpgsql stable
set search_path from current
as $$
begin
  return array(select distinct t.id
                 from unnest(iris) as m (iri)
                 join term as t on t.hash = term_hash('I' || m.iri)
                order by t.id);
end
$$;

comment on function iri_ids(text[]) is 'Ids of IRIs that are in the dictionary, each once.';

-- All members of a list, stored and derived. Literals and blank nodes under the relation are not members.
create or replace function all_members(keeper document) returns int8[]
language plpgsql stable
set search_path from current
as $$
declare
  v_container int8 := case when keeper.is_access_point then keeper.parent else keeper.id end;
begin
  return array(select q.o from quad as q
                where q.s = v_container and q.p = keeper.has_member_relation and q.copy is null and q.g = v_container
                  and q.o between 1 and first_blank_node() - 1
                union
               select q.o from quad as q
                where q.s = v_container and q.p = keeper.has_member_relation and q.copy and q.g = v_container
                  and q.o between 1 and first_blank_node() - 1
                union
               select d.id from document as d where d.parent = v_container and d.member_by = keeper.has_member_relation
                order by 1);
end
$$;

comment on function all_members(document) is 'All members of a list, stored and derived.';

-- Adds documents to a list. Only documents whose graph changes get a new entity tag.
create or replace function put_members(keeper document, members int8[], caller caller) returns void
language plpgsql
set search_path from current
as $$
declare
  v_container int8 := case when keeper.is_access_point then keeper.parent else keeper.id end;
  v_inverse   int8 := inverse_relation(keeper.id);
  v_new       int8[];
begin
  v_new := array(select m.id from unnest(members) as m (id)
                  where not exists (select from graph_row(v_container, v_container, keeper.has_member_relation, m.id))
                    and not exists (select from document as d
                                     where d.id = m.id and d.parent = v_container
                                       and d.member_by = keeper.has_member_relation));
  if v_new <> '{}' then
    perform from document as d where d.id = v_container for no key update;
    perform put_quads(v_container, array_fill(v_container, array[cardinality(v_new)]),
                      array_fill(keeper.has_member_relation, array[cardinality(v_new)]), v_new);
    perform touch_documents(array[v_container], null, caller, 'members-added');
  end if;

  if v_inverse is not null then
    perform from document as d where d.id = any (members) order by d.id for no key update;
    v_new := array(select m.id from unnest(members) as m (id)
                    where not exists (select from graph_row(m.id, m.id, v_inverse, v_container)));
    perform put_quads(m.id, array[m.id], array[v_inverse], array[v_container]) from unnest(v_new) as m (id);
    perform touch_documents(v_new, null, caller);
  end if;
end
$$;

comment on function put_members(document, int8[], caller) is
  'Adds documents to a list; touches those whose graph changes.';

-- The membership relations of a container document, its own and those of its access points, that have this inverse.
create or replace function relations_with(inverse int8, container int8) returns int8[]
language plpgsql stable
set search_path from current
as $$
begin
  return array(select d.has_member_relation
                 from (select q.o as id from quad as q
                        where q.s = container and q.p = platform_has_access_point() and q.copy is null
                        union all select container) as k
                 join document as d on d.id = k.id
                where (d.id = container or d.parent = container and d.is_access_point)
                  and inverse_relation(d.id) = inverse);
end
$$;

comment on function relations_with(int8, int8) is
  'Membership relations of a container document that have an inverse.';

-- Removes documents from a list, and the inverse triples from their graphs. An inverse triple stays if another list
-- with the same inverse still contains the document.
--
--   caller  inverse triples stay in documents that the caller may not edit
create or replace function drop_members(keeper document, members int8[], caller caller) returns void
language plpgsql
set search_path from current
as $$
declare
  v_container int8 := case when keeper.is_access_point then keeper.parent else keeper.id end;
  v_relation  int8 := keeper.has_member_relation;
  v_inverse   int8 := inverse_relation(keeper.id);
  v_relations int8[];
  v_gone      int8[];
begin
  v_gone := array(select m.id from unnest(members) as m (id)
                   where exists (select from graph_row(v_container, v_container, v_relation, m.id)));
  perform drop_quads(v_container, array_fill(v_container, array[cardinality(v_gone)]),
                     array_fill(v_relation, array[cardinality(v_gone)]), v_gone)
    where v_gone <> '{}';
  v_gone := v_gone || end_memberships(v_container, v_relation, members);
  perform touch_documents(array[v_container], null, caller, 'members-removed') where v_gone <> '{}';

  if v_inverse is not null then
    members := unfollowed(within_realms(members, writable_realms(caller.grantees)));
    perform from document as d where d.id = any (members) order by d.id for no key update;
    v_relations := relations_with(v_inverse, v_container);
    v_gone := array(select m.id from unnest(members) as m (id)
                     where exists (select from graph_row(m.id, m.id, v_inverse, v_container))
                       and not exists (select from unnest(v_relations) as r (p)
                                        where exists (select from graph_row(v_container, v_container, r.p, m.id))
                                           or exists (select from document as d
                                                       where d.id = m.id and d.parent = v_container
                                                         and d.member_by = r.p)));
    perform drop_quads(m.id, array[m.id], array[v_inverse], array[v_container]) from unnest(v_gone) as m (id);
    perform touch_documents(v_gone, null, caller);
  end if;
end
$$;

comment on function drop_members(document, int8[], caller) is
  'Removes documents from a list; touches those whose graph changes.';

-- Ends the derived memberships of children.
--
--   returns  the children among the members whose membership was derived
create or replace function forget_derived_members(container int8, relation int8, members int8[]) returns int8[]
language plpgsql
set search_path from current
as $$
declare
  v_gone int8[];
begin
  with forgotten as (
    update document as d
       set member_by = null
     where d.id = any (members) and d.parent = container and d.member_by = relation
    returning d.id)
  select coalesce(array_agg(f.id), '{}') into v_gone from forgotten as f;
  perform promote_copies(array_fill(container, array[cardinality(v_gone)]),
                         array_fill(relation, array[cardinality(v_gone)]), v_gone)
    where v_gone <> '{}';
  return v_gone;
end
$$;

comment on function forget_derived_members(int8, int8, int8[]) is 'Ends the derived memberships of children.';

-- forget_derived_members for a container document that gets a new tag: logs the membership triples as removed.
create or replace function end_memberships(container int8, relation int8, members int8[]) returns int8[]
language plpgsql
set search_path from current
as $$
declare
  v_gone int8[] := forget_derived_members(container, relation, members);
begin
  if v_gone <> '{}' then
    perform log_memberships(false, container, relation, v_gone);
  end if;
  return v_gone;
end
$$;

comment on function end_memberships(int8, int8, int8[]) is
  'Ends derived memberships in a container document that changes.';

-- A page of an access point's members in the order of their ids, as JSON: [IRI of the container document, IRI of the
-- relation, [[id, IRI], …]].
create or replace function members_page(access_point int8, after int8, page_size int) returns json
language plpgsql stable
set search_path from current
as $$
declare
  v_keeper document;
begin
  select * into v_keeper from document as d where d.id = access_point;
  return (select json_build_array(c.lex, r.lex, coalesce(json_agg(json_build_array(m.id::text, t.lex) order by m.id)
                                                           filter (where m.id is not null), '[]'))
            from term as c
            join term as r on r.id = v_keeper.has_member_relation
            left join lateral (
              select page.id from (
                (select q.o as id from quad as q
                  where q.g = v_keeper.parent and q.s = v_keeper.parent and q.p = v_keeper.has_member_relation
                    and q.o > after and q.o < first_blank_node() and q.copy is null
                  order by q.s, q.p, q.o limit page_size)
                union
                (select q.o from quad as q
                  where q.g = v_keeper.parent and q.s = v_keeper.parent and q.p = v_keeper.has_member_relation
                    and q.o > after and q.o < first_blank_node() and q.copy
                  order by q.s, q.p, q.o limit page_size)
                union
                (select d.id from document as d
                  where (d.parent, d.id) > (v_keeper.parent, after) and d.parent <= v_keeper.parent -- see children_page
                    and d.member_by = v_keeper.has_member_relation
                  order by d.parent, d.id limit page_size)) as page
               order by page.id limit page_size) as m on true
            left join term as t on t.id = m.id
           where c.id = v_keeper.parent
           group by c.lex, r.lex);
end
$$;

comment on function members_page(int8, int8, int) is 'A page of an access point''s members, as JSON.';
