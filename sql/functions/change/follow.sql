-- Copies of other stores (docs/changes.md, Following another store).
--
-- The service reads the changes of the source over HTTP and applies them here: each page of changes in one transaction,
-- with the position after it. `followed` has the source's entity tag of each copied document, from which follows what
-- the copy still needs. A process holds the row of a follow by its number and a time, as webhooks do (webhook.sql).

-- Begins to follow a store.
--
--   url     IRI of the source's root document
--   path    of the followed document below the root document, there and here; '' for the root document itself
--   key     API key or token for the source; null: none
--   returns id of the follow
--   raises  QS409 follow-place: the place is not free, or its parent cannot have the copy as a child
create or replace function add_follow(url text, path text, key text) returns int8
language plpgsql
security definer
set search_path from current
as $$
declare
  v_base   text := (select d.base from dataset as d where d.is_only);
  v_iri    text := v_base || path;
  v_id     int8;
begin
  perform hold_names();
  perform pg_advisory_xact_lock(hashtextextended('quadstead follows', 0)); -- concurrent calls see each other's rows
  if url = v_base then
    raise exception 'A store cannot follow itself.' using errcode = 'QS409', constraint = 'follow-place';
  elsif exists (select from follow as f where starts_with(f.path, add_follow.path)
                                           or starts_with(add_follow.path, f.path)) then
    raise exception '<%> is a copy already, or has one below it.', v_iri
      using errcode = 'QS409', constraint = 'follow-place';
  elsif path <> '' and has_document(v_iri) then
    raise exception 'There is already a document <%>. Only a free place can become a copy.', v_iri
      using errcode = 'QS409', constraint = 'follow-place';
  elsif path = '' and exists (select from document as d where d.parent is not null) then
    raise exception 'There are documents already. Only an empty dataset can become the copy of a whole store.'
      using errcode = 'QS409', constraint = 'follow-place';
  elsif path <> '' and not exists (select from term as t join document as d on d.id = t.id
                                    where t.hash = term_hash('I' || parent_iri(v_iri)) and not d.is_access_point
                                      and inverse_relation(d.id) is null) then
    raise exception 'There is no document <%>, or its members get triples, which copies do not.', parent_iri(v_iri)
      using errcode = 'QS409', constraint = 'follow-place';
  end if;
  insert into follow (url, path, key) values (add_follow.url, add_follow.path, add_follow.key) returning id into v_id;
  return v_id;
end
$$;

comment on function add_follow(text, text, text) is 'Begins to follow a store.';

-- Lists the follows, the oldest first, without their keys.
create or replace function list_follows()
returns table (id text, url text, path text, has_key boolean, created timestamptz, "position" text, documents int8,
               failures int, next_attempt timestamptz, last_failure timestamptz, last_reason text,
               current_at timestamptz, behind text)
language plpgsql stable
security definer
set search_path from current
as $$
begin
  return query
    select f.id::text, f.url, f.path, f.key is not null, f.created, f.position,
           (select count(*) from followed as d where d.follow = f.id), f.failures, f.next_attempt, f.last_failure,
           f.last_reason, f.current_at, f.behind::text
      from follow as f
     order by f.id;
end
$$;

comment on function list_follows() is 'The follows, the oldest first.';

-- Ends a follow. Its documents stay, and can be written like others.
--
--   raises  QS404 follow-exists
create or replace function remove_follow(id int8) returns void
language plpgsql
security definer
set search_path from current
as $$
begin
  perform from follow as f where f.id = remove_follow.id for update;
  if not found then
    raise exception 'There is no follow %.', id using errcode = 'QS404', constraint = 'follow-exists';
  end if;
  delete from followed_node as n using followed as d where d.follow = remove_follow.id and n.document = d.document;
  delete from followed as d where d.follow = remove_follow.id;
  delete from follow as f where f.id = remove_follow.id;
end
$$;

comment on function remove_follow(int8) is 'Ends a follow; its documents stay.';

-- Lets a follow list the documents of the source again, at once.
--
--   raises  QS404 follow-exists
create or replace function restart_follow(id int8) returns void
language plpgsql
security definer
set search_path from current
as $$
begin
  update follow as f
     set position = 'documents', round = f.round + 1, is_swept = false, failures = 0, next_attempt = now(),
         holder = null, held_until = null
   where f.id = restart_follow.id;
  if not found then
    raise exception 'There is no follow %.', id using errcode = 'QS404', constraint = 'follow-exists';
  end if;
