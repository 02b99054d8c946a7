-- Creates and replaces documents and creates access points. Each is one call in one transaction.
--
-- A graph is passed as keys (term/term.sql), each term once, and three arrays of references with one element per
-- triple: a positive reference n is the n-th key, a negative one is the id of an inline literal.

-- Triples as ids, from references and the ids of the keys.
--
-- In plpgsql, like all functions that a request calls: PostgreSQL before 18 plans the body of a "language sql" function
-- at each call.
create or replace function triples_of(ids int8[], inout subjects int8[], inout predicates int8[], inout objects int8[])
language plpgsql immutable
set search_path from current
as $$
begin
  select coalesce(array_agg(case when r.s > 0 then ids[r.s] else r.s end), '{}'),
         coalesce(array_agg(case when r.p > 0 then ids[r.p] else r.p end), '{}'),
         coalesce(array_agg(case when r.o > 0 then ids[r.o] else r.o end), '{}')
    into subjects, predicates, objects
    from unnest(subjects, predicates, objects) as r (s, p, o);
end
$$;

comment on function triples_of(int8[], int8[], int8[], int8[]) is
  'Triples as ids, from references into a list of ids.';

-- Switches to custom plans for the rest of the calling function, if an array is long.
--
-- Functions that a request calls use generic plans, and sequential scans are off. Custom plans would cost more than the
-- work itself. Before the first ANALYZE the planner takes a growing table for a tiny one; without these settings,
-- creates were four times slower. For long arrays a plan that fits their length pays off.
create or replace function plan_for(length int) returns void
language plpgsql
as $$
begin
  if length > 200 then
    perform set_config('plan_cache_mode', 'force_custom_plan', true); -- until the calling function ends
  end if;
end
$$;

comment on function plan_for(int) is 'Custom plans for the rest of the calling function if an array is long.';

-- Creates a document (docs/interface.md, Creating).
--
--   iri       IRI of the new document; ends with '/'
--   parent    IRI of an existing document
--   raises    QS404 parent-exists · 23505 document-iri-free
--             QS401 authentication-required, QS403 access-granted: the caller may not create there, or the parent is an
--             access point and the caller may not add members to its container document
--
-- The row of a plain parent does not change and is locked only against deletion. Creates under one parent therefore run
-- in parallel, also with a replacement of the parent. A child of an access point becomes a member of the container
-- document, which changes (decision 0004).
create or replace function create_document(iri text, parent text, keys text[], subjects int8[], predicates int8[],
                                           objects int8[], caller caller default null) returns written
language plpgsql
security definer
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
  v_place int8 := array_position(keys, 'I' || iri);
  v_made  record;
begin
  perform hold_names();
  if caller.grantees is not null then
    perform require_access(parent, '{create}', caller, 'parent-exists');
  end if;
  perform plan_for(cardinality(subjects));
  if v_place is null then
    keys := keys || ('I' || iri);
    v_place := cardinality(keys);
  end if;
  v_made := add_plain_documents(array[v_place], array[parent], keys, array_fill(1, array[cardinality(subjects)]),
                                subjects, predicates, objects, array[caller]);
  if v_made.ids[1] is null then
    return add_child(iri, parent, keys, subjects, predicates, objects, caller);
  end if;
  return (v_made.ids[1], v_made.etags[1], v_made.modified, false, coalesce(v_made.blank_nodes, '{}'))::written;
end
$$;

comment on function create_document(text, text, text[], int8[], int8[], int8[], caller) is
  'Creates a document under a parent, in parallel with other creates there.';

-- create_document for all cases that add_plain_documents leaves out: an IRI that is a term already, a parent that
-- changes with its child, a body with membership relations of its own.
create or replace function add_child(iri text, parent text, keys text[], subjects int8[], predicates int8[],
                                     objects int8[], caller caller) returns written
