-- The whole store as it was at a time (docs/changes.md, The store as it was).
--
-- The past tables `quad` and `document` are the present ones without the rows that have changed since, and with the
-- rows of then, so the cost follows the changes since. open_past computes these rows as arrays and keeps them in a
-- cursor, past_state, until the transaction ends. It must see one state:
--
--     begin isolation level repeatable read;
--     select open_past('2026-11-17 09:30Z');
--     select count(*) from past_quads();
--     commit;
--
-- Nothing is written, so this works on replicas too. past_read gives the arrays to a query as parameters. The query
-- (src/sparql/print/past-table.ts) finds rows in them by binary search, for which each index is a sorted array of keys
-- and an array of the places of the rows:
--
--   rows of `quad`      s p o g is_copy, in the order of s. They are all rows that then had a triple that has been
--                       added or removed since. Triples that no graph then had are rows whose g is 0
--     hash_key …        the rows by past_hash(s, p, o, seed). Different triples have different hashes
--   rows of `document`  id is_there parent member_by realm, in the order of id: those that have been created, deleted,
--                       moved, or made members otherwise since. Null is -1
--     parent_key …      by parent
--   rows of `quad`      again, if the query needs them:
--     object_key …      by o >> 1, so that the key before the least one is a number too
--     graph_key …       by g
--
-- Names are looked up in `old_name`. The changes since are the rows of `change` after the position `first` whose
-- transactions are not among `ended` (require_past).

-- Opens the store as of a time.
--
--   closed      a realm that the caller of a query may not read: deleted documents whose realm is gone are in it
--   first       see require_past
--   is_renamed  whether terms have been renamed or removed since
--   relations   of memberships of the documents that differ
--   differing   the number of triples of graphs that differ
--   most        the greatest number of triples that may differ, and of documents
--   raises      QS404 changes-logged · QS410 past-kept: the log does not reach back so far, with the oldest time
--               QS422 past-graphs: a raw graph was imported or removed since, and the log does not have its triples
--               QS422 past-size: more triples differ than are kept in memory
create or replace function open_past(at timestamptz, closed int8 default 0, most int default 2000000, out first int8,
                                     out is_renamed boolean, out relations int8[], out differing int8)
language plpgsql stable
set search_path from current
as $$
declare
  v_past    refcursor := 'past_state';
  v_since   record := require_past(at);
  v_places  record := past_places(v_since.first, v_since.ended, closed, most);
  v_changes record;
  v_rows    record;
begin
  first := v_since.first;
  is_renamed := exists (select from old_name as o where o.position > v_since.first);
  relations := array(select distinct r.id from unnest(v_places.member_by) as r (id) where r.id <> -1);
  v_changes := past_changes(v_since.first, v_since.ended, v_places.id, v_places.gone_at, v_places.is_there,
                            v_places.parent, v_places.member_by, most);
  differing := coalesce(cardinality(v_changes.s), 0);
  if greatest(differing, cardinality(v_places.id)) > most then
    raise exception 'More than % triples or documents have changed since %.', most, at
      using errcode = 'QS422', constraint = 'past-size', detail = json_build_object('limit', most);
  end if;
  v_rows := past_rows(v_changes.g, v_changes.s, v_changes.p, v_changes.o, v_changes.was_there, v_places.id,
                      v_places.is_there, v_places.parent, v_places.member_by);
  open v_past scroll for
    select v_rows.s, v_rows.p, v_rows.o, v_rows.g, v_rows.is_copy, v_rows.seed, v_rows.hash_key, v_rows.hash_row,
           v_places.id, v_places.is_there, v_places.parent, v_places.member_by, v_places.realm, v_places.parent_key,
           v_places.parent_row;
end
$$;

comment on function open_past(timestamptz, int8, int) is 'Opens the store as it was at a time.';

-- The changes that do not belong to the state as of a time: those since.
--
--   first   number of the first transaction since; its rows have greater positions. Null: nothing has changed since
--   ended   numbers of transactions with rows after `first` that ended by the time
--   raises  as open_past
create or replace function require_past(at timestamptz, out first int8, out ended int8[])
language plpgsql stable
set search_path from current
set work_mem = '64MB'
set jit = off
as $$
declare
  v_dataset dataset := (select d from dataset as d where d.is_only);
  v_oldest  timestamptz;
  v_graphs  int8[]; -- transactions that imported or removed raw graphs
