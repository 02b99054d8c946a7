-- Reads several documents with one statement, for requests that arrive together. Nothing here writes.

-- Documents with their triples. A document is without triples if it has more than its limit, or the client has them.
--
--   known        for each document an array of entity tags that the client has, as text ('{12,15}'), or null
--   quad_limits  for each document
--   returns      one row per document, in order; its id is null if there is no such document. The first row has the
--                dictionary terms of all documents: term_ids and, in the same order, term_texts, each an IRI or
--                [lexical form, datatype or null, language or null]. Ids below 1000 are omitted.
--
-- One statement has one snapshot, so each tag and its triples belong to one state. The subqueries are lateral, so that
-- each uses an index whatever the planner estimates.
create or replace function read_documents(iris text[], known text[], quad_limits int[])
returns table (id int8, etag text, created timestamptz, modified timestamptz, is_access_point boolean,
               subjects int8[], predicates int8[], objects int8[], term_ids int8[], term_texts json)
language plpgsql stable
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
begin
  return query
    with state as materialized (
      select a.n, d.id, d.revision::text as etag, d.created, d.modified, d.is_access_point, g.s, g.p, g.o
        from unnest(iris, known, quad_limits) with ordinality as a (iri, known, quad_limit, n)
        left join lateral (
          select d.*, d.revision::text = any (a.known::text[]) is not true as is_asked
            from term as t
            join document as d on d.id = t.id
           where t.hash = term_hash('I' || a.iri)) as d on true
        left join lateral (
         select array_agg(q.s) as s, array_agg(q.p) as p, array_agg(q.o) as o
           from (select q.s, q.p, q.o
                   from (select q.s, q.p, q.o from quad as q
                          where q.g = case when d.is_asked then d.id end
                          limit a.quad_limit + 1) as q
                  order by q.s <> d.id, q.s, q.p, q.o) as q
         having count(*) <= a.quad_limit) as g on true),
    term_part as (
      select array_agg(t.id) as ids,
             json_agg(case when t.id < 2305843009213693952 then to_json(t.lex)
                           else json_build_array(t.lex, t.datatype, t.lang) end) as texts
        from term as t
       where t.id = any (array(select unnest(s.s || s.p || s.o) from state as s union select 0)) and t.id >= 1000)
    select s.id, s.etag, s.created, s.modified, s.is_access_point, s.s, s.p, s.o,
           case when s.n = 1 then (select t.ids from term_part as t) end,
           case when s.n = 1 then (select t.texts from term_part as t) end
      from state as s
     order by s.n;
end
$$;

comment on function read_documents(text[], text[], int[]) is
  'Several documents with one statement; the first row has the terms of all.';