language plpgsql
set search_path from current
as $$
declare
  v_parent  document := parent_document(add_child.parent);
  v_inverse int8 := inverse_relation(v_parent.id);
  v_ids     int8[] := resolve_terms(null, keys || ('I' || iri));
  v_id      int8 := v_ids[cardinality(v_ids)];
  v_triples record := triples_of(v_ids, subjects, predicates, objects);
  v_written written;
begin
  perform require_container(v_parent, 'members', caller.grantees);
  if v_inverse is not null then -- among the document's first triples, so that it has its final entity tag at once
    v_triples.subjects := v_triples.subjects || v_id;
    v_triples.predicates := v_triples.predicates || v_inverse;
    v_triples.objects := v_triples.objects
      || case when v_parent.is_access_point then v_parent.parent else v_parent.id end;
  end if;
  v_written := add_document(v_id, v_parent.id,
                            case when not v_parent.is_access_point then v_parent.has_member_relation end, false,
                            v_triples.subjects, v_triples.predicates, v_triples.objects, caller);
  v_written.blank_nodes := blank_nodes_of(keys, v_ids);
  if v_parent.is_access_point then
    perform put_members(v_parent, array[v_id], caller);
  end if;
  return v_written;
end
$$;

comment on function add_child(text, text, text[], int8[], int8[], int8[], caller) is
  'The general case of create_document.';

-- Creates an access point of a document (docs/interface.md, Access points). It is a child of the document, which lists
-- it under c:accessPoint and so changes too.
--
--   raises  QS404 parent-exists · QS422 access-point-place · 23505 document-iri-free
--           QS401 authentication-required · QS403 access-granted
--
-- The caller needs the mode edit as well, for the parent's graph and later those of members.
create or replace function create_access_point(iri text, parent text, keys text[], subjects int8[], predicates int8[],
                                               objects int8[], caller caller default null) returns written
language plpgsql
security definer
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
  v_parent  document;
  v_ids     int8[];
  v_triples record;
  v_written written;
begin
  perform hold_names();
  if caller.grantees is not null then
    perform require_access(parent, '{create,edit}', caller, 'parent-exists');
  end if;
  v_parent := parent_document(create_access_point.parent);
  if v_parent.is_access_point then
    raise exception '<%> is an access point itself, and holds no members of its own.', parent
      using errcode = 'QS422', constraint = 'access-point-place';
  end if;
  perform from document as d where d.id = v_parent.id for no key update;
  v_ids := resolve_terms(null, keys || ('I' || iri));
  v_triples := triples_of(v_ids, subjects, predicates, objects);
  v_written := add_document(v_ids[cardinality(v_ids)], v_parent.id, null, true,
                            v_triples.subjects, v_triples.predicates, v_triples.objects, caller);
  perform put_quads(v_parent.id, array[v_parent.id], array[platform_has_access_point()], array[v_written.id]);
  perform touch_documents(array[v_parent.id], null, caller);
  v_written.blank_nodes := blank_nodes_of(keys, v_ids);
  return v_written;
end
$$;

comment on function create_access_point(text, text, text[], int8[], int8[], int8[], caller) is
  'Creates an access point of a document and lists it there.';

-- Finds the parent of a new document and locks it against deletion.
--
--   raises  QS404 parent-exists
create or replace function parent_document(iri text) returns document
language plpgsql
set search_path from current
as $$
declare
  v_parent document;
begin
  select d.* into v_parent
    from term as t
    join document as d on d.id = t.id
   where t.hash = term_hash('I' || iri)
     for key share of d; -- waits only for a deletion of the parent
  if v_parent.id is null then
    perform raise_missing_parent(iri);
  end if;
  return v_parent;
end
$$;

comment on function parent_document(text) is 'The parent of a new document, locked against deletion.';

-- The ids of the blank nodes among the keys, in their order.
create or replace function blank_nodes_of(keys text[], ids int8[]) returns int8[]
language plpgsql immutable
set search_path from current
as $$
begin
  return array(select k.id from unnest(keys, ids) with ordinality as k (key, id, n) where k.key like 'B%' order by k.n);
