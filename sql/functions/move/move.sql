-- Moves documents with everything below them (docs/interface.md, Moving and copying; RFC 4918 §9.9; decision 0020).
--
-- Ids stay and terms are renamed, so references follow without a change of their quads. All moved documents, and all
-- other documents with a reference, get new entity tags, because their graphs have other IRIs now.

-- Moves a document and everything below it.
--
--   iri, if_match …  the document, and preconditions on it
--   target           its new IRI
--   overwrites       delete a document at the target first, with everything below it
--   redirects_for    redirect requests for the old IRIs during this time; null: never
--   is_created       false: a document at the target was deleted
--   returns          the new state; as DELETE, `etag` is null if the caller may not read it there
--   raises           QS404 document-exists · QS412 etag-mismatch, destination-free · QS409 destination-parent,
--                    access-point-stays, document-iri-free · QS403 destination-apart · QS405 root-stays · QS503 busy
--                    QS401 authentication-required, QS403 access-granted
--
-- The caller needs the mode delete on the document and on what it overwrites, create on the new parent, and control of
-- both if grants move with the document. References stay in documents that the caller may not edit, as in a deletion:
-- there the old IRI becomes a term of its own.
create or replace function move_document(iri text, if_match text[], if_none_match text[],
                                         if_unmodified_since timestamptz, target text, overwrites boolean,
                                         redirects_for interval default null, caller caller default null,
                                         out is_created boolean, out etag text, out modified timestamptz)
language plpgsql
security definer
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
  v_document document;
  v_ids      int8[];
  v_terms    record;
  v_kept     int8[];
begin
  -- A refused request must not make other writers wait, so it is refused here. The checks are repeated under the lock.
  perform check_precondition(iri, if_match, if_none_match, if_unmodified_since, 'delete', caller);
  perform change_names();
  if caller.grantees is not null then
    perform require_access(iri, '{delete}', caller);
  end if;
  v_document := lock_document(iri, is_going => true);
  perform require_container(v_document, 'edit', caller.grantees);
  perform require_state(v_document, if_match, if_none_match, if_unmodified_since);
  perform require_movable(v_document, iri, 'moved');
  is_created := clear_target(iri, target, overwrites, true, caller);

  v_ids := array[v_document.id] || lock_descendants(v_document.id);
  perform require_unfollowed(v_ids);
  perform require_own_grants(v_ids, iri, parent_iri(target), caller);
  v_terms := terms_below(iri);
  v_kept := graphs_with(v_terms.ids); -- graphs that refer to what moves, besides its own
  v_kept := array(select unnest(v_kept) except select unnest(v_ids));
  perform move_terms(v_terms.ids, v_terms.iris, iri, target, v_kept, writable_realms(caller.grantees));
  perform put_below(v_document, v_ids, parent_iri(target), caller);
  perform move_scopes(iri, target);
  perform note_move(iri, target, redirects_for);

  v_kept := unfollowed(within_realms(v_kept, writable_realms(caller.grantees)));
  perform plan_for(cardinality(v_ids) + cardinality(v_kept));
  perform touch_documents(v_ids[2:], null, caller, 'moved') where cardinality(v_ids) > 1;
  perform touch_documents(v_kept, null, caller) where v_kept <> '{}';
  perform touch_documents(v_ids[:1], 'move-to', caller);
  select d.revision::text, d.modified into etag, modified from document as d where d.id = v_document.id;
  perform record_change('move', v_document.id, etag, etag, caller, iri);
  if caller.grantees is not null and not has_access(target, '{read}', caller.grantees) then
    etag := null;
    modified := null;
  end if;
end
$$;

comment on function move_document(text, text[], text[], timestamptz, text, boolean, interval, caller) is
  'Moves a document and everything below it; references follow.';

-- Refuses to move or copy the root document or an access point.
--
--   verb  'moved' or 'copied', for the message
create or replace function require_movable(document document, iri text, verb text) returns void
language plpgsql stable
set search_path from current
as $$
begin
  if document.parent is null then
    raise exception 'The root document <%> cannot be %.', iri, verb
      using errcode = 'QS405', constraint = 'root-stays';
  elsif document.is_access_point then
    raise exception '<%> is an access point, which belongs to its container document and cannot be %.', iri, verb
      using errcode = 'QS409', constraint = 'access-point-stays';
  end if;
