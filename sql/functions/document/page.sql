-- Reads what the HTML page of a document shows. Nothing here writes. The cost of each function is bounded, whatever the
-- size of document and store.
--
-- The last argument of a function is the caller (functions/access/access.sql). Null permits everything. Other callers
-- are refused if they may not read the document, and see nothing of graphs that they may not read.

-- A document with its surroundings.
--
--   quad_limit   of a document with more triples only a part is read: the first values of each property (value_limit,
--                property_limit), and other subjects (other_limit)
--   page_size    children, and members of an access point, whose ids are greater than children_after
--   state        row of read_documents; its id is null if there is no such document
--   is_part      whether the triples are a part of the document
--   child_count  number of children, at most count_limit
--   points       its access points: [[IRI, IRI of the member relation, IRI of the inverse or null], …]
--   mentions     triples of other documents with this one as object: [[document, subject, predicate], …], with the
--                labels of blank nodes
--   raises       QS401 authentication-required · QS403 access-granted · QS404 document-exists, if it is hidden
create or replace function read_page(iri text, children_after int8, page_size int, count_limit int, mention_limit int,
                                     quad_limit int, value_limit int, property_limit int, other_limit int,
                                     caller caller default null, out state document_state, out is_part boolean,
                                     out child_count int, out points json, out mentions json)
language plpgsql stable
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
  v_realms int8[]; -- realms that the caller may read; null: all
begin
  if caller.grantees is not null then
    perform require_access(iri, '{read}', caller);
    v_realms := granted_realms(caller.grantees, 'read');
  end if;
  state := read_documents(array[iri], null, array[quad_limit], array[children_after], array[page_size], array[caller]);
  if state.id is null then
    return;
  end if;
  is_part := state.subjects is null;
  if is_part then
    select h.subjects, h.predicates, h.objects, t.term_ids, t.term_texts
      into state.subjects, state.predicates, state.objects, state.term_ids, state.term_texts
      from property_heads(state.id, value_limit, property_limit, other_limit) as h,
           terms_of(h.subjects || h.predicates || h.objects) as t;
  end if;
  select count(*) into child_count
    from (select from document as d where d.parent = state.id limit count_limit) as counted;

  select json_agg(json_build_array(t.lex, r.lex, i.lex) order by d.id) into points
    from (select q.o from quad as q
           where q.s = state.id and q.p = platform_has_access_point() and q.copy is null
           order by q.s, q.p, q.o
           limit page_size) as q
    join document as d on d.id = q.o and d.parent = state.id and d.is_access_point
    join term as t on t.id = d.id
    join term as r on r.id = d.has_member_relation
    left join term as i on i.id = inverse_relation(d.id)
   where v_realms is null or is_in_realms(d.id, v_realms); -- hides the relations of isolated ones

  select json_agg(json_build_array(g.lex, coalesce(s.lex, '_:qs' || q.s - first_blank_node()), p.lex)) into mentions
    from ((select q.g, q.s, q.p from quad as q
            where q.o = state.id and q.o between 1 and 2305843009213693951 and q.copy is null and q.g <> state.id
              and (v_realms is null or is_in_realms(q.g, v_realms))
            limit mention_limit)
          union all -- copies, because their primary row may be in a graph that the caller may not read
          (select q.g, q.s, q.p from quad as q
            where v_realms is not null
              and q.o = state.id and q.o between 1 and 2305843009213693951 and q.copy and q.g <> state.id
              and is_in_realms(q.g, v_realms)
            limit mention_limit)
          limit mention_limit) as q
    join term as g on g.id = q.g
    join term as p on p.id = q.p
    left join term as s on s.id = q.s;
end
$$;

comment on function read_page(text, int8, int, int, int, int, int, int, int, caller) is
  'State, children, access points and mentions of a document for its page, each bounded.';

-- A part of a document that is too large to show: the first values of each of its properties, and some triples about
-- other subjects.
--
--   value_limit     values of one property; returns one more if there are more
--   property_limit  number of properties
--   other_limit     number of triples to search for other subjects
create or replace function property_heads(document int8, value_limit int, property_limit int, other_limit int,
                                          out subjects int8[], out predicates int8[], out objects int8[])
