-- Reads the change log (docs/changes.md).

-- The position up to which all changes are visible to statements that begin later: no transaction that still runs has
-- drawn a position up to there.
--
-- The order counts. First the last number that was drawn, then the floors of the writers. A writer that drew a number
-- up to the first had its lock before. If the lock is gone by the second step, the transaction has ended, and
-- PostgreSQL makes a commit visible before it releases the locks. If the lock is there, its floor is below the writer's
-- numbers.
create or replace function change_bound() returns int8
language plpgsql volatile
security definer
set search_path from current
as $$
declare
  v_last  int8 := pg_sequence_last_value('change_seq');
  v_floor int8;
begin
  -- A floor is the low half of a number near v_last. One after v_last belongs to a later writer.
  select min(v_last - d.distance) into v_floor
    from pg_locks as l
   cross join lateral (select (v_last - l.objid::int8) & 4294967295 as distance) as d
   where l.locktype = 'advisory' and l.objsubid = 2 and l.classid = 'change_seq'::regclass
     and l.database = (select b.oid from pg_database as b where b.datname = current_database())
     and d.distance < 2147483648;
  return least(v_last, v_floor);
end
$$;

comment on function change_bound() is 'Position up to which all changes are visible to later statements.';

-- The positions between which the log can be read.
--
--   first  the log is complete after this position
--   last   position of the last visible change; `first` if there is none after it
--   is_on  whether writes are logged
--   grants_revision  number of the last change of grants
--
-- `last` is the position of a stored row, and never a number that was only drawn: after a crash PostgreSQL may draw
-- numbers again that no committed transaction has used.
create or replace function change_range(out first int8, out last int8, out is_on boolean, out grants_revision int8)
language plpgsql volatile
security definer
set search_path from current
as $$
declare
  v_bound int8 := require_fresh();
begin
  select d.changes_lost, d.logs_changes, d.grants_revision into first, is_on, grants_revision from dataset as d;
  last := greatest(first, (select max(c.position) from change as c where c.position <= v_bound));
end
$$;

comment on function change_range() is 'Positions between which the change log can be read.';

-- change_bound for the function that calls it. Refuses a transaction whose statements all see one state, because this
-- state is older than the bound.
create or replace function require_fresh() returns int8
language plpgsql volatile
set search_path from current
as $$
begin
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception 'The change log must be read in a transaction that is read committed.'
      using errcode = 'feature_not_supported';
  end if;
  return change_bound();
end
$$;

comment on function require_fresh() is 'change_bound in a transaction whose statements see new states.';

-- The name that a term had at a position of the log; null if there is no such term.
create or replace function name_at(id int8, place int8) returns text
language plpgsql stable
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
begin
  return coalesce((select o.name from old_name as o where o.id = name_at.id and o.position > place
                    order by o.position limit 1),
                  (select t.lex from term as t where t.id = name_at.id));
end
$$;

comment on function name_at(int8, int8) is 'Name of a term at a position of the change log.';

-- The names of terms at a position, if they are not those of today, as JSON: {id: name}; null if there is none.
create or replace function names_at(ids int8[], place int8) returns json
language plpgsql stable
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
begin
  return (select json_object_agg(n.id, o.name)
            from (select distinct u.id from unnest(ids) as u (id)) as n
           cross join lateral (select o.name from old_name as o where o.id = n.id and o.position > place
                                order by o.position limit 1) as o);
end
$$;

comment on function names_at(int8[], int8) is 'Names of terms at a position of the change log, where they differ.';

-- The position after which the rows of a change begin: its parts, and its own.
create or replace function place_before(logged change) returns int8
language plpgsql stable
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
begin
  return coalesce((select max(c.position)
                     from change as c
                    where c.document = logged.document and c.position < logged.position
                      and c.action is not null and c.transaction = logged.transaction
                      and c.position > logged.transaction),
                  logged.transaction);
end
$$;

comment on function place_before(change) is 'The position after which the rows of a change begin.';

-- The triples that a change added to its document and removed, with those of its parts.
--
--   most      greatest number of triples; null: no limit
--   is_large  there are more, and none is returned
--
-- A triple that was removed and added again, or added and removed again, is in neither.
create or replace function change_quads_of(place int8, most int, out is_large boolean, out added_s int8[],
                                           out added_p int8[], out added_o int8[], out removed_s int8[],
                                           out removed_p int8[], out removed_o int8[])
