-- Copies documents (docs/interface.md, Moving and copying; RFC 4918 §9.8; decision 0020).
--
-- A copy is a new document: it has new times, no grants of its own, and blank nodes of its own. References among the
-- copied documents refer to the copies. All others stay.

-- Copies a document.
--
--   is_deep      with everything below it (Depth: infinity); false: the document alone (Depth: 0)
--   is_created   false: a document at the target was deleted
--   others …     as move_document
--   raises       as move_document, without QS503
--
-- The caller needs the mode read on all that is copied, create on the new parent, and delete on what is overwritten.
create or replace function copy_document(iri text, if_match text[], if_none_match text[],
                                         if_unmodified_since timestamptz, target text, is_deep boolean,
                                         overwrites boolean, caller caller default null,
                                         out is_created boolean, out etag text, out modified timestamptz)
language plpgsql
security definer
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
  v_document document;
  v_ids      int8[];
  v_copies   int8[];
begin
  perform hold_names();
  if caller.grantees is not null then
    perform require_access(iri, '{read}', caller);
    perform require_below(iri, 'read', caller.grantees) where is_deep;
  end if;
  v_document := lock_document(iri);
  perform require_state(v_document, if_match, if_none_match, if_unmodified_since);
  perform require_movable(v_document, iri, 'copied');
  is_created := clear_target(iri, target, overwrites, is_deep, caller);

  v_ids := array[v_document.id];
  if is_deep then
    v_ids := v_ids || lock_descendants(v_document.id);
  end if;
  v_copies := copy_documents(v_ids, iri, target, is_deep, caller);
  select d.revision::text, d.modified into etag, modified from document as d where d.id = v_copies[1];
  if caller.grantees is not null and not has_access(target, '{read}', caller.grantees) then
    etag := null;
    modified := null;
  end if;
end
$$;

comment on function copy_document(text, text[], text[], timestamptz, text, boolean, boolean, caller) is
  'Copies a document, alone or with everything below it.';

-- Creates the copies of locked documents.
--
--   ids      the document, and those below it that are copied: parents before their children
--   returns  ids of the copies, in the same order
create or replace function copy_documents(ids int8[], prefix text, target text, is_deep boolean, caller caller)
returns int8[]
language plpgsql
set search_path from current
as $$
declare
  v_parent document := parent_document(parent_iri(target));
  v_now    timestamptz := date_trunc('milliseconds', clock_timestamp());
  v_term   record;
  v_node   record;
  v_copies int8[];
  v_origin int8 := (select d.parent from document as d where d.id = ids[1]);
begin
  perform plan_for(25 * cardinality(ids)); -- a document has about 25 triples
  v_term := copied_terms(ids, prefix, target, is_deep);
  v_copies := array(select t.other from unnest(ids) with ordinality as d (id, at)
                      join unnest(v_term.ids, v_term.others) as t (id, other) on t.id = d.id
                     order by d.at);
  perform add_copies(ids, v_copies, v_term.ids, v_term.others, v_parent, v_now);
  select coalesce(array_agg(n.id), '{}') as ids,
         coalesce(array_agg(first_blank_node() + nextval('blank_node_seq')), '{}') as others
    into v_node
    from (select q.s as id from unnest(ids) as d (id) join quad as q on q.g = d.id where is_blank_node(q.s)
           union
          select q.o from unnest(ids) as d (id) join quad as q on q.g = d.id where is_blank_node(q.o)) as n;
  perform put_copied_quads(ids, v_copies, v_term.ids || v_node.ids, v_term.others || v_node.others, v_now);
  perform drop_quads(v_copies[1], array[v_copies[1]], array[n.inverse], array[v_origin]) -- it is no member there
     from inverse_relation(v_origin) as n (inverse)
    where n.inverse is not null;
  perform enter_parent(v_copies[1], v_parent, caller);
  perform record_change('copy', d.id, null, d.revision::text, caller) from document as d where d.id = v_copies[1];
  perform log_changes('created', v_copies, array_fill(null::int8, array[cardinality(v_copies)]), caller);
  return v_copies;
end
$$;

comment on function copy_documents(int8[], text, text, boolean, caller) is 'Creates the copies of locked documents.';

-- The IRIs that copies have instead of those of the copied documents, and of all others below them.
--
--   is_deep  false: only the document's own IRI and its fragments
--   ids      in any order
--   raises   QS409 document-iri-free
create or replace function copied_terms(documents int8[], prefix text, target text, is_deep boolean, out ids int8[],
                                        out others int8[])
