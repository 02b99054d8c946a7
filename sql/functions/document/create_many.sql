-- Creates documents in the common case: their IRIs are new terms, and their parents are plain documents. One call
-- creates the documents of several requests and shares their common work.
--
-- Nothing here waits for a parent or refuses a body. Documents that are not plain are skipped, for create_document
-- (document.sql) to create one by one.

-- Creates the documents of concurrent requests in one transaction.
--
--   documents    for each document the place of its IRI among the keys
--   parents      for each document the IRI of its parent
--   keys         each once; the label of a blank node belongs to one document
--   graphs       for each triple the number of its document among the documents
--   subjects …   references (document.sql)
--   callers      for each document the caller; null: all may create everywhere
--   returns      one row per document, in order. Its id is null if the document was skipped, because it is not plain or
--                its caller may not create there: call create_document. The first row has the ids of all blank nodes
--                among the keys, in order.
--
-- All calls insert terms and then triples in one order, so that they queue instead of deadlocking. If one document
-- waits for a lock, all of them wait. The lock timeout is therefore short; when it expires, the whole call fails.
create or replace function create_documents(documents int8[], parents text[], keys text[], graphs int[],
                                            subjects int8[], predicates int8[], objects int8[],
                                            callers caller[] default null)
returns table (id int8, etag text, modified timestamptz, blank_nodes int8[])
language plpgsql
security definer
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set lock_timeout = '100ms'
as $$
declare
  v_made record;
begin
  perform hold_names();
  if callers is not null then
    parents := permitted_iris(parents, '{create}', callers);
  end if;
  v_made := add_plain_documents(documents, parents, keys, graphs, subjects, predicates, objects, callers);
  return query
    select m.id, m.etag, case when m.id is not null then v_made.modified end,
           case when m.n = 1 then v_made.blank_nodes end
      from unnest(v_made.ids, v_made.etags, documents) with ordinality as m (id, etag, place, n)
     order by m.n;
end
$$;

comment on function create_documents(int8[], text[], text[], int[], int8[], int8[], int8[], caller[]) is
  'Creates several documents at once; skips those that are not plain, for create_document.';

-- The work of create_documents and create_document, whose settings decide how its statements are planned.
--
--   returns  ids and entity tags, in the order of the documents; nulls for those that were skipped
create or replace function add_plain_documents(documents int8[], parents text[], keys text[], graphs int[],
                                               subjects int8[], predicates int8[], objects int8[], callers caller[],
                                               out ids int8[], out etags text[], out modified timestamptz,
                                               out blank_nodes int8[])
language plpgsql
set search_path from current
as $$
declare
  v_parents record := hold_plain_parents(parents);
  v_terms   record;
  v_ids     int8[];
  v_plain   record;
  v_quads   record;
begin
  if v_parents.iris = '{}' then
    return;
  end if;
  v_terms := plan_terms(keys, documents);
  v_ids := v_terms.ids;
  if not v_terms.is_plain or not parents <@ v_parents.iris then
    v_plain := plain_part(documents, parents, graphs, subjects, predicates, objects, v_parents.iris, v_ids,
                          v_terms.is_new);
    documents := v_plain.documents;
    v_terms.is_new := v_plain.is_new;
  end if;
  if not add_terms(keys, v_ids, v_terms.is_new) then
    return;
  end if;

  modified := date_trunc('milliseconds', clock_timestamp());
  blank_nodes := v_terms.blank_nodes;
  with made as (
    insert into document as d (id, parent, created, modified, has_member_relation, member_by, realm)
    select v_ids[n.place], p.id, add_plain_documents.modified, add_plain_documents.modified, ldp_member(), p.relation,
           p.realm
      from unnest(documents, parents) as n (place, parent)
      join unnest(v_parents.iris, v_parents.ids, v_parents.relations, v_parents.realms) as p (iri, id, relation, realm)
        on p.iri = n.parent
     where n.place is not null
    returning d.id, d.revision)
  select array_agg(m.id), array_agg(m.revision::text)
    into ids, etags
    from (select m.id, m.revision
            from unnest(documents) with ordinality as n (place, at)
            left join made as m on m.id = v_ids[n.place]
           order by n.at) as m;
  v_quads := put_plain_quads(documents, v_ids, inline_instant(modified), graphs, subjects, predicates, objects);
  perform record_change('create', m.id, null, m.etag, callers[m.n])
     from unnest(ids, etags) with ordinality as m (id, etag, n)
    where m.id is not null and (callers[m.n]).is_audited;
  perform log_created(ids, callers, v_quads.put_graphs, v_quads.put_graphs, v_quads.put_predicates,
                      v_quads.put_objects);
end
$$;

comment on function add_plain_documents(int8[], text[], text[], int[], int8[], int8[], int8[], caller[]) is
  'The work of create_documents, with the planner settings of its caller.';

-- Finds the plain parents among some IRIs, and locks them against deletion. A parent is plain if a new child changes
-- nothing there: it is not an access point, and its membership relation has no inverse. Nor is it a copy of a document
-- of another store, which gets no children here. Skips parents that another transaction is deleting.
create or replace function hold_plain_parents(inout iris text[], out ids int8[], out relations int8[],
                                              out realms int8[])
language plpgsql
set search_path from current
as $$
begin
  select coalesce(array_agg(a.iri), '{}'), array_agg(d.id), array_agg(d.has_member_relation), array_agg(d.realm)
    into iris, ids, relations, realms
    from (select distinct p.iri from unnest(iris) as p (iri)) as a
   cross join lateral (select t.id from term as t where t.hash = term_hash('I' || a.iri) offset 0) as t
   cross join lateral (
     select d.id, d.has_member_relation, d.realm
       from document as d
      where d.id = t.id and not d.is_access_point
        and not exists (select from followed as f where f.document = t.id)
     offset 0
        for key share of d skip locked) as d
   where inverse_relation(d.id) is null;