begin
  if not v_dataset.logs_changes then
    raise exception 'The past is not known, because the service logs no changes.'
      using errcode = 'QS404', constraint = 'changes-logged';
  end if;
  first := (select min(c.transaction) from change as c where c.time > at);
  if at < v_dataset.changes_lost_time or first < v_dataset.changes_lost then
    v_oldest := greatest(v_dataset.changes_lost_time,
                         (select max(c.time) from change as c where c.transaction < v_dataset.changes_lost));
    raise exception 'The log does not reach back to %. The oldest time that it knows is %.', at, v_oldest
      using errcode = 'QS410', constraint = 'past-kept', detail = json_build_object('oldest', v_oldest);
  end if;
  select array_agg(distinct c.transaction) filter (where c.time <= at),
         array_agg(distinct c.transaction) filter (where c.action is not null and num_nonnulls(c.before, c.after) = 0)
    into ended, v_graphs
    from change as c
   where c.position > first;
  ended := array(select e.transaction from unnest(ended) as e (transaction) where has_ended_by(e.transaction, at));
  if exists (select from unnest(v_graphs) as g (transaction) where g.transaction <> all (ended)) then
    raise exception 'A raw graph has been imported or removed since %. The log does not have its triples.', at
      using errcode = 'QS422', constraint = 'past-graphs';
  end if;
end
$$;

comment on function require_past(timestamptz) is 'The changes that do not belong to the state as of a time.';

-- The documents that have been created, deleted or moved since, or that ceased to be members of their parents, with
-- their places then: parallel arrays in the order of ids, and an index of the parents.
--
--   is_there  whether there was a document
--   gone_at   position of its first deletion since; null: none
--
-- A document existed unless its first such change since has no tag before. The first row since that has a place has
-- that of then: a part of a move, a part that ended its membership, or its deletion. Otherwise it is where it was.
--
-- Grants are those of today: a deleted document belongs to its realm, or to `closed` if the realm is gone as well.
create or replace function past_places(first int8, ended int8[], closed int8, most int, out id int8[],
                                       out gone_at int8[], out is_there boolean[], out parent int8[],
                                       out member_by int8[], out realm int8[], out parent_key int8[],
                                       out parent_row int[])
language plpgsql stable
set search_path from current
set work_mem = '64MB'
set jit = off
as $$
#variable_conflict use_column
begin
  select array_agg(f.id), array_agg(f.gone_at), array_agg(f.is_there), array_agg(coalesce(f.parent, -1)),
         array_agg(coalesce(f.member_by, -1)), array_agg(coalesce(f.realm, -1))
    into id, gone_at, is_there, parent, member_by, realm
    from (
        with place as materialized (
          select c.position, c.document, c.action, c.before, c.parent, c.member_by, c.realm,
                 case when c.action is null and c.parent is null then c.removed_o end as members
            from change as c
           where c.position > past_places.first and c.transaction <> all (ended)
             and (c.before is null or c.after is null)
             and num_nonnulls(c.action, c.parent::text, c.member_by::text) > 0),
        birth as (
          select distinct on (r.document) r.document, r.before is not null as is_there
            from place as r
           where r.action is not null
           order by r.document, r.position),
        gone as (
          select distinct on (r.document) r.*
            from place as r
           where r.action = 'deleted'
           order by r.document, r.position),
        moved as (
          select distinct on (r.document) r.*
            from place as r
           where r.action is null and r.parent is not null
           order by r.document, r.position),
        ended as (
          select distinct on (m.id) m.id as document, r.position, r.member_by
            from place as r
           cross join lateral unnest(r.members) as m (id)
           where r.action is null and r.parent is null
           order by m.id, r.position),
        named as (
          select b.document as id from birth as b
           union
          select e.document from ended as e
           union
          select m.document from moved as m)
        select n.id, g.position as gone_at,
               coalesce(b.is_there, true) and num_nonnulls(d.id, g.position) > 0 as is_there,
               case when m.position < g.position is not false and m.position is not null then m.parent
                    when g.position is not null then g.parent else d.parent end as parent,
               case when e.position is not null and e.position < m.position is not false
                         and e.position < g.position is not false then e.member_by
                    when m.position is not null and m.position < g.position is not false then m.member_by
                    when g.position is not null then g.member_by else d.member_by end as member_by,
               case when d.id is not null then d.realm
                    when g.realm is null or exists (select from access_realm as r where r.id = g.realm) then g.realm
                    else closed end as realm
          from named as n
          left join birth as b on b.document = n.id
          left join gone as g on g.document = n.id
          left join moved as m on m.document = n.id
          left join ended as e on e.document = n.id
          left join document as d on d.id = n.id
          order by n.id
          limit most + 1) as f;
  select array_agg(f.parent), array_agg(f.n) into parent_key, parent_row
    from (select r.parent, r.n::int as n
            from unnest(past_places.parent, past_places.is_there) with ordinality as r (parent, is_there, n)
           where r.is_there
           order by r.parent, r.n) as f;
