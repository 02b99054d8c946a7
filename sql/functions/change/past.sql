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

-- Opens the store as of a time, and returns how many triples have changed since.
--
--   closed  a realm that the caller of a query may not read: deleted documents whose realm is gone are in it
--   raises  QS404 changes-logged · QS410 past-kept: the log does not reach back so far, with the oldest time
--           QS422 past-graphs: a raw graph was imported or removed since, and the log does not have its triples
create or replace function open_past(at timestamptz, closed int8 default 0) returns int8
language plpgsql
set search_path from current
set work_mem = '64MB'
as $$
declare
  v_since int8[] := require_past(at);
begin
  create temp table past_row as
    select c.position, c.document, c.action, c.before, c.after, c.parent, c.member_by, c.realm
      from change as c
     where c.position > v_since[1] and c.transaction = any (v_since);
  perform past_documents(closed);
  create temp table past_name as
    select distinct on (o.id) o.id, o.name from old_name as o where o.position > v_since[1] order by o.id, o.position;
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
  return past_quads();
end
$$;

comment on function open_past(timestamptz, int8) is 'Opens temporary views of the store as it was at a time.';

-- The numbers of the transactions that do not belong to the state as of a time, the least first.
--
--   raises  as open_past
create or replace function require_past(at timestamptz) returns int8[]
language plpgsql stable
set search_path from current
as $$
declare
  v_dataset dataset := (select d from dataset as d where d.is_only);
  v_since   int8[];
  v_oldest  timestamptz;
begin
  if not v_dataset.logs_changes then
    raise exception 'The past is not known, because the service logs no changes.'
      using errcode = 'QS404', constraint = 'changes-logged';
  end if;
  v_since := array(select distinct c.transaction from change as c where c.time > at order by 1);
  if at < v_dataset.changes_lost_time or v_since[1] < v_dataset.changes_lost then
    v_oldest := greatest(v_dataset.changes_lost_time,
                         (select max(c.time) from change as c where c.transaction < v_dataset.changes_lost));
    raise exception 'The log does not reach back to %. The oldest time that it knows is %.', at, v_oldest
      using errcode = 'QS410', constraint = 'past-kept', detail = json_build_object('oldest', v_oldest);
  elsif exists (select from change as c
                 where c.position > v_since[1] and c.transaction = any (v_since) and c.action is not null
                   and num_nonnulls(c.before, c.after) = 0) then
    raise exception 'A raw graph has been imported or removed since %. The log does not have its triples.', at
      using errcode = 'QS422', constraint = 'past-graphs';
  end if;
  return v_since;
end
$$;

comment on function require_past(timestamptz) is 'Transactions that do not belong to the state as of a time.';

-- Makes past_document: the documents that have changed since, with their places then.
--
--   is_there  whether there was a document
--   gone_at   position of its first deletion since
--
-- A document existed if its first change since has a tag before. The first row since that has a place has that of then:
-- a part of a move, a part that ended its membership, or its deletion. Otherwise it is where it was.
--
-- Grants are those of today: a deleted document belongs to its realm, or to `closed` if the realm is gone as well.
create or replace function past_documents(closed int8) returns void
language plpgsql
set search_path from current
as $$
begin
  create temp table past_document as
    with first as (
      select distinct on (r.document) r.document, r.before is not null as is_there
        from pg_temp.past_row as r
       where r.action is not null
       order by r.document, r.position),
    gone as (
      select distinct on (r.document) r.*
        from pg_temp.past_row as r
       where r.action = 'deleted'
       order by r.document, r.position),
    moved as (
      select distinct on (r.document) r.*
        from pg_temp.past_row as r
       where r.action is null and r.parent is not null
       order by r.document, r.position),
    ended as (
      select distinct on (m.id) m.id as document, r.position, r.member_by
        from pg_temp.past_row as r
        join change as c on c.position = r.position
       cross join lateral unnest(c.removed_o) as m (id)
       where r.action is null and r.parent is null and r.member_by is not null
       order by m.id, r.position),
    named as (
      select f.document as id from first as f
       union
      select e.document from ended as e
       union
      select m.document from moved as m)
    select n.id, g.position as gone_at, coalesce(f.is_there, true) and num_nonnulls(d.id, g.position) > 0 as is_there,
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
      left join first as f on f.document = n.id
      left join gone as g on g.document = n.id
      left join moved as m on m.document = n.id
      left join ended as e on e.document = n.id
      left join document as d on d.id = n.id;
  create unique index on pg_temp.past_document (id);
  create index on pg_temp.past_document (parent, id);
  analyze pg_temp.past_document;
