-- Functions that serve SPARQL queries: facts for plans, cursors, and batches of terms, triples and graphs.

-- The graphs that contain triples, stored or derived. A triple that no graph contains gives no row.
--
--   n  position of the triple in the arrays, from 1
--   g  a graph that contains it, each once
create or replace function graphs_of_triples(subjects int8[], predicates int8[], objects int8[])
returns table (n int8, g int8)
language plpgsql stable
set search_path from current
as $$
begin
  return query
  with asked as materialized (select * from unnest(subjects, predicates, objects) with ordinality as a (s, p, o, n))
  select a.n, q.g from asked as a join quad as q on q.s = a.s and q.p = a.p and q.o = a.o and q.copy is null
  union
  select a.n, q.g from asked as a join quad as q on q.s = a.s and q.p = a.p and q.o = a.o and q.copy
  union
  select a.n, d.parent from asked as a join document as d on d.id = a.o and d.parent = a.s
   where a.p in (ldp_contains(), d.member_by);
end
$$;

comment on function graphs_of_triples(int8[], int8[], int8[]) is 'The graphs that contain triples, stored or derived.';

-- Terms of dictionary ids, up to a limit. Adds terms while those already added have fewer bytes than the limit, and
-- omits ids below 1000.
--
--   limit_bytes the limit for IRIs and lexical forms together, in UTF-8
--   term_ids    ids of the returned terms, in any order
--   term_texts  in the same order: IRI or lexical form
--   term_types  in the same order: datatype or '@' and language of a literal; null for strings and IRIs
create or replace function terms_up_to(ids int8[], limit_bytes int8, out term_ids int8[], out term_texts json,
                                       out term_types json)
language plpgsql stable parallel safe
set search_path from current
as $$
begin
  select array_agg(t.id), json_agg(t.lex), json_agg(coalesce('@' || t.lang, t.datatype))
    into term_ids, term_texts, term_types
    from (select t.*, sum(octet_length(t.lex)) over (rows between unbounded preceding and 1 preceding) as bytes
            from term as t
           where t.id = any (ids) and t.id >= 1000) as t
   where coalesce(t.bytes, 0) < limit_bytes;
end
$$;

comment on function terms_up_to(int8[], int8) is 'Terms of dictionary ids, up to a number of bytes.';

-- The terms of a short answer, for the statement that also returns its ids.
--
--   limit_bytes  as for terms_up_to
--   returns      the ids, texts and types of terms_up_to as an array; null if there are more than 200 ids
create or replace function terms_of_answer(ids int8[], limit_bytes int8) returns json
language plpgsql stable parallel safe
set search_path from current
as $$
begin
  if ids is null or cardinality(ids) > 200 then
    return null;
  end if;
  return (select json_build_array(t.term_ids::text[], t.term_texts, t.term_types)
            from terms_up_to(ids, limit_bytes) as t);
end
$$;

comment on function terms_of_answer(int8[], int8) is 'Terms of a short answer, if its ids are few.';

-- The documents among some ids, with their current revisions.
create or replace function revisions_of(ids int8[]) returns table (id int8, revision int8)
language plpgsql stable
set search_path from current
as $$
begin
  return query select d.id, d.revision from document as d where d.id = any (ids);
end
$$;

comment on function revisions_of(int8[]) is 'Documents among ids, with their revisions.';

-- The stored triples of some graphs.
create or replace function triples_of_graphs(graphs int8[]) returns table (g int8, s int8, p int8, o int8)
language plpgsql stable
set search_path from current
as $$
begin
  return query select q.g, q.s, q.p, q.o from quad as q where q.g = any (graphs) order by q.g;
end
$$;

comment on function triples_of_graphs(int8[]) is 'The stored triples of graphs, graph by graph.';

-- The relations of derived memberships. One index probe finds each.
create or replace function member_relations() returns int8[]
language plpgsql stable
set search_path from current
as $$
declare
  v_relations int8[] := '{}';
  v_next      int8 := (select min(d.member_by) from document as d where d.member_by is not null);
begin
  while v_next is not null loop
    v_relations := v_relations || v_next;
    v_next := (select min(d.member_by) from document as d where d.member_by > v_next);
  end loop;
  return v_relations;
end
$$;

comment on function member_relations() is 'The relations of derived memberships.';

-- The lowest and highest id of a predicate's objects in all graphs; null for none.
--
-- PostgreSQL inlines functions of this form into the calling query.
create or replace function object_extent(predicate int8) returns table (low int8, high int8)
language sql stable
begin atomic
  select least((select q.o from quad as q where q.p = predicate and q.copy is null order by q.p, q.o limit 1),
               (select q.o from quad as q where q.p = predicate and q.copy order by q.p, q.o limit 1)),
         greatest(
           (select q.o from quad as q where q.p = predicate and q.copy is null order by q.p desc, q.o desc limit 1),
           (select q.o from quad as q where q.p = predicate and q.copy order by q.p desc, q.o desc limit 1));