end
$$;

comment on function require_movable(document, text, text) is 'Refuses to move or copy the root or an access point.';

-- Checks the target of a move or copy, and deletes the document there, with everything below it.
--
--   is_deep  everything below the document is moved or copied too
--   returns  whether the target was free
--   raises   QS400 destination-valid · QS403 destination-apart · QS409 destination-parent · QS412 destination-free
--            QS401 authentication-required · QS403 access-granted
create or replace function clear_target(iri text, target text, overwrites boolean, is_deep boolean, caller caller)
returns boolean
language plpgsql
set search_path from current
as $$
declare
  v_parent document;
  v_old    document;
begin
  if not is_segment(substring(target from '([^/]+)/$')) then
    raise exception '<%> cannot be the IRI of a document.', target
      using errcode = 'QS400', constraint = 'destination-valid';
  elsif target = iri or is_deep and starts_with(target, iri) or starts_with(iri, target) then
    raise exception 'The destination <%> is the document itself, or one of the two is below the other.', target
      using errcode = 'QS403', constraint = 'destination-apart';
  elsif caller.grantees is not null and not has_access(parent_iri(target), '{create}', caller.grantees)
        and (caller.is_hidden is not true or has_access(parent_iri(target), '{read}', caller.grantees)) then
    perform raise_refused(parent_iri(target), '{create}', caller.grantees);
  end if;
  if has_document(parent_iri(target))
     and (caller.grantees is null or has_access(parent_iri(target), '{create}', caller.grantees)) then
    v_parent := parent_document(parent_iri(target));
  else
    raise exception 'The parent <%> of the destination <%> does not exist.', parent_iri(target), target
      using errcode = 'QS409', constraint = 'destination-parent';
  end if;
  perform require_unfollowed(array[v_parent.id]);
  perform require_container(v_parent, 'members', caller.grantees);

  if not has_document(target) then
    return true;
  elsif not overwrites then
    raise exception 'There is already a document <%>.', target
      using errcode = 'QS412', constraint = 'destination-free';
  elsif caller.grantees is not null then
    perform require_access(target, '{delete}', caller);
  end if;
  v_old := lock_document(target, is_going => true);
  perform require_container(v_old, 'edit', caller.grantees);
  perform remove_documents(array[v_old.id] || lock_descendants(v_old.id), caller, array[v_old.id]);
  return false;
end
$$;

comment on function clear_target(text, text, boolean, boolean, caller) is
  'Checks the target of a move or copy, and deletes the document there.';

-- Refuses to move documents with grants, unless the caller controls the document and its new parent.
create or replace function require_own_grants(ids int8[], iri text, parent text, caller caller) returns void
language plpgsql stable
set search_path from current
as $$
begin
  if caller.grantees is not null and exists (select from access_realm as r where r.id = any (ids)) then
    perform require_access(iri, '{control}', caller);
    perform require_access(parent, '{control}', caller);
  end if;
end
$$;

comment on function require_own_grants(int8[], text, text, caller) is
  'Refuses to move grants for a caller without control of both places.';

-- Renames the IRIs below a prefix. In graphs that the caller may not change, the old IRIs stay, as new terms.
--
--   referring  graphs that refer to them, besides those that move
--   realms     where the caller may change documents (writable_realms)
create or replace function move_terms(ids int8[], iris text[], prefix text, target text, referring int8[],
                                      realms int8[]) returns void
language plpgsql
set search_path from current
as $$
declare
  v_closed int8[] := array(select unnest(referring)
                           except
                           select unnest(unfollowed(within_realms(referring, realms))));
  v_stays  int8[];
begin
  if v_closed <> '{}' then
    v_stays := array(select nextval('term_seq') from unnest(ids));
    perform replace_ids(ids, v_stays, v_closed);
  end if;
  perform rename_terms(ids, array(select target || substr(n.iri, length(prefix) + 1)
                                    from unnest(iris) with ordinality as n (iri, at) order by n.at));
  insert into term (id, hash, lex)
  select n.id, term_hash('I' || n.iri), n.iri
    from unnest(v_stays, iris) as n (id, iri)
   where n.id is not null and graphs_with(array[n.id]) <> '{}'
   order by 2;