end
$$;

comment on function past_places(int8, int8[], int8, int) is
  'Documents that have been created, deleted or moved since a time, with their places then.';

-- The triples of graphs that the table `quad` then had and now has not (was_there), or the other way round: those that
-- the log names first as removed and last as removed, or first and last as added, and the triples of graphs that were
-- made or deleted since. In a graph that was deleted since, only rows of the log up to the deletion count. Derived
-- memberships that have changed are among them without a graph.
--
--   ids …  documents that differ, as past_places
create or replace function past_changes(first int8, ended int8[], ids int8[], gone_at int8[], is_there boolean[],
                                        parents int8[], relations int8[], most int, out g int8[],
                                        out s int8[], out p int8[], out o int8[], out was_there boolean[])
language plpgsql stable
set search_path from current
set work_mem = '64MB'
set jit = off
as $$
#variable_conflict use_column
begin
  with past_document as materialized (
    select d.id, d.gone_at, d.is_there, nullif(d.parent, -1) as parent, nullif(d.member_by, -1) as member_by
      from unnest(past_changes.ids, past_changes.gone_at, past_changes.is_there, past_changes.parents,
                  past_changes.relations) as d (id, gone_at, is_there, parent, member_by)),
  logged as (
    select c.document as g, unnest(c.removed_s) as s, unnest(c.removed_p) as p, unnest(c.removed_o) as o,
           2 * c.position as place
      from change as c
     where c.position > past_changes.first and c.transaction <> all (ended)
       and (c.action is not null or c.member_by is null)
     union all
    select c.document, unnest(c.added_s), unnest(c.added_p), unnest(c.added_o), 2 * c.position + 1
      from change as c
     where c.position > past_changes.first and c.transaction <> all (ended) and c.added_s is not null),
  named as materialized (
    select q.g, q.s, q.p, q.o, min(q.place) & 1 = 0 as was_there
      from logged as q
      left join past_document as d on d.id = q.g
     where d.is_there is not false and q.place <= 2 * d.gone_at + 1 is not false
     group by q.g, q.s, q.p, q.o
    having min(q.place) & 1 = max(q.place) & 1),
  changed as (
    select n.* from named as n where n.g not in (select d.id from past_document as d)
     union all
    select c.g, c.s, c.p, c.o, bool_or(c.was_there) as was_there
      from (select n.* from named as n where n.g in (select d.id from past_document as d)
             union all
            select q.g, q.s, q.p, q.o, false from past_document as d join quad as q on q.g = d.id
             where not d.is_there or d.gone_at is not null
             union all
            select null, d.parent, d.member_by, d.id, null
              from past_document as p join document as d on d.id = p.id
             where d.member_by is not null
             union all
            select null, p.parent, p.member_by, p.id, null from past_document as p
             where p.is_there and p.member_by is not null) as c
     group by c.g, c.s, c.p, c.o)
  select array_agg(c.g), array_agg(c.s), array_agg(c.p), array_agg(c.o), array_agg(c.was_there)
    into g, s, p, o, was_there
    from (select * from changed order by s, p, o limit most + 1) as c;
