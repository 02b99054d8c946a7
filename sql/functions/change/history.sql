-- The states that a document had (docs/changes.md, History of a document).
--
-- A state is what a change of the document left. Its place is the position of this change, or 0 for the state before
-- the oldest change in the log. A state is computed from the present one, or from a kept one (kept_state.sql): the
-- changes after it are undone, so the cost follows their number. Only changes of which the log has all rows can be
-- undone. The rows of a transaction have positions above its number, so they are all there if the number is at least
-- dataset.changes_lost.
--
-- The grants of today decide who may read a state. Names of terms are those of its time.

-- The document whose history a request asks for.
--
--   raises  QS404 changes-logged · QS404 document-exists · QS401 authentication-required, QS403 access-granted
create or replace function require_history(iri text, caller caller) returns int8
language plpgsql stable
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
  v_id   int8 := (select t.id from term as t where t.hash = term_hash('I' || iri));
  v_last record;
begin
  if not (select d.logs_changes from dataset as d where d.is_only) then
    raise exception 'The service keeps no states of documents, because it logs no changes.'
      using errcode = 'QS404', constraint = 'changes-logged';
  end if;
  if caller.grantees is not null then
    perform require_access(iri, '{read}', caller);
  end if;
  if exists (select from document as d where d.id = v_id) then
    return v_id;
  end if;
  select c.position, c.realm into v_last
    from change as c
   where (c.document, c.position) >= (v_id, 0) and c.document <= v_id and c.action is not null
     and c.before is not null
   order by c.document desc, c.position desc
   limit 1;
  if v_last.position is null then
    perform raise_missing(iri);
  elsif caller.grantees is not null
        and not is_change_readable(granted_realms(caller.grantees, 'read'),
                                   has_access((select d.base from dataset as d where d.is_only), '{control}',
                                              caller.grantees), v_id, v_last.realm) then
    perform raise_missing(iri);
  end if;
  return v_id;
end
$$;

comment on function require_history(text, caller) is
  'Id of a document that exists or existed, if the caller may read it.';

-- The changes of a document that can be undone, without their triples: the newest first.
--
--   under  only changes before this position; null: all
--   page   greatest number of changes; null: all
create or replace function changes_of(document int8, under int8 default null, page int default null)
returns table ("position" int8, transaction int8, "time" timestamptz, action text, agent text, request_id text,
               before int8, after int8, is_access_point boolean)
language plpgsql stable
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
#variable_conflict use_column
declare
  v_lost int8 := (select d.changes_lost from dataset as d where d.is_only);
begin
  return query
    select c.position, c.transaction, c.time, c.action, c.agent, c.request_id, c.before, c.after, c.is_access_point
      from change as c
     where (c.document, c.position) < (changes_of.document, coalesce(under, 9223372036854775807))
       and c.document >= changes_of.document and c.action is not null and c.transaction >= v_lost
     order by c.document desc, c.position desc
     limit page;
end
$$;

comment on function changes_of(int8, int8, int) is
  'Changes of a document that can be undone, the newest first.';

-- Whether a transaction had made all of its changes by a time. It belongs to the state as of then as a whole, or not at
-- all.
create or replace function has_ended_by(transaction int8, at timestamptz) returns boolean
language plpgsql stable
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
begin
  return not exists (select from change as c
                      where c.transaction = has_ended_by.transaction and c.time > has_ended_by.at);
end
$$;

comment on function has_ended_by(int8, timestamptz) is 'Whether all changes of a transaction are from before a time.';

-- The state of a document before the oldest change that can be undone; without a tag if there was none.
create or replace function base_state(document int8, out tag int8, out at timestamptz, out is_access_point boolean)
language plpgsql stable
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
  v_lost  int8 := (select d.changes_lost from dataset as d where d.is_only);
  v_first record;
begin
  select c.before, c.is_access_point into v_first
    from change as c
   where (c.document, c.position) >= (base_state.document, 0) and c.document <= base_state.document
     and c.action is not null and c.transaction >= v_lost
   order by c.document, c.position
   limit 1;
  if not found then
    select d.revision, d.modified, d.is_access_point into tag, at, is_access_point
      from document as d where d.id = base_state.document;
  elsif v_first.before is not null then
    tag := v_first.before;
    is_access_point := v_first.is_access_point;
    at := (select inline_lexical_form(r.o)::timestamptz
             from change as c
            cross join lateral unnest(c.removed_s, c.removed_p, c.removed_o) as r (s, p, o)
            where (c.document, c.position) >= (base_state.document, 0) and c.document <= base_state.document
              and c.transaction >= v_lost and r.s = base_state.document and r.p = platform_modified()
            order by c.document, c.position
            limit 1);
  end if;