language plpgsql stable
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
  v_change change;
  v_first  int8;
begin
  select * into v_change from change as c where c.position = place;
  v_first := place_before(v_change);
  is_large := coalesce((select sum(coalesce(cardinality(c.added_s), 0) + coalesce(cardinality(c.removed_s), 0))
                          from change as c
                         where c.document = v_change.document and c.position > v_first and c.position <= place
                           and c.transaction = v_change.transaction) > most, false);
  if is_large then
    return;
  elsif not exists (select from change as c where c.document = v_change.document and c.position > v_first
                                           and c.position < place) then
    added_s := v_change.added_s;
    added_p := v_change.added_p;
    added_o := v_change.added_o;
    removed_s := v_change.removed_s;
    removed_p := v_change.removed_p;
    removed_o := v_change.removed_o;
    return;
  end if;
  select array_agg(n.s) filter (where n.times > 0), array_agg(n.p) filter (where n.times > 0),
         array_agg(n.o) filter (where n.times > 0), array_agg(n.s) filter (where n.times < 0),
         array_agg(n.p) filter (where n.times < 0), array_agg(n.o) filter (where n.times < 0)
    into added_s, added_p, added_o, removed_s, removed_p, removed_o
    from (select q.s, q.p, q.o, sum(q.times) as times
            from change as c
           cross join lateral (
             select a.s, a.p, a.o, 1 as times from unnest(c.added_s, c.added_p, c.added_o) as a (s, p, o)
              union all
             select r.s, r.p, r.o, -1 from unnest(c.removed_s, c.removed_p, c.removed_o) as r (s, p, o)) as q
           where c.document = v_change.document and c.position > v_first and c.position <= place
             and c.transaction = v_change.transaction
           group by q.s, q.p, q.o
           order by q.s, q.p, q.o) as n;
end
$$;

comment on function change_quads_of(int8, int) is 'Triples that a change added to its document and removed.';

-- The access points whose lists a change of members has changed, if a caller may read them: their names at its time.
--
--   realms, is_manager  as for is_change_readable
create or replace function changed_access_points(logged change, realms int8[], is_manager boolean) returns text[]
language plpgsql stable
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
begin
  return array(
    select name_at(d.id, logged.position)
      from quad as q
      join document as d on d.id = q.o
     where q.s = logged.document and q.p = platform_has_access_point() and q.copy is null
       and d.parent = logged.document and d.is_access_point
       and is_change_readable(realms, is_manager, d.id, d.realm)
       and exists (select from change as c
                    where c.document = logged.document and c.position > place_before(logged)
                      and c.position <= logged.position and c.transaction = logged.transaction
                      and d.has_member_relation = any (c.added_p || c.removed_p))
     order by d.id);
end
$$;

comment on function changed_access_points(change, int8[], boolean) is
  'Access points whose lists a change of members has changed.';

-- The triples that a change added or removed, with those of its parts, as lines of N-Triples with the names of that
-- time.
create or replace function change_lines(place int8, is_added boolean) returns text[]
language plpgsql stable
set search_path from current
as $$
begin
  return (select array_agg(format('%s %s %s .', l.s, l.p, l.o) order by l.s, l.p, l.o)
            from change_quads_of(place, null) as c
           cross join lateral unnest(case when is_added then c.added_s else c.removed_s end,
                                     case when is_added then c.added_p else c.removed_p end,
                                     case when is_added then c.added_o else c.removed_o end) as q (s, p, o)
           cross join lateral (select term_then(q.s, place) as s, term_then(q.p, place) as p,
                                      term_then(q.o, place) as o) as l);
end
$$;

comment on function change_lines(int8, boolean) is 'Triples that a change added or removed, in N-Triples.';

-- A term in N-Triples, with its name at a position of the change log.
create or replace function term_then(id int8, place int8) returns text
language plpgsql stable
set search_path from current
as $$
begin
  return case when id between 1 and first_blank_node() - 1 then '<' || name_at(id, place) || '>' else show_term(id) end;
end
$$;

comment on function term_then(int8, int8) is 'A term in N-Triples, with its name at a position of the change log.';