end
$$;

comment on function restart_follow(int8) is 'Lets a follow list the documents of the source again.';

-- Takes follows that are due and that no other process holds.
--
--   holder   identifies the calling process
--   hold_ms  how long the process holds them, unless it renews that
create or replace function take_follows(holder uuid, hold_ms int)
returns table (id text, url text, path text, key text, base text, platform_ns text, "position" text, failures int,
               current_at timestamptz)
language plpgsql
security definer
set search_path from current
as $$
#variable_conflict use_column
begin
  if not exists (select from follow as f where f.next_attempt <= clock_timestamp()) then
    return;
  end if;
  return query
    with due as (
      select f.id
        from follow as f
       where f.next_attempt <= clock_timestamp() and (f.held_until is null or f.held_until < clock_timestamp())
       order by f.id
         for no key update skip locked)
    update follow as f
       set holder = take_follows.holder, held_until = clock_timestamp() + hold_ms * interval '1 millisecond'
      from due, dataset as s
     where f.id = due.id
    returning f.id::text, f.url, f.path, f.key, s.base, s.platform_ns, f.position, f.failures, f.current_at;
end
$$;

comment on function take_follows(uuid, int) is 'Takes follows that are due.';

-- Renews the hold on a follow.
--
--   hold_ms     0: ends the hold
--   behind      number of positions that the copy is behind; null: not known
--   is_current  the copy has all that the source has
--   returns     whether the caller still holds it
create or replace function hold_follow(id int8, holder uuid, hold_ms int, behind int8, is_current boolean)
returns boolean
language plpgsql
security definer
set search_path from current
as $$
begin
  update follow as f
     set held_until = clock_timestamp() + hold_ms * interval '1 millisecond', behind = hold_follow.behind,
         current_at = case when is_current then clock_timestamp() else f.current_at end,
         failures = case when is_current then 0 else f.failures end
   where f.id = hold_follow.id and f.holder = hold_follow.holder and f.held_until > clock_timestamp();
  return found;
end
$$;

comment on function hold_follow(int8, uuid, int, int8, boolean) is 'Renews the hold on a follow.';

-- Records a failure, and ends the hold.
--
--   wait_ms  until the next attempt
create or replace function fail_follow(id int8, holder uuid, reason text, wait_ms float8) returns void
language plpgsql
security definer
set search_path from current
as $$
begin
  update follow as f
     set failures = f.failures + 1, last_failure = clock_timestamp(), last_reason = reason,
         next_attempt = clock_timestamp() + wait_ms * interval '1 millisecond', held_until = clock_timestamp()
   where f.id = fail_follow.id and f.holder = fail_follow.holder;
end
$$;

comment on function fail_follow(int8, uuid, text, float8) is 'Records a failure of a follow.';

-- The source's entity tags of copies. No row for documents that are not copies; null for empty ones (hold_parent).
create or replace function followed_tags(id int8, iris text[]) returns table (iri text, tag text)
language plpgsql stable
security definer
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
begin
  return query
    select i.iri, d.tag
      from unnest(iris) as i (iri)
      join term as t on t.hash = term_hash('I' || i.iri)
      join followed as d on d.document = t.id
     where d.follow = followed_tags.id;
end
$$;

comment on function followed_tags(int8, text[]) is 'The source''s entity tags of copies.';

-- Applies steps to the copies, and stores the position after them.
--
--   place, next   position before the steps, and after them
--   kinds …       for each step: `whole` (the graph of the document becomes the added triples), `patch` (triples are
--                 added and removed), `leave` (only the memberships among the removed triples end), `keep` (only the
--                 membership of the document is checked), `delete` (the document and all below it)
--   relations     the relation by which the document is a member of its parent from birth; null: it is not
--   actions       of the change log of this store
--   graphs …      the triples of the steps: number of the step, whether added or removed, and references to the keys
--                 (term/term.sql). A blank node has the key B<IRI of the document> <label>
--   is_end        there are no further changes. After a listing, documents that it did not have are then removed
--   returns       false: the caller no longer holds the follow, or the position is another, and nothing was done
--   raises        QS409 follow-place: a document that is no copy has the IRI
create or replace function apply_follow(id int8, holder uuid, place text, next text, kinds text[], iris text[],
                                        parents text[], relations text[], points boolean[], tags text[],
                                        actions text[], keys text[], graphs int[], added boolean[], subjects int8[],
                                        predicates int8[], objects int8[], is_end boolean) returns boolean
