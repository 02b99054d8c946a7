-- SPARQL Update: evaluates DELETE and INSERT, and changes documents (docs/sparql.md, Updates).
--
-- A request is one transaction. Each of its operations is one call of a function of this file or of
-- update_graph.sql, so each sees the changes of the one before. finish_update ends the request.
--
-- No update is lost or torn. WHERE is evaluated by one statement, so it sees one state of the store. The same statement
-- reads the entity tags of the documents that the quads name. Then these documents are locked, in the order of their
-- ids. If one of them has another tag now, WHERE is evaluated again, with the locks held. So nothing changes in a
-- document between the state that WHERE saw there and the commit. Documents that WHERE only reads are not locked: two
-- updates that each read what the other writes may both see the state before.
--
-- A quad's term may be a reference into an array of keys instead of an id: first_reference() plus the position of the
-- key, from 1. No term has such an id.
--
-- A blank node belongs to one document. If an update adds it to another one, it becomes a new node there. `nodes` has
-- these pairs, so that the operations of a request agree: document, node, node there, document, …

create or replace function first_reference() returns int8
language sql immutable parallel safe
return 2305843009213693952;

comment on function first_reference() is 'References to keys in the quads of an update are greater, 2^61.';

-- A new blank node for each solution.
create or replace function sparql_new_blank_node() returns int8
language plpgsql
security definer
set search_path from current
as $$
begin
  return first_blank_node() + nextval('blank_node_seq');
end
$$;

comment on function sparql_new_blank_node() is 'Id of a new blank node.';

-- Computes the quads that an operation removes and adds.
--
--   query      returns c0 … c8 (src/sparql/plan/quads.ts)
--   has_keys   whether c5 … c8 can have values
--   facts …    as in sparql_facts_hold
--   is_valid   whether the facts of the plan hold; if not, the rest means nothing
--   is_added   for each quad: added, otherwise removed
--   keys       of the terms that have no id
--   documents  the documents among the graphs, with their revisions, in the order of ids
--   raises     QS422 update-size
--
-- Leaves out illegal quads (SPARQL 1.1 Update §3.1.3), and quads to remove that are not there.
create or replace function update_quads(query text, parameters text[], is_walked boolean, has_keys boolean,
                                        names int8, grantees text[], realms int8[], has_documents boolean,
                                        relations int8[], absent text[], predicates_valued int8[], lows int8[],
                                        highs int8[], uncopied int8[],
                                        out is_valid boolean, out is_added boolean[], out graphs int8[],
                                        out subjects int8[], out predicates int8[], out objects int8[],
                                        out keys text[], out documents int8[], out revisions int8[])
language plpgsql
set search_path from current
set join_collapse_limit = 1
set from_collapse_limit = 1
set enable_nestloop = on -- so that set_config below counts in this function only
set enable_sort = on
as $$
declare
  v_limit constant int := 5000000;
  v_id    constant text := 'coalesce(q.%1$s, (select k.id from k where k.key = q.%2$s))';
begin
  perform set_config('jit', 'off', true), set_config('max_parallel_workers_per_gather', '0', true);
  if current_setting('server_version_num')::int >= 180000 or not is_walked then
    perform set_config('enable_nestloop', 'off', true); -- see sparql_open
  end if;
  if is_walked then
    perform set_config('enable_sort', 'off', true);
  end if;
  execute format($sql$
    with found as materialized (%s),
    legal as materialized (
      select f.*
        from found as f
       where (f.c1 between 1 and 1152921504606846975 or f.c5 like 'I%%')
         and (f.c2 between 1 and 2305843009213693951 or left(f.c6, 1) in ('I', 'B'))
         and (f.c3 between 1 and 1152921504606846975 or f.c7 like 'I%%')
         and (f.c0 = 1 or is_in_graph(f.c1, f.c2, f.c3, f.c4))
       limit %s),
    k as materialized (
      select u.key, first_reference() + row_number() over (order by u.key collate "C") as id
        from (select l.c5 from legal as l union select l.c6 from legal as l
               union select l.c7 from legal as l union select l.c8 from legal as l) as u (key)
       where %L::boolean and u.key is not null),
    target as materialized (
      select d.id, d.revision from (select distinct l.c1 from legal as l) as g (id) join document as d on d.id = g.id)
    select sparql_facts_hold($2, $3, $4, $5, $6, $7, $8, $9, $10, $11), q.*,
           (select array_agg(k.key order by k.id) from k),
           (select array_agg(t.id order by t.id) from target as t),
           (select array_agg(t.revision order by t.id) from target as t)
      from (select array_agg(l.c0 = 1), array_agg(coalesce(l.c1, kg.id)), array_agg(coalesce(l.c2, ks.id)),
                   array_agg(coalesce(l.c3, kp.id)), array_agg(coalesce(l.c4, ko.id))
              from legal as l
              left join k as kg on kg.key = l.c5
              left join k as ks on ks.key = l.c6
              left join k as kp on kp.key = l.c7
              left join k as ko on ko.key = l.c8) as q $sql$,
    query, v_limit + 1, has_keys)
    into is_valid, is_added, graphs, subjects, predicates, objects, keys, documents, revisions
    using parameters, names, grantees, realms, has_documents, relations, absent, predicates_valued, lows, highs,
          uncopied;
  if cardinality(graphs) > v_limit then
    raise exception 'An operation changes more than % triples: narrow its WHERE.', v_limit
      using errcode = 'QS422', constraint = 'update-size';
  end if;