end
$$;

comment on function base_state(int8) is 'State of a document before the oldest change that can be undone.';

-- The triples of a state, from the next kept state or the present one.
--
--   beyond  kept states before this position do not count
--
-- If the document was created again later, its present triples do not count, nor do rows from then on.
create or replace function state_quads(document int8, place int8, beyond int8 default 0, out subjects int8[],
                                       out predicates int8[], out objects int8[])
language plpgsql stable
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
  v_lost  int8 := (select d.changes_lost from dataset as d where d.is_only);
  v_birth int8 := (select c.position
                     from change as c
                    where (c.document, c.position) > (state_quads.document, place)
                      and c.document <= state_quads.document and c.action is not null and c.before is null
                    order by c.document, c.position
                    limit 1);
  v_until int8 := coalesce(v_birth - 1, 9223372036854775807);
  v_kept  int8; -- position of the next kept state
begin
  select k.position, k.subjects, k.predicates, k.objects into v_kept, subjects, predicates, objects
    from kept_state as k
   where (k.document, k.position) >= (state_quads.document, greatest(place, beyond, v_lost + 1))
     and k.document <= state_quads.document and k.position <= v_until
   order by k.document, k.position
   limit 1;
  if v_kept is null then
    select coalesce(array_agg(q.s), '{}'), coalesce(array_agg(q.p), '{}'), coalesce(array_agg(q.o), '{}')
      into subjects, predicates, objects
      from quad as q
     where q.g = case when v_birth is null then state_quads.document end;
  end if;
  select r.subjects, r.predicates, r.objects into subjects, predicates, objects
    from replay_changes(document, place, coalesce(v_kept, v_until), true, subjects, predicates, objects) as r;
end
$$;

comment on function state_quads(int8, int8, int8) is 'Triples of a state of a document.';

-- The triples of a document's state, from those of another one. There is no deletion between the two.
--
--   place      of the earlier state
--   until      position of the last change that the later state has
--   backwards  true: the given triples are those of the later state, and the changes are undone; false: those of the
--              earlier state, and the changes are made again
--
-- If changes are undone, the first row that names a triple decides: if it removed the triple, the earlier state had it.
-- If they are made again, the last row decides. Parts that end derived memberships do not count, because these are not
-- triples of the graph.
create or replace function replay_changes(document int8, place int8, until int8, backwards boolean,
                                          inout subjects int8[], inout predicates int8[], inout objects int8[])
language plpgsql stable
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
  v_lost int8 := (select d.changes_lost from dataset as d where d.is_only);
begin
  if place = until then
    return;
  end if;
  with named as materialized (
    select q.s, q.p, q.o,
           case when backwards then min(2 * c.position + q.is_added) & 1
                else 1 - (max(2 * c.position + q.is_added) & 1) end = 1 as is_gone
      from change as c
     cross join lateral (
       select r.s, r.p, r.o, 0 as is_added from unnest(c.removed_s, c.removed_p, c.removed_o) as r (s, p, o)
        union all
       select a.s, a.p, a.o, 1 from unnest(c.added_s, c.added_p, c.added_o) as a (s, p, o)) as q
     where (c.document, c.position) > (replay_changes.document, place) and c.document <= replay_changes.document
       and c.position <= until and (place > 0 or c.transaction >= v_lost)
       and (c.action is not null or c.member_by is null)
     group by q.s, q.p, q.o)
  select coalesce(array_agg(n.s), '{}'), coalesce(array_agg(n.p), '{}'), coalesce(array_agg(n.o), '{}')
    into subjects, predicates, objects
    from (select s, p, o
            from unnest(subjects, predicates, objects) as q (s, p, o)
            full join named as n using (s, p, o)
           where n.is_gone is not true
           order by s <> replay_changes.document, s, p, o) as n;
end
$$;

comment on function replay_changes(int8, int8, int8, boolean, int8[], int8[], int8[]) is
  'Triples of a state, from another state.';

