-- Reads documents. Nothing here writes.
--
-- A graph is returned as three arrays of ids, for subjects, predicates and objects, and the dictionary's entries for
-- these ids: term_ids and, in the same order, term_texts, each an IRI or [lexical form, datatype or null, language or
-- null]. Terms with ids below 1000 are omitted: every client knows them (vocabulary()). Node builds a document from ids
-- two to three times faster than from one JSON row per triple.
--
-- The last argument of each function is the caller (functions/access/access.sql). Null permits everything.

-- Documents with their triples and, on request, a page of their children and members.
--
-- The arrays are parallel. A shorter one, or null, has nulls at its end.
--
--   known         for each document an array of entity tags that the client has, as text ('{12,15}'). If the current
--                 one is among them, the triples are omitted
--   quad_limits   the triples of a larger document are omitted (open_graph reads these); null: no limit
--   listed_after  list the children, and the members of an access point, whose ids are greater than this; null: 0
--   page_sizes    list at most this many of each; null or 0: none
--   callers       for each document the caller who asks
--   returns       one row per document, in order. Its id is null if there is no such document, or if its caller may not
--                 read it; has_document says which. The first row has the dictionary entries of all documents.
--                 own_modes and public_modes are null if the caller is permitted everything
--
-- One statement has one snapshot, so each tag and its triples belong to one state. The subqueries are lateral, so that
-- each uses an index whatever the planner estimates. Because of its limit, access_modes is not called without grantees.
create or replace function read_documents(iris text[], known text[] default null, quad_limits int[] default null,
                                          listed_after int8[] default null, page_sizes int[] default null,
                                          callers caller[] default null)
returns setof document_state
language plpgsql stable
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
begin
  return query
    with state as materialized (
      select a.n, d.id, d.revision::text as etag, d.created, d.modified, d.is_access_point, g.s, g.p, g.o,
             case when a.page_size > 0 then children_page(d.id, coalesce(a.after, 0), a.page_size) end as children,
             -- The members are in the graph of the container document.
             case when a.page_size > 0 and d.is_access_point
                       and (a.grantees is null or is_in_realms(d.parent, granted_realms(a.grantees, 'read')))
                  then members_page(d.id, coalesce(a.after, 0), a.page_size) end as members,
             m.own, m.everybody
        from unnest(iris, known, quad_limits, listed_after, page_sizes, callers) with ordinality
               as a (iri, known, quad_limit, after, page_size, grantees, is_hidden, agent, request_id, is_audited, n)
        left join lateral (
          select * from access_modes(a.iri, a.grantees) where a.grantees is not null limit 1) as m on true
        left join lateral (
          select d.*, d.revision::text = any (a.known::text[]) is not true as is_asked
            from term as t
            join document as d on d.id = t.id
           where t.hash = term_hash('I' || a.iri) and (a.grantees is null or 'read' = any (m.own))) as d on true
        left join lateral (
          select array_agg(q.s) as s, array_agg(q.p) as p, array_agg(q.o) as o
            from (select q.s, q.p, q.o
                    from (select q.s, q.p, q.o from quad as q
                           where q.g = case when d.is_asked then d.id end
                           limit a.quad_limit + 1) as q
                   order by q.s <> d.id, q.s, q.p, q.o) as q
          having count(*) > a.quad_limit is not true) as g on true),
    entries as (
      select * from terms_of(array(select unnest(s.s || s.p || s.o) from state as s)) as t (ids, texts))
    select s.id, s.etag, s.created, s.modified, s.is_access_point, s.s, s.p, s.o,
           case when s.n = 1 then (select e.ids from entries as e) end,
           case when s.n = 1 then (select e.texts from entries as e) end,
           s.children, s.members, s.own, s.everybody
      from state as s
     order by s.n;
end
$$;

comment on function read_documents(text[], text[], int[], int8[], int[], caller[]) is
  'Documents with their triples and a page of their children and members; the first row has the terms of all.';

-- A document that this transaction has just written, by its id. Volatile, so that it sees the write.
create or replace function read_written(id int8, quad_limit int) returns setof document_state
language plpgsql
security definer
set search_path from current
as $$
begin
  return query
    select d.* from read_documents(array(select t.lex from term as t where t.id = read_written.id), null,
                                   array[quad_limit]) as d;
end
$$;

comment on function read_written(int8, int) is 'State of a document that the running statement has written.';

-- The dictionary entries for ids.
create or replace function terms_of(ids int8[], out term_ids int8[], out term_texts json)
language plpgsql stable
set search_path from current
as $$
begin
  select array_agg(t.id), json_agg(case when t.id < first_literal() then to_json(t.lex)
                                        else json_build_array(t.lex, t.datatype, t.lang) end)
    into term_ids, term_texts
    from term as t
   where t.id = any (ids) and t.id >= 1000;
end
$$;

comment on function terms_of(int8[]) is 'Dictionary entries for ids, without ids below 1000.';

-- The terms with ids below 1000. Clients read them once.
create or replace function vocabulary() returns table (id int8, iri text)
language plpgsql stable
set search_path from current
as $$
begin
  return query select t.id, t.lex from term as t where t.id < 1000 order by t.id;
end
$$;

comment on function vocabulary() is 'The service''s own terms, whose ids are fixed.';

-- A page of children in the order of their ids, as JSON: [[id, IRI, is access point, IRI of the relation under which it
-- is a member, or null], …].
--
-- The condition is a range of (parent, id) instead of parent = …, so that PostgreSQL uses the index on both columns.
-- With an equality, the primary key gives the same order. The planner chose it in a store of few large containers, and
-- read all documents after the last child.
create or replace function children_page(parent int8, after int8, page_size int) returns json
language plpgsql stable
set search_path from current
as $$
begin
  return (select json_agg(json_build_array(c.id::text, t.lex, c.is_access_point, r.lex) order by c.id)
            from (select * from document as d
                   where (d.parent, d.id) > (children_page.parent, after) and d.parent <= children_page.parent
                   order by d.parent, d.id
                   limit page_size) as c
            join term as t on t.id = c.id
            left join term as r on r.id = c.member_by);
end
$$;

comment on function children_page(int8, int8, int) is 'A page of a document''s children, as JSON.';

-- Whether there is a document with this IRI. Also true for a caller who may not read it, and who must not learn whether
-- it is missing. False if it is hidden from the caller.
--
--   need    mode without which the caller is refused
--   raises  QS401 authentication-required · QS403 access-granted
create or replace function has_document(iri text, need text default 'read', caller caller default null) returns boolean
language plpgsql stable
set search_path from current
as $$
declare
  v_modes text[]; -- of the caller; null: all
begin
  if caller.grantees is not null then
    v_modes := (select m.own from access_modes(iri, caller.grantees) as m);
    if not has_modes(v_modes, array[need]) then
      if caller.is_hidden and not 'read' = any (v_modes) then
        return false;
      end if;
      perform raise_refused(iri, array[need], caller.grantees);
    end if;
  end if;
  return 'read' = any (v_modes) is false
         or exists (select from term as t join document as d on d.id = t.id where t.hash = term_hash('I' || iri));
end
$$;

comment on function has_document(text, text, caller) is
  'Whether there is a document with this IRI, or the caller may not learn that there is none.';