end
$$;

comment on function update_quads(text, text[], boolean, boolean, int8, text[], int8[], boolean, int8[], text[], int8[],
  int8[], int8[], int8[]) is
  'The quads that an operation of an update removes and adds, and the documents that they name.';

-- Whether a graph contains a triple, stored or derived.
create or replace function is_in_graph(graph int8, subject int8, predicate int8, object int8) returns boolean
language plpgsql stable
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
begin
  return exists (select from graph_row(graph, subject, predicate, object))
      or subject = graph and exists (select from document as d where d.id = object and d.parent = subject
                                                                and predicate in (d.member_by, ldp_contains()));
end
$$;

comment on function is_in_graph(int8, int8, int8, int8) is 'Whether a graph contains a triple, stored or derived.';

-- DELETE and INSERT for the solutions of WHERE.
--
--   own_ids, own_keys  constants of the query that were not stored when it was planned
--   created            documents that the request has created
--   nodes              see above
--   returns            as change_quads; null for is_valid: the plan is out of date, and nothing was done
--   raises             as change_quads · QS422 update-size · 40001: other writers kept changing the documents
create or replace function update_by_query(query text, parameters text[], is_walked boolean, has_keys boolean,
                                           names int8, grantees text[], realms int8[], has_documents boolean,
                                           relations int8[], absent text[], predicates_valued int8[], lows int8[],
                                           highs int8[], uncopied int8[], own_ids int8[], own_keys text[],
                                           inout created int8[], inout nodes int8[], caller caller,
                                           out is_valid boolean, out changed int8[], out inserted int8,
                                           out removed int8)
language plpgsql
set search_path from current
as $$
declare
  v_quads record;
  v_held  record;
  v_done  record;
begin
  perform hold_names();
  for i in 1 .. 5 loop
    v_quads := update_quads(query, parameters, is_walked, has_keys, names, grantees, realms, has_documents, relations,
                            absent, predicates_valued, lows, highs, uncopied);
    is_valid := v_quads.is_valid;
    if not is_valid then
      return;
    end if;
    v_held := hold_states(v_quads.documents);
    if v_held.ids is not distinct from v_quads.documents and v_held.revisions is not distinct from v_quads.revisions
    then
      v_done := change_quads(v_quads.is_added, v_quads.graphs, v_quads.subjects, v_quads.predicates, v_quads.objects,
                             v_quads.keys, own_ids, own_keys, created, nodes, caller);
      created := v_done.created;
      nodes := v_done.nodes;
      changed := v_done.changed;
      inserted := v_done.inserted;
      removed := v_done.removed;
      return;
    end if;
  end loop;
  raise exception 'Other writers keep changing the documents of this update.' using errcode = 'serialization_failure';
end
$$;

comment on function update_by_query(text, text[], boolean, boolean, int8, text[], int8[], boolean, int8[], text[],
  int8[], int8[], int8[], int8[], int8[], text[], int8[], int8[], caller) is
  'DELETE and INSERT of an update for the solutions of its WHERE.';

-- INSERT DATA and DELETE DATA.
--
--   keys        each once
--   graphs …    references as in document/document.sql, one of each per quad
--   returns, raises  as change_quads
create or replace function update_data(is_removal boolean, keys text[], graphs int8[], subjects int8[],
                                       predicates int8[], objects int8[], inout created int8[], inout nodes int8[],
                                       caller caller, out changed int8[], out inserted int8, out removed int8)
language plpgsql
set search_path from current
as $$
declare
  v_done record;
begin
  perform hold_names();
  select array_agg(not is_removal) as is_added, array_agg(first_reference() + q.g) as g,
         array_agg(first_reference() + q.s) as s, array_agg(first_reference() + q.p) as p,
         array_agg(case when q.o > 0 then first_reference() + q.o else q.o end) as o
    into v_done
    from unnest(graphs, subjects, predicates, objects) as q (g, s, p, o);
  v_done := change_quads(v_done.is_added, v_done.g, v_done.s, v_done.p, v_done.o, keys, '{}', '{}', created, nodes,
                         caller);
  created := v_done.created;
  nodes := v_done.nodes;
  changed := v_done.changed;
  inserted := v_done.inserted;
  removed := v_done.removed;