language plpgsql
security definer
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
  v_follow follow;
  v_base   text := (select d.base from dataset as d where d.is_only);
  v_ids    int8[];
  v_step   record;
  v_gone   int8[] := '{}';
  v_id     int8;
begin
  perform hold_names();
  select f.* into v_follow from follow as f
   where f.id = apply_follow.id and f.holder = apply_follow.holder and f.position = place
     and f.held_until > clock_timestamp()
     for update;
  if not found then
    return false;
  end if;
  perform plan_for(cardinality(subjects));
  v_ids := copied_terms(keys);
  for v_step in
    select s.*, q.new_s, q.new_p, q.new_o, q.old_s, q.old_p, q.old_o
      from unnest(kinds, iris, parents, relations, points, tags, actions) with ordinality
             as s (kind, iri, parent, relation, is_access_point, tag, action, n)
      left join lateral (
        select array_agg(t.s) filter (where t.is_added) as new_s, array_agg(t.p) filter (where t.is_added) as new_p,
               array_agg(t.o) filter (where t.is_added) as new_o, array_agg(t.s) filter (where not t.is_added) as old_s,
               array_agg(t.p) filter (where not t.is_added) as old_p,
               array_agg(t.o) filter (where not t.is_added) as old_o
          from copied_triples(s.n::int, v_ids, graphs, added, subjects, predicates, objects) as t) as q on true
     order by s.n
  loop
    v_id := (intern_terms(array['I' || v_step.iri]))[1];
    if v_step.kind = 'delete' then
      v_gone := v_gone || remove_copies(v_follow, v_id);
      continue;
    end if;
    if v_step.kind <> 'leave' then
      perform place_copy(v_follow, v_id, v_step.iri, v_step.parent, v_step.relation, v_step.is_access_point);
    end if;
    if v_step.kind <> 'keep' then
      perform write_copy(v_id, v_step.kind, v_step.action, v_step.new_s, v_step.new_p, v_step.new_o,
                         v_step.old_s, v_step.old_p, v_step.old_o);
      v_gone := v_gone || v_id;
    end if;
    update followed as d
       set tag = v_step.tag, round = v_follow.round
     where d.document = v_id and v_step.kind <> 'leave';
  end loop;
  if is_end and not v_follow.is_swept and next not like 'documents%' then
    v_gone := v_gone || sweep_copies(v_follow);
    v_follow.is_swept := true;
  end if;
  delete from followed_node as n where n.document = any (v_gone) and graph_of_blank_node(n.id) is null;
  perform record_change('follow', (select d.id from document as d where d.parent is null), null, null, null)
    where kinds <> '{}';
  update follow as f
     set position = next, is_swept = v_follow.is_swept, failures = 0 where f.id = v_follow.id;
  return true;
end
$$;

comment on function apply_follow(int8, uuid, text, text, text[], text[], text[], text[], boolean[], text[], text[],
  text[], int[], boolean[], int8[], int8[], int8[], boolean) is
  'Applies changes of the source to the copies, and stores the position after them.';

-- Ids of keys, with the blank nodes of copies: those that are known by document and label, or else new ones.
create or replace function copied_terms(keys text[]) returns int8[]
language plpgsql
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
  v_ids       int8[] := intern_terms(keys);
  v_nodes     record;
  v_documents int8[];
begin
  if array_position(v_ids, null) is null then
    return v_ids;
  end if;
  select array_agg('I' || split_part(substr(k.key, 2), ' ', 1)) as documents,
         array_agg(split_part(k.key, ' ', 2)) as labels,
         array_agg(k.n) as places
    into v_nodes
    from unnest(keys, v_ids) with ordinality as k (key, id, n)
   where k.id is null;
  v_documents := intern_terms(v_nodes.documents);
  insert into followed_node (document, label, id)
  select n.document, n.label, first_blank_node() + nextval('blank_node_seq')
    from unnest(v_documents, v_nodes.labels) as n (document, label)
      on conflict do nothing;
  return (select array_agg(coalesce(k.id, f.id) order by k.n)
            from unnest(keys, v_ids) with ordinality as k (key, id, n)
            left join unnest(v_nodes.places, v_documents, v_nodes.labels) as n (place, document, label)
              on n.place = k.n
            left join followed_node as f on f.document = n.document and f.label = n.label);
