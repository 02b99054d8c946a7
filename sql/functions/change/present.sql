-- Lists the documents as they are, with their triples, for readers of the change log that begin (docs/changes.md).
--
-- Each page is one state of the store. The pages together are not, so a reader also needs the changes since the first.

-- Reads a page of documents in the order of the tree: each document comes before those below it.
--
--   walked   ids of the last document of the previous page and of those above it, from the first document of the
--            listing on; '{}' for the first page
--   page     greatest number of documents. Their triples also have a limited number: about 5,000, and one more document
--   under    IRI of the first document; null: the root. No rows but the first, if there is no such document
--   returns  the first row has `next`, which is `walked` of the next page, null at the end, and the terms; each further
--            row is a document that the caller may read. is_large: it has more than 10,000 triples, which are left out
create or replace function read_present(walked int8[], page int, under text default null, caller caller default null)
returns table (next text, term_ids int8[], term_texts json, document text, parent text, member_by text,
               is_access_point boolean, modified timestamptz, etag text, subjects int8[], predicates int8[],
               objects int8[], is_large boolean)
language plpgsql stable
security definer
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
  v_base   text := (select d.base from dataset as d where d.is_only);
  v_top    int8 := (select t.id from term as t where t.hash = term_hash('I' || coalesce(under, v_base)));
  v_found  record := walk_documents(walked, page, v_top,
                                    case when caller.grantees is not null then granted_realms(caller.grantees, 'read')
                                    end);
begin
  return query
    select array_to_string(v_found.next, '.'), t.term_ids, t.term_texts, null::text, null::text, null::text,
           null::boolean, null::timestamptz, null::text, null::int8[], null::int8[], null::int8[], null::boolean
      from terms_of(array(select distinct i.id
                            from unnest(v_found.ids, v_found.larges) as f (id, is_large)
                            join quad as q on q.g = f.id and not f.is_large
                           cross join lateral unnest(array[q.s, q.p, q.o]) as i (id)
                           where i.id > 0)) as t;
  return query
    select null::text, null::int8[], null::json, t.lex, p.lex, m.lex, d.is_access_point, d.modified, d.revision::text,
           q.s, q.p, q.o, f.is_large
      from unnest(v_found.ids, v_found.larges) with ordinality as f (id, is_large, n)
      join document as d on d.id = f.id
      join term as t on t.id = d.id
      left join term as p on p.id = d.parent
      left join term as m on m.id = d.member_by
      left join lateral (select array_agg(k.s order by k.s, k.p, k.o) as s, array_agg(k.p order by k.s, k.p, k.o) as p,
                                array_agg(k.o order by k.s, k.p, k.o) as o
                           from quad as k where k.g = f.id and not f.is_large) as q on true
     order by f.n;
end
$$;

comment on function read_present(int8[], int, text, caller) is 'Reads a page of documents with their triples.';

-- Finds the next documents of a walk through the tree.
--
--   top      id of the document at which the walk begins
--   realms   result of granted_realms: other documents are left out, but not those below them
--   ids      the documents
--   larges   for each, whether it has more than 10,000 triples
--   next     see read_present
--
-- Looks at a limited number of documents. Children have the order of their ids. If a document of `walked` is gone, the
-- walk goes on with its next sibling.
create or replace function walk_documents(walked int8[], page int, top int8, realms int8[], out ids int8[],
                                          out larges boolean[], out next int8[])
language plpgsql stable
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
  v_most    constant int := 10000; -- triples of a document
  v_all     constant int := 5000; -- triples of a page
  v_looks   int := 4 * page;
  v_triples int := 0;
  v_number  int;
  v_id      int8;
begin
  ids := '{}';
  larges := '{}';
  if not exists (select from document as d where d.id = top) then
    return;
  end if;
  next := case when walked <> '{}' then top || walked[2:] end;
  while v_looks > 0 and cardinality(ids) < page and v_triples < v_all loop
    v_id := case when next is null then top
                 else (select d.id from document as d
                        where d.parent = next[cardinality(next)] order by d.id limit 1) end;
    while v_id is null and cardinality(next) > 1 loop
      v_id := (select d.id from document as d
                where d.parent = next[cardinality(next) - 1] and d.id > next[cardinality(next)]
                order by d.id limit 1);
      next := next[:cardinality(next) - 1];
    end loop;
    if v_id is null then
      next := null;
      return;
    end if;
    next := next || v_id;
    v_looks := v_looks - 1;
    if is_in_realms(v_id, realms) then
      v_number := (select count(*) from (select from quad as q where q.g = v_id limit v_most + 1) as q);
      ids := ids || v_id;
      larges := larges || (v_number > v_most);
      v_triples := v_triples + case when v_number > v_most then 0 else v_number end;
    end if;
  end loop;
end
$$;

comment on function walk_documents(int8[], int, int8, int8[]) is 'Finds the next documents of a walk through the tree.';
