-- Searches documents by the words of their literals (docs/search.md). Nothing here writes.

-- The properties with strings as values, by id, up to a limit.
create or replace function text_properties(name_limit int) returns int8[]
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
    if exists (select from quad as q
                where q.p = v_name and q.o between 4611686018427387904 and 5188146770730811391 and q.copy is null) then
      v_names := v_names || v_name;
    end if;
  end loop;
  return v_names;
end
$$;

comment on function text_properties(int) is 'Properties with strings as values, up to a limit.';

-- The triples of some properties whose object is one of some literals, in the order of the literals, up to a limit.
--
--   type, under  see search_documents; null: all
--   realms       as granted_realms returns them
create or replace function search_triples(literals int8[], properties int8[], type int8, under text, realms int8[],
                                          triple_limit int)
returns table (g int8, s int8, p int8, o int8, n int8)
language plpgsql stable
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set enable_sort = off
as $$
begin
  return query
    select q.g, q.s, q.p, l.id, l.n
      from unnest(literals) with ordinality as l (id, n)
     cross join lateral (
       (select q.g, q.s, q.p from quad as q
         where q.p = any (properties) and q.o = l.id and q.copy is null limit triple_limit)
       union all
       (select q.g, q.s, q.p from quad as q
         where q.p = any (properties) and q.o = l.id and q.copy limit triple_limit)) as q
     where (realms is null or is_in_realms(q.g, realms))
       and (under is null or exists (select from term as t where t.id = q.g and starts_with(t.lex, under)))
       and (search_triples.type is null
            or exists (select from quad as k
                        where k.s = q.s and k.p = rdf_type() and k.o = search_triples.type and k.copy is null
                          and (realms is null or is_in_realms(k.g, realms)))
            or realms is not null
               and exists (select from quad as k
                            where k.s = q.s and k.p = rdf_type() and k.o = search_triples.type and k.copy
                              and is_in_realms(k.g, realms)))
     limit triple_limit;
end
$$;

comment on function search_triples(int8[], int8[], int8, text, int8[], int) is
  'Triples whose object is one of some literals.';

-- The strings of the part of the store to which a search is restricted, if this part is small.
--
--   properties, type, under, realms  see search_triples; null: not restricted
--   part_limit    greatest number of documents or resources of such a part
--   string_limit  greatest number of its strings
--   returns       ids of literals, some of them outside of other restrictions; null if no restriction selects few
create or replace function search_part(properties int8[], type int8, under text, realms int8[], part_limit int,
                                       string_limit int)
returns int8[]
language plpgsql stable
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
  v_first   constant int8 := first_literal();
  v_end     constant int8 := first_literal() + (2::int8 << 58);
  v_root    int8;
  v_part    int8[];
  v_strings int8[];
begin
  if realms = '{}' or realms[1] > 0 then
    v_part := array(select d.id from document as d where d.realm = any (realms) limit part_limit + 1);
  end if;
  if under is not null and coalesce(cardinality(v_part) > part_limit, true) then
    v_part := array(select r.id from raw_graph as r limit part_limit + 1);
    if cardinality(v_part) <= part_limit then
      v_root := (select t.id from term as t where t.hash = term_hash('I' || under));
      v_part := array(select r.id from unnest(v_part) as r (id) join term as t on t.id = r.id
                       where starts_with(t.lex, under))
             || array(
        with recursive below as (
          select d.id from document as d where d.id = v_root
          union all
          select d.id from below as b join document as d on d.parent = b.id)
        select b.id from below as b limit part_limit + 1);
    end if;
  end if;
  if cardinality(v_part) <= part_limit then
    v_strings := array(select distinct q.o from quad as q
                        where q.g = any (v_part) and q.o >= v_first and q.o < v_end
                        limit string_limit + 1);
    return case when cardinality(v_strings) <= string_limit then v_strings end;
  end if;
  if type is not null then
    v_part := array(select q.s from quad as q
                     where q.p = rdf_type() and q.o = search_part.type and q.copy is null
                     limit part_limit + 1);
    if cardinality(v_part) <= part_limit then
      v_strings := array(select distinct q.o from quad as q
                          where q.s = any (v_part) and q.o >= v_first and q.o < v_end and q.copy is null
                          limit string_limit + 1);
      return case when cardinality(v_strings) <= string_limit then v_strings end;
    end if;
  end if;
  if properties is not null then
    v_strings := array(select q.o from quad as q
                        where q.p = any (properties) and q.o >= v_first and q.o < v_end and q.copy is null
                        limit string_limit + 1);
    return case when cardinality(v_strings) <= string_limit then v_strings end;
  end if;
  return null;