end
$$;

comment on function move_terms(int8[], text[], text, text, int8[], int8[]) is
  'Renames the IRIs below a prefix, except in graphs that the caller may not change.';

-- Puts a renamed document below its new parent: containment, membership and realm.
--
--   ids  the document, and all below it
create or replace function put_below(document document, ids int8[], parent text, caller caller) returns void
language plpgsql
set search_path from current
as $$
declare
  v_parent   document := parent_document(put_below.parent);
  v_relation int8 := case when not v_parent.is_access_point then v_parent.has_member_relation end;
begin
  if v_parent.id = document.parent then
    return;
  end if;
  perform log_places(array[document.id], array[document.parent], array[document.member_by]);
  perform leave_parent(document);
  update document as d
     set parent = v_parent.id, member_by = v_relation
   where d.id = put_below.document.id;
  -- A graph may contain the membership triple, which is now derived: its row becomes a copy.
  update quad as q
     set copy = true
   where q.s = v_parent.id and q.p = v_relation and q.o = put_below.document.id and q.copy is null;

  perform enter_parent(document.id, v_parent, caller);
  perform move_realms(ids, document.realm, v_parent.realm);
end
$$;

comment on function put_below(document, int8[], text, caller) is 'Puts a moved document below its new parent.';

-- Writes the membership triples of a document in its new parent that are not derived: those of an access point, and the
-- inverse.
create or replace function enter_parent(id int8, parent document, caller caller) returns void
language plpgsql
set search_path from current
as $$
declare
  v_inverse int8 := inverse_relation(parent.id);
begin
  if parent.is_access_point then
    perform put_members(parent, array[id], caller);
  elsif v_inverse is not null then
    perform put_quads(id, array[id], array[v_inverse], array[parent.id]);
  end if;
end
$$;

comment on function enter_parent(int8, document, caller) is
  'Writes the stored membership triples of a document in its new parent.';

-- Ends the derived membership of a document in its parent, with the inverse triple, unless another list with the same
-- inverse contains the document.
create or replace function leave_parent(document document) returns void
language plpgsql
set search_path from current
as $$
declare
  v_inverse   int8 := inverse_relation(document.parent);
  v_relations int8[] := relations_with(v_inverse, document.parent);
begin
  if document.member_by is null then
    return;
  end if;
  perform forget_derived_members(document.parent, document.member_by, array[document.id]);
  if v_inverse is not null
     and not exists (select from unnest(v_relations) as r (p)
                      where exists (select from graph_row(document.parent, document.parent, r.p, document.id))) then
    perform drop_quads(document.id, array[document.id], array[v_inverse], array[document.parent]);
  end if;
end
$$;

comment on function leave_parent(document) is 'Ends the derived membership of a document in its parent.';

-- Puts documents of one realm into another, with the realms directly below it.
create or replace function move_realms(ids int8[], old_realm int8, new_realm int8) returns void
language plpgsql
set search_path from current
as $$
begin
  if old_realm = ids[1] then -- the document has grants of its own, and heads a realm
    old_realm := (select r.above from access_realm as r where r.id = ids[1]);
  end if;
  if old_realm is distinct from new_realm then
    perform plan_for(cardinality(ids));
    update access_realm as r
       set above = new_realm
      from unnest(ids) as d (id)
     where r.id = d.id and r.above is not distinct from old_realm;
    update document as d
       set realm = new_realm
      from unnest(ids) as inside (id)
     where d.id = inside.id and d.realm is not distinct from old_realm;
  end if;
  update dataset as d set grants_revision = d.grants_revision + 1 where d.is_only;
end
$$;

comment on function move_realms(int8[], int8, int8) is 'Puts documents of one realm into another.';

-- Keys that are confined to a moved document follow it. Grants to agents stay: the identity provider determines the IRI
-- of an agent, and a move must not turn one agent into another.
create or replace function move_scopes(prefix text, target text) returns void
language plpgsql
set search_path from current
set enable_seqscan = on
as $$
begin
  update api_key as k
     set within = target || substr(k.within, length(prefix) + 1)
   where starts_with(k.within, prefix);
end
$$;

comment on function move_scopes(text, text) is 'Makes keys that are confined to moved documents follow them.';
