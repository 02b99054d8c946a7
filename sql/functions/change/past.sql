-- The whole store as it was at a time (docs/changes.md, The store as it was).
--
-- open_past makes temporary views `document`, `quad`, `raw_graph` and `term`, which have the rows of that time in the
-- columns that queries use. They are the present tables without what was added since, and with what was removed since,
-- so the cost follows the changes since. The views belong to the transaction, which must see one state and roll back:
--
--     begin isolation level repeatable read;
--     select open_past('2026-11-17 09:30Z');
--     select count(*) from pg_temp.quad;
--     rollback;
--
-- The changes since are the rows of `change` after the position `first` whose transactions are not among `ended`
-- (require_past).

-- Opens the store as of a time, and returns by how many triples it differs from the present one.
--
--   closed  a realm that the caller of a query may not read: deleted documents whose realm is gone are in it
--   raises  QS404 changes-logged · QS410 past-kept: the log does not reach back so far, with the oldest time
--           QS422 past-graphs: a raw graph was imported or removed since, and the log does not have its triples
create or replace function open_past(at timestamptz, closed int8 default 0) returns int8
language plpgsql
set search_path from current
as $$
declare
  v_since record := require_past(at);
begin
  perform past_documents(v_since.first, v_since.ended, closed);
  create temp table past_name as
    select distinct on (o.id) o.id, o.name
      from old_name as o
     where o.position > v_since.first
     order by o.id, o.position;
  create unique index on pg_temp.past_name (id);
  create index on pg_temp.past_name using hash (name);
  create temp view document as
    select d.id, d.parent, d.member_by, d.realm
      from document as d
     where not exists (select from pg_temp.past_document as p where p.id = d.id)
     union all
    select p.id, p.parent, p.member_by, p.realm from pg_temp.past_document as p where p.is_there;
  create temp view raw_graph as select r.id from raw_graph as r;
  create temp view term as
    select t.id, t.lex, t.datatype, t.lang
      from term as t
     where not exists (select from pg_temp.past_name as n where n.id = t.id)
     union all
    select n.id, n.name, null, null from pg_temp.past_name as n;
  return past_quads(v_since.first, v_since.ended);
end
$$;

comment on function open_past(timestamptz, int8) is 'Opens temporary views of the store as it was at a time.';

-- The changes that do not belong to the state as of a time: those since.
--
--   first   number of the first transaction since; its rows have greater positions. Null: nothing has changed since
--   ended   numbers of transactions with rows after `first` that ended by the time
--   raises  as open_past
create or replace function require_past(at timestamptz, out first int8, out ended int8[])
language plpgsql stable
set search_path from current
set work_mem = '64MB'
as $$
declare
  v_dataset dataset := (select d from dataset as d where d.is_only);
  v_oldest  timestamptz;
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
  ended := array(
    select distinct e.transaction
      from change as e
     where e.position > first and e.time <= at
       and e.transaction not in (select c.transaction from change as c where c.position > first and c.time > at));
  if exists (select from change as c
              where c.position > first and c.transaction <> all (ended) and c.action is not null
                and num_nonnulls(c.before, c.after) = 0) then
    raise exception 'A raw graph has been imported or removed since %. The log does not have its triples.', at
      using errcode = 'QS422', constraint = 'past-graphs';
  end if;
end
$$;

comment on function require_past(timestamptz) is 'The changes that do not belong to the state as of a time.';

-- Makes past_document: the documents that have been created, deleted or moved since, with their places then.
--
--   is_there  whether there was a document
--   gone_at   position of its first deletion since
--
-- A document existed unless its first such change since has no tag before. The first row since that has a place has
-- that of then: a part of a move, a part that ended its membership, or its deletion. Otherwise it is where it was.
--
-- Grants are those of today: a deleted document belongs to its realm, or to `closed` if the realm is gone as well.
create or replace function past_documents(first int8, ended int8[], closed int8) returns void
language plpgsql
set search_path from current
set work_mem = '64MB'
as $$
begin
  create temp table past_document as
    with place as materialized (
      select c.position, c.document, c.action, c.before, c.parent, c.member_by, c.realm,
             case when c.action is null and c.parent is null then c.removed_o end as members
        from change as c
       where c.position > past_documents.first and c.transaction <> all (ended)
         and (c.before is null or c.after is null) and num_nonnulls(c.action, c.parent::text, c.member_by::text) > 0),
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
    select n.id, g.position as gone_at, coalesce(b.is_there, true) and num_nonnulls(d.id, g.position) > 0 as is_there,
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
      left join document as d on d.id = n.id;
  create unique index on pg_temp.past_document (id);
  create index on pg_temp.past_document (parent, id);
  analyze pg_temp.past_document;
end
$$;

comment on function past_documents(int8, int8[], int8) is
  'Makes a table of the documents that have been created, deleted or moved since a time.';