end
$$;

comment on function hold_plain_parents(text[]) is 'Parents that a new child does not change, locked against deletion.';

-- Ids for keys: those of stored terms, and new ones for the others.
--
--   documents    places of the new documents' IRIs among the keys
--   is_new       for each key whether add_terms must insert it under its id
--   is_plain     whether the documents' IRIs are new terms, all different, and no key is ldp:hasMemberRelation or
--                ldp:insertedContentRelation
--   blank_nodes  ids of the blank nodes, which are all new
create or replace function plan_terms(keys text[], documents int8[], out ids int8[], out is_new boolean[],
                                      out is_plain boolean, out blank_nodes int8[])
language plpgsql
set search_path from current
as $$
begin
  select array_agg(k.id), array_agg(k.is_new),
         count(*) filter (where k.is_new and k.place = any (documents)) = cardinality(documents)
           and not bool_or(k.id in (ldp_has_member_relation(), ldp_inserted_content_relation())),
         array_agg(k.id) filter (where is_blank_node(k.id))
    into ids, is_new, is_plain, blank_nodes
    from (select k.place, t.id is null and k.key not like 'B%' as is_new,
                 case when t.id is not null then t.id
                      when k.key like 'B%' then first_blank_node() + nextval('blank_node_seq')
                      when k.key like 'I%' then nextval('term_seq')
                      else nextval('term_seq') + first_literal()
                           + (term_class(key_datatype(k.key), key_language(k.key)) << 58)
                 end as id
            from unnest(keys) with ordinality as k (key, place)
            left join term as t on t.hash = term_hash(k.key)
           order by k.place) as k;
end
$$;

comment on function plan_terms(text[], int8[]) is 'Ids for keys of new documents, stored or new.';

-- Restricts a call of create_documents to the plain documents: sets the others to null, and removes is_new from keys
-- that only they use.
--
--   held  parents that hold_plain_parents found
create or replace function plain_part(inout documents int8[], parents text[], graphs int[], subjects int8[],
                                      predicates int8[], objects int8[], held text[], ids int8[],
                                      inout is_new boolean[])
language plpgsql
set search_path from current
as $$
declare
  v_used int8[];
begin
  documents := array(
    select case when n.parent = any (held) and is_new[n.place] and array_position(documents, n.place) = n.number
                     and not exists (select from unnest(graphs, predicates) as t (g, p)
                                      where t.g = n.number and ids[t.p] in (ldp_has_member_relation(),
                                                                            ldp_inserted_content_relation()))
                then n.place end
      from unnest(documents, parents) with ordinality as n (place, parent, number)
     order by n.number);
  v_used := documents || array(
    select unnest(array[t.s, t.p, t.o])
      from unnest(graphs, subjects, predicates, objects) as t (g, s, p, o)
     where documents[t.g] is not null);
  is_new := array(select k.is_new and k.place = any (v_used) is true
                    from unnest(is_new) with ordinality as k (is_new, place) order by k.place);
end
$$;

comment on function plain_part(int8[], text[], int[], int8[], int8[], int8[], text[], int8[], boolean[]) is
  'The plain documents of a call of create_documents.';

-- Inserts the graphs of new documents: their triples and those of the service.
--
-- Triples about a new document are new, and no row implies them, because it has no children. Triples about other
-- subjects may be stored in other graphs.
--
--   returns  the triples about the documents themselves, which the caller logs
create or replace function put_plain_quads(documents int8[], ids int8[], instant int8, graphs int[], subjects int8[],
                                           predicates int8[], objects int8[], out put_graphs int8[],
                                           out put_predicates int8[], out put_objects int8[])
language plpgsql
set search_path from current
as $$
declare
  v_others record;
begin
  with said as materialized (
    select ids[documents[t.g]] as g, ids[t.s] as s, ids[t.p] as p, case when t.o > 0 then ids[t.o] else t.o end as o
      from unnest(graphs, subjects, predicates, objects) as t (g, s, p, o)
     where documents[t.g] is not null),
  put as (
    insert into quad (g, s, p, o)
    select distinct n.g, n.g, n.p, n.o
      from (select t.g, t.p, t.o
              from said as t
             where t.s = t.g
             union all
            select ids[d.place], own.p, coalesce(own.o, ids[d.place])
              from unnest(documents) as d (place)
             cross join (values (rdf_type(), platform_document()), (rdf_type(), ldp_rdf_source()),
                                (rdf_type(), ldp_basic_container()), (platform_created(), instant),
                                (platform_modified(), instant), (ldp_membership_resource(), null),
                                (ldp_has_member_relation(), ldp_member()),
                                (ldp_inserted_content_relation(), ldp_member_subject())) as own (p, o)
             where d.place is not null) as n
    returning g, p, o)
  select p.g, p.p, p.o, t.g as graphs, t.s as subjects, t.p as predicates, t.o as objects
    into v_others
    from (select array_agg(q.g) as g, array_agg(q.p) as p, array_agg(q.o) as o from put as q) as p
   cross join (select array_agg(t.g) as g, array_agg(t.s) as s, array_agg(t.p) as p, array_agg(t.o) as o
                 from said as t where t.s <> t.g) as t;
  put_graphs := v_others.g;
  put_predicates := v_others.p;
  put_objects := v_others.o;
  if v_others.graphs is not null then
    perform put_quads_of_graphs(v_others.graphs, v_others.subjects, v_others.predicates, v_others.objects);
  end if;
end
$$;

comment on function put_plain_quads(int8[], int8[], int8, int[], int8[], int8[], int8[]) is
  'Triples of new documents and those of the service.';
