-- Reads documents. Nothing here writes.
--
-- A graph is returned as three arrays of ids, for subjects, predicates and objects, and one JSON object with the terms
-- of the dictionary: id to IRI, or to [lexical form, datatype, language]. Terms with ids below 1000 are omitted: every
-- client knows them (vocabulary()). Node builds a document from ids two to three times faster than from one JSON row
-- per triple.

-- A document with its triples. Without them if there are more than quad_limit (open_graph reads these).
--
--   known           entity tags that the client has; if the current one is among them, the triples are omitted
--   children_after  list the children whose ids are greater than this
--   page_size       list at most this many children; 0: none
--   returns         one row; its id is null if there is no such document
--
-- The function is stable, so that its statements share one snapshot: tag and triples belong to one state.
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
  'A document''s state, its triples and, on request, a page of its children.';

-- A document that this transaction has just written, by its id. Volatile, so that it sees the write.
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

-- Adds the triples to a document's state, unless there are more than the limit. Those about the document come first.
--
-- Must be stable: a volatile function would use a later snapshot than that of the entity tag.
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

-- The dictionary terms among ids, as JSON: {"<id>": "<IRI>" | [lexical form, datatype or null, language or null]}.
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

comment on function terms_of(int8[]) is 'Dictionary terms among ids as one JSON object, without ids below 1000.';

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