end
$$;

comment on function copied_terms(text[]) is 'Ids of keys, with the blank nodes of copies.';

-- The triples of a step as ids.
create or replace function copied_triples(step int, ids int8[], graphs int[], added boolean[], subjects int8[],
                                          predicates int8[], objects int8[])
returns table (is_added boolean, s int8, p int8, o int8)
language plpgsql immutable
set search_path from current
as $$
begin
  return query
    select t.is_added, ids[t.s], ids[t.p], case when t.o > 0 then ids[t.o] else t.o end
      from unnest(graphs, added, subjects, predicates, objects) as t (g, is_added, s, p, o)
     where t.g = step;
end
$$;

comment on function copied_triples(int, int8[], int[], boolean[], int8[], int8[], int8[]) is
  'The triples of a step as ids.';

-- Makes sure that a copy exists, and that its membership is as at the source. A new one has no triples yet.
create or replace function place_copy(follow follow, id int8, iri text, parent text, relation text,
                                      is_access_point boolean) returns void
language plpgsql
set search_path from current
as $$
declare
  v_document document;
  v_parent   document;
  v_relation int8;
begin
  select d.* into v_document from document as d where d.id = place_copy.id for no key update;
  if v_document.id is not null
     and not exists (select from followed as f
                      where f.document = v_document.id and f.follow = place_copy.follow.id) then
    if v_document.parent is not null then
      raise exception 'There is a document <%>, which is not a copy.', iri
        using errcode = 'QS409', constraint = 'follow-place';
    end if;
    insert into followed (document, follow, round)
    values (v_document.id, place_copy.follow.id, place_copy.follow.round);
  end if;
  if v_document.id is not null and v_document.is_access_point <> place_copy.is_access_point then
    perform remove_copies(place_copy.follow, v_document.id); -- another one has the IRI now
    v_document := null;
  end if;
  if v_document.id is not null and v_document.parent is null then
    return; -- the root document
  end if;
  v_parent := hold_parent(place_copy.follow, place_copy.parent, place_copy.relation);
  v_relation := case when relation is null or v_parent.is_access_point then null
                     when v_parent.has_member_relation = (intern_terms(array['I' || relation]))[1]
                          or not exists (select from followed as f where f.document = v_parent.id)
                     then v_parent.has_member_relation end;
  if v_document.id is null then
    perform add_copy(place_copy.follow, place_copy.id, v_parent, v_relation, place_copy.is_access_point);
  elsif v_document.member_by is distinct from v_relation then
    perform set_membership(v_document, v_relation);
  end if;
end
$$;

comment on function place_copy(follow, int8, text, text, text, boolean) is
  'Makes sure that a copy exists, and that its membership is as at the source.';

-- The parent of a copy, locked against deletion. If no change of the source has named it yet, it is created with the
-- triples of the service only. That happens with moves and imports, whose changes come in any order.
--
--   relation  its ldp:hasMemberRelation, if it is created; null: not known
create or replace function hold_parent(follow follow, iri text, relation text) returns document
language plpgsql
set search_path from current
as $$
declare
  v_id       int8 := (intern_terms(array['I' || iri]))[1];
  v_relation int8 := (intern_terms(array['I' || relation]))[1];
  v_parent   document;
begin
  select d.* into v_parent from document as d where d.id = v_id for key share;
  if v_parent.id is null then
    if not starts_with(iri, (select s.base from dataset as s where s.is_only) || hold_parent.follow.path) then
      raise exception 'There is no document <%>, which is to have a copy as a child.', iri
        using errcode = 'QS409', constraint = 'follow-place';
    end if;
    perform place_copy(hold_parent.follow, v_id, iri, parent_iri(iri), null, false);
    perform write_copy(v_id, 'whole', 'created', null, null, null, null, null, null);
  end if;
  if v_relation is not null and v_parent.has_member_relation is distinct from v_relation
     and exists (select from followed as f where f.document = v_id and f.tag is null) then
    perform drop_quads(v_id, array[v_id], array[ldp_has_member_relation()], array[d.has_member_relation])
       from document as d where d.id = v_id;
    update document as d set has_member_relation = v_relation where d.id = v_id;
    perform put_quads(v_id, array[v_id], array[ldp_has_member_relation()], array[v_relation]);
  end if;
  select d.* into v_parent from document as d where d.id = v_id for key share;
  return v_parent;
