-- Documents out of what a bulk load brought, for both ways of import.sql.

-- An instant of an inline id: milliseconds since 1970 in UTC, above nine bits of form.
create or replace function import_instant(id int8) returns timestamptz
language sql immutable parallel safe
return to_timestamp((((import_instant.id & 1152921504606846975) >> 9) - 70368744177664) / 1000.0);

comment on function import_instant(int8) is 'The instant of an inline dateTime with a time zone.';

-- The IRI of a loaded document, for messages. Its term may be in a table that is not the dictionary yet.
create or replace function import_show(id int8) returns text
language plpgsql
set search_path from current
as $$
begin
  if to_regclass(format('%I.import_term', current_schema())) is null then
    return show_term(import_show.id);
  end if;
  return (select format('<%s>', t.lex) from import_term as t where t.id = import_show.id);
end
$$;

comment on function import_show(int8) is 'The IRI of a loaded document, for messages.';

-- A complaint about a document that cannot be.
create or replace function import_refuse(id int8, reason text) returns void
language plpgsql
set search_path from current
as $$
declare
  v_place record;
begin
  select d.file, d.line into v_place from import_document as d where d.id = import_refuse.id
   order by d.file, d.line limit 1;
  raise exception '% %', import_show(import_refuse.id), reason
    using errcode = 'QS409', constraint = 'import-fits',
          detail = json_build_object('file', v_place.file, 'line', v_place.line);
end
$$;

comment on function import_refuse(int8, text) is 'Raise that a document cannot be loaded; QS409.';

-- Rows of documents: each with its place, kind, times and members' relation as its graph says, or else as a create
-- would have made it.
--
-- Where the dataset has its root only, that becomes what the data say of it.
--
--   existing  what to do with documents that exist: 'refuse', 'replace' (their graphs become the loaded ones) or
--             'merge' (the loaded triples are added). Either way the triples of the service stay
--   returns   number of documents and raw graphs
create or replace function import_documents(existing text) returns int8
language plpgsql
set search_path from current
set work_mem = '64MB'
as $$
declare
  v_count  int8;
  v_graphs int8 := import_graphs();
  v_now    timestamptz := date_trunc('milliseconds', clock_timestamp());
  v_root   int8;
begin
  select d.id into v_root from document as d
   where d.parent is null and exists (select from import_document as i where i.id = d.id)
     for update; -- whoever creates the first child waits
  if exists (select from document as d where d.parent is not null) then
    v_root := null;
  end if;
  create temp table import_stored on commit drop as
    select d.id, d.revision, d.is_access_point, d.has_member_relation, existing = 'replace' as is_replaced
      from document as d
     where existing <> 'refuse' and d.id is distinct from v_root and d.id in (select i.id from import_document as i)
     order by d.id
       for no key update;
  alter table import_stored add primary key (id);
  analyze import_stored;
  create temp table import_whole on commit drop as
    select d.id, min(d.parent) as parent, bit_or(d.mask) as mask, bit_or(d.mask) & 16 > 0 as is_access_point,
           min(d.created) as created, min(d.modified) as modified, min(d.resource) as resource,
           min(d.relation) as relation, min(d.content) as content,
           min(d.created) <> max(d.created) or min(d.modified) <> max(d.modified)
             or min(d.resource) <> max(d.resource) or min(d.relation) <> max(d.relation)
             or min(d.content) <> max(d.content) as is_contradictory
      from import_document as d group by d.id;
  alter table import_whole add primary key (id);
  analyze import_whole;
  analyze import_link;
  perform import_check(v_root);
  perform require_unfollowed(array_agg(w.id) || array_agg(w.parent)) from import_whole as w;
  perform import_memberships();

  update document as d
     set created = coalesce(import_instant(w.created), v_now),
         modified = coalesce(import_instant(w.modified), import_instant(w.created), v_now),
         revision = nextval('revision_seq'), has_member_relation = coalesce(w.relation, ldp_member())
    from import_whole as w where w.id = v_root and d.id = v_root;
  insert into document (id, parent, created, modified, is_access_point, has_member_relation, member_by)
  select w.id, w.parent, coalesce(import_instant(w.created), v_now),
         coalesce(import_instant(w.modified), import_instant(w.created), v_now), w.is_access_point,
         coalesce(w.relation, ldp_member()),
         case when not (p.is_access_point or w.is_access_point) and (w.created is null or m.id is not null)
              then p.relation end
    from import_whole as w
    left join import_parent as p on p.id = w.parent
    left join import_member as m on m.id = w.id
   where w.id is distinct from v_root and not exists (select from import_stored as k where k.id = w.id)
   order by w.id;
  get diagnostics v_count = row_count;
  execute format('analyze %s', store_relation('document', 'document'));
  perform inherit_realms(array_agg(w.id))
     from import_whole as w
    where not exists (select from import_stored as k where k.id = w.id)
   having exists (select from access_realm);
  perform import_links();
  perform record_change('import', (select d.id from document as d where d.parent is null), null, null, null);
  perform log_changes('imported', array_agg(w.id), array_agg(null::int8), null)
     from import_whole as w
    where not exists (select from import_stored as k where k.id = w.id);
  perform log_graphs('imported', array(select distinct g.id from import_graph as g));
  return v_count + v_graphs + (select count(*) from import_stored)
                            + (select count(*) from import_whole as w where w.id = v_root);