end
$$;

comment on function blank_nodes_of(text[], int8[]) is 'Ids of the blank nodes among keys, in their order.';

-- The first object of a subject and predicate among triples, or null.
create or replace function object_of(subject int8, predicate int8, subjects int8[], predicates int8[], objects int8[])
returns int8
language plpgsql immutable
set search_path from current
as $$
begin
  if array_position(predicates, predicate) is null then
    return null;
  end if;
  return (select n.o from unnest(subjects, predicates, objects) as n (s, p, o)
           where n.s = subject and n.p = predicate limit 1);
end
$$;

comment on function object_of(int8, int8, int8[], int8[], int8[]) is
  'First object of a subject and predicate among triples.';

-- Inserts a document's row, its triples, and the triples of the service: types, times, defaults of membership.
create or replace function add_document(id int8, parent int8, member_by int8, is_access_point boolean, subjects int8[],
                                        predicates int8[], objects int8[], caller caller) returns written
language plpgsql
set search_path from current
as $$
declare
  v_written   written;
  v_id        int8 := add_document.id;
  v_relation  int8 := coalesce(object_of(v_id, ldp_has_member_relation(), subjects, predicates, objects), ldp_member());
  v_content   int8 := coalesce(object_of(v_id, ldp_inserted_content_relation(), subjects, predicates, objects),
                               ldp_member_subject());
  v_container int8 := ldp_basic_container();
  v_resource  int8 := v_id;
  v_now       timestamptz := date_trunc('milliseconds', clock_timestamp());
begin
  if exists (select from raw_graph as r where r.id = v_id) then
    raise exception '% names a raw graph, so it cannot name a document.', show_term(v_id)
      using errcode = 'QS409', constraint = 'document-iri-free';
  end if;
  perform require_unfollowed(array[add_document.parent]);
  perform claim_iri(v_id);
  insert into document as d (id, parent, created, modified, is_access_point, has_member_relation, member_by, realm)
  values (v_id, add_document.parent, v_now, v_now, add_document.is_access_point, v_relation, add_document.member_by,
          (select p.realm from document as p where p.id = add_document.parent))
  returning d.id, d.revision, d.modified, d.is_access_point, '{}'::int8[] into v_written;

  if add_document.is_access_point then
    v_container := ldp_direct_container();
    v_resource := add_document.parent;
    subjects := subjects || v_id;
    predicates := predicates || rdf_type();
    objects := objects || platform_access_point();
  end if;
  subjects := subjects || array_fill(v_id, array[8]);
  predicates := predicates || array[rdf_type(), rdf_type(), rdf_type(), platform_created(), platform_modified(),
    ldp_membership_resource(), ldp_has_member_relation(), ldp_inserted_content_relation()];
  objects := objects || array[platform_document(), ldp_rdf_source(), v_container, inline_instant(v_now),
    inline_instant(v_now), v_resource, v_relation, v_content];
  if is_unsaid(v_id) then
    perform put_new_quads(v_id, subjects, predicates, objects);
  else
    perform put_quads(v_id, subjects, predicates, objects);
    -- Another document may contain the membership triple, which is now derived: its row becomes a copy.
    update quad as q
       set copy = true
     where q.s = add_document.parent and q.p = add_document.member_by and q.o = v_id and q.copy is null;
  end if;
  perform record_change('create', v_id, null, v_written.etag, caller);
  perform log_changes('created', array[v_id], array[null::int8], caller);
  return v_written;
end
$$;

comment on function add_document(int8, int8, int8, boolean, int8[], int8[], int8[], caller) is
  'Inserts a document''s row, its triples and those of the service.';

-- Waits for writers of triples that the new document's row will imply (lock_primaries). Other transactions cannot see a
-- term that this one has inserted, so such a term needs no lock.
create or replace function claim_iri(id int8) returns void
language plpgsql
set search_path from current
as $$
begin
  perform from term as t where t.id = claim_iri.id and t.xmin <> pg_current_xact_id()::xid for update;