end
$$;

comment on function hold_parent(follow, text, text) is
  'The parent of a copy, created if the source has not told of it.';

-- Inserts the row of a copy.
create or replace function add_copy(follow follow, id int8, parent document, relation int8, is_access_point boolean)
returns void
language plpgsql
set search_path from current
as $$
declare
  v_now timestamptz := date_trunc('milliseconds', clock_timestamp());
begin
  if exists (select from raw_graph as r where r.id = add_copy.id) then
    raise exception '% names a raw graph, so it cannot name a copy.', show_term(id)
      using errcode = 'QS409', constraint = 'follow-place';
  end if;
  perform claim_iri(id);
  insert into document (id, parent, created, modified, is_access_point, has_member_relation, member_by, realm)
  values (add_copy.id, add_copy.parent.id, v_now, v_now, add_copy.is_access_point, ldp_member(), relation,
          add_copy.parent.realm);
  update quad as q -- another document may have the membership triple, which is now derived
     set copy = true
   where q.s = add_copy.parent.id and q.p = relation and q.o = add_copy.id and q.copy is null;
  insert into followed (document, follow, round) values (add_copy.id, add_copy.follow.id, add_copy.follow.round);
end
$$;

comment on function add_copy(follow, int8, document, int8, boolean) is 'Inserts the row of a copy.';

-- Changes whether a document is a member of its parent by its row, and so the graph of the parent.
create or replace function set_membership(document document, relation int8) returns void
language plpgsql
set search_path from current
as $$
declare
  v_tag int8 := (select d.revision from document as d where d.id = set_membership.document.parent);
begin
  perform log_places(array[document.id], array[document.parent], array[document.member_by]);
  perform forget_derived_members(document.parent, document.member_by, array[document.id])
    where document.member_by is not null;
  update document as d set member_by = relation where d.id = set_membership.document.id and relation is not null;
  update quad as q
     set copy = true
   where q.s = document.parent and q.p = relation and q.o = document.id and q.copy is null;
  perform log_changes('changed', array[document.id], array[document.revision], null);
  update document as d set revision = nextval('revision_seq') where d.id = set_membership.document.parent;
  perform log_changes('changed', array[document.parent], array[v_tag], null);
end
$$;

comment on function set_membership(document, int8) is 'Changes whether a document is a member of its parent.';

-- Writes the triples of a copy, and its row as they say.
--
--   kind     of the step: whole, patch or leave
--   action   of the change log
--   old_s …  the removed triples. Those that the rows of children imply end these memberships
create or replace function write_copy(id int8, kind text, action text, new_s int8[], new_p int8[], new_o int8[],
                                      old_s int8[], old_p int8[], old_o int8[]) returns void
language plpgsql
set search_path from current
as $$
declare
  v_document document := (select d from document as d where d.id = write_copy.id);
  v_is_new   boolean := not exists (select from quad as q where q.g = v_document.id);
begin
  if kind = 'leave' and not exists (select from unnest(old_s, old_p, old_o) as q (s, p, o)
                                      join document as d on d.id = q.o and d.parent = q.s and d.member_by = q.p
                                     where q.s = v_document.id) then
    return;
  elsif kind = 'whole' then
    perform plan_for(cardinality(new_s));
    if coalesce(cardinality(new_s), 0) = 0 then
      new_s := array_fill(id, array[7]);
      new_p := array[rdf_type(), rdf_type(), rdf_type(), platform_created(), platform_modified(),
                     ldp_membership_resource(), ldp_has_member_relation()];
      new_o := array[platform_document(), ldp_rdf_source(), ldp_basic_container(), inline_instant(v_document.created),
                     inline_instant(v_document.modified), id, v_document.has_member_relation];
    end if;
    perform put_difference(id, new_s, new_p, new_o);
  else
    if old_s is not null then
      perform drop_quads(id, old_s, old_p, old_o) where kind = 'patch';
      perform end_memberships(write_copy.id, q.p, array_agg(q.o))
         from unnest(old_s, old_p, old_o) as q (s, p, o)
        where q.s = write_copy.id and q.p = v_document.has_member_relation
        group by q.p;
    end if;
    if new_s is not null then
      perform put_quads(id, new_s, new_p, new_o);
    end if;
  end if;
  update document as d
     set revision = nextval('revision_seq'),
         created = coalesce(import_instant(own_object(d.id, platform_created())), d.created),
         modified = coalesce(import_instant(own_object(d.id, platform_modified())), d.modified),
         has_member_relation = coalesce(own_object(d.id, ldp_has_member_relation()), d.has_member_relation)
   where d.id = v_document.id;
  perform log_changes(action, array[v_document.id], array[case when not v_is_new then v_document.revision end], null);
