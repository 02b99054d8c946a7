-- API keys of programs, and the audit of changes.

-- Stores a key. Removes the agent's expired keys.
--
--   hash       SHA-256 of the key
--   modes      the modes that the key allows at most; null: all that its agent has
--   within     IRI of the document to whose subtree the key is confined; null: not confined
--   expires    null: never
--   key_limit  number of keys that an agent may have; null: no limit
--   returns    the id of the key
--   raises     QS422 expiry-ahead, key-scope · QS409 keys-counted
create or replace function add_api_key(hash bytea, agent text, groups text[], name text, modes text[], within text,
                                       expires timestamptz, key_limit int default null, caller caller default null)
returns text
language plpgsql
security definer
set search_path from current
as $$
begin
  perform hold_names();
  if add_api_key.expires <= now() then
    raise exception 'The key would have expired already: it is % now.', show_instant(now())
      using errcode = 'QS422', constraint = 'expiry-ahead';
  elsif within is not null
        and not exists (select from term as t join access_realm as r on r.id = t.id
                         where t.hash = term_hash('I' || within)) then
    raise exception 'A key can be confined to a document that has grants of its own or does not inherit; <%> is none.',
      within using errcode = 'QS422', constraint = 'key-scope';
  end if;
  -- So that concurrent calls count each other's keys.
  perform pg_advisory_xact_lock(hashtextextended('quadstead keys ' || agent, 0));
  delete from api_key as k where k.agent = add_api_key.agent and k.expires <= now();
  if (select count(*) from api_key as k where k.agent = add_api_key.agent) >= key_limit then
    raise exception 'The agent has % keys, as many as one may have.', key_limit
      using errcode = 'QS409', constraint = 'keys-counted';
  end if;
  insert into api_key (hash, agent, groups, name, modes, within, expires)
  values (add_api_key.hash, add_api_key.agent, add_api_key.groups, add_api_key.name, add_api_key.modes,
          add_api_key.within, add_api_key.expires);
  perform record_change('create-key', null, null, null, caller, api_key_iri(api_key_id(hash)));
  return api_key_id(hash);
end
$$;

comment on function add_api_key(bytea, text, text[], text, text[], text, timestamptz, int, caller) is
  'Stores the hash of a key with its agent.';

-- The id of a key for people: the beginning of its hash.
create or replace function api_key_id(hash bytea) returns text
language sql immutable
return left(encode(api_key_id.hash, 'hex'), 16);

comment on function api_key_id(bytea) is 'The id of a key: the beginning of its hash.';

-- The IRI of a key, at which the service shows it (docs/security.md, Authentication).
create or replace function api_key_iri(id text) returns text
language sql stable
begin atomic
  select d.base || '.system/keys/' || api_key_iri.id from dataset as d where d.is_only;
end;

comment on function api_key_iri(text) is 'The IRI of a key.';

-- The agent and scope of a key; no row if there is no such key, or it has expired.
--
--   lasts_ms  remaining lifetime in milliseconds; null: it does not expire
create or replace function find_api_key(hash bytea)
returns table (agent text, groups text[], modes text[], within text, expires timestamptz, lasts_ms float8)
language plpgsql stable
set search_path from current
as $$
begin
  return query
    select k.agent, k.groups, k.modes, k.within, k.expires,
           extract(epoch from k.expires - clock_timestamp())::float8 * 1000
      from api_key as k
     where k.hash = find_api_key.hash and k.expires > clock_timestamp() is not false;
end
$$;

comment on function find_api_key(bytea) is 'Agent and scope of a key.';

-- Lists keys, the oldest first.
--
--   of_agent  only keys of this agent; null: of all agents
--   with_id   only keys whose hash begins with this, in hexadecimal; null: all
create or replace function list_api_keys(of_agent text, with_id text)
returns table (id text, agent text, groups text[], name text, modes text[], within text, created timestamptz,
               expires timestamptz, last_used timestamptz, is_expired boolean)
language plpgsql stable
set search_path from current
as $$
begin
  return query
    select api_key_id(k.hash), k.agent, k.groups, k.name, k.modes, k.within, k.created, k.expires, k.last_used,
           k.expires <= now() is true
      from api_key as k
     where (of_agent is null or k.agent = of_agent)
       and (with_id is null or starts_with(encode(k.hash, 'hex'), with_id))
     order by k.created, k.hash;
