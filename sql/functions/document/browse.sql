-- Reads for pages that go beyond one document: the children of a container in another order, everything that is said
-- about an IRI, and an overview of the store. Nothing here writes. The cost of each function is bounded.
--
-- The last argument of a function is the caller (functions/access/access.sql), as in page.sql.

-- A text for comparison by people: in lower case, without accents. A server with the locale C knows lower case for
-- letters without accents only.
create or replace function plain_text(written text) returns text
language sql immutable
return lower(regexp_replace(normalize(written, nfd), U&'[\0300-\036f]', '', 'g'));

comment on function plain_text(text) is 'A text in lower case and without accents, for order and search.';

-- A page of the children of a document in a chosen order, of those whose label or name contains a text.
--
--   order_by     'created', 'modified', 'name' or 'label'; children without a label are ordered by name
--   search       text that the label or the name contains; '' for all
--   skip         number of children before the page
--   child_limit  of a document with more children none are listed
--   properties, languages  see labels_of
--   total        number of children that contain the text; null if there are too many children
--   children     [[IRI, is access point, IRI of the relation under which it is a member or null, time of its last
--                change], …]
--   raises       QS401 authentication-required · QS403 access-granted · QS404 document-exists
create or replace function arranged_children(iri text, order_by text, is_down boolean, search text, skip int,
                                             page_size int, child_limit int, properties text[], languages text[],
                                             caller caller default null, out total int, out children json)
language plpgsql stable
set search_path from current
as $$
declare
  v_document int8 := (select t.id from term as t where t.hash = term_hash('I' || iri));
  v_ids      int8[];
  v_labels   json;
begin
  if caller.grantees is not null then
    perform require_access(iri, '{read}', caller);
  end if;
  v_ids := array(select d.id from document as d
                  where (d.parent, d.id) > (v_document, 0) and d.parent <= v_document -- see children_page
                  order by d.parent, d.id
                  limit child_limit + 1);
  if cardinality(v_ids) > child_limit then
    return;
  end if;
  if order_by = 'label' or search <> '' then
    v_labels := labels_of(array(select t.lex from term as t where t.id = any (v_ids)), properties, languages, caller);
  end if;
  with named as (
    select d.id, d.is_access_point, d.member_by, d.created, d.modified, t.lex as child,
           plain_text(regexp_replace(t.lex, '^.*/([^/]*)/$', '\1')) as name, plain_text(l.value) as label
      from unnest(v_ids) as i (id)
      join document as d on d.id = i.id
      join term as t on t.id = d.id
      left join json_each_text(v_labels) as l on l.key = t.lex),
  found as (
    select n.*, row_number() over (
             order by case order_by when 'name' then n.name when 'label' then coalesce(n.label, n.name) end collate "C",
                      case order_by when 'modified' then n.modified when 'created' then n.created end, n.id) as place
      from named as n
     where search = '' or strpos(n.name, plain_text(search)) > 0 or strpos(n.label, plain_text(search)) > 0)
  select (select count(*) from found),
         (select json_agg(json_build_array(p.child, p.is_access_point, r.lex, p.modified) order by p.n)
            from (select f.*, case when is_down then -f.place else f.place end as n
                    from found as f
                   order by n
                  offset skip limit page_size) as p
            left join term as r on r.id = p.member_by)
    into total, children;
end
$$;

comment on function arranged_children(text, text, boolean, text, int, int, int, text[], text[], caller) is
  'A page of a document''s children in a chosen order.';

-- What documents say about an IRI, and who mentions it, each up to a limit.
--
--   subjects, predicates, objects  triples with the IRI as subject. `subjects` has the documents instead, which say it
--   mentions                       as of read_page
create or replace function iri_page(iri text, triple_limit int, mention_limit int, caller caller default null,
                                    out subjects int8[], out predicates int8[], out objects int8[],
                                    out term_ids int8[], out term_texts json, out mentions json)
language plpgsql stable
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
  v_iri    int8 := (select t.id from term as t where t.hash = term_hash('I' || iri));
  v_realms int8[];