end
$$;

comment on function claim_iri(int8) is 'Locks the term of a new document''s IRI against writers of its membership.';

-- Whether no triple has a term, and no other transaction can write one before this one ends, because this one inserted
-- the term.
create or replace function is_unsaid(id int8) returns boolean
language plpgsql
set search_path from current
as $$
begin
  return exists (select from term as t where t.id = is_unsaid.id and t.xmin = pg_current_xact_id()::xid)
     and not exists (select from quad as q where q.s = is_unsaid.id and q.copy is null)
     and not exists (select from quad as q where q.o = is_unsaid.id and q.o between 1 and 2305843009213693951);
end
$$;

comment on function is_unsaid(int8) is
  'Whether no triple has a term, which this transaction inserted.';

-- Replaces a document's graph (docs/interface.md, Replacing).
--
--   if_match, if_none_match, if_unmodified_since  preconditions (require_state)
--   raises  QS404 document-exists · QS412 etag-mismatch · QS412 reserved-kept, with the properties as detail
--           QS409 containment-kept, reserved-free · QS401 authentication-required · QS403 access-granted
--
-- Only the difference is written. The types that the service gives stay, even if the body does not repeat them.
create or replace function replace_document(iri text, if_match text[], if_none_match text[],
                                            if_unmodified_since timestamptz, keys text[], subjects int8[],
                                            predicates int8[], objects int8[], caller caller default null)
returns written
language plpgsql
security definer
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
begin
  return replace_graph(iri, if_match, if_none_match, if_unmodified_since, false, keys, subjects, predicates, objects,
                       caller);
end
$$;

comment on function replace_document(text, text[], text[], timestamptz, text[], int8[], int8[], int8[], caller) is
  'Replaces a document''s graph, writing only the difference.';

-- replace_document, and put_graph of the graph store.
--
--   may_omit  the body may leave out triples of the service, which stay; if not, it must repeat them
--   raises    as replace_document; with may_omit QS409 reserved-free in place of QS412 reserved-kept
create or replace function replace_graph(iri text, if_match text[], if_none_match text[],
                                         if_unmodified_since timestamptz, may_omit boolean, keys text[],
                                         subjects int8[], predicates int8[], objects int8[], caller caller)
returns written
language plpgsql
set search_path from current
as $$
declare
  v_document document;
  v_id       int8;
  v_written  written;
  v_touched  document;
  v_ids      int8[];
  v_sent     record;
begin
  perform hold_names();
  if caller.grantees is not null then
    perform require_access(iri, '{edit}', caller);
  end if;
  v_document := lock_document(iri);
  v_id := v_document.id;
  perform require_state(v_document, if_match, if_none_match, if_unmodified_since);
  perform plan_for(cardinality(subjects));
  v_ids := resolve_terms(v_id, keys);
  v_sent := triples_of(v_ids, subjects, predicates, objects);
  v_sent := without_derived(v_id, v_sent.subjects, v_sent.predicates, v_sent.objects);
  if may_omit then
    perform require_unreserved(false, array_fill(v_id, array[cardinality(v_sent.subjects)]), v_sent.subjects,
                               v_sent.predicates, v_sent.objects);
    v_sent := with_reserved(v_document, v_sent.subjects, v_sent.predicates, v_sent.objects);
  else
    perform require_reserved(v_document, v_sent.subjects, v_sent.predicates, v_sent.objects);
  end if;

  select * into v_touched from touch_rows(array[v_id]);
  perform put_difference(v_id, v_sent.subjects, v_sent.predicates,
                         with_modified(v_touched, v_sent.subjects, v_sent.predicates, v_sent.objects));
  perform record_change('replace', v_id, v_document.revision::text, v_touched.revision::text, caller);
  perform log_changes('replaced', array[v_id], array[v_document.revision], caller);
  v_written := state_of(v_id);
  v_written.blank_nodes := blank_nodes_of(keys, v_ids);
  return v_written;