-- Whether a caller may read the change of a document.
--
--   realms      result of granted_realms for the mode read
--   is_manager  whether the caller has the mode control on the root document
--   realm       the document's realm now, or when it was deleted
--
-- A deleted document is readable like its realm. If the realm is gone as well, only managers may read the change.
create or replace function is_change_readable(realms int8[], is_manager boolean, document int8, realm int8)
returns boolean
language plpgsql stable
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
  v_document record;
begin
  if realms is null then
    return true;
  end if;
  select d.id, d.realm into v_document from document as d where d.id = is_change_readable.document;
  if v_document.id is not null then
    realm := v_document.realm;
  elsif realm is not null
        and not exists (select from access_realm as r where r.id = is_change_readable.realm) then
    return is_manager;
  end if;
  return case when realms[1] < 0 then realm is null or -realm <> all (realms) else coalesce(realm = any (realms), false)
         end;
end
$$;

comment on function is_change_readable(int8[], boolean, int8, int8) is 'Whether a caller may read a change.';

-- Reads changes in the order of their positions.
--
--   after        position after which to read
--   page         greatest number of changes
--   under        only changes of documents whose IRI begins with this, before or after the change; null: all
--   actions      only changes with these actions; null: all
--   has_triples  include triples, of changes with up to 10,000 (is_large: there are more), and access_points, of changes
--                of members: those whose lists have changed
--   returns      the first row has `next`, the position to go on from, `is_end`, whether that is the last visible
--                change, and the terms; each further row is a change, with the IRIs at the time. `next` is not before
--                the last row: it is also beyond changes that were left out. is_renamed: a move renamed terms in the
--                transaction, so the triples are not all that changed in the document
--   raises       QS410 changes-kept: changes after this position were deleted · QS404 changes-logged: the log is off
create or replace function read_changes(after int8, page int, under text default null, actions text[] default null,
                                        has_triples boolean default false, caller caller default null)
returns table (next text, is_end boolean, term_ids int8[], term_texts json, "position" text, "time" timestamptz,
               action text, document text, old_document text, parent text, member_by text, is_access_point boolean,
               is_raw boolean, before text, etag text, agent text, request_id text, added_s int8[], added_p int8[],
               added_o int8[], removed_s int8[], removed_p int8[], removed_o int8[], is_large boolean,
               is_renamed boolean, names json, old_names json, access_points text[])
language plpgsql volatile
security definer
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
#variable_conflict use_column
declare
  v_most    constant int := 10000; -- triples of a change
  v_bound   int8 := require_fresh();
  v_found   record;
  v_picked  int8[];
  v_ids     int8[] := '{}';
begin
  perform require_kept(read_changes.after);
  v_found := find_changes(read_changes.after, v_bound, read_changes.page, read_changes.under, read_changes.actions,
                          has_triples, read_changes.caller);
  v_picked := v_found.positions;
  if has_triples and v_picked <> '{}' then
    v_ids := array(select distinct i.id
                     from unnest(v_picked) as c (place)
                    cross join lateral change_quads_of(c.place, v_most) as q
                    cross join lateral unnest(q.added_s || q.added_p || q.added_o || q.removed_s || q.removed_p
                                              || q.removed_o) as i (id)
                    where i.id > 0);
  end if;
  return query
    select v_found.next::text, v_found.is_end, t.term_ids, t.term_texts, null::text, null::timestamptz, null::text,
           null::text, null::text, null::text, null::text, null::boolean, null::boolean, null::text, null::text,
           null::text, null::text, null::int8[], null::int8[], null::int8[], null::int8[], null::int8[], null::int8[],
           null::boolean, null::boolean, null::json, null::json, null::text[]
      from terms_of(v_ids) as t;
  return query
    select null::text, null::boolean, null::int8[], null::json, c.position::text, c.time, c.action,
           name_at(c.document, case when c.after is null then c.transaction else c.position end),
           nullif(name_at(c.document, c.transaction), name_at(c.document, c.position)), name_at(c.parent, c.position),
           name_at(c.member_by, c.position), coalesce(c.is_access_point, false), c.before is null and c.after is null,
           c.before::text, c.after::text, c.agent, c.request_id, q.added_s, q.added_p, q.added_o, q.removed_s,
           q.removed_p, q.removed_o, coalesce(q.is_large, false),
           exists (select from old_name as o where o.position > c.transaction and o.position < c.position),
           names_at(q.added_s || q.added_p || q.added_o, c.position),
           names_at(q.removed_s || q.removed_p || q.removed_o, c.transaction),
           case when has_triples and c.action in ('members-added', 'members-removed')
                then changed_access_points(c, v_found.realms, v_found.is_manager) end
      from unnest(v_picked) with ordinality as p (place, n)
      join change as c on c.position = p.place
      left join lateral (select * from change_quads_of(c.position, v_most) where has_triples) as q on true
     order by p.n;