end
$$;

comment on function update_data(boolean, text[], int8[], int8[], int8[], int8[], int8[], int8[], caller) is
  'INSERT DATA and DELETE DATA of an update.';

-- Locks documents against other writers, in the order of their ids.
--
--   returns  those that exist, with their revisions
create or replace function hold_states(inout ids int8[], out revisions int8[])
language plpgsql
security definer
set search_path from current
as $$
begin
  select array_agg(h.id order by h.id), array_agg(h.revision order by h.id)
    into ids, revisions
    from (select d.id, d.revision from document as d where d.id = any (ids) order by d.id for no key update) as h;
end
$$;

comment on function hold_states(int8[]) is 'Locks documents; returns those that exist, with their revisions.';

-- Removes quads and adds others, from quads with references to keys.
--
--   own_ids, own_keys  other ids that stand for keys
--   changed   ids of the documents that changed, or were created
--   inserted, removed  how many triples
--   raises    QS422 graph-known · QS409 reserved-free, containment-kept · QS422 membership-shape
--             QS401 authentication-required · QS403 access-granted
create or replace function change_quads(is_added boolean[], graphs int8[], subjects int8[], predicates int8[],
                                        objects int8[], keys text[], own_ids int8[], own_keys text[],
                                        inout created int8[], inout nodes int8[], caller caller,
                                        out changed int8[], out inserted int8, out removed int8)
language plpgsql
security definer
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
  v_ids     record;
  v_quads   record;
  v_visible record;
begin
  changed := '{}';
  inserted := 0;
  removed := 0;
  if coalesce(cardinality(graphs), 0) = 0 then
    return;
  end if;
  perform plan_for(cardinality(graphs));
  v_ids := referred_ids(is_added, graphs, subjects, predicates, objects, keys, own_ids, own_keys);
  v_quads := resolved_quads(is_added, graphs, subjects, predicates, objects, v_ids.refs, v_ids.ids);
  if caller.is_hidden and caller.grantees is not null then
    v_visible := visible_quads(v_quads.removed_graphs, v_quads.removed_subjects, v_quads.removed_predicates,
                               v_quads.removed_objects, created, caller.grantees);
    v_quads.removed_graphs := v_visible.graphs;
    v_quads.removed_subjects := v_visible.subjects;
    v_quads.removed_predicates := v_visible.predicates;
    v_quads.removed_objects := v_visible.objects;
  end if;
  loop
    created := add_graphs(v_quads.added_graphs, created, caller);
    perform require_graphs(v_quads.removed_graphs || v_quads.added_graphs, created, caller);
    perform hold_states(v_quads.removed_graphs || v_quads.added_graphs);
    -- The wait for a lock may end with the commit of a deletion. Then the document is created again.
    exit when not exists (select from unnest(v_quads.added_graphs) as g (id)
                           where not exists (select from document as d where d.id = g.id));
  end loop;
  if exists (select from unnest(v_quads.added_subjects || v_quads.added_objects) as n (id) where is_blank_node(n.id))
  then
    nodes := nodes || new_nodes(v_quads.added_graphs, v_quads.added_subjects, v_quads.added_objects, nodes);
    v_quads.added_subjects := nodes_there(v_quads.added_graphs, v_quads.added_subjects, nodes);
    v_quads.added_objects := nodes_there(v_quads.added_graphs, v_quads.added_objects, nodes);
  end if;
  v_quads := write_quads(v_quads.removed_graphs, v_quads.removed_subjects, v_quads.removed_predicates,
                         v_quads.removed_objects, v_quads.added_graphs, v_quads.added_subjects,
                         v_quads.added_predicates, v_quads.added_objects);
  changed := v_quads.changed;
  inserted := v_quads.inserted;
  removed := v_quads.removed;
end
$$;

comment on function change_quads(boolean[], int8[], int8[], int8[], int8[], text[], int8[], text[], int8[], int8[],
  caller) is
  'Removes quads and adds others, for an update.';

-- Ids of the keys that quads refer to. Adds those of added quads to the dictionary.
--
--   refs  references and own ids
--   ids   their terms, in the same order; null for a term of removed quads that is not stored
create or replace function referred_ids(is_added boolean[], graphs int8[], subjects int8[], predicates int8[],
                                        objects int8[], keys text[], own_ids int8[], own_keys text[],
                                        out refs int8[], out ids int8[])
language plpgsql
set search_path from current
as $$
declare
  v_keys text[] := coalesce(keys, '{}') || coalesce(own_keys, '{}');
  v_used int8[];
  v_put  text[];