end
$$;

comment on function replace_graph(text, text[], text[], timestamptz, boolean, text[], int8[], int8[], int8[], caller) is
  'Replaces a document''s graph, for replace_document and put_graph.';

-- Triples with those of the service that a document's graph has.
create or replace function with_reserved(document document, inout subjects int8[], inout predicates int8[],
                                         inout objects int8[])
language plpgsql
set search_path from current
as $$
begin
  select array_agg(n.s), array_agg(n.p), array_agg(n.o)
    into subjects, predicates, objects
    from (select * from unnest(subjects, predicates, objects) as n (s, p, o)
           union all
          select q.s, q.p, q.o from quad as q
           where q.g = document.id and q.s = document.id and is_reserved(document.is_access_point, q.p, q.o)) as n;
end
$$;

comment on function with_reserved(document, int8[], int8[], int8[]) is
  'Triples with those of the service that a document''s graph has.';

-- Triples without the containment and memberships of a document's children, which their rows imply. A membership that
-- is stored as well stays.
create or replace function without_derived(graph int8, inout subjects int8[], inout predicates int8[],
                                           inout objects int8[])
language plpgsql
set search_path from current
as $$
begin
  select coalesce(array_agg(n.s), '{}'), coalesce(array_agg(n.p), '{}'), coalesce(array_agg(n.o), '{}')
    into subjects, predicates, objects
    from unnest(subjects, predicates, objects) as n (s, p, o)
   where n.s <> graph
      or not exists (select from document as d where d.id = n.o and d.parent = n.s
                                                 and n.p in (d.member_by, ldp_contains()))
      or exists (select from graph_row(graph, n.s, n.p, n.o));
end
$$;

comment on function without_derived(int8, int8[], int8[], int8[]) is
  'Triples without containment and memberships that only documents'' rows imply.';

-- The objects of a document's new triples, with its new c:modified.
create or replace function with_modified(document document, subjects int8[], predicates int8[], inout objects int8[])
language plpgsql
set search_path from current
as $$
declare
  v_at int;
begin
  foreach v_at in array array_positions(predicates, platform_modified()) loop
    if subjects[v_at] = document.id then
      objects[v_at] := inline_instant(document.modified);
    end if;
  end loop;
end
$$;

comment on function with_modified(document, int8[], int8[], int8[]) is
  'Objects of a document''s triples with its new c:modified.';

-- Makes a graph contain exactly these triples, apart from the types that the service gives, which stay.
--
-- A full join reads the graph once and hashes or sorts, whatever sizes the planner estimates.
create or replace function put_difference(graph int8, subjects int8[], predicates int8[], objects int8[]) returns void
language plpgsql
set search_path from current
as $$
declare
  v record;
begin
  select array_agg(h.s) filter (where n.s is null) as gone_s, array_agg(n.s) filter (where h.s is null) as new_s,
         array_agg(h.p) filter (where n.s is null) as gone_p, array_agg(n.p) filter (where h.s is null) as new_p,
         array_agg(h.o) filter (where n.s is null) as gone_o, array_agg(n.o) filter (where h.s is null) as new_o
    into v
    from (select distinct * from unnest(subjects, predicates, objects) as n (s, p, o)) as n
    full join (select q.s, q.p, q.o
                 from quad as q
                where q.g = graph) as h on (h.s, h.p, h.o) = (n.s, n.p, n.o)
   where n.s is not null
      or not (h.s = graph and h.p = rdf_type()
              and h.o in (platform_document(), platform_access_point(), ldp_rdf_source(), ldp_basic_container(),
                          ldp_direct_container()));
  if v.gone_s is not null then
    perform plan_for(cardinality(v.gone_s));
    perform drop_quads(graph, v.gone_s, v.gone_p, v.gone_o);
    perform keep_memberships(graph, v.gone_p, v.gone_o);
  end if;
  if v.new_s is not null then
    perform put_quads(graph, v.new_s, v.new_p, v.new_o);
  end if;