language plpgsql stable
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
  v_property int8;
  v_values   int8[];
begin
  subjects := '{}';
  predicates := '{}';
  objects := '{}';
  for n in 1 .. property_limit loop -- one index probe per property, whatever its number of values
    v_property := (select min(q.p) from quad as q
                    where q.s = document and q.copy is null and q.p > coalesce(v_property, 0));
    exit when v_property is null;
    v_values := property_values(document, v_property, null, value_limit + 1);
    predicates := predicates || array_fill(v_property, array[cardinality(v_values)]);
    objects := objects || v_values;
  end loop;
  subjects := array_fill(document, array[cardinality(objects)]);

  select subjects || coalesce(array_agg(q.s), '{}'), predicates || coalesce(array_agg(q.p), '{}'),
         objects || coalesce(array_agg(q.o), '{}')
    into subjects, predicates, objects
    from (select q.s, q.p, q.o
            from (select q.s, q.p, q.o from quad as q where q.g = document limit other_limit) as q
           where q.s <> document
           order by q.s, q.p, q.o) as q;
end
$$;

comment on function property_heads(int8, int, int, int) is
  'First values of each property of a document that is too large to show.';

-- A page of the values that a document has for a property in its own graph, in the order of their ids.
--
--   after  last id of the previous page; null for the first page
create or replace function property_values(document int8, property int8, after int8, page_size int) returns int8[]
language plpgsql stable
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
begin
  return array(
    select v.o
      from ((select q.o from quad as q
              where q.s = document and q.p = property and q.copy is null and q.g = document
                and q.o > coalesce(after, -9223372036854775808)
              order by q.s, q.p, q.o
              limit page_size)
            union
            (select q.o from quad as q
              where q.s = document and q.p = property and q.copy and q.g = document
                and q.o > coalesce(after, -9223372036854775808)
              order by q.s, q.p, q.o
              limit page_size)) as v
     order by v.o
     limit page_size);
end
$$;

comment on function property_values(int8, int8, int8, int) is 'A page of a property''s values, as ids in order.';

-- property_values by IRIs, as a graph, with the document's entity tag, which is null if there is no such document.
create or replace function values_page(iri text, property text, after int8, page_size int,
                                       caller caller default null, out etag text, out subjects int8[],
                                       out predicates int8[], out objects int8[], out term_ids int8[],
                                       out term_texts json)
language plpgsql stable
set search_path from current
as $$
declare
  v_document int8;
  v_property int8 := (select t.id from term as t where t.hash = term_hash('I' || property));
begin
  if caller.grantees is not null then
    perform require_access(iri, '{read}', caller);
  end if;
  select d.id, d.revision::text into v_document, etag
    from term as t
    join document as d on d.id = t.id
   where t.hash = term_hash('I' || iri);
  objects := case when v_document is null or v_property is null then '{}'
                  else property_values(v_document, v_property, after, page_size) end;
  subjects := array_fill(v_document, array[cardinality(objects)]);
  predicates := array_fill(v_property, array[cardinality(objects)]);
  select t.term_ids, t.term_texts into term_ids, term_texts from terms_of(subjects || predicates || objects) as t;
end
$$;

comment on function values_page(text, text, int8, int, caller) is
  'A page of the values that a document has for a property.';

-- A page of the triples about one subject in a document's graph, in the order of properties and values; and the
-- document's entity tag, which is null if there is no such document.
--
--   from_property                 property with which the first page begins; null: the first property
--   after_property, after_object  last triple of the previous page; null for the first page
--   before                        [property, object] after which the previous page begins; null: that is the first page
create or replace function subject_page(iri text, subject text, from_property text, after_property int8,
                                        after_object int8, page_size int, caller caller default null,
                                        out etag text, out subjects int8[], out predicates int8[], out objects int8[],
                                        out term_ids int8[], out term_texts json, out before text[])