begin
  refs := array(select first_reference() + n from generate_series(1, coalesce(cardinality(keys), 0)) as n)
                  || coalesce(own_ids, '{}');
  if refs = '{}' then
    ids := '{}';
    return;
  end if;
  if cardinality(refs) = cardinality(keys) and not false = any (is_added) then -- INSERT DATA: all keys are used
    v_used := refs;
  else
    v_used := array(select distinct u.id
                      from unnest(is_added, graphs, subjects, predicates, objects) as q (is_added, g, s, p, o)
                     cross join lateral (values (q.g), (q.s), (q.p), (q.o)) as u (id)
                     where q.is_added
                    intersect
                    select unnest(refs));
  end if;
  v_put := array(select k.key
                   from unnest(refs, v_keys) with ordinality as k (id, key, n)
                   join unnest(v_used) as u (id) on u.id = k.id
                  where k.key not like 'B%'
                  order by k.n);
  ids := intern_terms(v_put);
  ids := (select array_agg(case when k.key like 'B%' then first_blank_node() + nextval('blank_node_seq')
                                else coalesce(p.id, t.id) end order by k.n)
            from unnest(refs, v_keys) with ordinality as k (id, key, n)
            left join unnest(v_put, ids) as p (key, id) on p.key = k.key
            left join term as t on t.hash = case when p.key is null then term_hash(k.key) end);
end
$$;

comment on function referred_ids(boolean[], int8[], int8[], int8[], int8[], text[], int8[], text[]) is
  'Ids of the keys that the quads of an update refer to.';

-- Quads with ids in place of references; those to remove apart from those to add, each once. Leaves out quads to remove
-- whose terms are not stored. A quad that is removed and added stays: INSERT comes after DELETE.
create or replace function resolved_quads(is_added boolean[], graphs int8[], subjects int8[], predicates int8[],
                                          objects int8[], refs int8[], ids int8[],
                                          out removed_graphs int8[], out removed_subjects int8[],
                                          out removed_predicates int8[], out removed_objects int8[],
                                          out added_graphs int8[], out added_subjects int8[],
                                          out added_predicates int8[], out added_objects int8[])
language plpgsql
set search_path from current
as $$
begin
  with known as materialized (select * from unnest(refs, ids) as k (reference, id)),
  quads as materialized (
    select distinct q.is_added,
           case when kg.reference is null then q.g else kg.id end as g,
           case when ks.reference is null then q.s else ks.id end as s,
           case when kp.reference is null then q.p else kp.id end as p,
           case when ko.reference is null then q.o else ko.id end as o
      from unnest(is_added, graphs, subjects, predicates, objects) as q (is_added, g, s, p, o)
      left join known as kg on kg.reference = q.g
      left join known as ks on ks.reference = q.s
      left join known as kp on kp.reference = q.p
      left join known as ko on ko.reference = q.o),
  gone as (
    select q.g, q.s, q.p, q.o from quads as q
     where not q.is_added and q.g is not null and q.s is not null and q.p is not null and q.o is not null
    except
    select q.g, q.s, q.p, q.o from quads as q where q.is_added)
  select coalesce(d.g, '{}'), coalesce(d.s, '{}'), coalesce(d.p, '{}'), coalesce(d.o, '{}'),
         coalesce(i.g, '{}'), coalesce(i.s, '{}'), coalesce(i.p, '{}'), coalesce(i.o, '{}')
    into removed_graphs, removed_subjects, removed_predicates, removed_objects,
         added_graphs, added_subjects, added_predicates, added_objects
    from (select array_agg(q.g) as g, array_agg(q.s) as s, array_agg(q.p) as p, array_agg(q.o) as o
            from gone as q) as d
   cross join (select array_agg(q.g) as g, array_agg(q.s) as s, array_agg(q.p) as p, array_agg(q.o) as o
                 from quads as q where q.is_added) as i;
end
$$;

comment on function resolved_quads(boolean[], int8[], int8[], int8[], int8[], int8[], int8[]) is
  'The quads of an update by ids, to remove and to add.';

-- The quads in documents that the caller may read. A document that is hidden from the caller has no quads for it.
create or replace function visible_quads(inout graphs int8[], inout subjects int8[], inout predicates int8[],
                                         inout objects int8[], created int8[], grantees text[])
language plpgsql stable
set search_path from current
as $$
declare
  v_readable int8[] := within_realms(array(select distinct g.id from unnest(graphs) as g (id)),
                                     granted_realms(grantees, 'read')) || created;
begin
  select coalesce(array_agg(q.g), '{}'), coalesce(array_agg(q.s), '{}'), coalesce(array_agg(q.p), '{}'),
         coalesce(array_agg(q.o), '{}')
    into graphs, subjects, predicates, objects
    from unnest(graphs, subjects, predicates, objects) as q (g, s, p, o)
   where q.g in (select unnest(v_readable));