end
$$;

comment on function list_api_keys(text, text) is 'Keys of an agent, or of all, the oldest first.';

-- Removes the key whose hash begins with a prefix.
--
--   prefix   in hexadecimal
--   agent    only a key of this agent; null: of any
--   returns  the id of the key
--   raises   QS404 key-exists: no key, or more than one, has this prefix
create or replace function remove_api_key(prefix text, agent text, caller caller default null) returns text
language plpgsql
security definer
set search_path from current
as $$
declare
  v_hashes bytea[] := array(select k.hash from api_key as k
                             where starts_with(encode(k.hash, 'hex'), prefix)
                               and (remove_api_key.agent is null or k.agent = remove_api_key.agent));
begin
  perform hold_place();
  if cardinality(v_hashes) > 1 then
    raise exception '% keys begin with %: name more digits.', cardinality(v_hashes), prefix
      using errcode = 'QS404', constraint = 'key-exists';
  end if;
  delete from api_key as k where k.hash = v_hashes[1];
  if not found then
    raise exception 'There is no key %.', prefix using errcode = 'QS404', constraint = 'key-exists';
  end if;
  perform record_change('remove-key', null, null, null, caller, api_key_iri(api_key_id(v_hashes[1])));
  return api_key_id(v_hashes[1]);
end
$$;

comment on function remove_api_key(text, text, caller) is 'Removes the key whose hash begins with a prefix.';

-- Records when keys were last used, for many keys at once.
--
--   hashes, ages_ms  parallel arrays; how many milliseconds ago each key was used
--
-- Skips rows that another instance has locked, instead of waiting for them.
create or replace function note_key_uses(hashes bytea[], ages_ms float8[]) returns void
language plpgsql
security definer
set search_path from current
as $$
begin
  perform hold_place();
  with used as (
    select k.hash, now() - u.age_ms * interval '1 millisecond' as time
      from unnest(hashes, ages_ms) as u (hash, age_ms)
      join api_key as k on k.hash = u.hash
       for no key update of k skip locked)
  update api_key as k
     set last_used = used.time
    from used
   where k.hash = used.hash and k.last_used > used.time is not true;
end
$$;

comment on function note_key_uses(bytea[], float8[]) is 'Records when keys were last used.';

-- Records a change. Every change of documents, grants and keys passes this function, in the transaction that makes it.
--
--   action         what the request asks for: create, replace, patch, update, add-members, remove-members, delete,
--                  delete-children, move, move-to, copy, grant, create-key, remove-key, import, remove-graph, rebase,
--                  follow (a page of changes of another store).
--                  null: the document changes as a consequence, because its parent, a member, or a document that it
--                  refers to does
--   document       id of the document; null for keys and raw graphs
--   before, after  its entity tag before the change and after it: null if it is new or gone. The grants' own tags for
--                  `grant`. Equal for members and for move, and null for delete-children: the documents that change
--                  then are recorded on their own, without an action or as move-to
--   iri            of a key or raw graph, and the old one for move; that of another document follows from its id
--
-- The audit has a row for each action, and so for each request. A change feed would insert a row here for each call; a
-- document changes in those where `before` and `after` differ. A history needs the triples as well. Statement triggers
-- with transition tables on `quad` see every triple that is added to a graph or removed from it, and
-- pg_current_xact_id() relates them to the calls of this function (test/db/changes.test.ts does both). An update of
-- `quad` only moves the primary row of a triple. A move gives ids other names, which triggers on `term` see.
-- Containment and the membership of children follow from the rows of documents and are not in `quad`. An import is one
-- call, on the root document; into an empty dataset it replaces the tables of triples and terms.
create or replace function record_change(action text, document int8, before text, after text, caller caller,
                                         iri text default null) returns void
language plpgsql
set search_path from current
as $$
begin
  if caller.is_audited and action is not null then
    insert into audit (action, document, etag, agent, request_id)
    values (record_change.action,
            coalesce(record_change.iri, (select t.lex from term as t where t.id = record_change.document)),
            record_change.after, caller.agent, caller.request_id);
  end if;
end
$$;

comment on function record_change(text, int8, text, text, caller, text) is
  'Records a change of a document, of grants or of keys.';
