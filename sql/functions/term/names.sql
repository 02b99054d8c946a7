-- Renames terms: a move gives IRIs other names and keeps their ids (decision 0020).
--
-- Every function that looks up terms and writes begins with hold_names, and one that renames begins with change_names.
-- Otherwise a writer could look up an IRI, wait for a rename, and write the id, which has another name then. Readers do
-- not wait: each statement reads one state, and the service checks by dataset.names_revision what it has cached.
--
-- The lock is that of the table `dataset`, which every writer takes before all others. A rename therefore waits for
-- writers only here, when it holds nothing, and the two cannot deadlock.

-- Keeps terms from being renamed until the transaction ends.
create or replace function hold_names() returns void
language plpgsql
security definer
set search_path from current
as $$
begin
  perform hold_place();
  lock table dataset in row share mode;
end
$$;

comment on function hold_names() is 'Keeps terms from being renamed until the transaction ends; writers call it first.';

-- Waits for all writers, and keeps others out until the transaction ends.
--
--   raises  QS503 busy: a writer, such as an import, did not end in time
--
-- Writers that come later wait behind this function, so it gives up after two seconds.
create or replace function change_names() returns void
language plpgsql
security definer
set search_path from current
set lock_timeout = '2s'
as $$
begin
  perform hold_place();
  lock table dataset in exclusive mode;
exception
  when lock_not_available then
    raise exception 'A long write is running; try again when it has ended.'
      using errcode = 'QS503', constraint = 'busy';
end
$$;

comment on function change_names() is 'Waits for all writers and keeps others out, before terms are renamed.';

-- The IRIs that begin with a prefix, by id. Ids below 1000, the service's vocabulary, keep their names.
--
-- Reads the whole dictionary: an index on its texts would cost every write more than the scan costs a move.
create or replace function terms_below(prefix text, out ids int8[], out iris text[])
language plpgsql stable
set search_path from current
set enable_seqscan = on
as $$
begin
  select coalesce(array_agg(t.id), '{}'), coalesce(array_agg(t.lex), '{}')
    into ids, iris
    from term as t
   where t.id between 1000 and first_blank_node() - 1 and starts_with(t.lex, prefix);
end
$$;

comment on function terms_below(text) is 'The IRIs that begin with a prefix, with their ids.';

-- Gives IRIs new names. A term that already has one of the new names is merged with the renamed term: it leaves the
-- dictionary, and its id is replaced in all quads.
--
--   ids, names  the IRIs to rename, and the new names, each once
--   raises      QS409 document-iri-free: a raw graph has one of the new names
--
-- Two statements, because a new name may be the old name of another term. names_revision comes from a sequence, so that
-- a number whose transaction rolls back is never used again.
create or replace function rename_terms(ids int8[], names text[]) returns void
language plpgsql
set search_path from current
as $$
declare
  v_hashes uuid[] := array(select term_hash('I' || n.name) from unnest(names) with ordinality as n (name, at)
                            order by n.at);
  v_twin   record;
begin
  perform plan_for(cardinality(ids));
  select coalesce(array_agg(t.id), '{}') as ids, coalesce(array_agg(n.id), '{}') as heirs
    into v_twin
    from unnest(ids, v_hashes) as n (id, hash)
    join term as t on t.hash = n.hash
   where not exists (select from unnest(ids) as own (id) where own.id = t.id);
  if exists (select from raw_graph as r where r.id = any (v_twin.ids)) then
    raise exception '% names a raw graph, so it cannot name a document.',
      (select show_term(r.id) from raw_graph as r where r.id = any (v_twin.ids) limit 1)
      using errcode = 'QS409', constraint = 'document-iri-free';
  end if;
  if v_twin.ids <> '{}' then
    perform replace_ids(v_twin.ids, v_twin.heirs, graphs_with(v_twin.ids));
  end if;
  perform log_names(ids || v_twin.ids);
  if v_twin.ids <> '{}' then
    delete from term as t using unnest(v_twin.ids) as twin (id) where t.id = twin.id;
  end if;
  with old as (delete from term as t using unnest(ids) as n (id) where t.id = n.id returning t.id)
  select count(*) into v_twin from old;
  insert into term (id, hash, lex)
  select n.id, n.hash, n.name from unnest(ids, v_hashes, names) as n (id, hash, name) order by n.hash;
  update dataset as d set names_revision = nextval('revision_seq') where d.is_only;