end
$$;

comment on function visible_quads(int8[], int8[], int8[], int8[], int8[], text[]) is
  'Quads in documents that the caller may read.';

-- Creates the documents among the graphs of added quads that do not exist. Parents come before their children.
--
--   created  documents that the request has created; the new ones are appended
--   raises   QS422 graph-known: a graph is no document, and no free child of one · 23505: somebody else creates it now
--            QS401 authentication-required · QS403 access-granted · QS409 document-iri-free
create or replace function add_graphs(graphs int8[], inout created int8[], caller caller)
language plpgsql
set search_path from current
as $$
declare
  v_level record;
  v_plain int8[];
begin
  for v_level in
    select array_agg(n.id order by n.iri) as ids, array_agg(n.iri order by n.iri) as iris
      from (select t.id, t.lex as iri, cardinality(string_to_array(t.lex, '/')) as depth
              from (select distinct g.id from unnest(graphs) as g (id)) as g
              join term as t on t.id = g.id
             where not exists (select from document as d where d.id = g.id)) as n
     group by n.depth
     order by n.depth
  loop
    v_plain := add_plain_graphs(v_level.ids, v_level.iris, caller);
    created := created || v_plain
      || array(select add_graph(n.iri, caller)
                 from unnest(v_level.ids, v_level.iris) as n (id, iri)
                where n.id not in (select unnest(v_plain)));
  end loop;
end
$$;

comment on function add_graphs(int8[], int8[], caller) is 'Creates the documents that an update adds quads to.';

-- Creates those documents, without triples, that are plain: a parent that they do not change, an IRI that this
-- transaction has added to the dictionary, and that no triple has yet.
--
--   returns  their ids; add_graph creates the others, and raises the errors
create or replace function add_plain_graphs(ids int8[], iris text[], caller caller) returns int8[]
language plpgsql
set search_path from current
as $$
declare
  v_places  text[] := array(select parent_iri(i.iri) from unnest(iris) with ordinality as i (iri, n) order by i.n);
  v_parents record := hold_plain_parents(v_places);
  v_now     timestamptz := date_trunc('milliseconds', clock_timestamp());
  v_allowed text[] := v_parents.iris;
  v_made    record;
  v_quads   record;
begin
  if caller.grantees is not null then
    v_allowed := array(select p.iri from unnest(v_parents.iris) as p (iri)
                        where has_access(p.iri, '{create}', caller.grantees));
  end if;
  with made as (
    insert into document as d (id, parent, created, modified, has_member_relation, member_by, realm)
    select n.id, p.id, v_now, v_now, ldp_member(), p.relation, p.realm
      from unnest(ids, iris, v_places) as n (id, iri, parent)
      join unnest(v_parents.iris, v_parents.ids, v_parents.relations, v_parents.realms) as p (iri, id, relation, realm)
        on p.iri = n.parent
     cross join lateral (select from term as t where t.id = n.id and t.xmin = pg_current_xact_id()::xid offset 0) as t
     where p.iri = any (v_allowed) and is_segment(substring(n.iri from '([^/]+)/$'))
       and not exists (select from quad as q where q.s = n.id and q.copy is null offset 0)
       and not exists (select from quad as q where q.o = n.id and q.o between 1 and 2305843009213693951 offset 0)
    returning d.id, d.revision)
  select coalesce(array_agg(m.id), '{}') as ids, array_agg(m.revision::text) as tags into v_made from made as m;
  if v_made.ids <> '{}' then
    v_quads := put_plain_quads(array(select n from generate_series(1, cardinality(v_made.ids)) as n), v_made.ids,
                               inline_instant(v_now), '{}', '{}', '{}', '{}');
    perform record_change('create', m.id, null, m.tag, caller) from unnest(v_made.ids, v_made.tags) as m (id, tag);
    perform log_created(v_made.ids, array_fill(caller, array[cardinality(v_made.ids)]), v_quads.put_graphs,
                        v_quads.put_graphs, v_quads.put_predicates, v_quads.put_objects);
  end if;
  return v_made.ids;
end
$$;

comment on function add_plain_graphs(int8[], text[], caller) is
  'Creates the plain documents among those that an update adds quads to.';

-- Creates one document for an update, without triples.
create or replace function add_graph(iri text, caller caller) returns int8
language plpgsql
set search_path from current
as $$
begin
  if not is_free_child(add_graph.iri, caller) then
    perform raise_unknown_graph(add_graph.iri);
  end if;
  return (create_document(add_graph.iri, parent_iri(add_graph.iri), array['I' || add_graph.iri], '{}', '{}', '{}',
                          caller)).id;
end
$$;

comment on function add_graph(text, caller) is 'Creates a document for an update.';