end
$$;

comment on function search_part(int8[], int8, text, int8[], int, int) is
  'Strings of the part of the store to which a search is restricted, if it is small.';

-- Literals that match a search: in a part of the store if the search is restricted to it, and it is small.
--
--   kinds, texts, whole, languages, ids, scores, is_complete  see search_literals
--   filters     see search_documents
--   properties  of literals that are looked for; null: all
--   type, realms  see search_triples
create or replace function found_literals(kinds text[], texts text[], whole text, languages text[], filters jsonb,
                                          properties int8[], type int8, realms int8[],
                                          out ids int8[], out scores numeric[], out is_complete boolean)
language plpgsql stable
set search_path from current
set plan_cache_mode = force_generic_plan
as $$
declare
  v_few           constant int := 500; -- literals that are looked at without regard to the part
  v_literal_limit constant int := 2000;
  v_frequency     constant float8 := search_frequency(kinds, texts, languages);
  v_reads_part    boolean;
  v_within        int8[];
begin
  -- If the words are rare, a part of the store is read only if they are more frequent than the statistics say.
  foreach v_reads_part in array case when realms is null and not filters ?| '{properties,type,under}' then '{false}'
                                     when v_frequency > v_few then '{true}' else '{false,true}' end::boolean[]
  loop
    if v_reads_part then
      v_within := search_part(case when filters ? 'properties' then properties end, type, filters ->> 'under', realms,
                              2000, 4000);
      continue when v_within is null and v_frequency <= v_few;
      if is_complete then -- all literals with the words are known
        select coalesce(array_agg(f.id order by f.n), '{}'), coalesce(array_agg(f.score order by f.n), '{}')
          into ids, scores
          from unnest(ids, scores) with ordinality as f (id, score, n)
         where f.id in (select unnest(v_within));
        exit;
      end if;
    end if;
    select l.* into ids, scores, is_complete
      from search_literals(kinds, texts, whole, languages, filters ->> 'range', v_within, v_frequency, properties,
                           v_literal_limit) as l;
    exit when is_complete and cardinality(ids) <= v_few;
  end loop;
end
$$;

comment on function found_literals(text[], text[], text, text[], jsonb, int8[], int8, int8[]) is
  'Literals that match a search, in the part of the store to which it is restricted.';

-- A page of the documents with a literal that matches a search. A document is found once, by its best literal.
--
--   kinds, texts, whole, languages  see search_literals
--   labels       IRIs of the properties that are labels. Documents found by these come first
--   filters      range (see search_literals), properties (only these), isLabel (only labels), type (only triples about
--                resources of this class), under (only documents whose IRI begins with it), without (not these
--                documents); each may be missing
--   by_date      the documents that changed last come first
--   total        number of documents found; null if it is not known, because not all were needed or a limit was reached
--   is_complete  whether no limit was reached
--   hits         [[document, subject, property, [text, datatype, language], score, is label, time of the last change
--                or null for a raw graph], …]; a blank node is written _:qs…
--   raises       QS503 search-ready
--
-- The cost is bounded by the numbers of literals and triples that are looked at. Of the literals, those that the caller
-- cannot read count as well, so a search for a very frequent word may miss documents; is_complete is false then.
create or replace function search_documents(kinds text[], texts text[], whole text, languages text[], labels text[],
                                            filters jsonb, by_date boolean, skip int, page_size int,
                                            caller caller default null,
                                            out total int, out is_complete boolean, out hits json)
