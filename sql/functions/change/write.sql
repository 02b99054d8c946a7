-- Writes the change log (docs/changes.md).
--
-- A row of `change` is a change of a document, with its entity tags, or a part: triples that were added or removed
-- earlier in the same transaction. A change consists of its own triples and of the parts of its document since the
-- document's previous change. Writers call log_quads where they change `quad`, and one of the other functions where the
-- document gets its new tag. They hold the lock of the document's row, so the order of positions is that of the tags.
--
-- Positions do not become visible in their order, because transactions do not commit in the order in which they draw
-- numbers. change_bound (read.sql) finds the position up to which readers see all. For it, a writer takes a shared lock
-- before it draws its first number. The key of the lock is its floor: the number that the sequence had reached before.

-- The number of this transaction in the change log; null if the log is off.
--
-- The first call of a transaction takes the lock and draws the number, which the setting quadstead.change keeps until
-- the transaction ends. If a subtransaction made that call and rolls back, it undoes both, and the next call repeats
-- them. The first key of the lock is the sequence, so that datasets in one database do not wait for each other.
create or replace function change_transaction() returns int8
language plpgsql
set search_path from current
as $$
declare
  v_log    constant oid := 'change_seq'::regclass;
  v_known  text := current_setting('quadstead.change', true);
  v_number int8;
begin
  if split_part(v_known, ' ', 1) = v_log::text then
    return nullif(split_part(v_known, ' ', 2), '')::int8;
  end if;
  if (select d.logs_changes from dataset as d where d.is_only) then
    perform pg_advisory_xact_lock_shared(low_bits(v_log::int8), low_bits(pg_sequence_last_value(v_log)));
    v_number := nextval('change_seq');
  end if;
  perform set_config('quadstead.change', concat(v_log, ' ', v_number), true);
  return v_number;
end
$$;

comment on function change_transaction() is 'Number of this transaction in the change log; null if the log is off.';

-- Sets the number of this transaction, in place of change_transaction.
--
--   number  null: the rest of the transaction is not logged
create or replace function keep_number(number int8) returns void
language plpgsql
set search_path from current
as $$
begin
  perform set_config('quadstead.change', concat('change_seq'::regclass::oid, ' ', keep_number.number), true);
end
$$;

comment on function keep_number(int8) is 'Sets the number of this transaction in the change log.';

-- The low 32 bits of a number, as keys of advisory locks.
create or replace function low_bits(number int8) returns int4
language sql immutable parallel safe
return ((low_bits.number << 32) >> 32)::int4;

comment on function low_bits(int8) is 'The low 32 bits of a number.';

-- Logs triples that were added to graphs, or removed from them, as parts of changes that follow.
create or replace function log_quads(is_added boolean, graphs int8[], subjects int8[], predicates int8[],
                                     objects int8[]) returns void
language plpgsql
set search_path from current
as $$
declare
  v_transaction int8 := case when graphs is not null then change_transaction() end;
begin
  insert into change (position, transaction, document, added_s, added_p, added_o, removed_s, removed_p, removed_o)
  select nextval('change_seq'), v_transaction, q.g,
         case when is_added then q.s end, case when is_added then q.p end, case when is_added then q.o end,
         case when not is_added then q.s end, case when not is_added then q.p end, case when not is_added then q.o end
    from (select t.g, array_agg(t.s) as s, array_agg(t.p) as p, array_agg(t.o) as o
            from unnest(graphs, subjects, predicates, objects) as t (g, s, p, o)
           group by t.g) as q
   where v_transaction is not null;
end
$$;

comment on function log_quads(boolean, int8[], int8[], int8[], int8[]) is
  'Logs triples that were added to graphs or removed, as parts of changes.';

-- Logs derived memberships in a document, as a part of its next change.
--
--   is_added  false: they ended; true: they remain, although the same change removes the rows that stored them too
--
-- The part has a relation and no parent. It has the triples like others, for the feed, but the graph did not contain
-- them: the children have the relation as their member_by, or had it (history.sql).
create or replace function log_memberships(is_added boolean, container int8, relation int8, members int8[]) returns void
language plpgsql
set search_path from current
as $$
declare
  v_transaction int8   := change_transaction();
  v_subjects    int8[] := array_fill(container, array[cardinality(members)]);
  v_predicates  int8[] := array_fill(relation, array[cardinality(members)]);
begin
  insert into change (position, transaction, document, member_by, added_s, added_p, added_o, removed_s, removed_p,
                      removed_o)
  select nextval('change_seq'), v_transaction, container, relation,
         case when is_added then v_subjects end, case when is_added then v_predicates end,
         case when is_added then members end, case when not is_added then v_subjects end,
         case when not is_added then v_predicates end, case when not is_added then members end
   where v_transaction is not null;
end
$$;

comment on function log_memberships(boolean, int8, int8, int8[]) is
  'Logs derived memberships in a document that ended, or that remain without their rows.';