end
$$;

comment on function past_documents(int8) is 'Makes a table of the documents that have changed since a time.';

-- Makes the view `quad`, and returns how many triples were touched since.
--
-- A triple is touched if the log names it since, if it is in a graph that is newer, or if it is a derived membership
-- that has changed. Rows of other triples are as they were, also the choice of the primary one. All rows of touched
-- triples are in past_quad: present ones of which the log says nothing, and those of which it says first that they were
-- removed. In a graph that was deleted since, only rows up to the deletion count.
create or replace function past_quads() returns int8
language plpgsql
set search_path from current
set work_mem = '64MB'
as $$
declare
  v_count int8;
begin
  create temp table past_mention as
    select c.document as g, q.s, q.p, q.o, min(2 * c.position + q.is_added) & 1 = 0 as was_there
      from pg_temp.past_row as r
      join change as c on c.position = r.position
      left join pg_temp.past_document as d on d.id = r.document
     cross join lateral (
       select x.s, x.p, x.o, 0 as is_added from unnest(c.removed_s, c.removed_p, c.removed_o) as x (s, p, o)
        union all
       select x.s, x.p, x.o, 1 from unnest(c.added_s, c.added_p, c.added_o) as x (s, p, o)) as q
     where (r.action is not null or r.member_by is null) and d.is_there is not false
       and r.position <= d.gone_at is not false
     group by c.document, q.s, q.p, q.o;
  create temp table past_touched as
    select m.s, m.p, m.o from pg_temp.past_mention as m
     union
    select q.s, q.p, q.o from pg_temp.past_document as d join quad as q on q.g = d.id
     where not d.is_there or d.gone_at is not null
     union
    select d.parent, d.member_by, d.id from pg_temp.past_document as p join document as d on d.id = p.id
     where d.member_by is not null
     union
    select p.parent, p.member_by, p.id from pg_temp.past_document as p where p.is_there and p.member_by is not null;
  get diagnostics v_count = row_count;
  create unique index on pg_temp.past_touched (s, p, o);
  analyze pg_temp.past_mention, pg_temp.past_touched;
  create temp table past_quad as
    with present as (
      select q.g, q.s, q.p, q.o
        from pg_temp.past_touched as t join quad as q on q.s = t.s and q.p = t.p and q.o = t.o and q.copy is null
       union all
      select q.g, q.s, q.p, q.o
        from pg_temp.past_touched as t join quad as q on q.s = t.s and q.p = t.p and q.o = t.o and q.copy),
    held as (
      select q.g, q.s, q.p, q.o
        from present as q
        left join pg_temp.past_mention as m on m.g = q.g and m.s = q.s and m.p = q.p and m.o = q.o
        left join pg_temp.past_document as d on d.id = q.g
       where m.g is null and (d.id is null or d.is_there and d.gone_at is null)
       union all
      select m.g, m.s, m.p, m.o from pg_temp.past_mention as m where m.was_there)
    select h.g, h.s, h.p, h.o,
           case when row_number() over (partition by h.s, h.p, h.o order by h.g) > 1 or d.id is not null
                then true end as copy
      from held as h
      left join pg_temp.document as d on d.id = h.o and d.parent = h.s and d.member_by = h.p;
  create index on pg_temp.past_quad (s, p, o);
  create index on pg_temp.past_quad (p, o, s);
  create index on pg_temp.past_quad (o);
  create index on pg_temp.past_quad (g);
  analyze pg_temp.past_quad;
  create temp view quad as
    select q.g, q.s, q.p, q.o, q.copy
      from quad as q
     where (exists (select from pg_temp.past_touched as t where t.s = q.s and t.p = q.p and t.o = q.o)) is not true
     union all
    select q.g, q.s, q.p, q.o, q.copy from pg_temp.past_quad as q;
  return v_count;
end
$$;

comment on function past_quads() is 'Makes a view of the triples at a time.';

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
