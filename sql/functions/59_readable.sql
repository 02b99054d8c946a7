-- Reads documents for a caller who may not read everything: the functions of 55_read.sql and 58_page.sql, without
-- contents of graphs that the caller may not read. Callers check access to the document itself before (require_access).

-- read_document, without the members if the caller may not read the container document, whose graph contains them; and
-- the modes of the caller and of everybody on the document (WAC-Allow).
create or replace function read_document_for(iri text, known text[], quad_limit int, children_after int8, page_size int,
                                             grantees text[], out state document_state, out own_modes text[],
                                             out public_modes text[])
language plpgsql stable
set search_path from current
as $$
declare
  v_container int8;
begin
  state := read_document(iri, known, quad_limit, children_after, page_size);
  if state.members is not null then
    v_container := (select d.parent from document as d where d.id = state.id);
    if not is_in_realms(v_container, granted_realms(grantees, 'read')) then
      state.members := null;
    end if;
  end if;
  select m.own, m.everybody into own_modes, public_modes from access_modes(iri, grantees) as m;
end
$$;

comment on function read_document_for(text, text[], int, int8, int, text[]) is
  'A document as a caller may read it, with a page of children and members.';

-- Whether a document exists, as far as the caller may know. True for a caller who may not read it, and who must not
-- learn that it is missing. Such a caller may still have other modes on it, such as create.
create or replace function has_document_for(iri text, grantees text[]) returns boolean
language plpgsql stable
set search_path from current
as $$
begin
  return has_document(iri) or not has_access(iri, '{read}', grantees);
end
$$;

comment on function has_document_for(text, text[]) is
  'Whether a document exists, or the caller may not learn that it does not.';

-- check_precondition for a caller who may read the document. For others it does nothing.
create or replace function check_precondition_for(iri text, if_match text[], if_none_match text[],
                                                  if_unmodified_since timestamptz, grantees text[]) returns void
language plpgsql stable
set search_path from current
as $$
begin
  if has_access(iri, '{read}', grantees) then
    perform check_precondition(iri, if_match, if_none_match, if_unmodified_since);
  end if;
end
$$;

comment on function check_precondition_for(text, text[], text[], timestamptz, text[]) is
  'Existence and preconditions of a document, without a write, for a caller who may read it.';

-- read_documents for several callers, with the modes of the caller and of everybody on each document. A document that
-- its caller may not read has a null id.
--
--   callers  for each IRI the caller's array of grantees, as text
create or replace function read_documents_for(iris text[], callers text[], known text[], quad_limits int[])
returns table (id int8, etag text, created timestamptz, modified timestamptz, is_access_point boolean,
               subjects int8[], predicates int8[], objects int8[], term_ids int8[], term_texts json,
               own_modes text[], public_modes text[])
language plpgsql stable
set search_path from current
as $$
declare
  v_own      text[] := '{}'; -- for each document the text of an array
  v_public   text[] := '{}';
  v_readable text[] := '{}';
  v_modes    record;
begin
  for i in 1 .. cardinality(iris) loop
    v_modes := access_modes(iris[i], callers[i]::text[]);
    v_own := v_own || v_modes.own::text;
    v_public := v_public || v_modes.everybody::text;
    v_readable := v_readable || case when 'read' = any (v_modes.own) then iris[i] end;
  end loop;
  return query
    select d.id, d.etag, d.created, d.modified, d.is_access_point, d.subjects, d.predicates, d.objects, d.term_ids,
           d.term_texts, v_own[d.n]::text[], v_public[d.n]::text[]
      from read_documents(v_readable, known, quad_limits) with ordinality
        as d (id, etag, created, modified, is_access_point, subjects, predicates, objects, term_ids, term_texts, n);
end
$$;

comment on function read_documents_for(text[], text[], text[], int[]) is
  'Several documents, as their callers may read them.';

-- read_page for a caller, with the modes of the caller and of everybody on the document.
create or replace function read_page_for(iri text, quad_limit int, children_after int8, page_size int, count_limit int,
                                         mention_limit int, grantees text[], out state document_state,
                                         out child_count int, out points json, out mentions json,
                                         out own_modes text[], out public_modes text[])
