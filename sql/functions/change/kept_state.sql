-- Keeps states of documents that change often (docs/changes.md, History of a document).
--
-- A kept state follows from the change log, so it may be missing or be deleted at any time. The service keeps states in
-- the background (src/changes/keeping.ts). A document has one after each 1,000 rows of its log, or after as many rows
-- as it has triples if these are more. So kept states have at most one triple for each row of the log, besides the
-- first one of each document, and a state is at most so many rows from a kept one.

-- Considers some changes of the log for kept states, the oldest first.
--
--   portion  number of rows that are looked at
--   spacing  least number of rows of a document's log between two kept states
--   returns  number of rows that were looked at; 0: there are none, or another process does this now
--
-- One change in 64 is a candidate, because the rows of its document are counted. Of larger documents more rows are
-- counted, so they have fewer candidates: one number in 2ⁿ ends with n zero bits.
create or replace function keep_states(portion int, spacing int default 1000) returns int8
language plpgsql
security definer
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
  v_bound  int8;
  v_seen   int8;
  v_last   int8;
  v_count  int8;
  v_change record;
begin
  if not pg_try_advisory_xact_lock(hashtextextended('quadstead states ' || current_schema(), 0)) then
    return 0;
  end if;
  perform hold_names();
  v_bound := change_bound();
  v_seen := (select greatest(d.states_seen, d.changes_lost) from dataset as d where d.is_only);
  select max(c.position), count(*) into v_last, v_count
    from (select c.position from change as c
           where c.position > v_seen and c.position <= v_bound
           order by c.position limit portion) as c;
  if v_count = 0 then
    return 0;
  end if;
  for v_change in
    select c.position, c.document, spacing * ((h.hash & -h.hash) / 64) as reach
      from change as c
     cross join lateral (select hashint8(c.position)::int8 | 67108864 as hash) as h
     where c.position > v_seen and c.position <= v_last and h.hash & 63 = 0 and c.after is not null
     order by c.position
  loop
    perform keep_state(v_change.document, v_change.position, spacing, v_change.reach);
  end loop;
  update dataset as d set states_seen = v_last where d.is_only;
  return v_count;
end
$$;

comment on function keep_states(int, int) is 'Considers some changes of the log for kept states, the oldest first.';

-- Keeps the state that a change left, if its document has changed enough since its last kept state.
--
--   spacing  see keep_states
--   reach    number of rows of the log that may be counted; documents with more triples are left to other candidates
--
-- The new state is the last one with the changes since. An import of a new document has triples that the log does not
-- have: then the state is computed from a later one.
create or replace function keep_state(document int8, place int8, spacing int, reach int8) returns void
language plpgsql
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
  v_lost   int8 := (select d.changes_lost from dataset as d where d.is_only);
  v_place  int8; -- of the last kept state
  v_size   int8;
  v_needed int8;
  v_state  record;
begin
  select k.position, k.size into v_place, v_size
    from kept_state as k
   where (k.document, k.position) < (keep_state.document, place)
     and (k.document, k.position) > (keep_state.document, v_lost)
   order by k.document desc, k.position desc
   limit 1;
  v_needed := greatest(spacing, v_size);
  if v_needed > reach
     or not exists (select from change as c
                     where (c.document, c.position) > (keep_state.document, coalesce(v_place, v_lost))
                       and (c.document, c.position) <= (keep_state.document, place)
                     order by c.document, c.position
                    offset v_needed - 1) then
    return;
  end if;
  if v_place is null
     or exists (select from change as c
                 where (c.document, c.position) > (keep_state.document, v_place)
                   and (c.document, c.position) <= (keep_state.document, place)
                   and c.action = 'imported' and c.before is null) then
    v_state := state_quads(document, place);
  else
    select r.* into v_state
      from kept_state as k
     cross join lateral replay_changes(k.document, k.position, place, false, k.subjects, k.predicates, k.objects) as r
     where (k.document, k.position) = (keep_state.document, v_place);
  end if;
  insert into kept_state (document, position, tag, time, size, subjects, predicates, objects)
  select c.document, c.position, c.after, c.time, cardinality(v_state.subjects), v_state.subjects, v_state.predicates,
         v_state.objects
    from change as c
   where c.position = place
      on conflict do nothing;
end
$$;

comment on function keep_state(int8, int8, int, int8) is
  'Keeps the state that a change left, if its document has changed enough since its last kept state.';
