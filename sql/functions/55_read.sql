-- Reading documents. Nothing here writes.
--
-- A graph comes back as ids, subject, predicate and object apart, and the dictionary's part of them as one JSON
-- object: id to IRI, or to [lexical form, datatype, language]. Terms with ids below 1000 are left out: every client
-- knows them (vocabulary()). Ids rather than text, because Node builds a document from them two to three times
-- faster than from one JSON row a triple.

-- A document, whole or, when it holds more than quad_limit triples, without them (graph_quads streams those).
--
--   known          entity tags the client holds; when the document has one of them, its triples are left out
--   page_size      0 lists no children; otherwise children are those after the id children_after, at most so many
--   returns        one row; id is null when there is no such document
--
-- Stable, so that its statements share one snapshot: the tag and the triples are of one state.
create or replace function read_document(iri text, known text[], quad_limit int, children_after int8, page_size int)
returns document_state
language plpgsql stable
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
  v_state document_state;
begin
  select d.id, d.revision, d.created, d.modified, d.is_access_point
    into v_state.id, v_state.etag, v_state.created, v_state.modified, v_state.is_access_point
    from term as t
    join document as d on d.id = t.id
   where t.hash = term_hash('I' || iri);

  if v_state.id is not null and not (v_state.etag = any (known)) is true then
    v_state := with_graph(v_state, quad_limit);
  end if;
  if page_size > 0 and v_state.id is not null then
    v_state.children := children_page(v_state.id, children_after, page_size);
    if v_state.is_access_point then
      v_state.members := members_page(v_state.id, children_after, page_size);
    end if;
  end if;
  return v_state;
end
$$;

comment on function read_document(text, text[], int, int8, int) is
  'A document''s state, triples and, when asked, a page of its children.';

-- The same, by id, for a document that this transaction has just written: volatile, so that it sees the write.
create or replace function read_written(id int8, quad_limit int) returns document_state
language plpgsql
security definer
set search_path from current
as $$
declare
  v_state document_state;
begin
  select d.id, d.revision, d.created, d.modified, d.is_access_point
    into v_state.id, v_state.etag, v_state.created, v_state.modified, v_state.is_access_point
    from document as d
   where d.id = read_written.id;
  return with_graph(v_state, quad_limit);
end
$$;

comment on function read_written(int8, int) is 'State of a document that the running statement has written.';

-- A state with its triples, the document's own first, unless there are more than the limit.
--
-- Stable, or it would take a snapshot of its own, later than the tag's.
create or replace function with_graph(state document_state, quad_limit int) returns document_state
language plpgsql stable
set search_path from current
as $$
begin
  select array_agg(q.s), array_agg(q.p), array_agg(q.o)
    into state.subjects, state.predicates, state.objects
    from (select q.s, q.p, q.o
            from (select q.s, q.p, q.o from quad as q where q.g = state.id limit quad_limit + 1) as q
           order by q.s <> state.id, q.s, q.p, q.o) as q;

  if cardinality(state.subjects) > quad_limit then
    state.subjects := null;
    state.predicates := null;
    state.objects := null;
  else
    state.terms := terms_of(state.subjects || state.predicates || state.objects);
  end if;
  return state;
end
$$;

comment on function with_graph(document_state, int) is
  'A document''s state with its triples, unless there are more than the limit.';

-- The dictionary's part of some ids, as JSON: {"<id>": "<IRI>" | [lexical form, datatype or null, language or null]}.
create or replace function terms_of(ids int8[]) returns json
language plpgsql stable
set search_path from current
as $$
begin
  return (select json_object_agg(t.id, case when t.id < first_literal() then to_json(t.lex)
                                            else json_build_array(t.lex, t.datatype, t.lang) end)
            from term as t
           where t.id = any (ids) and t.id >= 1000);
end
$$;

comment on function terms_of(int8[]) is 'Terms of dictionary ids as one JSON object; ids below 1000 are left out.';

-- The terms with ids below 1000, which readers of ids keep at hand.
create or replace function vocabulary() returns table (id int8, iri text)
language plpgsql stable
set search_path from current
as $$
begin
  return query select t.id, t.lex from term as t where t.id < 1000 order by t.id;
end
$$;

comment on function vocabulary() is 'The service''s own terms, whose ids are fixed.';

-- A page of children in the order of their ids, as JSON: [[id, IRI, is access point, IRI of the relation it is a
-- member by or null], …].
--
-- Said as a range of (parent, id), not as parent = …, pages are read by the index that has both. With the parent alone
-- the order is that of the primary key, too; among few large containers the planner took that, and read all documents
-- behind the last child.
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

-- Whether there is a document with this IRI.
create or replace function has_document(iri text) returns boolean
language plpgsql stable
set search_path from current
as $$
begin
  return exists (select from term as t join document as d on d.id = t.id where t.hash = term_hash('I' || iri));
end
$$;

comment on function has_document(text) is 'Whether there is a document with this IRI.';
