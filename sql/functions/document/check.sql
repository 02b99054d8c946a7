-- Checks the invariants of the store, for `quadstead check` and the tests.

-- One row for each broken invariant; no rows for a sound store.
--
--   rule    name of the invariant, in kebab-case
--   detail  where it is broken
create or replace function check_store() returns table (rule text, detail text)
language plpgsql stable
set search_path from current
as $$
begin
  return query
    select 'triple-has-one-primary', format('%s %s %s', show_term(q.s), show_term(q.p), show_term(q.o))
      from quad as q
     group by q.s, q.p, q.o
    having count(*) filter (where q.copy is null)
           <> case when exists (select from document as d where d.id = q.o and d.parent = q.s and d.member_by = q.p)
                   then 0 else 1 end; -- a derived membership counts as the primary

  return query
    select 'triple-once-a-graph', format('%s %s %s %s', show_term(q.s), show_term(q.p), show_term(q.o), show_term(q.g))
      from quad as q group by q.g, q.s, q.p, q.o having count(*) > 1;

  return query
    select 'term-known', format('id %s is in a quad and not in the dictionary', used.id)
      from (select q.g from quad as q union select q.s from quad as q union select q.p from quad as q
             union select q.o from quad as q union select d.id from document as d
             union select d.has_member_relation from document as d
             union select d.member_by from document as d where d.member_by is not null) as used (id)
     where used.id >= 0 and not is_blank_node(used.id) and not exists (select from term as t where t.id = used.id);

  return query
    select 'graph-is-a-document', format('%s has %s triples', show_term(q.g), count(*))
      from quad as q
     where not exists (select from document as d where d.id = q.g)
       and not exists (select from raw_graph as r where r.id = q.g)
     group by q.g;

  return query
    select 'term-in-place', format('%s in the place of %s', show_term(q.id), q.place)
      from (select s, 'a subject' from quad where s < 0 or s >= first_literal()
             union select p, 'a predicate' from quad where p < 1 or p >= first_blank_node()
             union select g, 'a graph' from quad where g < 1 or g >= first_blank_node()) as q (id, place);

  return query
    select 'term-hash-right', show_term(t.id)
      from term as t
     where t.hash <> term_hash(case when t.id < first_literal() then 'I' || t.lex
                                    else format('L%s %s %s', coalesce(t.datatype, case when t.lang is null
                                      then 'http://www.w3.org/2001/XMLSchema#string'
                                      else 'http://www.w3.org/1999/02/22-rdf-syntax-ns#langString' end), t.lang,
                                      t.lex) end);

  return query
    select 'blank-node-in-one-graph', show_term(b.id)
      from (select q.s, q.g from quad as q where is_blank_node(q.s)
             union select q.o, q.g from quad as q where is_blank_node(q.o)) as b (id, g)
     group by b.id
    having count(*) > 1 and bool_or(exists (select from document as d where d.id = b.g)); -- raw graphs may share them

  return query
    select 'raw-graph-is-no-document', show_term(r.id)
      from raw_graph as r join document as d on d.id = r.id;

  return query
    select 'sequence-ahead', format('%s has given %s, the highest in use is %s', used.name, used.last, used.highest)
      from (select 'term_seq', (select last_value from term_seq),
                   (select max(t.id & 288230376151711743) from term as t where t.id >= 1000)
             union all
            select 'blank_node_seq', (select last_value from blank_node_seq),
                   (select max(b.id) - first_blank_node()
                      from (select q.s from quad as q where is_blank_node(q.s)
                             union all select q.o from quad as q where is_blank_node(q.o)) as b (id))
             union all
            select 'revision_seq', (select last_value from revision_seq), (select max(d.revision) from document as d)
             union all
            select 'change_seq', (select last_value from change_seq), (select max(c.position) from change as c)
           ) as used (name, last, highest)
     where used.last < used.highest;

  return query select * from check_documents();
end
$$;

comment on function check_store() is 'Broken invariants of the store, one row each; none in a sound store.';

-- The invariants of documents: their place in the tree and the triples of the service.
create or replace function check_documents() returns table (rule text, detail text)
language plpgsql stable
set search_path from current
as $$
begin
  return query
    select 'root-is-the-base', format('%s roots', count(*))
      from document as d join term as t on t.id = d.id
     where d.parent is null
    having count(*) <> (select count(*) from dataset) or bool_or(t.lex <> (select base from dataset));

  return query
    select 'parent-is-one-segment-up', format('%s in %s', t.lex, p.lex)
      from document as d join term as t on t.id = d.id join term as p on p.id = d.parent
     where t.lex !~ '/$' or regexp_replace(t.lex, '[^/]+/$', '') <> p.lex;

  return query
    select 'realm-is-the-nearest', format('%s is in %s', show_term(d.id), show_term(d.realm))
      from document as d
      left join document as p on p.id = d.parent
      left join access_realm as r on r.id = d.id
     where d.realm is distinct from case when r.id is null then p.realm else d.id end
        or r.above is distinct from case when r.id is not null then p.realm end
        or (r.id is not null) <> (d.parent is not null
                                  and (r.is_isolated
                                       or exists (select from access_grant as g where g.document = d.id)));

  return query
    select 'grant-has-a-document', format('%s on id %s', g.grantee, g.document)
      from access_grant as g
     where not exists (select from document as d where d.id = g.document);

  return query
    select 'member-by-parents-relation', format('%s in %s', show_term(d.id), show_term(p.id))
      from document as d
      join document as p on p.id = d.parent
     where d.member_by <> p.has_member_relation;

  return query
    select 'access-point-listed', format('%s in %s', show_term(coalesce(d.id, q.o)), show_term(coalesce(d.parent, q.s)))
      from (select q.s, q.o from quad as q join document as p on p.id = q.g and p.id = q.s
             where q.p = platform_has_access_point()) as q
      full join (select d.id, d.parent from document as d where d.is_access_point) as d on (d.parent, d.id) = (q.s, q.o)
     where d.id is null or q.o is null;

  return query
    select 'service-triples-kept', format('%s lacks %s %s', show_term(d.id), show_term(kept.p), show_term(kept.o))
      from document as d
     cross join lateral (values
       (rdf_type(), platform_document()), (rdf_type(), ldp_rdf_source()),
       (platform_created(), inline_instant(d.created)),
       (platform_modified(), inline_instant(d.modified)),
       (ldp_has_member_relation(), d.has_member_relation)) as kept (p, o)
     where not exists (select from quad as q where (q.g, q.s, q.p, q.o) = (d.id, d.id, kept.p, kept.o));

  return query
    select 'service-properties-single', format('%s has %s of %s', show_term(d.id), count(*), show_term(q.p))
      from document as d
      join quad as q on q.g = d.id and q.s = d.id and q.p in (platform_created(), platform_modified(),
        ldp_membership_resource(), ldp_has_member_relation(), ldp_inserted_content_relation())
     group by d.id, q.p having count(*) > 1;

  return query
    select 'containment-not-stored', format('%s contains %s', show_term(q.s), show_term(q.o))
      from quad as q
      join document as d on d.id = q.s and q.g = d.id
     where q.p = ldp_contains();
end
$$;

comment on function check_documents() is 'Broken invariants of documents, one row each.';