language plpgsql stable
set search_path from current
set plan_cache_mode = force_generic_plan
as $$
declare
  v_triple_limit  constant int := 1000;
  v_small         constant int := 20000; -- lookups that are always made, so that the total is known
  v_realms        int8[];
  v_type          int8;
  v_labels        int8[] := array(select t.id from unnest(labels) as l (iri)
                                    join term as t on t.hash = term_hash('I' || l.iri));
  v_others        int8[] := '{}';
  v_only          int8[];
  v_without       int8[] := array(select t.id from jsonb_array_elements_text(filters -> 'without') as w (iri)
                                    join term as t on t.hash = term_hash('I' || w.iri));
  v_found         record;
begin
  if caller.grantees is not null then
    v_realms := granted_realms(caller.grantees, 'read');
  end if;
  if filters ? 'type' then
    v_type := coalesce((select t.id from term as t where t.hash = term_hash('I' || (filters ->> 'type'))), 0);
  end if;
  if filters ? 'properties' then
    v_only := array(select t.id from jsonb_array_elements_text(filters -> 'properties') as p (iri)
                      join term as t on t.hash = term_hash('I' || p.iri));
    v_others := array(select unnest(v_only) except select unnest(v_labels));
    v_labels := array(select unnest(v_labels) intersect select unnest(v_only));
  end if;
  v_found := found_literals(kinds, texts, whole, languages, filters,
                            case when (filters ->> 'isLabel')::boolean then v_labels else v_only end, v_type, v_realms);
  if not filters ? 'properties' and not coalesce((filters ->> 'isLabel')::boolean, false) and v_found.ids <> '{}' then
    v_others := array(select unnest(text_properties(1000)) except select unnest(v_labels));
  end if;
  with labelled as materialized (
    select t.*, true as is_label
      from search_triples(v_found.ids, v_labels, v_type, filters ->> 'under', v_realms, v_triple_limit) as t),
  wanted as materialized (
    select case when by_date or (select count(distinct l.g) from labelled as l) <= skip + page_size
                     or v_found.is_complete and cardinality(v_found.ids) * cardinality(v_others) <= v_small
                then v_others end as properties),
  other as materialized (
    select t.*, false
      from wanted as w,
           search_triples(v_found.ids, w.properties, v_type, filters ->> 'under', v_realms, v_triple_limit) as t
     where w.properties <> '{}'),
  best as materialized (
    select distinct on (f.g) f.*
      from (select * from labelled union all select * from other) as f
     where f.g <> all (v_without)
     order by f.g, f.is_label desc, f.n, f.p, f.s),
  placed as (
    select b.*,
           row_number() over (order by case when by_date then d.modified end desc nulls last, b.is_label desc, b.n,
                                       b.g) as place
      from best as b
      left join document as d on by_date and d.id = b.g),
  ends as (
    select v_found.is_complete and (select count(*) from labelled) < v_triple_limit
             and (select count(*) from other) < v_triple_limit as is_complete)
  select case when e.is_complete and w.properties is not null then (select count(*) from best) end, e.is_complete,
         (select json_agg(json_build_array(g.lex, coalesce(s.lex, '_:qs' || p.s - first_blank_node()), k.lex,
                                           json_build_array(left(o.lex, 20000), o.datatype, o.lang),
                                           v_found.scores[p.n], p.is_label, d.modified) order by p.place)
            from (select * from placed as p where p.place > skip order by p.place limit page_size) as p
            join term as g on g.id = p.g
            join term as k on k.id = p.p
            join term as o on o.id = p.o
            left join term as s on s.id = p.s
            left join document as d on d.id = p.g)
    into total, is_complete, hits
    from ends as e, wanted as w;
end
$$;

comment on function search_documents(text[], text[], text, text[], text[], jsonb, boolean, int, int, caller) is
  'A page of the documents with a literal that matches a search.';