end
$$;

comment on function import_documents(text) is 'Documents'' rows out of what was loaded of their graphs.';

-- Graphs that are loaded as they are.
--
--   returns  their number
create or replace function import_graphs() returns int8
language plpgsql
set search_path from current
as $$
declare
  v_wrong int8;
  v_count int8;
begin
  select g.id into v_wrong from import_graph as g join document as d on d.id = g.id limit 1;
  if found then
    perform import_refuse(v_wrong, 'is a document, and no graph to be loaded with --raw');
  end if;
  loop -- until all of them are held against removal
    insert into raw_graph (id) select distinct g.id from import_graph as g order by g.id on conflict do nothing;
    perform from raw_graph as r where r.id in (select g.id from import_graph as g) order by r.id for key share;
    get diagnostics v_count = row_count;
    exit when v_count = (select count(distinct g.id) from import_graph as g);
  end loop;
  return v_count;
end
$$;

comment on function import_graphs() is 'Notes the graphs that are loaded as they are.';

-- Whether the documents can be what their graphs say.
create or replace function import_check(replaces int8) returns void
language plpgsql
set search_path from current
as $$
declare
  v_wrong record;
begin
  select w.id, case
           when w.is_contradictory then 'has two values of a property that the service keeps, and can have one only'
           when d.id is not null and k.id is null
             then 'exists already: --replace or --merge says what to do with it'
           when r.id is not null then 'is a graph loaded with --raw already'
           when w.is_access_point and not k.is_access_point
             then 'is an access point in the input and a document in the dataset'
           when w.relation <> k.has_member_relation then 'has another ldp:hasMemberRelation in the dataset'
           when w.parent is null and k.id is null then 'is the root, which exists already'
           when p.id is null and e.id is null then 'has no parent: neither the dataset nor the input holds it'
           when w.is_access_point and coalesce(p.is_access_point, e.is_access_point)
             then 'is an access point in an access point, which holds no members of its own'
           when w.is_access_point and w.relation is null and k.id is null
             then 'is an access point and lacks ldp:hasMemberRelation'
           when w.resource <> case when coalesce(k.is_access_point, w.is_access_point) then w.parent else w.id end
             then 'has another ldp:membershipResource than a document in its place'
           when not (w.relation between 1 and first_blank_node() - 1)
             or not (w.content between 1 and first_blank_node() - 1)
             then 'has a property that the service keeps with a value that is no IRI'
         end as reason
    into v_wrong
    from import_whole as w
    left join document as d on d.id = w.id and d.id is distinct from replaces
    left join raw_graph as r on r.id = w.id
    left join import_whole as p on p.id = w.parent
    left join document as e on e.id = w.parent
    left join import_stored as k on k.id = w.id
   where w.is_contradictory or (d.id is not null and k.id is null) or r.id is not null
      or (w.is_access_point and not k.is_access_point) or w.relation <> k.has_member_relation
      or (w.parent is null and w.id is distinct from replaces and k.id is null)
      or (w.parent is not null and p.id is null and e.id is null)
      or (w.is_access_point and ((w.relation is null and k.id is null)
                                 or coalesce(p.is_access_point, e.is_access_point)))
      or w.resource <> case when coalesce(k.is_access_point, w.is_access_point) then w.parent else w.id end
      or not (w.relation between 1 and first_blank_node() - 1) or not (w.content between 1 and first_blank_node() - 1)
   limit 1;
  if found then
    perform import_refuse(v_wrong.id, v_wrong.reason);
  end if;