-- Logs changes of documents that exist, with the tags that they have now.
--
--   befores  entity tags before the change; null: the document is new
create or replace function log_changes(action text, ids int8[], befores int8[], caller caller) returns void
language plpgsql
set search_path from current
as $$
declare
  v_transaction int8 := change_transaction();
begin
  insert into change (position, transaction, document, parent, member_by, realm, before, after, is_access_point,
                      action, agent, request_id)
  select nextval('change_seq'), v_transaction, d.id, d.parent, d.member_by, d.realm, c.before, d.revision,
         d.is_access_point, log_changes.action, caller.agent, caller.request_id
    from unnest(ids, befores) as c (id, before)
    join document as d on d.id = c.id
   where v_transaction is not null;
end
$$;

comment on function log_changes(text, int8[], int8[], caller) is 'Logs changes of documents that exist.';

-- Logs changes of documents that got a new tag and a new c:modified, and nothing else since their last part.
--
--   olds, news  objects of c:modified before and after
create or replace function log_touched(action text, ids int8[], befores int8[], olds int8[], news int8[],
                                       caller caller) returns void
language plpgsql
set search_path from current
as $$
declare
  v_transaction int8 := change_transaction();
begin
  insert into change (position, transaction, document, parent, member_by, realm, before, after, is_access_point,
                      action, agent, request_id, added_s, added_p, added_o, removed_s, removed_p, removed_o)
  select nextval('change_seq'), v_transaction, d.id, d.parent, d.member_by, d.realm, c.before, d.revision,
         d.is_access_point, log_touched.action, caller.agent, caller.request_id,
         array[d.id], array[platform_modified()], array[c.new], array[d.id], array[platform_modified()], array[c.old]
    from unnest(ids, befores, olds, news) as c (id, before, old, new)
    join document as d on d.id = c.id
   where v_transaction is not null;
end
$$;

comment on function log_touched(text, int8[], int8[], int8[], int8[], caller) is
  'Logs changes of documents with a new c:modified.';

-- Logs the creation of documents with their triples.
--
--   callers   for each document
--   graphs …  their triples
create or replace function log_created(ids int8[], callers caller[], graphs int8[], subjects int8[], predicates int8[],
                                       objects int8[]) returns void
language plpgsql
set search_path from current
as $$
declare
  v_transaction int8 := case when graphs is not null then change_transaction() end;
begin
  insert into change (position, transaction, document, parent, member_by, realm, after, is_access_point, action,
                      agent, request_id, added_s, added_p, added_o)
  select nextval('change_seq'), v_transaction, d.id, d.parent, d.member_by, d.realm, d.revision, d.is_access_point,
         'created', (callers[c.n]).agent, (callers[c.n]).request_id, q.s, q.p, q.o
    from (select t.g, array_agg(t.s) as s, array_agg(t.p) as p, array_agg(t.o) as o
            from unnest(graphs, subjects, predicates, objects) as t (g, s, p, o)
           group by t.g) as q
    join unnest(ids) with ordinality as c (id, n) on c.id = q.g
    join document as d on d.id = c.id
   where v_transaction is not null;
end
$$;

comment on function log_created(int8[], caller[], int8[], int8[], int8[], int8[]) is
  'Logs the creation of documents with their triples.';

-- Puts the creations of documents behind the parts that this transaction logged after them, so that the creations
-- have these triples. An update first creates the documents that it needs, and then writes to them.
create or replace function end_creations(ids int8[]) returns void
language plpgsql
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
  v_transaction int8 := change_transaction();
begin
  if v_transaction is not null then
    update change as c
       set position = nextval('change_seq')
      from unnest(ids) as n (id)
     where c.document = n.id and c.position > v_transaction and c.transaction = v_transaction and c.action = 'created'
       and exists (select from change as p where p.document = n.id and p.position > c.position)
       and not exists (select from change as p where p.document = n.id and p.position > c.position
                                                 and p.action is not null);
  end if;
end
$$;

comment on function end_creations(int8[]) is
  'Puts the creations of documents behind the triples that were added after them.';

-- Logs the deletion of documents with their triples. All arrays but the last four have an element per document.
create or replace function log_deleted(ids int8[], befores int8[], parents int8[], relations int8[], realms int8[],
                                       points boolean[], caller caller, graphs int8[], subjects int8[],
                                       predicates int8[], objects int8[]) returns void
language plpgsql
set search_path from current
as $$
declare
  v_transaction int8 := change_transaction();
begin
  insert into change (position, transaction, document, parent, member_by, realm, before, is_access_point, action,
                      agent, request_id, removed_s, removed_p, removed_o)
  select nextval('change_seq'), v_transaction, d.id, d.parent, d.member_by, d.realm, d.before, d.is_access_point,
         'deleted', caller.agent, caller.request_id, q.s, q.p, q.o
    from unnest(ids, befores, parents, relations, realms, points)
           as d (id, before, parent, member_by, realm, is_access_point)
    left join (select t.g, array_agg(t.s) as s, array_agg(t.p) as p, array_agg(t.o) as o
                 from unnest(graphs, subjects, predicates, objects) as t (g, s, p, o)
                group by t.g) as q on q.g = d.id
   where v_transaction is not null;