-- The IRI one segment up; null if an IRI does not end with a segment and a slash.
create or replace function parent_iri(iri text) returns text
language sql immutable parallel safe
return substring(parent_iri.iri from '^(.*/)[^/]+/$');

comment on function parent_iri(text) is 'The IRI of the document above an IRI.';

-- Whether an IRI, which is no document's, could be that of a child of a document. The existence of a parent that is
-- hidden from the caller stays hidden.
create or replace function is_free_child(iri text, caller caller) returns boolean
language plpgsql stable
set search_path from current
as $$
declare
  v_parent text := parent_iri(iri);
begin
  return is_segment(substring(iri from '([^/]+)/$'))
     and exists (select from term as t join document as d on d.id = t.id where t.hash = term_hash('I' || v_parent))
     and not exists (select from term as t join raw_graph as r on r.id = t.id where t.hash = term_hash('I' || iri))
     and not (caller.is_hidden is true and caller.grantees is not null
              and not has_access(v_parent, '{create}', caller.grantees)
              and not has_access(v_parent, '{read}', caller.grantees));
end
$$;

comment on function is_free_child(text, caller) is 'Whether an IRI could be that of a new child of a document.';

-- Raises the error for a graph that an update cannot write to.
create or replace function raise_unknown_graph(iri text) returns void
language plpgsql stable
set search_path from current
as $$
begin
  raise exception '<%> is neither a document nor the IRI of a free child of one: an update changes documents only.', iri
    using errcode = 'QS422', constraint = 'graph-known';
end
$$;

comment on function raise_unknown_graph(text) is 'Raises QS422 graph-known.';

-- Whether a text is one segment of a path in its normal form (src/http/request-target.ts, slug.ts).
create or replace function is_segment(name text) returns boolean
language plpgsql immutable
as $$
declare
  v_bytes bytea := '';
  v_part  text;
begin
  if name is null or name in ('.', '..') or lower(name) in ('.system', '.well-known')
     or name !~ '^([A-Za-z0-9._~!$&''()*+,;=:@-]|%[0-9A-F]{2})+$'
     or name ~ '%(2[DEF]|3[0-9]|4[1-9A-F]|5[0-9AF]|6[1-9A-F]|7[0-9AEF]|[01][0-9A-F])' then
    return false;
  elsif name !~ '%' then
    return length(name) <= 255;
  end if;
  for v_part in select m[1] from regexp_matches(name, '(%..|[^%]+)', 'g') as m loop
    v_bytes := v_bytes || case when v_part like '\%%' then decode(substr(v_part, 2), 'hex')
                               else convert_to(v_part, 'UTF8') end;
  end loop;
  begin
    perform convert_from(v_bytes, 'UTF8');
  exception
    when character_not_in_repertoire then
      return false;
  end;
  return octet_length(v_bytes) <= 255;
end
$$;

comment on function is_segment(text) is 'Whether a text is one segment of a document''s path.';

-- Refuses raw graphs, and documents that the caller may not edit.
--
--   created  documents that the request has created, whose parents' grants allowed it
create or replace function require_graphs(graphs int8[], created int8[], caller caller) returns void
language plpgsql stable
set search_path from current
as $$
declare
  v_graphs int8[] := array(select distinct g.id from unnest(graphs) as g (id) where g.id <> all (created));
  v_closed int8[];
  v_iri    text;
begin
  select t.lex into v_iri
    from unnest(v_graphs) as g (id)
    join term as t on t.id = g.id
    join raw_graph as r on r.id = g.id
   order by t.lex
   limit 1;
  if found then
    perform raise_unknown_graph(v_iri);
  elsif caller.grantees is null then
    return;
  end if;

  v_graphs := array(select d.id from unnest(v_graphs) as g (id) join document as d on d.id = g.id);
  v_closed := array(select unnest(v_graphs) except
                    select unnest(within_realms(v_graphs, writable_realms(caller.grantees))));
  select t.lex into v_iri from term as t where t.id = any (v_closed) order by t.lex limit 1;
  if found and caller.is_hidden and not has_access(v_iri, '{read}', caller.grantees) then
    perform raise_unknown_graph(v_iri);
  elsif found then
    perform raise_refused(v_iri, '{edit}', caller.grantees);
  end if;
end
$$;

comment on function require_graphs(int8[], int8[], caller) is
  'Refuses graphs that an update may not change.';

-- Refuses a caller who may neither edit a graph nor create it, before LOAD fetches anything for it.
--
--   raises  QS422 graph-known · QS401 authentication-required · QS403 access-granted
create or replace function require_loadable(graph text, caller caller default null) returns void
language plpgsql stable
security definer
set search_path from current
as $$
begin
  if caller.grantees is null or has_access(graph, '{edit}', caller.grantees)
     or has_access(graph, '{create}', caller.grantees) then
    return;
  elsif caller.is_hidden and not has_access(graph, '{read}', caller.grantees) then
    perform raise_unknown_graph(graph);
  end if;
  perform raise_refused(graph, '{edit}', caller.grantees);