end
$$;

comment on function import_check(int8) is 'Refuses documents that cannot be what their graphs say; QS409.';

-- What decides which documents are members of their parents from birth: those are whose parent's graph says so, and
-- those of which no time of creation is told, as a create would make them.
create or replace function import_memberships() returns void
language plpgsql
set search_path from current
as $$
begin
  create temp table import_parent on commit drop as
    select k.id, coalesce(w.relation, d.has_member_relation, ldp_member()) as relation,
           coalesce(d.is_access_point, w.is_access_point) as is_access_point
      from (select distinct w.parent as id from import_whole as w where w.parent is not null) as k
      left join import_whole as w on w.id = k.id
      left join document as d on d.id = k.id;
  analyze import_parent;
  create temp table import_member on commit drop as
    select distinct w.id
      from import_link as l
      join import_whole as w on w.id = l.o and w.parent = l.s
      join import_parent as p on p.id = l.s and p.relation = l.p
     where l.g = l.s;
  analyze import_member;
end
$$;

comment on function import_memberships() is 'Finds the members among the loaded documents.';

-- Links sorted out: containment and derived memberships go, what another graph says of a membership is a copy of it.
create or replace function import_links() returns void
language plpgsql
set search_path from current
as $$
declare
  v_wrong record;
begin
  select l.* into v_wrong
    from import_link as l
    left join document as d on d.id = l.o and d.parent = l.s
   where l.g = l.s and l.p in (ldp_contains(), platform_has_access_point())
     and (d.id is null or (l.p = platform_has_access_point() and not d.is_access_point))
     and exists (select from document as k where k.id = l.s)
   limit 1;
  if found then
    perform import_refuse(v_wrong.s, format('says %s of %s, which the input does not hold as such',
                                            show_term(v_wrong.p), import_show(v_wrong.o)));
  end if;
  create temp table import_kept on commit drop as
    select distinct l.g, l.s, l.p, l.o, case when d.member_by = l.p then true end as copy
      from import_link as l
      left join document as d on d.id = l.o and d.parent = l.s
     where d.id is null or l.g <> l.s or (l.p <> ldp_contains() and l.p is distinct from d.member_by);
  insert into import_kept (g, s, p, o)
  select w.parent, w.parent, platform_has_access_point(), w.id
    from import_whole as w
   where w.is_access_point
     and not exists (select from import_kept as l
                      where (l.g, l.s, l.p, l.o) = (w.parent, w.parent, platform_has_access_point(), w.id));
  perform import_service_triples();
end
$$;

comment on function import_links() is 'Decides which links are stored, and as what.';

-- The triples that the service adds to a document, where its graph lacks them. Bits of the mask: src/transfer/
-- document-rows.ts.
create or replace function import_service_triples() returns void
language plpgsql
set search_path from current
as $$
begin
  insert into import_kept (g, s, p, o)
  select d.id, d.id, t.p, t.o
    from (select d.*, w.mask
            from import_whole as w
            join document as d on d.id = w.id
           where (w.mask & 995 <> 995 -- all but 4, 8 and 16
                  or w.mask & case when d.is_access_point then 8 else 4 end = 0)
             and not exists (select from import_stored as k where k.id = w.id)
          offset 0) as d
   cross join lateral (values
     (1, rdf_type(), platform_document()), (2, rdf_type(), ldp_rdf_source()),
     (case when d.is_access_point then 8 else 4 end, rdf_type(),
      case when d.is_access_point then ldp_direct_container() else ldp_basic_container() end),
     (32, platform_created(), inline_instant(d.created)), (64, platform_modified(), inline_instant(d.modified)),
     (128, ldp_membership_resource(), case when d.is_access_point then d.parent else d.id end),
     (256, ldp_has_member_relation(), d.has_member_relation),
     (512, ldp_inserted_content_relation(), ldp_member_subject())) as t (bit, p, o)
   where d.mask & t.bit = 0;