language plpgsql stable
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
  v_document int8;
  v_subject  int8 := (select t.id from term as t where t.hash = term_hash('I' || subject));
  v_property int8 := coalesce(after_property,
                              (select t.id from term as t where t.hash = term_hash('I' || from_property)));
  v_object   int8 := coalesce(after_object, -9223372036854775808);
begin
  if caller.grantees is not null then
    perform require_access(iri, '{read}', caller);
  end if;
  select d.id, d.revision::text into v_document, etag
    from term as t
    join document as d on d.id = t.id
   where t.hash = term_hash('I' || iri);
  select coalesce(array_agg(v_subject), '{}'), coalesce(array_agg(page.p), '{}'), coalesce(array_agg(page.o), '{}')
    into subjects, predicates, objects
    from (select both_kinds.p, both_kinds.o
            from ((select q.p, q.o from quad as q
                    where q.s = v_subject and q.copy is null and q.g = v_document
                      and (q.p, q.o) > (coalesce(v_property, 0), v_object)
                    order by q.s, q.p, q.o limit page_size)
                  union
                  (select q.p, q.o from quad as q
                    where q.s = v_subject and q.copy and q.g = v_document
                      and (q.p, q.o) > (coalesce(v_property, 0), v_object)
                    order by q.s, q.p, q.o limit page_size)) as both_kinds
           order by both_kinds.p, both_kinds.o
           limit page_size) as page;
  select t.term_ids, t.term_texts into term_ids, term_texts from terms_of(subjects || predicates || objects) as t;
  if v_property is not null then
    select array[both_kinds.p, both_kinds.o]::text[] into before
      from ((select q.p, q.o from quad as q
              where q.s = v_subject and q.copy is null and q.g = v_document and (q.p, q.o) <= (v_property, v_object)
              order by q.s desc, q.p desc, q.o desc limit page_size + 1)
            union
            (select q.p, q.o from quad as q
              where q.s = v_subject and q.copy and q.g = v_document and (q.p, q.o) <= (v_property, v_object)
              order by q.s desc, q.p desc, q.o desc limit page_size + 1)) as both_kinds
     order by both_kinds.p desc, both_kinds.o desc
    offset page_size limit 1;
  end if;
end
$$;

comment on function subject_page(text, text, text, int8, int8, int, caller) is
  'A page of the triples about one subject in a document''s graph.';

-- Where the previous page of children and, for an access point, members begins.
--
--   after    id after which the current page begins
--   returns  id after which the previous page begins; 0: it is the first page
create or replace function place_before(iri text, after int8, page_size int, caller caller default null) returns int8
language plpgsql stable
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
  v_document document;
  v_relation int8; -- null where no members are listed
begin
  if caller.grantees is not null then
    perform require_access(iri, '{read}', caller);
  end if;
  select d.* into v_document
    from term as t
    join document as d on d.id = t.id
   where t.hash = term_hash('I' || iri);
  v_relation := case when v_document.is_access_point then v_document.has_member_relation end;
  return coalesce((
    select page.id
      from ((select d.id from document as d
              where (d.parent, d.id) <= (v_document.id, after) and d.parent >= v_document.id -- see children_page
              order by d.parent desc, d.id desc limit page_size + 1)
            union
            (select q.o from quad as q
              where q.s = v_document.parent and q.p = v_relation and q.copy is null and q.g = v_document.parent
                and q.o between 1 and after
              order by q.s desc, q.p desc, q.o desc limit page_size + 1)
            union
            (select q.o from quad as q
              where q.s = v_document.parent and q.p = v_relation and q.copy and q.g = v_document.parent
                and q.o between 1 and after
              order by q.s desc, q.p desc, q.o desc limit page_size + 1)
            union
            (select d.id from document as d
              where (d.parent, d.id) <= (v_document.parent, after) and d.parent >= v_document.parent
                and d.member_by = v_relation
              order by d.parent desc, d.id desc limit page_size + 1)) as page
     order by page.id desc
    offset page_size limit 1), 0);
end
$$;

comment on function place_before(text, int8, int, caller) is 'Where the previous page of children and members begins.';