begin
  if caller.grantees is not null then
    v_realms := granted_realms(caller.grantees, 'read');
  end if;
  select coalesce(array_agg(q.g order by q.p, q.o), '{}'), coalesce(array_agg(q.p order by q.p, q.o), '{}'),
         coalesce(array_agg(q.o order by q.p, q.o), '{}')
    into subjects, predicates, objects
    from ((select q.g, q.p, q.o from quad as q
            where q.s = v_iri and q.copy is null and (v_realms is null or is_in_realms(q.g, v_realms))
            limit triple_limit)
          union all -- see read_page
          (select q.g, q.p, q.o from quad as q
            where v_realms is not null and q.s = v_iri and q.copy and is_in_realms(q.g, v_realms)
            limit triple_limit)
          limit triple_limit) as q;
  select t.term_ids, t.term_texts into term_ids, term_texts from terms_of(subjects || predicates || objects) as t;

  select json_agg(json_build_array(g.lex, coalesce(s.lex, '_:qs' || q.s - first_blank_node()), p.lex)) into mentions
    from ((select q.g, q.s, q.p from quad as q
            where q.o = v_iri and q.o between 1 and 2305843009213693951 and q.copy is null
              and (v_realms is null or is_in_realms(q.g, v_realms))
            limit mention_limit)
          union all
          (select q.g, q.s, q.p from quad as q
            where v_realms is not null
              and q.o = v_iri and q.o between 1 and 2305843009213693951 and q.copy and is_in_realms(q.g, v_realms)
            limit mention_limit)
          limit mention_limit) as q
    join term as g on g.id = q.g
    join term as p on p.id = q.p
    left join term as s on s.id = q.s;
end
$$;

comment on function iri_page(text, int, int, caller) is 'What is said about an IRI, and who mentions it.';

-- An overview of the store, for callers who may read all of it; others get only the newest documents they may read.
--
--   name_limit   number of classes, and of properties
--   count_limit  each is counted up to this number
--   classes, properties  [[IRI, number], …], in the order of their ids
--   newest       IRIs of documents, the newest first
create or replace function store_page(name_limit int, count_limit int, newest_limit int, caller caller default null,
                                      out documents int8, out triples int8, out is_exact boolean, out classes json,
                                      out properties json, out newest json)
language plpgsql stable
set search_path from current
as $$
declare
  v_realms int8[];
  v_names  record;
begin
  if caller.grantees is not null then
    v_realms := granted_realms(caller.grantees, 'read');
  end if;
  select json_agg(t.lex order by d.created desc, d.id desc) into newest
    from (select * from (select d.id, d.created, d.parent from document as d
                          order by d.id desc
                          limit 1000) as d -- ids grow, but not from one document to the next
           where d.parent is not null and (v_realms is null or is_in_realms(d.id, v_realms))
           order by d.created desc, d.id desc
           limit newest_limit) as d
    join term as t on t.id = d.id;
  if v_realms is not null then
    return;
  end if;
  select max(n.number) filter (where n.name = 'documents'), max(n.number) filter (where n.name = 'triples'),
         bool_and(n.is_exact) filter (where n.name in ('documents', 'triples'))
    into documents, triples, is_exact
    from store_numbers(100 * count_limit) as n;
  v_names := used_names(name_limit);
  select json_agg(json_build_array(t.lex, n.number) order by t.id) into classes
    from term as t, lateral (select count(*) as number
                               from (select from quad as q
                                      where q.p = rdf_type() and q.o = t.id and q.copy is null
                                      limit count_limit) as few) as n
   where t.hash = any (array(select term_hash('I' || c) from unnest(v_names.classes) as c));
  select json_agg(json_build_array(t.lex, n.number) order by t.id) into properties
    from term as t, lateral (select count(*) as number
                               from (select from quad as q
                                      where q.p = t.id and q.copy is null
                                      limit count_limit) as few) as n
   where t.hash = any (array(select term_hash('I' || p) from unnest(v_names.properties) as p));
end
$$;

comment on function store_page(int, int, int, caller) is
  'Numbers, classes, properties and newest documents of a store.';