-- Makes the view `quad`, and returns by how many triples it differs from the table.
--
-- past_change has the rows that the table then had and now has not (was_there), or the other way round: those that the
-- log names first as removed and last as removed, or first and last as added, and the rows of graphs that were made or
-- deleted since. In a graph that was deleted since, only rows of the log up to the deletion count. It also has derived
-- memberships that have changed, without a graph.
--
-- The row that is the primary one of a triple may be another than then. So past_quad has all rows that then had one of
-- these triples; a row without a graph if there was none. Rows of other triples are as they were.
create or replace function past_quads(first int8, ended int8[]) returns int8
language plpgsql
set search_path from current
set work_mem = '64MB'
as $$
declare
  v_count int8;
begin
  create temp table past_change as
    with logged as (
      select c.document as g, unnest(c.removed_s) as s, unnest(c.removed_p) as p, unnest(c.removed_o) as o, c.position,
             0 as is_added
        from change as c
       where c.position > past_quads.first and c.transaction <> all (ended)
         and (c.action is not null or c.member_by is null)
       union all
      select c.document, unnest(c.added_s), unnest(c.added_p), unnest(c.added_o), c.position, 1
        from change as c
       where c.position > past_quads.first and c.transaction <> all (ended) and c.added_s is not null),
    named as (
      select q.g, q.s, q.p, q.o, min(2 * q.position + q.is_added) & 1 = 0 as was_there
        from logged as q
        left join pg_temp.past_document as d on d.id = q.g
       where d.is_there is not false and q.position <= d.gone_at is not false
       group by q.g, q.s, q.p, q.o
      having min(2 * q.position + q.is_added) & 1 = max(2 * q.position + q.is_added) & 1)
    select c.g, c.s, c.p, c.o, bool_or(c.was_there) as was_there
      from (select * from named
             union all
            select q.g, q.s, q.p, q.o, false from pg_temp.past_document as d join quad as q on q.g = d.id
             where not d.is_there or d.gone_at is not null
             union all
            select null, d.parent, d.member_by, d.id, null
              from pg_temp.past_document as p join document as d on d.id = p.id
             where d.member_by is not null
             union all
            select null, p.parent, p.member_by, p.id, null from pg_temp.past_document as p
             where p.is_there and p.member_by is not null) as c
     group by c.g, c.s, c.p, c.o;
  get diagnostics v_count = row_count;
  analyze pg_temp.past_change;
  create temp table past_quad as
    with touched as (select distinct c.s, c.p, c.o from pg_temp.past_change as c),
    held as (
      select q.g, q.s, q.p, q.o
        from (select q.g, q.s, q.p, q.o
                from touched as t join quad as q on q.s = t.s and q.p = t.p and q.o = t.o and q.copy is null
               union all
              select q.g, q.s, q.p, q.o
                from touched as t join quad as q on q.s = t.s and q.p = t.p and q.o = t.o and q.copy) as q
       where not exists (select from pg_temp.past_change as c
                          where c.g = q.g and c.s = q.s and c.p = q.p and c.o = q.o)
       union all
      select c.g, c.s, c.p, c.o from pg_temp.past_change as c where c.was_there)
    select h.g, t.s, t.p, t.o,
           case when h.g is null then null
                when row_number() over (partition by t.s, t.p, t.o order by h.g) > 1 then true
                else (select true from pg_temp.document as d where d.id = t.o and d.parent = t.s and d.member_by = t.p)
           end as copy
      from touched as t
      left join held as h on h.s = t.s and h.p = t.p and h.o = t.o;
  create index on pg_temp.past_quad (s, p, o);
  create index on pg_temp.past_quad (o, p);
  create index on pg_temp.past_quad (g);
  analyze pg_temp.past_quad;
  create temp view quad as
    select q.g, q.s, q.p, q.o, q.copy
      from quad as q
     where (exists (select from pg_temp.past_quad as t where t.s = q.s and t.p = q.p and t.o = q.o)) is not true
     union all
    select q.g, q.s, q.p, q.o, q.copy from pg_temp.past_quad as q where q.g is not null;
  return v_count;
end
$$;

comment on function past_quads(int8, int8[]) is 'Makes a view of the triples at a time.';

-- sparql_id by the names of the time of open_past.
create or replace function past_id(key text) returns int8
language plpgsql stable
set search_path from current
as $$
declare
  v_id int8 := (select n.id from pg_temp.past_name as n where key like 'I%' and n.name = substr(key, 2) limit 1);
begin
  if v_id is null then
    v_id := sparql_id(key);
    if exists (select from pg_temp.past_name as n where n.id = v_id) then
      return -1; -- it had another name
    end if;
  end if;
  return v_id;
end
$$;

comment on function past_id(text) is 'Id of a term by key, by the names of the time of open_past.';
