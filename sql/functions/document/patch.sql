-- Patches: writes the changes that the service computed from an LD Patch (docs/interface.md, Patching).

-- Removes triples from a document and adds others.
--
--   removed_…  triples, ignored if they are not there
--   added_…    triples, ignored if they are there already
--   raises     QS404 document-exists · QS412 etag-mismatch · QS409 reserved-free, containment-kept
--              QS422 membership-shape · QS401 authentication-required · QS403 access-granted
--
-- Removing a derived membership triple ends the membership.
create or replace function patch_document(iri text, if_match text[], if_none_match text[],
                                          if_unmodified_since timestamptz,
                                          keys text[], removed_subjects int8[], removed_predicates int8[],
                                          removed_objects int8[], added_subjects int8[], added_predicates int8[],
                                          added_objects int8[], caller caller default null) returns written
language plpgsql
security definer
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
  v_document document;
  v_ids      int8[];
  v_removed  record;
  v_added    record;
  v_written  written;
begin
  perform hold_names();
  if caller.grantees is not null then
    perform require_access(iri, '{edit}', caller);
  end if;
  v_document := lock_document(iri);
  perform require_state(v_document, if_match, if_none_match, if_unmodified_since);
  perform plan_for(cardinality(removed_subjects) + cardinality(added_subjects));
  v_ids := resolve_terms(v_document.id, keys);
  v_removed := triples_of(v_ids, removed_subjects, removed_predicates, removed_objects);
  v_added := triples_of(v_ids, added_subjects, added_predicates, added_objects);
  perform require_unreserved(true, array_fill(v_document.id, array[cardinality(v_removed.subjects)]),
                             v_removed.subjects, v_removed.predicates, v_removed.objects);
  perform require_unreserved(false, array_fill(v_document.id, array[cardinality(v_added.subjects)]),
                             v_added.subjects, v_added.predicates, v_added.objects);

  perform drop_quads(v_document.id, v_removed.subjects, v_removed.predicates, v_removed.objects);
  perform end_memberships(v_document.id, v_document.has_member_relation, array_agg(r.o))
     from unnest(v_removed.subjects, v_removed.predicates, v_removed.objects) as r (s, p, o)
    where r.s = v_document.id and r.p = v_document.has_member_relation
   having count(*) > 0;
  perform put_quads(v_document.id, array_agg(a.s), array_agg(a.p), array_agg(a.o))
     from unnest(v_added.subjects, v_added.predicates, v_added.objects) as a (s, p, o)
    where not (a.s = v_document.id
               and exists (select from document as d where d.id = a.o and d.parent = a.s
                                                       and a.p in (d.member_by, ldp_contains())))
   having count(*) > 0;
  if ldp_is_member_of_relation() = any (v_added.predicates) then
    perform require_membership_shape(v_document.id);
  end if;
  perform touch_documents(array[v_document.id], 'patch', caller);

  v_written := state_of(v_document.id);
  v_written.blank_nodes := blank_nodes_of(keys, v_ids);
  return v_written;
end
$$;

comment on function patch_document(text, text[], text[], timestamptz, text[], int8[], int8[], int8[], int8[], int8[],
  int8[], caller) is
  'Removes triples from a document and adds others.';

-- Locks a document against other writers until the transaction ends, for a patch that other writers keep overtaking.
--
--   raises  QS404 document-exists · QS401 authentication-required · QS403 access-granted
create or replace function hold_document(iri text, caller caller default null) returns void
language plpgsql
security definer
set search_path from current
as $$
begin
  perform hold_names();
  if caller.grantees is not null then
    perform require_access(iri, '{edit}', caller);
  end if;
  perform lock_document(iri);
end
$$;

comment on function hold_document(text, caller) is 'Locks a document against other writers until the transaction ends.';

-- Locks documents against other writers until the transaction ends, before a group of requests changes them one after
-- the other. Groups that name the same documents in different orders then wait for each other instead of deadlocking.
--
--   iris  ignored: those of no document, or of one that the caller may not edit. The requests themselves are refused
create or replace function hold_group(iris text[], caller caller default null) returns void
language plpgsql
security definer
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
  v_ids int8[];