-- Finds a state of a document by its entity tag, or the one at a time.
--
--   tag, at   one of them is null
--   place     position of the change that left the state; 0: before the oldest change; null: there was no document then
--   raises    QS404 state-exists: no state has the tag · QS410 state-kept: the log no longer has it
--
-- A time before the first known state gives the first (RFC 7089, section 4.5.3). The loop begins at the next kept state
-- and ends at the state, so without a sort it reads only the changes between.
create or replace function find_state(document int8, tag int8, at timestamptz, out place int8, out found_tag int8,
                                      out found_at timestamptz, out is_access_point boolean)
language plpgsql stable
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_sort = off
as $$
declare
  v_base   record := base_state(document);
  v_change record;
  v_last   int8; -- number of a transaction that had not ended by the time
  v_lost   int8 := (select d.changes_lost from dataset as d where d.is_only);
  v_until  int8 := (select k.position from kept_state as k
                     where k.document = find_state.document and k.position > v_lost
                       and (k.tag >= find_state.tag or k.time > find_state.at)
                     order by k.position
                     limit 1);
begin
  for v_change in
    select c.position, c.transaction, c.time, c.after, c.is_access_point
      from change as c
     where (c.document, c.position) <= (find_state.document, coalesce(v_until, 9223372036854775807))
       and c.document >= find_state.document and c.action is not null and c.transaction >= v_lost
     order by c.document desc, c.position desc
  loop
    continue when v_change.transaction = v_last;
    if tag is null then
      if v_change.time > at or not has_ended_by(v_change.transaction, at) then
        v_last := v_change.transaction;
        continue;
      end if;
    elsif v_change.after is distinct from tag then
      continue;
    end if;
    if v_change.after is not null then
      place := v_change.position;
    end if;
    found_tag := v_change.after;
    found_at := v_change.time;
    is_access_point := v_change.is_access_point;
    return;
  end loop;
  if v_base.tag is not null and (tag is null or tag = v_base.tag) then
    place := 0;
    found_tag := v_base.tag;
    found_at := v_base.at;
    is_access_point := v_base.is_access_point;
  elsif tag is null and v_change.after is not null then -- the oldest change created the document
    place := v_change.position;
    found_tag := v_change.after;
    found_at := v_change.time;
    is_access_point := v_change.is_access_point;
  elsif tag < v_base.tag then
    raise exception 'The log no longer has the state "%". The oldest state that it has is "%".', tag, v_base.tag
      using errcode = 'QS410', constraint = 'state-kept', detail = json_build_object('oldest', v_base.tag::text);
  else
    raise exception 'The document had no state "%".', tag using errcode = 'QS404', constraint = 'state-exists';
  end if;
end
$$;

comment on function find_state(int8, int8, timestamptz) is 'Finds a state of a document by its tag, or at a time.';

-- The state of a document that is nearest to a place: the last one before it, or the first one after it.
--
--   returns  tag is null if there is none
create or replace function state_near(document int8, place int8, is_before boolean, out tag int8, out at timestamptz)
language plpgsql stable
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
  v_lost int8 := (select d.changes_lost from dataset as d where d.is_only);
begin
  if is_before then
    select c.after, c.time into tag, at
      from change as c
     where (c.document, c.position) < (state_near.document, place) and c.document >= state_near.document
       and c.after is not null and c.transaction >= v_lost
     order by c.document desc, c.position desc
     limit 1;
  elsif place >= 0 then
    select c.after, c.time into tag, at
      from change as c
     where (c.document, c.position) > (state_near.document, place) and c.document <= state_near.document
       and c.after is not null and c.transaction >= v_lost
     order by c.document, c.position
     limit 1;
  end if;
  if tag is null and (place > 0) = is_before then
    select b.tag, b.at into tag, at from base_state(document) as b;
  end if;
  if tag is null and place < 0 then
    select n.tag, n.at into tag, at from state_near(document, 0, false) as n;
  end if;
end
$$;

comment on function state_near(int8, int8, boolean) is 'The state of a document that is nearest to a place.';

-- The first, previous, next and last state of a document, seen from one, as JSON: {relation: [tag, time]}.
--
--   place  of the state; null: only the first and the last
create or replace function states_around(document int8, place int8) returns json
language plpgsql stable
set search_path from current
as $$
begin
  return (
    select json_object_agg(r.relation, json_build_array(n.tag::text, n.at))
      from (values ('first', -1, false), ('prev', place, true), ('next', place, false),
                   ('last', 9223372036854775807, true)) as r (relation, place, is_before)
     cross join lateral state_near(document, r.place, r.is_before) as n
     where r.place is not null and n.tag is not null);
end
$$;

comment on function states_around(int8, int8) is 'First, previous, next and last state of a document, as JSON.';