end
$$;

comment on function import_service_triples() is 'Adds the service''s triples that loaded graphs lack.';

-- Merge staged quads, whose documents have their rows, into a dataset in use.
--
--   first_new  ids from here on are new to the dataset, but for the literals' (import_terms)
create or replace function import_merge(first_new int8) returns void
language plpgsql
set search_path from current
set work_mem = '128MB'
as $$
declare
  v_transaction int8 := change_transaction();
  v_changed     int8[] := import_changed();
begin
  if v_transaction is not null then
    create temp table import_before on commit drop as
      select q.g, q.s, q.p, q.o from unnest(v_changed) as c (id) join quad as q on q.g = c.id;
    perform keep_number(null); -- what follows is logged at the end, for these documents only
  end if;
  perform drop_graphs(array_agg(d.id)) -- the root's, when the data say what it is
     from import_whole as w join document as d on d.id = w.id
    where d.parent is null and not exists (select from import_stored as k where k.id = w.id)
   having count(*) > 0;
  perform from (select w.id from import_whole as w order by w.id) as w -- claim_iri
    cross join lateral (select from term as t where t.id = w.id for update) as t;
  update quad as q set copy = true
    from (select r.at
            from import_whole as w
            join document as d on d.id = w.id
           cross join lateral primary_row(d.parent, d.member_by, d.id) as r
          offset 0) as derived
   where q.ctid = derived.at;
  perform import_sort();
  perform import_make_room();
  perform import_put(first_new);
  perform require_membership_shape(k.id) from import_stored as k;
  if v_transaction is not null then
    perform keep_number(v_transaction);
    perform import_log(v_changed);
  end if;
  if v_changed <> '{}' then
    perform touch_documents(v_changed, null, null, 'imported');
  end if;
end
$$;

comment on function import_merge(int8) is 'Merges staged quads into a dataset in use.';

-- Staged quads and links in the order of their triples, with the ids of the dictionary.
--
--   is_repeated  another row before has the same triple in another graph
--   is_implied   a document's row may imply the triple
--
-- One sort serves to find equal rows and repeated triples; PostgreSQL prefers a hash table for the former.
create or replace function import_sort() returns void
language plpgsql
set search_path from current
set work_mem = '128MB'
set enable_hashagg = off
as $$
begin
  create temp table import_all on commit drop as
    select n.s, n.p, n.o, n.g, n.place > 1 as is_repeated, d.id is not null as is_implied
      from (select u.*, row_number() over (partition by u.s, u.p, u.o order by u.g) as place
              from (select coalesce(s.final, q.s) as s, coalesce(p.final, q.p) as p, coalesce(o.final, q.o) as o,
                           coalesce(g.final, q.g) as g
                      from import_quad as q
                      left join import_id as g on g.id = q.g
                      left join import_id as s on s.id = q.s
                      left join import_id as p on p.id = q.p
                      left join import_id as o on o.id = q.o
                     where not exists ( -- stored documents keep what the service says of them
                       select from import_stored as k
                        where k.id = coalesce(g.final, q.g) and k.id = coalesce(s.final, q.s)
                          and is_reserved(k.is_access_point, coalesce(p.final, q.p), coalesce(o.final, q.o)))
                     union
                    select k.s, k.p, k.o, k.g from import_kept as k) as u) as n
      left join document as d on d.id = n.s and d.has_member_relation = n.p;
  analyze import_all;
end
$$;

comment on function import_sort() is 'Staged quads and links with the ids of the dictionary, sorted.';

-- Removes from documents that are replaced what the loaded graphs do not contain.
create or replace function import_make_room() returns void
language plpgsql
set search_path from current
set work_mem = '128MB'
as $$
declare
  v_old record := own_quads(array(select k.id from import_stored as k where k.is_replaced));