end
$$;

comment on function write_copy(int8, text, text, int8[], int8[], int8[], int8[], int8[], int8[]) is
  'Writes the triples of a copy, and its row as they say.';

-- The object of a property of which a document has one value; null for none.
create or replace function own_object(document int8, property int8) returns int8
language plpgsql stable
set search_path from current
as $$
begin
  return (select min(held.o) from (
    select q.o from quad as q
     where q.s = document and q.p = property and q.copy is null and q.g = document
     union all
    select q.o from quad as q
     where q.s = document and q.p = property and q.copy and q.g = document) as held);
end
$$;

comment on function own_object(int8, int8) is 'The object of a property of which a document has one value.';

-- Removes a copy and all below it. References to them stay: the source has changes of the documents that lose them.
--
--   returns  ids of the removed documents
create or replace function remove_copies(follow follow, id int8) returns int8[]
language plpgsql
set search_path from current
as $$
declare
  v_ids int8[];
begin
  perform from followed as d
    join document as k on k.id = d.document
   where d.document = remove_copies.id and d.follow = remove_copies.follow.id and k.parent is not null
     for update of k;
  if not found then
    return '{}';
  end if;
  v_ids := array[id] || lock_descendants(id);
  perform remove_rows(v_ids, null, '{}', true);
  delete from followed as d where d.document = any (v_ids);
  return v_ids;
end
$$;

comment on function remove_copies(follow, int8) is 'Removes a copy and all below it.';

-- Removes the copies that the last listing did not have.
--
--   returns  ids of the removed documents
create or replace function sweep_copies(follow follow) returns int8[]
language plpgsql
set search_path from current
as $$
declare
  v_id   int8;
  v_gone int8[] := '{}';
begin
  for v_id in
    select d.document from followed as d
     where d.follow = sweep_copies.follow.id and d.round < sweep_copies.follow.round
  loop
    v_gone := v_gone || remove_copies(sweep_copies.follow, v_id);
  end loop;
  return v_gone;
end
$$;

comment on function sweep_copies(follow) is 'Removes the copies that the last listing did not have.';

-- Refuses a write to copies.
--
--   raises  QS403 followed-kept
create or replace function require_unfollowed(ids int8[]) returns void
language plpgsql stable
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
  v_copy record;
begin
  if not exists (select from follow) then
    return;
  end if;
  select t.lex as iri, f.url || substr(t.lex, length(s.base) + 1) as source into v_copy
    from followed as d
    join follow as f on f.id = d.follow
    join term as t on t.id = d.document
   cross join dataset as s
   where d.document = any (ids)
   order by t.lex
   limit 1;
  if found then
    raise exception '<%> is a copy, which only changes with <%>. Write there.', v_copy.iri, v_copy.source
      using errcode = 'QS403', constraint = 'followed-kept', detail = json_build_object('source', v_copy.source);
  end if;
end
$$;

comment on function require_unfollowed(int8[]) is 'Refuses a write to copies of another store.';

-- The documents that are not copies. A write that would change copies as a consequence leaves them as they are.
create or replace function unfollowed(ids int8[]) returns int8[]
language plpgsql stable
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
begin
  if not exists (select from follow) then
    return ids;
  end if;
  return array(select i.id from unnest(ids) as i (id)
                where not exists (select from followed as d where d.document = i.id));
end
$$;

comment on function unfollowed(int8[]) is 'The documents that are not copies of another store.';