-- Where the previous page of a property's values begins; null: it is the first page.
create or replace function values_place_before(iri text, property text, after int8, page_size int,
                                               caller caller default null) returns int8
language plpgsql stable
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
  v_document int8 := (select t.id from term as t where t.hash = term_hash('I' || iri));
  v_property int8 := (select t.id from term as t where t.hash = term_hash('I' || property));
begin
  if caller.grantees is not null then
    perform require_access(iri, '{read}', caller);
  end if;
  return (
    select v.o
      from ((select q.o from quad as q
              where q.s = v_document and q.p = v_property and q.copy is null and q.g = v_document and q.o <= after
              order by q.s desc, q.p desc, q.o desc limit page_size + 1)
            union
            (select q.o from quad as q
              where q.s = v_document and q.p = v_property and q.copy and q.g = v_document and q.o <= after
              order by q.s desc, q.p desc, q.o desc limit page_size + 1)) as v
     order by v.o desc
    offset page_size limit 1);
end
$$;

comment on function values_place_before(text, text, int8, int, caller) is 'Where the previous page of values begins.';

-- Labels of IRIs from all graphs that the caller may read, as JSON: {"<IRI>": "<label>"}, without IRIs that have no
-- label.
--
--   properties  IRIs of label properties, in order of preference
--   languages   primary language subtags in lower case, in order of preference; '' means no language
create or replace function labels_of(iris text[], properties text[], languages text[], caller caller default null)
returns json
language plpgsql stable
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
  v_realms     int8[]; -- realms that the caller may read; null: all
  v_properties int8[] := array(
    select t.id from unnest(properties) with ordinality as p (iri, n)
      join term as t on t.hash = term_hash('I' || p.iri)
     order by p.n);
begin
  if caller.grantees is not null then
    v_realms := granted_realms(caller.grantees, 'read');
  end if;
  return (
    select json_object_agg(i.iri, best.label)
      from unnest(iris) as i (iri)
      join term as t on t.hash = term_hash('I' || i.iri)
     cross join lateral (
       select left(v.lex, 200) as label
         from ((select q.p, q.o from quad as q
                 where q.s = t.id and q.p = any (v_properties) and q.copy is null and q.o >= first_literal()
                   and (v_realms is null or is_in_realms(q.g, v_realms))
                 limit 50)
               union all -- see read_page
               (select q.p, q.o from quad as q
                 where v_realms is not null
                   and q.s = t.id and q.p = any (v_properties) and q.copy and q.o >= first_literal()
                   and is_in_realms(q.g, v_realms)
                 limit 50)) as q
         join term as v on v.id = q.o
        where v.lex <> ''
        order by coalesce(array_position(languages, split_part(lower(coalesce(v.lang, '')), '-', 1)), 1000),
                 array_position(v_properties, q.p), v.lex
        limit 1) as best);
end
$$;

comment on function labels_of(text[], text[], text[], caller) is 'Labels of IRIs in the reader''s language, as JSON.';

-- Properties and classes in use, in the order of their ids. Each takes one index probe, so the cost depends on their
-- number and not on that of the triples.
create or replace function used_names(name_limit int, out properties text[], out classes text[])
language plpgsql stable
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
  v_name  int8 := 0;
  v_names int8[] := '{}';
begin
  for n in 1 .. name_limit loop
    v_name := (select min(q.p) from quad as q where q.p > v_name and q.copy is null);
    exit when v_name is null;
    v_names := v_names || v_name;
  end loop;
  properties := array(select t.lex from term as t where t.id = any (v_names) order by t.id);

  v_name := 0;
  v_names := '{}';
  for n in 1 .. name_limit loop
    v_name := (select min(q.o) from quad as q where q.p = rdf_type() and q.o > v_name and q.copy is null);
    exit when v_name is null or v_name >= first_blank_node();
    v_names := v_names || v_name;
  end loop;
  classes := array(select t.lex from term as t where t.id = any (v_names) order by t.id);
end
$$;

comment on function used_names(int) is 'IRIs of the properties and classes in use, up to a limit of each.';