language plpgsql stable
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
  v_page  record := read_page(iri, quad_limit, children_after, page_size, count_limit, mention_limit);
  v_realms int8[] := granted_realms(grantees, 'read');
begin
  state := v_page.state;
  child_count := v_page.child_count;
  points := v_page.points;
  mentions := v_page.mentions;
  select m.own, m.everybody into own_modes, public_modes from access_modes(iri, grantees) as m;
  if state.id is null or v_realms is null then
    return;
  end if;
  if not is_in_realms((select d.parent from document as d where d.id = state.id), v_realms) then
    state.members := null;
  end if;
  points := (select json_agg(p.point order by p.n)
               from json_array_elements(points) with ordinality as p (point, n)
               join term as t on t.hash = term_hash('I' || (p.point ->> 0))
              where is_in_realms(t.id, v_realms)); -- hides the relations of isolated ones
  select json_agg(json_build_array(g.lex, coalesce(s.lex, '_:qs' || q.s - first_blank_node()), p.lex)) into mentions
    from (select q.g, q.s, q.p from quad as q
           where q.o = state.id and q.o between 1 and 2305843009213693951 and q.g <> state.id
             and is_in_realms(q.g, v_realms)
           limit mention_limit) as q
    join term as g on g.id = q.g
    join term as p on p.id = q.p
    left join term as s on s.id = q.s;
end
$$;

comment on function read_page_for(text, int, int8, int, int, int, text[]) is
  'What a document''s page shows to a caller who may not read everything.';

-- labels_of, from the graphs that a caller may read.
create or replace function labels_for(iris text[], properties text[], languages text[], grantees text[]) returns json
language plpgsql stable
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
  v_realms     int8[] := granted_realms(grantees, 'read');
  v_properties int8[] := array(
    select t.id from unnest(properties) with ordinality as p (iri, n)
      join term as t on t.hash = term_hash('I' || p.iri)
     order by p.n);
begin
  if v_realms is null then
    return labels_of(iris, properties, languages);
  end if;
  return (
    select json_object_agg(i.iri, best.label)
      from unnest(iris) as i (iri)
      join term as t on t.hash = term_hash('I' || i.iri)
     cross join lateral (
       select left(v.lex, 200) as label
         from ((select q.p, q.o from quad as q
                 where q.s = t.id and q.p = any (v_properties) and q.copy is null and q.o >= first_literal()
                   and is_in_realms(q.g, v_realms)
                 limit 50)
               union all
               (select q.p, q.o from quad as q
                 where q.s = t.id and q.p = any (v_properties) and q.copy and q.o >= first_literal()
                   and is_in_realms(q.g, v_realms)
                 limit 50)) as q
         join term as v on v.id = q.o
        where v.lex <> ''
        order by coalesce(array_position(languages, split_part(lower(coalesce(v.lang, '')), '-', 1)), 1000),
                 array_position(v_properties, q.p), v.lex
        limit 1) as best);
end
$$;

comment on function labels_for(text[], text[], text[], text[]) is 'Labels of IRIs that a caller may read, as JSON.';

-- triples_of_subjects, from the graphs in some realms.
create or replace function triples_of_subjects_in(subjects int8[], graphs int8[], realms int8[])
returns table (s int8, p int8, o int8)
language plpgsql stable
set search_path from current
as $$
begin
  return query
  with held as (
    select q.g, q.s, q.p, q.o from quad as q where q.s = any (subjects) and q.copy is null
    union all
    select q.g, q.s, q.p, q.o from quad as q where q.s = any (subjects) and q.copy
    union all
    select d.parent, d.parent, ldp_contains(), d.id from document as d where d.parent = any (subjects)
    union all
    select d.parent, d.parent, d.member_by, d.id from document as d
     where d.parent = any (subjects) and d.member_by is not null)
  select distinct h.s, h.p, h.o
    from held as h
   where is_in_realms(h.g, realms) and (graphs is null or h.g = any (graphs));
end
$$;

comment on function triples_of_subjects_in(int8[], int8[], int8[]) is
  'Triples with some subjects in the graphs of some realms, each once.';