end
$$;

comment on function require_loadable(text, caller) is 'Refuses a LOAD into a graph that the caller cannot write.';

-- New nodes for blank nodes that are added to documents to which they do not belong.
--
--   nodes    the pairs that the request has already
--   returns  the new pairs
--
-- A node that no triple has belongs to the first document that gets it.
create or replace function new_nodes(graphs int8[], subjects int8[], objects int8[], nodes int8[]) returns int8[]
language plpgsql
set search_path from current
as $$
begin
  return coalesce((
    with used as materialized (
      select distinct u.g, u.id
        from (select * from unnest(graphs, subjects) union all select * from unnest(graphs, objects)) as u (g, id)
       where is_blank_node(u.id)),
    owned as materialized ( -- as graph_of_blank_node finds it, which would be called for each
      select u.g, u.id, coalesce(s.g, o.g, min(u.g) over (partition by u.id)) as owner
        from used as u
        left join lateral (select q.g from quad as q where q.s = u.id and q.copy is null limit 1) as s on true
        left join lateral (select q.g from quad as q
                            where q.o = u.id and q.o between 1 and 2305843009213693951 limit 1) as o on true),
    pair as (
      select array[o.g, o.id, first_blank_node() + nextval('blank_node_seq')] as pair
        from owned as o
       where o.owner <> o.g
         and not exists (select from node_pairs(nodes) as n where n.g = o.g and n.id = o.id))
    select array_agg(m.id order by p.n, m.n)
      from (select pair.pair, row_number() over () as n from pair) as p
     cross join lateral unnest(p.pair) with ordinality as m (id, n)), '{}');
end
$$;

comment on function new_nodes(int8[], int8[], int8[], int8[]) is
  'New nodes for blank nodes that an update adds to other documents than theirs.';

-- The pairs of an array: document, node, node there, document, …
create or replace function node_pairs(nodes int8[]) returns table (g int8, id int8, there int8)
language plpgsql immutable
as $$
begin
  return query
    select nodes[3 * n - 2], nodes[3 * n - 1], nodes[3 * n] from generate_series(1, cardinality(nodes) / 3) as n;
end
$$;

comment on function node_pairs(int8[]) is 'Documents, blank nodes, and the nodes that these became there.';

-- Nodes of quads, with the new node of a blank node that became another one in the quad's document.
create or replace function nodes_there(graphs int8[], ids int8[], nodes int8[]) returns int8[]
language plpgsql
set search_path from current
as $$
begin
  return array(select coalesce(p.there, q.id)
                 from unnest(graphs, ids) with ordinality as q (g, id, n)
                 left join node_pairs(nodes) as p on p.g = q.g and p.id = q.id
                order by q.n);
end
$$;

comment on function nodes_there(int8[], int8[], int8[]) is 'Nodes of quads, blank nodes as those of the document.';

-- Writes the quads of an update to locked documents. Each quad is given once, and none is both removed and added.
--
--   raises  QS409 reserved-free, containment-kept · QS422 membership-shape
create or replace function write_quads(removed_graphs int8[], removed_subjects int8[], removed_predicates int8[],
                                       removed_objects int8[], added_graphs int8[], added_subjects int8[],
                                       added_predicates int8[], added_objects int8[],
                                       out changed int8[], out inserted int8, out removed int8)
language plpgsql
set search_path from current
as $$
declare
  v_gone record;
  v_new  record;
  v_list record;
  v_left int8[] := '{}';
  v_forgotten int;
