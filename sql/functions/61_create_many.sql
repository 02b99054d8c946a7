-- New documents as most are: their IRIs were no terms before, and their parents are plain. What requests that come
-- together create is one call, which does once what they have in common.
--
-- Nothing here waits for a parent, refuses a body, or knows why: whatever is out of the ordinary is left to add_child
-- (60_document.sql), document by document.

-- Create documents that requests ask for at the same time; one transaction.
--
--   documents    for each the place of its IRI among the keys
--   parents      for each an IRI; null where the caller may not create there
--   keys         each once; a label of a blank node is one document's only
--   graphs       for each triple the number of its document among the documents
--   subjects …   references (60_document.sql)
--   returns      a row a document, in their order; id is null where nothing was done, and create_document is to be
--                asked. The ids of all blank nodes among the keys, in their order, stand in the first row.
--
-- Terms go in by one order, and then triples, so calls queue for each other instead of deadlocking. Who makes one
-- document wait makes all of them wait; so that is not for long, and then the call fails as a whole.
create or replace function create_documents(documents int8[], parents text[], keys text[], graphs int[],
                                            subjects int8[], predicates int8[], objects int8[])
returns table (id int8, etag text, modified timestamptz, blank_nodes int8[])
language plpgsql
security definer
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set lock_timeout = '100ms'
as $$
declare
  v_made record := add_plain_documents(documents, parents, keys, graphs, subjects, predicates, objects);
begin
  return query
    select m.id, m.etag, case when m.id is not null then v_made.modified end,
           case when m.n = 1 then v_made.blank_nodes end
      from unnest(v_made.ids, v_made.etags, documents) with ordinality as m (id, etag, place, n)
     order by m.n;
end
$$;

comment on function create_documents(int8[], text[], text[], int[], int8[], int8[], int8[]) is
  'Create several documents at once; what is out of the ordinary is left to create_document.';

-- The documents of create_documents; the caller says how it is planned.
--
--   returns  ids and etags, in the order of the documents; nulls where nothing was done
create or replace function add_plain_documents(documents int8[], parents text[], keys text[], graphs int[],
                                               subjects int8[], predicates int8[], objects int8[],
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
  perform put_plain_quads(documents, v_ids, inline_instant(modified), graphs, subjects, predicates, objects);
end
$$;

comment on function add_plain_documents(int8[], text[], text[], int[], int8[], int8[], int8[]) is
  'The work of create_documents, planned as its caller says.';

-- The documents among some IRIs that are plain parents, kept from being deleted: neither access points nor lists that
-- their members refer to, which a new child changes; and nobody is about to delete them.
create or replace function hold_plain_parents(inout iris text[], out ids int8[], out relations int8[],
                                              out realms int8[])
language plpgsql
set search_path from current
as $$
begin
  select coalesce(array_agg(a.iri), '{}'), array_agg(d.id), array_agg(d.has_member_relation), array_agg(d.realm)
    into iris, ids, relations, realms
    from (select distinct p.iri from unnest(iris) as p (iri)) as a
   cross join lateral (
     select d.id, d.has_member_relation, d.realm
       from term as t
       join document as d on d.id = t.id
      where t.hash = term_hash('I' || a.iri) and not d.is_access_point
        and not exists (select from quad as q
                         where q.s = d.id and q.p = ldp_is_member_of_relation() and q.copy is null and q.g = d.id)
        and not exists (select from quad as q
                         where q.s = d.id and q.p = ldp_is_member_of_relation() and q.copy and q.g = d.id)
        for key share of d skip locked) as d;
end
$$;

comment on function hold_plain_parents(text[]) is 'Documents that a new child does not change; locked against deletes.';

-- Ids for keys, found or to be made.
--
--   documents    places of the new documents' IRIs
--   is_new       for each key whether add_terms is to put it into the dictionary under its id
--   is_plain     whether the documents are new terms, each another, and no key is a relation that rules membership
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

comment on function plan_terms(text[], int8[]) is 'Ids for keys of new documents, found or to be made.';

-- The part of a call of create_documents that is plain: documents that are not become null, and what they alone name
-- is not new.
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
  'The part of a call of create_documents that is not out of the ordinary.';

-- The graphs of new documents: their triples, and what the service says of each.
--
-- Whatever has such a document as subject is new, and nothing implies it: a new document has no children. What is said
-- of others may be said elsewhere.
create or replace function put_plain_quads(documents int8[], ids int8[], instant int8, graphs int[], subjects int8[],
                                           predicates int8[], objects int8[]) returns void
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
             where d.place is not null) as n)
  select array_agg(t.g) as g, array_agg(t.s) as s, array_agg(t.p) as p, array_agg(t.o) as o
    into v_others
    from said as t
   where t.s <> t.g;
  if v_others.g is not null then
    perform put_quads_of_graphs(v_others.g, v_others.s, v_others.p, v_others.o);
  end if;
end
$$;

comment on function put_plain_quads(int8[], int8[], int8, int[], int8[], int8[], int8[]) is
  'Triples of new documents, and what the service says of each.';