-- Dictionary entries for ids, also of terms that a move has removed.
create or replace function terms_ever(ids int8[], out term_ids int8[], out term_texts json)
language plpgsql stable
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
begin
  select array_agg(n.id), json_agg(n.entry) into term_ids, term_texts
    from (select t.id, case when t.id < first_literal() then to_json(t.lex)
                            else json_build_array(t.lex, t.datatype, t.lang) end as entry
            from term as t
           where t.id = any (ids) and t.id >= 1000
           union all
          select distinct on (o.id) o.id, to_json(o.name)
            from old_name as o
           where o.id = any (ids) and not exists (select from term as t where t.id = o.id)) as n;
end
$$;

comment on function terms_ever(int8[]) is 'Dictionary entries for ids, also of removed terms.';

-- A state of a document, by its tag or at a time.
--
--   has_triples  false: without triples
--   returns      etag is null if there was no document at this time. names: see names_at; around: see states_around
--   raises       as require_history and find_state
create or replace function read_state(iri text, tag int8, at timestamptz, has_triples boolean,
                                      caller caller default null, out etag text, out "time" timestamptz,
                                      out is_access_point boolean, out subjects int8[], out predicates int8[],
                                      out objects int8[], out term_ids int8[], out term_texts json, out names json,
                                      out around json)
language plpgsql stable
security definer
set search_path from current
as $$
declare
  v_document int8 := require_history(iri, caller);
  v_state    record := find_state(v_document, tag, at);
begin
  etag := v_state.found_tag::text;
  "time" := v_state.found_at;
  is_access_point := coalesce(v_state.is_access_point, false);
  around := states_around(v_document, v_state.place);
  if v_state.place is not null and has_triples then
    select q.subjects, q.predicates, q.objects into subjects, predicates, objects
      from state_quads(v_document, v_state.place) as q;
    select t.term_ids, t.term_texts into term_ids, term_texts from terms_ever(subjects || predicates || objects) as t;
    names := names_at(subjects || predicates || objects, v_state.place);
  end if;
end
$$;

comment on function read_state(text, int8, timestamptz, boolean, caller) is
  'A state of a document, by its tag or at a time.';

-- A page of the changes of a document, the newest first. The state before the oldest change follows as a row without an
-- action.
--
--   under    only changes before this position; null: all
--   returns  tag is null if the change deleted the document
--   raises   as require_history
create or replace function document_changes(iri text, under int8, page int, caller caller default null)
returns table ("position" text, tag text, before text, "time" timestamptz, action text, agent text, request_id text)
language plpgsql stable
security definer
set search_path from current
as $$
#variable_conflict use_column
declare
  v_document int8 := require_history(document_changes.iri, document_changes.caller);
  v_count    int := 0;
begin
  return query
    select c.position::text, c.after::text, c.before::text, c.time, c.action, c.agent, c.request_id
      from changes_of(v_document, under, page) as c
     order by c.position desc;
  get diagnostics v_count = row_count;
  if v_count < page then
    return query
      select '0', b.tag::text, null::text, b.at, null::text, null::text, null::text
        from base_state(v_document) as b
       where b.tag is not null and coalesce(under, 1) > 0;
  end if;
end
$$;

comment on function document_changes(text, int8, int, caller) is
  'A page of the changes of a document, the newest first.';

-- The difference of two states of a document: the triples that lead from the first to the second, with today's names.
--
--   to_tag   null: the present state
--   raises   as require_history and find_state
create or replace function state_difference(iri text, from_tag int8, to_tag int8, caller caller default null,
                                            out etag text, out removed_s int8[], out removed_p int8[],
                                            out removed_o int8[], out added_s int8[], out added_p int8[],
                                            out added_o int8[], out term_ids int8[], out term_texts json)
language plpgsql stable
security definer
set search_path from current
as $$
declare
  v_document int8 := require_history(iri, caller);
  v_from     record := find_state(v_document, from_tag, null);
  v_to       record;
  v_old      record := state_quads(v_document, v_from.place);
  v_new      record;