begin
  select array_agg(q.g) as graphs, array_agg(q.s) as subjects, array_agg(q.p) as predicates, array_agg(q.o) as objects
    into v_old
    from (select * from unnest(v_old.graphs, v_old.subjects, v_old.predicates, v_old.objects) as q (g, s, p, o)
          except
          select a.g, a.s, a.p, a.o from import_all as a) as q;
  if v_old.graphs is not null then
    perform drop_quads_of_graphs(v_old.graphs, v_old.subjects, v_old.predicates, v_old.objects);
  end if;
end
$$;

comment on function import_make_room() is 'Removes from replaced documents what the loaded graphs do not contain.';

-- Put sorted quads into the dataset.
--
-- Nothing that was stored before has a new subject. So these go in without a look at what is there, and their copies
-- after them; should somebody have written the same triple since the subject is known, they go in like the others.
-- The order of subjects is kept throughout, as all writers keep it: none waits for another in a circle.
create or replace function import_put(first_new int8) returns void
language plpgsql
set search_path from current
set work_mem = '128MB'
as $$
declare
  v_graph    record;
  v_put      int8;
  v_is_known boolean := false; -- some of the new ones, too
begin
  insert into quad (g, s, p, o)
  select a.g, a.s, a.p, a.o
    from import_all as a
   where a.s < first_new and not a.is_repeated and not a.is_implied
   order by a.s, a.p, a.o
      on conflict do nothing;
  get diagnostics v_put = row_count;
  begin
    insert into quad (g, s, p, o)
    select a.g, a.s, a.p, a.o
      from import_all as a
     where a.s >= first_new and not a.is_repeated and not a.is_implied
     order by a.s, a.p, a.o;
    insert into quad (g, s, p, o, copy)
    select a.g, a.s, a.p, a.o, true
      from import_all as a
     where a.s >= first_new and a.is_repeated and not a.is_implied
     order by a.s, a.p, a.o;
  exception when unique_violation then
    v_is_known := true;
  end;
  for v_graph in
    select a.g, array_agg(a.s) as s, array_agg(a.p) as p, array_agg(a.o) as o
      from import_all as a
     where (a.is_implied or v_is_known or (a.s < first_new and (a.is_repeated or v_put < (
              select count(*) from import_all as k
               where k.s < first_new and not k.is_repeated and not k.is_implied))))
       and not exists (select from graph_row(a.g, a.s, a.p, a.o))
     group by a.g
     order by a.g
  loop
    perform put_shared_quads(v_graph.g, v_graph.s, v_graph.p, v_graph.o);
  end loop;
end
$$;

comment on function import_put(int8) is 'Puts sorted quads into a dataset in use.';

-- Stored documents that an import changes: those that are replaced or merged, or that get an access point. Locks them.
create or replace function import_changed() returns int8[]
language plpgsql
set search_path from current
as $$
declare
  v_changed int8[];
begin
  v_changed := array(select d.id
                       from import_whole as w
                       join document as d on d.id = w.parent
                      where w.is_access_point and not exists (select from import_whole as p where p.id = w.parent)
                        and not exists (select from import_stored as k where k.id = w.id)
                      union
                     select k.id from import_stored as k
                      order by 1);
  perform from document as d where d.id = any (v_changed) order by d.id for no key update;
  return v_changed;
end
$$;

comment on function import_changed() is 'Stored documents that an import changes, locked.';

-- Logs how the graphs of stored documents differ from import_before.
create or replace function import_log(ids int8[]) returns void
language plpgsql
set search_path from current
set work_mem = '128MB'
as $$
begin
  create temp table import_after on commit drop as
    select q.g, q.s, q.p, q.o from unnest(ids) as c (id) join quad as q on q.g = c.id;
  perform log_quads(false, array_agg(q.g), array_agg(q.s), array_agg(q.p), array_agg(q.o))
     from (table import_before except table import_after) as q;
  perform log_quads(true, array_agg(q.g), array_agg(q.s), array_agg(q.p), array_agg(q.o))
     from (table import_after except table import_before) as q;
end
$$;

comment on function import_log(int8[]) is 'Logs the triples that an import added to stored documents, or removed.';