end
$$;

comment on function read_changes(int8, int, text, text[], boolean, caller) is 'Reads changes in their order.';

-- Refuses a position after which changes were deleted.
--
--   raises  QS410 changes-kept · QS404 changes-logged
create or replace function require_kept(after int8) returns void
language plpgsql stable
set search_path from current
as $$
declare
  v_dataset dataset := (select d from dataset as d where d.is_only);
begin
  if not v_dataset.logs_changes then
    raise exception 'Changes are not logged here.' using errcode = 'QS404', constraint = 'changes-logged';
  elsif after < v_dataset.changes_lost or after > pg_sequence_last_value('change_seq') then
    raise exception 'The log has no complete list of changes after position %; the oldest position is %.',
      after, v_dataset.changes_lost
      using errcode = 'QS410', constraint = 'changes-kept',
            detail = json_build_object('oldest', v_dataset.changes_lost::text);
  end if;
end
$$;

comment on function require_kept(int8) is 'Refuses a position after which changes were deleted.';

-- Finds changes that a caller may read and that match the filters, as read_changes. Also returns what the caller may
-- read, as is_change_readable takes it.
--
-- Looks at a limited number of rows, so that a filter that few changes match does not make a call long. If their
-- triples are needed, these have a limited size: the first 100 kB as they are stored, and one more row.
create or replace function find_changes(after int8, bound int8, page int, under text, actions text[],
                                        has_triples boolean, caller caller, out positions int8[], out next int8,
                                        out is_end boolean, out realms int8[], out is_manager boolean)
language plpgsql stable
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
  v_limit      constant int := case when has_triples then greatest(200, page) else greatest(1000, 4 * page) end;
  v_scanned    record;
begin
  is_manager := true;
  if caller.grantees is not null then
    realms := granted_realms(caller.grantees, 'read');
    is_manager := has_access((select d.base from dataset as d where d.is_only), '{control}', caller.grantees);
  end if;
  with ahead as materialized (
    select c.position, c.document, c.action, c.realm, c.transaction,
           case when has_triples then coalesce(pg_column_size(c.added_s), 0) + coalesce(pg_column_size(c.added_o), 0)
                                      + coalesce(pg_column_size(c.removed_s), 0)
                                      + coalesce(pg_column_size(c.removed_o), 0) else 0 end as bytes
      from change as c
     where c.position > find_changes.after and c.position <= bound
     order by c.position
     limit v_limit),
  scanned as materialized (
    select a.* from (select a.*, sum(a.bytes) over (order by a.position) - a.bytes as bytes_before from ahead as a) as a
     where a.bytes_before < 100000),
  picked as (
    select c.position
      from scanned as c
     where c.action is not null and (actions is null or c.action = any (actions))
       and is_change_readable(realms, is_manager, c.document, c.realm)
       and (under is null or starts_with(name_at(c.document, c.position), under)
            or starts_with(name_at(c.document, c.transaction), under))
     order by c.position
     limit page)
  select (select coalesce(array_agg(p.position order by p.position), '{}') from picked as p) as positions,
         (select max(s.position) from scanned as s) as last, (select count(*) from ahead as a) as number,
         (select count(*) from ahead as a) > (select count(*) from scanned as s) as is_cut
    into v_scanned;
  positions := v_scanned.positions;
  is_end := cardinality(positions) < page and v_scanned.number < v_limit and not v_scanned.is_cut;
  next := coalesce(case when cardinality(positions) = page then positions[page] else v_scanned.last end, after);
end
$$;

comment on function find_changes(int8, int8, int, text, text[], boolean, caller) is
  'Positions of changes that a caller may read and that match filters.';