end;

comment on function object_extent(int8) is 'Lowest and highest id of a predicate''s objects.';

-- The highest negative and the lowest other id of a predicate's objects: between inline literals and other terms.
create or replace function object_gap(predicate int8) returns table (inline_high int8, stored_low int8)
language sql stable
begin atomic
  select greatest((select q.o from quad as q where q.p = predicate and q.o < 0 and q.copy is null
                    order by q.p desc, q.o desc limit 1),
                  (select q.o from quad as q where q.p = predicate and q.o < 0 and q.copy
                    order by q.p desc, q.o desc limit 1)),
         least((select q.o from quad as q where q.p = predicate and q.o >= 0 and q.copy is null
                 order by q.p, q.o limit 1),
               (select q.o from quad as q where q.p = predicate and q.o >= 0 and q.copy order by q.p, q.o limit 1));
end;

comment on function object_gap(int8) is 'Highest inline id and lowest other id of a predicate''s objects.';

create or replace function has_object_between(predicate int8, low int8, high int8) returns boolean
language sql stable
return exists (select from quad as q
                where q.p = predicate and q.copy is null
                  and q.o > has_object_between.low and q.o < has_object_between.high)
    or exists (select from quad as q
                where q.p = predicate and q.copy
                  and q.o > has_object_between.low and q.o < has_object_between.high);

comment on function has_object_between(int8, int8, int8) is 'Whether a predicate has an object between two ids.';

-- Whether a triple with one of some predicates is stored in two graphs. One index probe for each predicate finds it;
-- the order lets PostgreSQL use no other index.
create or replace function have_copies(predicates int8[]) returns boolean
language plpgsql stable parallel safe
set search_path from current
as $$
begin
  return exists (
    select from unnest(predicates) as u (p)
     where (select true from quad as q where q.p = u.p and q.copy order by q.p, q.o limit 1));
end
$$;

comment on function have_copies(int8[]) is 'Whether a triple with one of some predicates is stored in two graphs.';

-- The facts about the store that the plan of a query depends on.
--
--   keys           keys of the constants of the query
--   valued         positions in keys, from 1, of predicates whose objects the query compares, sorts or counts
--   by_graph       positions in keys of predicates whose triples the query reads graph by graph
--   has_documents  whether any document exists below the root; if not, there are no derived triples
--   relations      relations of derived memberships (member_relations)
--   ids            ids of the constants; null for those that are not stored
--   lows, highs    for each valued predicate, the lowest and highest ids of its objects, in two parts: inline literals
--                  and other terms. If there is one part, the second one is null; if there are none, both are
--   copied         for each predicate of by_graph, whether one of its triples is stored in two graphs
create or replace function sparql_facts(keys text[], valued int[], by_graph int[])
returns table (has_documents boolean, relations int8[], ids int8[], lows int8[], highs int8[], copied boolean[])
language plpgsql stable
set search_path from current
as $$
declare
  v_low  int8;
  v_high int8;
begin
  has_documents := exists (select from document as d where d.parent is not null);
  relations := member_relations();
  ids := case when cardinality(keys) > 0 then term_ids(keys) else '{}' end;
  for i in 1 .. cardinality(valued) loop
    select e.low, e.high into v_low, v_high from object_extent(ids[valued[i]]) as e;
    if v_low < 0 and v_high >= 0 then
      select lows || v_low || g.stored_low, highs || g.inline_high || v_high into lows, highs
        from object_gap(ids[valued[i]]) as g;
    else
      lows := lows || v_low || null::int8;
      highs := highs || v_high || null::int8;
    end if;
  end loop;
  for i in 1 .. cardinality(by_graph) loop
    copied := copied || have_copies(array[ids[by_graph[i]]]);
  end loop;
  return next;
end
$$;

comment on function sparql_facts(text[], int[], int[]) is 'Facts about the store that the plan of a query depends on.';

-- Whether the facts that a plan depends on still hold for a caller.
--
--   names                     dataset.names_revision: the constants have these ids
--   grantees                  grantees of the caller; null: it may read everything
--   realms                    the realms that the plan assumes the caller may read; null: all
--   has_documents, relations  as sparql_facts returned them
--   absent                    keys of the constants that were not stored
--   predicates, lows, highs   valued predicates, and the range of ids that the plan assumes for their objects; null for
--                             none. A predicate with two ranges is named twice, and the lower range comes first
--   uncopied                  predicates of which the plan assumes that each triple is stored in one graph only
create or replace function sparql_facts_hold(names int8, grantees text[], realms int8[], has_documents boolean,
                                             relations int8[], absent text[], predicates int8[], lows int8[],
                                             highs int8[], uncopied int8[])
returns boolean
language plpgsql stable parallel restricted
set search_path from current
as $$
declare
  v_first int;
  v_low   int8;
  v_high  int8;