begin
  to_tag := coalesce(to_tag, (select d.revision from document as d where d.id = v_document));
  if to_tag is null then
    perform raise_missing(iri);
  end if;
  v_to := find_state(v_document, to_tag, null);
  v_new := state_quads(v_document, v_to.place);
  etag := to_tag::text;
  select coalesce(array_agg(s) filter (where n.is_new is null), '{}'),
         coalesce(array_agg(p) filter (where n.is_new is null), '{}'),
         coalesce(array_agg(o) filter (where n.is_new is null), '{}'),
         coalesce(array_agg(s) filter (where f.is_old is null), '{}'),
         coalesce(array_agg(p) filter (where f.is_old is null), '{}'),
         coalesce(array_agg(o) filter (where f.is_old is null), '{}')
    into removed_s, removed_p, removed_o, added_s, added_p, added_o
    from (select r.*, true as is_old
            from unnest(today_ids(v_old.subjects), today_ids(v_old.predicates), today_ids(v_old.objects)) as r (s, p, o)
         ) as f
    full join (
      select r.*, true as is_new
        from unnest(today_ids(v_new.subjects), today_ids(v_new.predicates), today_ids(v_new.objects)) as r (s, p, o)
         ) as n using (s, p, o)
   where n.is_new is null or f.is_old is null;
  select t.term_ids, t.term_texts into term_ids, term_texts
    from terms_ever(removed_s || removed_p || removed_o || added_s || added_p || added_o) as t;
end
$$;

comment on function state_difference(text, int8, int8, caller) is
  'Triples that lead from one state of a document to another.';

-- Replaces a document's graph by that of an earlier state (docs/changes.md, Restoring).
--
--   raises  as replace_document, require_history and find_state
--
-- Triples of the service, and those of today's containment and memberships, stay as they are.
create or replace function restore_document(iri text, if_match text[], if_none_match text[],
                                            if_unmodified_since timestamptz, tag int8, caller caller default null)
returns written
language plpgsql
security definer
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
  v_document document;
  v_state    record;
  v_touched  document;
begin
  perform hold_names();
  if caller.grantees is not null then
    perform require_access(iri, '{edit}', caller);
  end if;
  v_document := lock_document(iri);
  perform require_state(v_document, if_match, if_none_match, if_unmodified_since);
  v_state := find_state(require_history(iri, caller), restore_document.tag, null);
  v_state := state_quads(v_document.id, v_state.place);
  perform plan_for(cardinality(v_state.subjects));
  v_state := without_derived(v_document.id, v_state.subjects, v_state.predicates, v_state.objects);
  v_state := restorable_quads(v_document, v_state.subjects, v_state.predicates, v_state.objects);
  v_state := with_reserved(v_document, v_state.subjects, v_state.predicates, v_state.objects);

  select * into v_touched from touch_rows(array[v_document.id]);
  perform put_difference(v_document.id, v_state.subjects, v_state.predicates,
                         with_modified(v_touched, v_state.subjects, v_state.predicates, v_state.objects));
  perform record_change('replace', v_document.id, v_document.revision::text, v_touched.revision::text, caller);
  perform log_changes('replaced', array[v_document.id], array[v_document.revision], caller);
  return state_of(v_document.id);
end
$$;

comment on function restore_document(text, text[], text[], timestamptz, int8, caller) is
  'Replaces a document''s graph by that of an earlier state.';

-- Triples of a state without those that only the service writes, and with today's ids of terms that moves replaced.
create or replace function restorable_quads(document document, inout subjects int8[], inout predicates int8[],
                                            inout objects int8[])
language plpgsql stable
set search_path from current
as $$
begin
  select coalesce(array_agg(n.s), '{}'), coalesce(array_agg(n.p), '{}'), coalesce(array_agg(n.o), '{}')
    into subjects, predicates, objects
    from unnest(today_ids(subjects), today_ids(predicates), today_ids(objects)) as n (s, p, o)
   where n.s <> document.id or not is_reserved(document.is_access_point, n.p, n.o) and n.p <> ldp_contains();
end
$$;

comment on function restorable_quads(document, int8[], int8[], int8[]) is
  'Triples of a state without those that only the service writes.';

-- Ids that terms have today: of a term that a move replaced by another one, the id of the term with its last name.
create or replace function today_ids(inout ids int8[])
language plpgsql stable
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
begin
  if exists (select from old_name) then
    ids := array(
      select coalesce(heir.id, i.id)
        from unnest(ids) with ordinality as i (id, n)
        left join lateral (
          select h.id
            from (select o.name from old_name as o
                   where o.id = i.id and not exists (select from term as t where t.id = i.id)
                   order by o.position desc limit 1) as o
            join term as h on h.hash = term_hash('I' || o.name)) as heir on true
       order by i.n);
  end if;
end
$$;

comment on function today_ids(int8[]) is 'Ids that terms have today, if moves have replaced them.';