end
$$;

comment on function rename_terms(int8[], text[]) is 'Gives IRIs new names; merges terms that have a new name already.';

-- The graphs that contain some terms, besides those with these ids themselves.
create or replace function graphs_with(ids int8[]) returns int8[]
language plpgsql
set search_path from current
as $$
begin
  perform plan_for(cardinality(ids));
  return array(
    select q.g from unnest(ids) as n (id) join quad as q on q.s = n.id and q.copy is null and q.g <> n.id
     union
    select q.g from unnest(ids) as n (id) join quad as q on q.s = n.id and q.copy
     union
    select q.g from unnest(ids) as n (id) join quad as q on q.p = n.id and q.copy is null
     union
    select q.g from unnest(ids) as n (id) join quad as q on q.p = n.id and q.copy
     union
    select q.g from unnest(ids) as n (id) join quad as q on q.o = n.id and q.o between 1 and 2305843009213693951
    except
    select unnest(ids));
end
$$;

comment on function graphs_with(int8[]) is 'The graphs that contain some terms, besides those with these ids.';

-- Replaces ids by others in the quads of some graphs, and in the membership relations of their documents.
create or replace function replace_ids(ids int8[], others int8[], graphs int8[]) returns void
language plpgsql
set search_path from current
as $$
declare
  v record;
begin
  perform plan_for(cardinality(ids) + cardinality(graphs));
  with found as (
    select q.g, q.s, q.p, q.o from unnest(ids) as n (id) join quad as q on q.s = n.id and q.copy is null
     union
    select q.g, q.s, q.p, q.o from unnest(ids) as n (id) join quad as q on q.s = n.id and q.copy
     union
    select q.g, q.s, q.p, q.o from unnest(ids) as n (id) join quad as q on q.p = n.id and q.copy is null
     union
    select q.g, q.s, q.p, q.o from unnest(ids) as n (id) join quad as q on q.p = n.id and q.copy
     union
    select q.g, q.s, q.p, q.o
      from unnest(ids) as n (id) join quad as q on q.o = n.id and q.o between 1 and 2305843009213693951)
  select array_agg(q.g) as g, array_agg(q.s) as s, array_agg(q.p) as p, array_agg(q.o) as o,
         array_agg(coalesce(s.other, q.s)) as new_s, array_agg(coalesce(p.other, q.p)) as new_p,
         array_agg(coalesce(o.other, q.o)) as new_o
    into v
    from found as q
    join unnest(graphs) as g (id) on g.id = q.g
    left join unnest(ids, others) as s (id, other) on s.id = q.s
    left join unnest(ids, others) as p (id, other) on p.id = q.p
    left join unnest(ids, others) as o (id, other) on o.id = q.o;
  if v.g is null then
    return;
  end if;
  perform plan_for(cardinality(v.g));
  perform drop_quads_of_graphs(v.g, v.s, v.p, v.o);
  update document as d
     set has_member_relation = n.other
    from unnest(ids, others) as n (id, other)
   where d.has_member_relation = n.id and d.id = any (graphs);
  perform log_places(array_agg(d.id), array_agg(d.parent), array_agg(d.member_by))
     from document as d
    where d.member_by = any (ids) and d.parent = any (graphs)
   having count(*) > 0;
  update document as d
     set member_by = n.other
    from unnest(ids, others) as n (id, other)
   where d.member_by = n.id and d.parent = any (graphs);
  perform put_quads_of_graphs(v.g, v.new_s, v.new_p, v.new_o);
end
$$;

comment on function replace_ids(int8[], int8[], int8[]) is 'Replaces ids by others in the quads of some graphs.';
