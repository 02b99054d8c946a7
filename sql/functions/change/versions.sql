-- Versions of documents: the states that changes left, for the Linked Data Event Stream (docs/changes.md).

-- The versions that changes in a range of positions left, in their order.
--
--   after, until  changes after the first position, up to the second
--   has_triples   include the triples of the states
--   returns       document: its IRI after the change, or before its deletion; old_document: before a move. tag is null
--                 if the change deleted the document. time does not decrease: if a change has a later time than one
--                 soon after it, the second one gets the time of the first. is_large: the state has more than 10,000
--                 triples, which are left out
--   raises        as require_kept
--
-- The states of a document are computed from its last one in the range, so that a document that changes often costs
-- its later changes once for a range and not once for each version.
create or replace function read_versions(after int8, until int8, has_triples boolean, caller caller default null)
returns table ("position" text, "time" timestamptz, document text, old_document text, before text, tag text,
               agent text, is_large boolean, subjects int8[], predicates int8[], objects int8[], term_ids int8[],
               term_texts json, names json)
language plpgsql volatile
security definer
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
#variable_conflict use_column
declare
  v_most       constant int := 10000; -- triples of a version
  v_reach      constant int := 100; -- positions that writers may draw between another one's position and its time
  v_bound      int8 := least(read_versions.until, require_fresh());
  v_lost       int8 := (select d.changes_lost from dataset as d where d.is_only);
  v_realms     int8[];
  v_is_manager boolean := true;
begin
  perform require_kept(read_versions.after);
  if caller.grantees is not null then
    v_realms := granted_realms(caller.grantees, 'read');
    v_is_manager := has_access((select d.base from dataset as d where d.is_only), '{control}', caller.grantees);
  end if;
  return query
    with timed as materialized (
      select c.*, max(c.time) over (order by c.position) as published,
             count(*) filter (where c.before is null) over (partition by c.document order by c.position) as life
        from change as c
       where c.position > read_versions.after - v_reach and c.position <= v_bound and c.action is not null),
    version as materialized (
      select t.*, max(t.position) filter (where t.after is not null) over (partition by t.document, t.life) as anchor
        from timed as t
       where t.position > read_versions.after and t.transaction >= v_lost
         and (t.before is not null or t.after is not null)
         and is_change_readable(v_realms, v_is_manager, t.document, t.realm)),
    anchored as materialized (
      select a.document, a.anchor, q.subjects, q.predicates, q.objects
        from (select distinct v.document, v.anchor from version as v where v.after is not null and has_triples) as a
       cross join lateral state_quads(a.document, a.anchor) as q)
    select v.position::text, v.published, n.name, nullif(name_at(v.document, v.transaction), n.name), v.before::text,
           v.after::text, v.agent, coalesce(cardinality(q.subjects) > v_most, false), k.subjects, k.predicates,
           k.objects, t.term_ids, t.term_texts, names_at(k.subjects || k.predicates || k.objects, v.position)
      from version as v
     cross join lateral (
       select name_at(v.document, case when v.after is null then v.transaction else v.position end) as name) as n
      left join anchored as a on a.document = v.document and a.anchor = v.anchor and v.after is not null
      left join lateral replay_changes(v.document, v.position, a.anchor, true, a.subjects, a.predicates, a.objects) as q
        on a.anchor is not null
      left join lateral (
        select q.subjects, q.predicates, q.objects where cardinality(q.subjects) <= v_most) as k on true
      left join lateral terms_ever(k.subjects || k.predicates || k.objects) as t on k.subjects is not null
     order by v.position;
end
$$;

comment on function read_versions(int8, int8, boolean, caller) is 'Versions that changes of documents left.';

-- The states of documents before changes and after them.
--
--   places   positions of changes
--   returns  a row for each change that the caller may read. The state before is null if the document was new, the one
--            after if it was deleted. is_large: one has more than 10,000 triples, and both are left out
--
-- A document's later state is the source of its earlier ones, unless the document was created again between them.
create or replace function read_states(places int8[], caller caller default null)
returns table ("position" text, is_large boolean, before_s int8[], before_p int8[], before_o int8[], after_s int8[],
               after_p int8[], after_o int8[], term_ids int8[], term_texts json, before_names json, after_names json)
language plpgsql stable
security definer
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
#variable_conflict use_column
declare
  v_most       constant int := 10000; -- triples of a state
  v_lost       int8 := (select d.changes_lost from dataset as d where d.is_only);
  v_realms     int8[];
  v_is_manager boolean := true;
  v_change     change;
  v_later      change;
  v_before     record;
  v_after      record;
begin
  if caller.grantees is not null then
    v_realms := granted_realms(caller.grantees, 'read');
    v_is_manager := has_access((select d.base from dataset as d where d.is_only), '{control}', caller.grantees);
  end if;
  for v_change in
    select c.*
      from change as c
     where c.position = any (places) and c.action is not null and c.transaction >= v_lost
       and (c.before is not null or c.after is not null)
       and is_change_readable(v_realms, v_is_manager, c.document, c.realm)
     order by c.document, c.position desc
  loop
    if v_later.document = v_change.document
       and not exists (select from change as c
                        where c.document = v_change.document and c.position > v_change.position
                          and c.position <= v_later.position and c.action is not null and c.before is null) then
      v_after := replay_changes(v_change.document, v_change.position, v_later.position, true, v_after.subjects,
                                v_after.predicates, v_after.objects);
    else
      v_after := state_quads(v_change.document, v_change.position);
    end if;
    v_before := replay_changes(v_change.document, place_before(v_change), v_change.position, true, v_after.subjects,
                               v_after.predicates, v_after.objects);
    v_later := v_change;
    position := v_change.position::text;
    is_large := greatest(cardinality(v_before.subjects), cardinality(v_after.subjects)) > v_most;
    select v_before.subjects, v_before.predicates, v_before.objects into before_s, before_p, before_o
     where v_change.before is not null and not is_large;
    select v_after.subjects, v_after.predicates, v_after.objects into after_s, after_p, after_o
     where v_change.after is not null and not is_large;
    select t.term_ids, t.term_texts into term_ids, term_texts
      from terms_ever(before_s || before_p || before_o || after_s || after_p || after_o) as t;
    before_names := names_at(before_s || before_p || before_o, v_change.transaction);
    after_names := names_at(after_s || after_p || after_o, v_change.position);
    return next;
  end loop;
end
$$;

comment on function read_states(int8[], caller) is 'States of documents before changes and after them.';
