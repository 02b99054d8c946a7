-- Documents: create, replace, delete. Each is one call in one transaction; src/db/documents.ts makes them.
--
-- A graph travels as keys (functions/term.sql), each term once, and three arrays of references, one element a triple:
-- a positive reference n is the n-th key, a negative one is an inline literal's id.

-- Triples as ids, out of references and the ids they refer to.
--
-- plpgsql, like everything on the way of a document: PostgreSQL before 18 plans the body of a "language sql" function at each call.
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

comment on function triples_of(int8[], int8[], int8[], int8[]) is 'Triples as ids, out of references into a list of ids.';

-- The functions that a request calls plan once and always by index: custom plans would cost more than the work, and before
-- the first ANALYZE the planner takes a growing table for a tiny one (creates were four times slower). Where arrays may be long,
-- plan_for decides by their length instead.
create or replace function plan_for(length int) returns void
language plpgsql
as $$
begin
  if length > 200 then
    perform set_config('plan_cache_mode', 'force_custom_plan', true); -- until the calling function ends
  end if;
end
$$;

-- Create a document (interface, endpoint 1).
--
--   iri      the new document's; ends with '/'
--   parent   IRI of an existing document
--   raises   QS404 parent-exists; 23505 document-iri-free
--
-- The parent's row is neither changed nor locked, but for the foreign key's share lock: creates under one parent run side by side.
create or replace function create_document(iri text, parent text, keys text[], subjects int8[], predicates int8[],
                                           objects int8[]) returns written
language plpgsql
security definer
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
  v_parent  document;
  v_id      int8;
  v_ids     int8[];
  v_triples record;
  v_written written;
begin
  perform plan_for(cardinality(subjects));
  select d.* into v_parent
    from term as t
    join document as d on d.id = t.id
   where t.hash = term_hash('I' || create_document.parent);
  if v_parent.id is null then
    raise exception 'There is no document <%> to create a child in.', create_document.parent
      using errcode = 'QS404', constraint = 'parent-exists';
  end if;

  v_ids := resolve_terms(null, keys || ('I' || iri));
  v_id := v_ids[cardinality(v_ids)];
  v_triples := triples_of(v_ids, subjects, predicates, objects);
  v_written := add_document(v_id, v_parent.id, v_parent.has_member_relation,
                            v_triples.subjects, v_triples.predicates, v_triples.objects);
  v_written.blank_nodes := blank_nodes_of(keys, v_ids);
  return v_written;
end
$$;

comment on function create_document(text, text, text[], int8[], int8[], int8[]) is
  'Create a document under a parent; one transaction, parallel to other creates there.';

-- The ids of the blank nodes among the keys, in their order.
create or replace function blank_nodes_of(keys text[], ids int8[]) returns int8[]
language plpgsql immutable
set search_path from current
as $$
begin
  return array(select k.id from unnest(keys, ids) with ordinality as k (key, id, n) where k.key like 'B%' order by k.n);
end
$$;

-- What a body says of a document under one predicate: the first object, or null.
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

-- A document's row, its triples, and what the service adds: types, times, membership defaults.
create or replace function add_document(id int8, parent int8, member_by int8, subjects int8[], predicates int8[],
                                        objects int8[]) returns written
language plpgsql
set search_path from current
as $$
declare
  v_written  written;
  v_id       int8 := add_document.id;
  v_relation int8 := coalesce(object_of(v_id, ldp_has_member_relation(), subjects, predicates, objects), ldp_member());
  v_content  int8 := coalesce(object_of(v_id, ldp_inserted_content_relation(), subjects, predicates, objects),
                              ldp_member_subject());
  v_now      timestamptz := date_trunc('milliseconds', clock_timestamp());