end
$$;

comment on function log_deleted(int8[], int8[], int8[], int8[], int8[], boolean[], caller, int8[], int8[], int8[],
  int8[]) is
  'Logs the deletion of documents with their triples.';

-- Logs where documents were before they moved, or got another relation as members of their parents, as parts.
create or replace function log_places(ids int8[], parents int8[], relations int8[]) returns void
language plpgsql
set search_path from current
as $$
declare
  v_transaction int8 := change_transaction();
begin
  insert into change (position, transaction, document, parent, member_by)
  select nextval('change_seq'), v_transaction, d.id, d.parent, d.member_by
    from unnest(ids, parents, relations) as d (id, parent, member_by)
   where v_transaction is not null;
end
$$;

comment on function log_places(int8[], int8[], int8[]) is 'Logs where documents were before they moved.';

-- Logs that raw graphs were imported or deleted. The log does not have their triples.
create or replace function log_graphs(action text, ids int8[]) returns void
language plpgsql
set search_path from current
as $$
declare
  v_transaction int8 := change_transaction();
begin
  insert into change (position, transaction, document, action)
  select nextval('change_seq'), v_transaction, g.id, log_graphs.action from unnest(ids) as g (id)
   where v_transaction is not null;
end
$$;

comment on function log_graphs(text, int8[]) is 'Logs that raw graphs were imported or deleted.';

-- Logs the names of terms that are about to be renamed or removed.
create or replace function log_names(ids int8[]) returns void
language plpgsql
set search_path from current
as $$
declare
  v_position int8;
begin
  if change_transaction() is not null then
    v_position := nextval('change_seq');
    insert into old_name (id, position, name)
    select t.id, v_position, t.lex from unnest(ids) as n (id) join term as t on t.id = n.id;
  end if;
end
$$;

comment on function log_names(int8[]) is 'Logs the names of terms that are about to be renamed or removed.';

-- Sets whether changes are logged, and how long they are kept.
--
--   period  as interval, 'forever' or 'off'
--   raises  QS503 busy: a long write is running
--
-- If the log is turned on, it begins now, and readers of an earlier position must begin anew. Waits for writers only if
-- the log is turned on or off: a transaction must not begin with one setting and end with the other.
create or replace function keep_changes(period text) returns void
language plpgsql
security definer
set search_path from current
as $$
declare
  v_logs boolean := period <> 'off';
  v_kept interval := case when period not in ('off', 'forever') then period::interval end;
begin
  perform hold_place();
  if (select d.logs_changes from dataset as d where d.is_only) <> v_logs then
    perform change_names();
    update dataset as d
       set logs_changes = v_logs, changes_lost = nextval('change_seq'), changes_lost_time = clock_timestamp(),
           changes_lost_tag = coalesce(pg_sequence_last_value('revision_seq'), 0)
     where d.is_only and d.logs_changes <> v_logs; -- another process may have done it
  end if;
  update dataset as d set changes_kept = v_kept where d.is_only and d.changes_kept is distinct from v_kept;
end
$$;

comment on function keep_changes(text) is 'Sets whether changes are logged, and how long they are kept.';

-- Deletes some changes that have expired, or that are from before the log began, the oldest first.
--
--   portion  number of rows that are looked at
--   returns  number of deleted rows; 0: nothing has expired, or another process deletes now
create or replace function expire_changes(portion int) returns int8
language plpgsql
security definer
set search_path from current
as $$
declare
  v_dataset dataset;
  v_bound   int8;
  v_kept    int8;
  v_last    int8;
  v_count   int8;
  v_time    timestamptz;
  v_tag     int8;
begin
  if not pg_try_advisory_xact_lock(hashtextextended('quadstead changes ' || current_schema(), 0)) then
    return 0;
  end if;
  perform hold_names();
  v_bound := change_bound();
  select * into v_dataset from dataset;
  select min(c.position) filter (where c.position > v_dataset.changes_lost
                                   and c.time > clock_timestamp() - v_dataset.changes_kept is not false),
         max(c.position)
    into v_kept, v_last
    from (select c.position, c.time from change as c
           where c.position <= v_bound
           order by c.position limit portion) as c;
  with gone as (
    delete from change as c where c.position < v_kept or v_kept is null and c.position <= v_last 
    returning c.time, c.after)
  select count(*), max(g.time), max(g.after) into v_count, v_time, v_tag from gone as g;
  if v_count > 0 then
    v_last := coalesce(v_kept - 1, v_last);
    delete from old_name as o where o.position <= v_last;
    delete from kept_state as k where k.position <= v_last;
    update dataset as d
       set changes_lost = v_last, changes_lost_time = greatest(d.changes_lost_time, v_time),
           changes_lost_tag = greatest(d.changes_lost_tag, v_tag)
     where d.is_only and d.changes_lost < v_last;
  end if;
  return v_count;
end
$$;

comment on function expire_changes(int) is 'Deletes some expired changes, the oldest first.';