language plpgsql
set search_path from current
as $$
declare
  v_iris  text[];
  v_raw   int8;
begin
  select coalesce(array_agg(t.id), '{}'), coalesce(array_agg(target || substr(t.lex, length(prefix) + 1)), '{}')
    into ids, v_iris
    from (select unnest(documents) as id
           union
          select q.s from unnest(documents) as d (id) join quad as q on q.g = d.id
           union
          select q.p from unnest(documents) as d (id) join quad as q on q.g = d.id
           union
          select q.o from unnest(documents) as d (id) join quad as q on q.g = d.id
           where q.o between 1 and first_blank_node() - 1) as u
    join term as t on t.id = u.id
   where t.id between 1000 and first_blank_node() - 1
     and (is_deep and starts_with(t.lex, prefix) or t.lex = prefix or starts_with(t.lex, prefix || '#'));
  others := intern_terms(array(select 'I' || n.iri from unnest(v_iris) with ordinality as n (iri, at) order by n.at));
  select r.id into v_raw from raw_graph as r where r.id = any (others) limit 1;
  if found then
    raise exception '% names a raw graph, so it cannot name a document.', show_term(v_raw)
      using errcode = 'QS409', constraint = 'document-iri-free';
  end if;
end
$$;

comment on function copied_terms(int8[], text, text, boolean) is 'The IRIs that copies have instead of the originals.';

-- Inserts the rows of copies.
--
--   parent  the document above the first
create or replace function add_copies(ids int8[], copies int8[], terms int8[], others int8[], parent document,
                                      now timestamptz) returns void
language plpgsql
set search_path from current
as $$
begin
  perform claim_iri(c.id) from (select * from unnest(copies) as c (id) order by c.id) as c;
  insert into document (id, parent, created, modified, is_access_point, has_member_relation, member_by, realm)
  select k.copy, coalesce(p.copy, parent.id), now, now, d.is_access_point,
         coalesce(r.other, d.has_member_relation),
         case when k.at > 1 then coalesce(m.other, d.member_by)
              when not parent.is_access_point then parent.has_member_relation end,
         parent.realm
    from unnest(ids, copies) with ordinality as k (id, copy, at)
    join document as d on d.id = k.id
    left join unnest(ids, copies) as p (id, copy) on p.id = d.parent
    left join unnest(terms, others) as r (id, other) on r.id = d.has_member_relation
    left join unnest(terms, others) as m (id, other) on m.id = d.member_by
   order by k.at;
  update quad as q -- graphs may contain memberships that are derived now: their rows become copies
     set copy = true
    from unnest(copies) as c (id)
    join document as d on d.id = c.id
   where q.s = d.parent and q.p = d.member_by and q.o = d.id and q.copy is null;
end
$$;

comment on function add_copies(int8[], int8[], int8[], int8[], document, timestamptz) is 'Inserts the rows of copies.';

-- Inserts the triples of copies.
--
--   terms, others  terms of the originals, and those that the copies have instead
--   now            the time of creation
--
-- If the document is copied alone, its access points and the triples that name them are not copied.
create or replace function put_copied_quads(ids int8[], copies int8[], terms int8[], others int8[], now timestamptz)
returns void
language plpgsql
set search_path from current
as $$
declare
  v_instant int8 := inline_instant(now);
  v         record;
begin
  select array_agg(k.copy) as g, array_agg(coalesce(s.other, q.s)) as s, array_agg(coalesce(p.other, q.p)) as p,
         array_agg(case when q.s = q.g and q.p in (platform_created(), platform_modified()) then v_instant
                        else coalesce(o.other, q.o) end) as o
    into v
    from unnest(ids, copies) as k (id, copy)
    join quad as q on q.g = k.id
    left join unnest(terms, others) as s (id, other) on s.id = q.s
    left join unnest(terms, others) as p (id, other) on p.id = q.p
    left join unnest(terms, others) as o (id, other) on o.id = q.o
   where q.s <> q.g or q.p <> platform_has_access_point() or o.id is not null;
  perform plan_for(cardinality(v.g));
  perform put_quads_of_graphs(v.g, v.s, v.p, v.o);
end
$$;

comment on function put_copied_quads(int8[], int8[], int8[], int8[], timestamptz) is 'Inserts the triples of copies.';