begin
  insert into document as d (id, parent, created, modified, has_member_relation, member_by)
  values (v_id, add_document.parent, v_now, v_now, v_relation, add_document.member_by)
  returning d.id, d.revision::text, d.modified into v_written.id, v_written.etag, v_written.modified;

  perform put_quads(v_id,
    subjects || array_fill(v_id, array[8]),
    predicates || array[rdf_type(), rdf_type(), rdf_type(), platform_created(), platform_modified(),
      ldp_membership_resource(), ldp_has_member_relation(), ldp_inserted_content_relation()],
    objects || array[platform_document(), ldp_rdf_source(), ldp_basic_container(), inline_instant(v_now),
      inline_instant(v_now), v_id, v_relation, v_content]);

  -- What another document may have said of the child is now derived: its row becomes a copy.
  update quad as q
     set copy = true
   where q.s = add_document.parent and q.p = add_document.member_by and q.o = v_id and q.copy is null;
  return v_written;
end
$$;

-- Replace a document's graph (interface, endpoint 3).
--
--   conditions  as require_state takes them
--   raises      QS404 document-exists · QS412 etag-mismatch · QS412 reserved-kept, with the properties as detail
--               QS409 containment-kept
--
-- Only the difference is written. The service's own types stay whether the body holds them or not.
create or replace function replace_document(iri text, if_match text[], if_none_match text[],
                                            if_unmodified_since timestamptz, keys text[], subjects int8[],
                                            predicates int8[], objects int8[]) returns written
language plpgsql
security definer
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
  v_document document := lock_document(iri);
  v_written  written;
  v_triples  record;
  v_ids      int8[];
  v_s        int8[];
  v_p        int8[];
  v_o        int8[];
begin
  perform require_state(v_document, if_match, if_none_match, if_unmodified_since);
  perform plan_for(cardinality(subjects));
  v_ids := resolve_terms(v_document.id, keys);
  v_triples := triples_of(v_ids, subjects, predicates, objects);
  select coalesce(array_agg(n.s), '{}'), coalesce(array_agg(n.p), '{}'), coalesce(array_agg(n.o), '{}')
    into v_s, v_p, v_o
    from unnest(v_triples.subjects, v_triples.predicates, v_triples.objects) as n (s, p, o)
   where not (n.s = v_document.id
              and exists (select from document as d where d.id = n.o and d.parent = n.s
                                                      and n.p in (d.member_by, ldp_contains())));

  perform require_reserved(v_document, v_s, v_p, v_o);
  perform put_difference(v_document.id, v_s, v_p, v_o);
  perform touch_documents(array[v_document.id]);

  select d.id, d.revision, d.modified, blank_nodes_of(keys, v_ids) into v_written
    from document as d where d.id = v_document.id;
  return v_written;
end
$$;

comment on function replace_document(text, text[], text[], timestamptz, text[], int8[], int8[], int8[]) is
  'Replace a document''s graph, writing only the difference.';

-- Make a graph hold these triples and no others; the service's types stay.
create or replace function put_difference(graph int8, subjects int8[], predicates int8[], objects int8[]) returns void
language plpgsql
set search_path from current
as $$
declare
  v_gone quad[];
begin
  select array_agg(q) into v_gone
    from quad as q
   where q.g = graph
     and not (q.s = graph and q.p = rdf_type()
              and q.o in (platform_document(), platform_access_point(), ldp_rdf_source(), ldp_basic_container(),
                          ldp_direct_container()))
     and not exists (select from unnest(subjects, predicates, objects) as n (s, p, o)
                      where (n.s, n.p, n.o) = (q.s, q.p, q.o));
  perform drop_quads(graph, array_agg(q.s), array_agg(q.p), array_agg(q.o)) from unnest(v_gone) as q;

  perform put_quads(graph, array_agg(n.s), array_agg(n.p), array_agg(n.o))
     from (select distinct * from unnest(subjects, predicates, objects) as n (s, p, o)
            where not exists (select from quad as q where q.g = graph and (q.s, q.p, q.o) = (n.s, n.p, n.o))) as n
   having count(*) > 0;
end
$$;

-- Refuses a body that does not keep the properties the service owns (interface, endpoint 3).
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
         string_agg(format('<%s> (%s)', t.lex, case when sent is null then 'missing' else 'changed' end), ', ' order by t.id)
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
    raise exception 'ldp:contains is the service''s to say: % is not contained here.', show_term(v_foreign)
      using errcode = 'QS409', constraint = 'containment-kept';
  end if;
end
$$;