end
$$;

comment on function put_difference(int8, int8[], int8[], int8[]) is
  'Makes a graph contain exactly some triples, writing only the difference.';

-- Logs memberships that are still derived after the rows that stored them too were removed. The graph did not lose
-- them.
create or replace function keep_memberships(graph int8, predicates int8[], objects int8[]) returns void
language plpgsql
set search_path from current
as $$
begin
  perform log_memberships(true, graph, d.member_by, array_agg(d.id))
     from unnest(predicates, objects) as q (p, o)
     join document as d on d.id = q.o and d.parent = graph and d.member_by = q.p
    group by d.member_by;
end
$$;

comment on function keep_memberships(int8, int8[], int8[]) is
  'Logs memberships that are still derived after their rows were removed.';

-- Refuses a body that does not keep the properties of the service (docs/interface.md, Replacing).
--
--   raises  QS412 reserved-kept · QS409 containment-kept, reserved-free
create or replace function require_reserved(document document, subjects int8[], predicates int8[], objects int8[])
returns void
language plpgsql
set search_path from current
as $$
declare
  v_reserved int8[] := array[platform_created(), platform_modified(), platform_has_access_point(),
    ldp_membership_resource(), ldp_has_member_relation(), ldp_inserted_content_relation()];
  v_broken   json;
  v_names    text;
  v_foreign  int8;
begin
  if document.is_access_point then
    v_reserved := v_reserved || ldp_is_member_of_relation();
  end if;

  select json_agg(json_build_object('property', t.lex, 'stored', stored, 'sent', sent) order by t.id),
         string_agg(format('<%s> (%s)', t.lex, case when sent is null then 'missing' else 'changed' end), ', '
                    order by t.id)
    into v_broken, v_names
    from (select p,
                 json_agg(show_term(o) order by o) filter (where is_stored) as stored,
                 json_agg(show_term(o) order by o) filter (where not is_stored) as sent,
                 array_agg(o order by o) filter (where is_stored) as stored_ids,
                 array_agg(o order by o) filter (where not is_stored) as sent_ids
            from (select q.p, q.o, true as is_stored from quad as q
                   where q.g = document.id and q.s = document.id and q.p = any (v_reserved)
                   union
                  select n.p, n.o, false from unnest(subjects, predicates, objects) as n (s, p, o)
                   where n.s = document.id and n.p = any (v_reserved)) as both_sides
           group by p) as property
    join term as t on t.id = property.p
   where stored_ids is distinct from sent_ids;
  if v_broken is not null then
    raise exception 'Reserved properties were not preserved: %.', v_names
      using errcode = 'QS412', constraint = 'reserved-kept', detail = json_build_object('reservedProperties', v_broken);
  end if;

  select n.o into v_foreign from unnest(subjects, predicates, objects) as n (s, p, o)
   where n.s = document.id and n.p = ldp_contains() limit 1;
  if found then
    raise exception 'Only the service states ldp:contains, and % is not contained here.', show_term(v_foreign)
      using errcode = 'QS409', constraint = 'containment-kept';
  end if;

  if not document.is_access_point
     and exists (select from unnest(subjects, predicates, objects) as n (s, p, o)
                  where n.s = document.id and n.p = rdf_type() and n.o = platform_access_point()) then
    raise exception 'A document cannot become an access point: create one in it.'
      using errcode = 'QS409', constraint = 'reserved-free',
            detail = json_build_object('reservedProperties', json_build_array(json_build_object(
              'property', btrim(show_term(rdf_type()), '<>'))));
  end if;
end
$$;

comment on function require_reserved(document, int8[], int8[], int8[]) is
  'Checks that a body keeps the properties of the service; QS412 or QS409 if it does not.';