begin
  -- One expression, because each costs about two microseconds. The last part compares `relations` with
  -- member_relations(): after each relation, and after 0, comes the next one.
  if (select d.names_revision from dataset as d where d.is_only) <> names
     or exists (select from document as d where d.parent is not null) <> has_documents
     or exists (select from unnest(0::int8 || relations, relations || null::int8) as r (relation, next)
                 where (select min(d.member_by) from document as d where d.member_by > r.relation)
                       is distinct from r.next) then
    return false;
  end if;
  if grantees is not null and granted_realms(grantees, 'read') is distinct from realms then
    return false;
  end if;
  for i in 1 .. cardinality(absent) loop
    if exists (select from term as t where t.hash = term_hash(absent[i])) then
      return false;
    end if;
  end loop;
  for i in 1 .. cardinality(predicates) loop
    continue when predicates[i + 1] = predicates[i];
    v_first := case when predicates[i - 1] = predicates[i] then i - 1 else i end;
    select e.low, e.high into v_low, v_high from object_extent(predicates[i]) as e;
    if v_low is not null and (v_low >= lows[v_first] and v_high <= highs[i]) is not true
       or v_low is null and lows[i] is not null
       or v_first < i and has_object_between(predicates[i], highs[v_first], lows[i]) then
      return false;
    end if;
  end loop;
  return cardinality(uncopied) = 0 or not have_copies(uncopied);
end
$$;

comment on function sparql_facts_hold(int8, text[], int8[], boolean, int8[], text[], int8[], int8[], int8[], int8[]) is
  'Whether the facts that a plan depends on still hold.';

-- Raises the error that ends a message whose plan depends on facts that no longer hold. Clients never see it.
create or replace function sparql_outdated() returns boolean
language plpgsql
as $$
begin
  raise exception 'the facts of the plan no longer hold' using errcode = 'QSOLD';
end
$$;

comment on function sparql_outdated() is 'Raises an error: the facts of a plan no longer hold.';

-- Opens a cursor for a query. PostgreSQL plans the query here, for these values of the parameters.
--
--   query      may refer to the array of parameters as $1
--   is_walked  whether the query reads its rows in the order of an index and joins by probes only; the plan does not
--              sort
--
-- Nested loops are disabled. Lateral probes use them anyway, because they have no other join method. In other joins
-- PostgreSQL would compare all pairs if it expected only one row. Before version 18 PostgreSQL adds a large cost for
-- each disabled node instead of counting it. Beside that cost the rest of the plan weighs little, which delays first
-- rows. In these versions nested loops therefore stay enabled for walks.
--
-- Merge joins are disabled, too. In a recursive query PostgreSQL would sort the same triples for each step, where it
-- keeps a hash table for all steps.
create or replace function sparql_open(query text, parameters text[], is_walked boolean, cursor_name text) returns void
language plpgsql
as $$
declare
  v_solution refcursor := cursor_name;
  v_sort constant text := current_setting('enable_sort');
  v_nestloop constant text := current_setting('enable_nestloop');
  v_mergejoin constant text := current_setting('enable_mergejoin');
begin
  if current_setting('server_version_num')::int >= 180000 or not is_walked then
    perform set_config('enable_nestloop', 'off', true);
  end if;
  if is_walked then
    perform set_config('enable_sort', 'off', true);
  end if;
  perform set_config('enable_mergejoin', 'off', true);
  open v_solution no scroll for execute query using parameters;
  perform set_config('enable_nestloop', v_nestloop, true);
  perform set_config('enable_mergejoin', v_mergejoin, true);
  if is_walked then
    perform set_config('enable_sort', v_sort, true);
  end if;
end
$$;

comment on function sparql_open(text, text[], boolean, text) is 'Opens a cursor for a query.';

-- sparql_open, if the facts that the plan depends on still hold. Otherwise opens a cursor without rows and returns
-- false.
create or replace function sparql_open_if(names int8, grantees text[], realms int8[], has_documents boolean,
                                          relations int8[], absent text[], predicates int8[], lows int8[],
                                          highs int8[], uncopied int8[], query text, parameters text[],
                                          is_walked boolean, cursor_name text) returns boolean
language plpgsql
set search_path from current
as $$
declare
  v_none refcursor := cursor_name;
begin
  if not sparql_facts_hold(names, grantees, realms, has_documents, relations, absent, predicates, lows, highs,
                           uncopied) then
    open v_none no scroll for select where false;
    return false;
  end if;
  perform sparql_open(query, parameters, is_walked, cursor_name);
  return true;
end
$$;

comment on function sparql_open_if(int8, text[], int8[], boolean, int8[], text[], int8[], int8[], int8[], int8[], text,
  text[], boolean, text) is
  'Opens a cursor for a query, if the facts that its plan depends on still hold.';