end
$$;

comment on function past_changes(int8, int8[], int8[], int8[], boolean[], int8[], int8[], int) is
  'Triples of graphs that have been added or removed since a time.';

-- The rows of `quad` of the time that open_past keeps, with the index of their triples.
--
-- Which row of a triple is the primary one may have changed. So the rows are all that then had one of the triples of
-- past_changes. Rows of other triples are as they were.
--
--   graphs …, were_there  changes, as past_changes
--   ids …                 documents that differ, as past_places
create or replace function past_rows(graphs int8[], subjects int8[], predicates int8[], objects int8[],
                                     were_there boolean[], ids int8[], are_there boolean[], parents int8[],
                                     relations int8[], out s int8[], out p int8[], out o int8[], out g int8[],
                                     out is_copy boolean[], out seed int8, out hash_key int8[], out hash_row int[])
language plpgsql stable
set search_path from current
set work_mem = '64MB'
set jit = off
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_nestloop = off -- probes are lateral
as $$
#variable_conflict use_column
declare
  v_hashes int8;
begin
  with changed as materialized (
    select c.* from unnest(graphs, subjects, predicates, objects, were_there) as c (g, s, p, o, was_there)),
  found as ( -- a row that has been added is the only one of its triple if there is no copy
    select c.g as changed, q.g, c.s, c.p, c.o
      from changed as c
     cross join lateral (
       select q.g
         from quad as q
        where q.s = c.s and q.p = c.p and q.o = c.o and q.copy is null
          and (c.was_there is not false
               or exists (select from quad as e where e.s = c.s and e.p = c.p and e.o = c.o and e.copy))
        union all
       select q.g from quad as q where q.s = c.s and q.p = c.p and q.o = c.o and q.copy) as q),
  held as (
    select c.g, c.s, c.p, c.o from changed as c where c.was_there
     union all
    select distinct f.g, f.s, f.p, f.o
      from found as f
     where f.g is distinct from f.changed
       and not exists (select from changed as c where c.g = f.g and c.s = f.s and c.p = f.p and c.o = f.o)
     union all
    select 0, c.s, c.p, c.o from changed as c where c.was_there is not true),
  marked as (
    select h.g, h.s, h.p, h.o,
           row_number() over (partition by h.s, h.p, h.o, h.g > 0 order by h.g) > 1
             or case when d.id is not null then d.is_there and d.parent = h.s and d.member_by = h.p
                     when h.o between 1 and first_blank_node() - 1
                       then (select true from document as m
                              where m.id = h.o and m.parent = h.s and m.member_by = h.p) is true
                     else false end as is_copy
      from held as h
      left join unnest(ids, are_there, parents, relations) as d (id, is_there, parent, member_by) on d.id = h.o)
  select array_agg(m.s), array_agg(m.p), array_agg(m.o), array_agg(m.g), array_agg(m.is_copy)
    into s, p, o, g, is_copy
    from (select * from marked order by s, p, o, g > 0) as m;
  seed := 0;
  loop
    select array_agg(f.h), array_agg(f.n), count(distinct f.h) into hash_key, hash_row, v_hashes
      from (select past_hash(r.s, r.p, r.o, seed) as h, r.n::int as n
              from unnest(past_rows.s, past_rows.p, past_rows.o) with ordinality as r (s, p, o, n)
             order by 1) as f;
    exit when v_hashes = coalesce(cardinality(s), 0) -- different triples have different hashes
           or v_hashes = (select count(*)
                            from (select distinct r.* from unnest(past_rows.s, past_rows.p, past_rows.o) as r) as t);
    seed := seed + 1;
  end loop;
end
$$;

comment on function past_rows(int8[], int8[], int8[], int8[], boolean[], int8[], boolean[], int8[], int8[]) is
  'Rows of triples at a time that differ from the present ones, with an index.';

-- A hash of a triple, in 63 bits, so that the key before the least one is a number too. hashint8extended hashes both
-- halves of a number together, so the high half is hashed first.
create or replace function past_hash(s int8, p int8, o int8, seed int8) returns int8
language sql immutable parallel safe
return hashint8extended(o, hashint8extended(o >> 32, hashint8extended(p, hashint8extended(p >> 32,
         hashint8extended(s, hashint8extended(s >> 32, seed)))))) >> 1;