begin
  removed := 0;
  perform plan_for(cardinality(removed_graphs) + cardinality(added_graphs));
  perform require_unreserved(true, removed_graphs, removed_subjects, removed_predicates, removed_objects);
  perform require_unreserved(false, added_graphs, added_subjects, added_predicates, added_objects);

  select array_agg(q.g) as g, array_agg(q.s) as s, array_agg(q.p) as p, array_agg(q.o) as o, count(*) as number
    into v_gone
    from unnest(removed_graphs, removed_subjects, removed_predicates, removed_objects) as q (g, s, p, o)
   cross join lateral graph_row(q.g, q.s, q.p, q.o);
  select array_agg(q.g) as g, array_agg(q.s) as s, array_agg(q.p) as p, array_agg(q.o) as o, count(*) as number
    into v_new
    from unnest(added_graphs, added_subjects, added_predicates, added_objects) as q (g, s, p, o)
   where not exists (select from graph_row(q.g, q.s, q.p, q.o))
     and not (q.s = q.g and exists (select from document as d where d.id = q.o and d.parent = q.s
                                                                and q.p in (d.member_by, ldp_contains()) offset 0));

  if v_gone.number > 0 then
    perform drop_quads_of_graphs(v_gone.g, v_gone.s, v_gone.p, v_gone.o);
  end if;
  for v_list in
    select d.id, d.has_member_relation as relation, array_agg(q.o) as members
      from unnest(removed_graphs, removed_subjects, removed_predicates, removed_objects) as q (g, s, p, o)
      join document as d on d.id = q.g and d.id = q.s and d.has_member_relation = q.p
     group by d.id, d.has_member_relation
  loop
    v_forgotten := cardinality(end_memberships(v_list.id, v_list.relation, v_list.members));
    removed := removed + v_forgotten;
    v_left := v_left || array_fill(v_list.id, array[sign(v_forgotten)::int]);
  end loop;
  if v_new.number > 0 then
    perform put_quads_of_graphs(v_new.g, v_new.s, v_new.p, v_new.o);
    perform require_membership_shape(g.id)
       from (select distinct q.g from unnest(v_new.g, v_new.p) as q (g, p)
              where q.p = ldp_is_member_of_relation()) as g (id);
  end if;

  changed := array(select unnest(v_gone.g) union select unnest(v_new.g) union select unnest(v_left));
  inserted := v_new.number;
  removed := removed + v_gone.number;
end
$$;

comment on function write_quads(int8[], int8[], int8[], int8[], int8[], int8[], int8[], int8[]) is
  'Writes the quads of an update to locked documents.';

-- Locks the document of an update's request, and checks the request's preconditions.
--
--   need     the mode that the caller needs on it
--   returns  its id
--   raises  QS404 document-exists · QS412 etag-mismatch · QS401 authentication-required · QS403 access-granted
create or replace function begin_update(iri text, if_match text[], if_none_match text[],
                                        if_unmodified_since timestamptz, need text, caller caller default null)
returns int8
language plpgsql
security definer
set search_path from current
as $$
declare
  v_document document;
begin
  perform hold_names();
  if caller.grantees is not null then
    perform require_access(iri, array[need], caller);
  end if;
  v_document := lock_document(iri);
  perform require_state(v_document, if_match, if_none_match, if_unmodified_since);
  return v_document.id;
end
$$;

comment on function begin_update(text, text[], text[], timestamptz, text, caller) is
  'Locks the document of an update''s request and checks the preconditions.';

-- Ends an update: gives changed documents a new entity tag and a change record, and lists what has changed.
--
--   changed   documents that the operations changed
--   touched   documents that have a new tag already, because a document that they refer to was dropped
--   created   documents that the operations created
--   dropped   documents that they deleted
--   action    as record_change takes it
--   returns   "created" and "changed": IRI and entity tag of documents, "deleted": IRIs; in the order of the IRIs
create or replace function finish_update(changed int8[], touched int8[], created int8[], dropped int8[], action text,
                                         caller caller default null) returns json
language plpgsql
security definer
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
  v_created int8[] := array(select distinct d.id from unnest(created) as c (id) join document as d on d.id = c.id);
  v_changed int8[];
begin
  perform plan_for(cardinality(changed));
  v_changed := array(select c.id from (select unnest(changed) except select unnest(v_created)) as c (id)
                       join document as d on d.id = c.id order by c.id);
  perform touch_documents(v_changed, action, caller) where v_changed <> '{}';
  perform end_creations(v_created) where v_created <> '{}';
  return json_build_object(
    'created', tags_of(v_created),
    'changed', tags_of(array(select unnest(v_changed || touched)
                              union
                             select p.parent -- has the new documents as members
                               from document as d
                               join document as p on p.id = d.parent
                              where d.id = any (v_created) and p.is_access_point
                             except
                             select unnest(v_created))),
    'deleted', coalesce((select json_agg(t.lex order by t.lex)
                           from (select distinct g.id from unnest(dropped) as g (id)) as g
                           join term as t on t.id = g.id
                          where not exists (select from document as d where d.id = g.id)), '[]'));
end
$$;

comment on function finish_update(int8[], int8[], int8[], int8[], text, caller) is
  'Touches the documents that an update changed, and lists what has changed.';

-- IRIs and entity tags of the documents among ids, as JSON.
create or replace function tags_of(ids int8[]) returns json
language plpgsql stable
set search_path from current
as $$
begin
  return coalesce((select json_agg(json_build_object('iri', t.lex, 'etag', '"' || d.revision || '"') order by t.lex)
                     from unnest(ids) as c (id)
                     join document as d on d.id = c.id
                     join term as t on t.id = d.id), '[]');
end
$$;

comment on function tags_of(int8[]) is 'IRIs and entity tags of documents, as JSON.';