begin
  perform hold_names();
  v_ids := array(select t.id from unnest(iris) as i (iri) join term as t on t.hash = term_hash('I' || i.iri));
  if caller.grantees is not null then
    v_ids := within_realms(v_ids, writable_realms(caller.grantees));
  end if;
  perform from document as d where d.id = any (v_ids) order by d.id for no key update of d;
end
$$;

comment on function hold_group(text[], caller) is
  'Locks documents against other writers until the transaction ends, always in the same order.';

-- Whether a triple about a document itself belongs to the service, besides containment.
create or replace function is_reserved(is_access_point boolean, predicate int8, object int8) returns boolean
language sql stable parallel safe
begin atomic
  select predicate in (platform_created(), platform_modified(), platform_has_access_point(), ldp_membership_resource(),
                       ldp_has_member_relation(), ldp_inserted_content_relation())
      or predicate = ldp_is_member_of_relation() and is_access_point
      or predicate = rdf_type() and object in (platform_document(), platform_access_point(), ldp_rdf_source(),
                                               ldp_basic_container(), ldp_direct_container());
end;

comment on function is_reserved(boolean, int8, int8) is
  'Whether a triple about a document belongs to the service.';

-- Refuses to remove or add quads that belong to the service. Adding one that is there already is allowed.
--
--   raises  QS409 reserved-free, containment-kept (docs/interface.md, Patching)
create or replace function require_unreserved(is_removal boolean, graphs int8[], subjects int8[], predicates int8[],
                                              objects int8[]) returns void
language plpgsql
set search_path from current
as $$
declare
  v_touched quad;
begin
  select n.g, n.s, n.p, n.o into v_touched
    from unnest(graphs, subjects, predicates, objects) as n (g, s, p, o)
    join document as d on d.id = n.g
   where n.s = n.g and is_reserved(d.is_access_point, n.p, n.o)
     and (is_removal or not exists (select from graph_row(n.g, n.s, n.p, n.o)))
   limit 1;
  if found then
    raise exception 'The service maintains % %, which cannot change.', show_term(v_touched.p), show_term(v_touched.o)
      using errcode = 'QS409', constraint = 'reserved-free',
            detail = json_build_object('reservedProperties', json_build_array(json_build_object(
              'property', btrim(show_term(v_touched.p), '<>'))));
  end if;

  select n.g, n.s, n.p, n.o into v_touched
    from unnest(graphs, subjects, predicates, objects) as n (g, s, p, o)
   where n.s = n.g and n.p = ldp_contains()
     and (is_removal or not exists (select from document as d where d.id = n.o and d.parent = n.g))
   limit 1;
  if found then
    raise exception 'Only the service states ldp:contains, so it can be neither added nor removed: %.',
      show_term(v_touched.o)
      using errcode = 'QS409', constraint = 'containment-kept';
  end if;
end
$$;

comment on function require_unreserved(boolean, int8[], int8[], int8[], int8[]) is
  'Refuses to remove or add quads that belong to the service; QS409.';

-- Checks ldp:isMemberOfRelation after a patch. It is the only membership relation that a patch can change, and it is
-- the predicate of triples in members' graphs.
--
--   raises  QS422 membership-shape
create or replace function require_membership_shape(id int8) returns void
language plpgsql stable
set search_path from current
as $$
declare
  v_relations int8[] := array(
    select q.o from quad as q where q.s = id and q.p = ldp_is_member_of_relation() and q.copy is null and q.g = id
     union all
    select q.o from quad as q where q.s = id and q.p = ldp_is_member_of_relation() and q.copy and q.g = id
     order by 1);
begin
  if cardinality(v_relations) > 1 then
    raise exception 'ldp:isMemberOfRelation can have one value, and this would be %.', cardinality(v_relations)
      using errcode = 'QS422', constraint = 'membership-shape';
  elsif v_relations[1] not between 1 and first_blank_node() - 1 then
    raise exception 'ldp:isMemberOfRelation must be an IRI, got %.', show_term(v_relations[1])
      using errcode = 'QS422', constraint = 'membership-shape';
  end if;
end
$$;

comment on function require_membership_shape(int8) is 'Refuses an ldp:isMemberOfRelation that is not one IRI; QS422.';