comment on function past_hash(int8, int8, int8, int8) is 'A hash of a triple.';

-- Opens a cursor for a query on the store of open_past.
--
--   query  refers to its parameters as $1, and to the arrays of past_state as $2, $3, … in their order. The last four
--          are two indexes that are made here if the query refers to them: of the objects, and of the graphs
--
-- A generic plan has the arrays as parameters; another one would have a copy of each in every expression. Nested loops
-- are disabled as in sparql_open.
create or replace function past_read(query text, parameters text[], cursor_name text) returns void
language plpgsql
set work_mem = '64MB'
set plan_cache_mode = force_generic_plan
set enable_nestloop = off
as $$
declare
  v_past     refcursor := 'past_state';
  v_solution refcursor := cursor_name;
  v          record;
  v_objects  record;
  v_graphs   record;
begin
  fetch first from v_past into v;
  select array_agg(f.o) as key, array_agg(f.n) as places into v_objects
    from (select r.o >> 1 as o, r.n::int as n from unnest(v.o) with ordinality as r (o, n)
           where strpos(query, '$17') > 0
           order by 1) as f;
  select array_agg(f.g) as key, array_agg(f.n) as places into v_graphs
    from (select r.g, r.n::int as n from unnest(v.g) with ordinality as r (g, n)
           where r.g > 0 and strpos(query, '$19') > 0
           order by 1) as f;
  open v_solution no scroll for execute query
    using parameters, v.s, v.p, v.o, v.g, v.is_copy, v.seed, v.hash_key, v.hash_row, v.id, v.is_there, v.parent,
          v.member_by, v.realm, v.parent_key, v.parent_row, v_objects.key, v_objects.places, v_graphs.key,
          v_graphs.places;
end
$$;

comment on function past_read(text, text[], text) is 'Opens a cursor for a query on the store of open_past.';

-- The rows of `quad` in the store of open_past.
create or replace function past_quads() returns table (g int8, s int8, p int8, o int8, copy boolean)
language plpgsql stable
set search_path from current
set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
declare
  v_past refcursor := 'past_state';
  v      record;
begin
  fetch first from v_past into v;
  return query
    select q.g, q.s, q.p, q.o, q.copy
      from quad as q
     where (q.s, q.p, q.o) not in (select r.s, r.p, r.o from unnest(v.s, v.p, v.o) as r (s, p, o))
     union all
    select r.g, r.s, r.p, r.o, nullif(r.is_copy, false)
      from unnest(v.s, v.p, v.o, v.g, v.is_copy) as r (s, p, o, g, is_copy)
     where r.g > 0;
end
$$;

comment on function past_quads() is 'Triples of graphs in the store of open_past.';

-- The ids that terms with these names had, for those of `keys` for which it is another one now. Null: the term that has
-- the name now had another one.
--
--   first  as require_past
create or replace function past_ids(first int8, keys text[]) returns table (key text, id int8)
language plpgsql stable
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
#variable_conflict use_column
begin
  return query
    select k.key, n.id
      from unnest(keys) as k (key)
      left join lateral (
        select o.id
          from old_name as o
         where k.key like 'I%' and o.name = substr(k.key, 2) and o.position > first
           and not exists (select from old_name as e
                            where e.id = o.id and e.position > first and e.position < o.position)
         limit 1) as n on true
     where n.id is not null
        or exists (select from term as t join old_name as o on o.id = t.id
                    where t.hash = term_hash(k.key) and o.position > first);
end
$$;

comment on function past_ids(int8, text[]) is 'The ids of terms that had these names, if they have others now.';

-- sparql_id by the names of the time of open_past.
--
--   first  as require_past
create or replace function past_id(key text, first int8) returns int8
language plpgsql stable
set search_path from current
as $$
declare
  v_found record;
begin
  select * into v_found from past_ids(first, array[key]);
  return case when found then coalesce(v_found.id, -1) else sparql_id(key) end;
end
$$;

comment on function past_id(text, int8) is 'Id of a term by key, by the names of the time of open_past.';
