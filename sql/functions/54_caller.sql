-- Keys of programs, and the record of who changed what.

-- Keep a key.
--
--   hash  SHA-256 of the key
create or replace function add_api_key(hash bytea, agent text, groups text[], note text, expires timestamptz)
returns void
language plpgsql
security definer
set search_path from current
as $$
begin
  insert into api_key (hash, agent, groups, note, expires)
  values (add_api_key.hash, add_api_key.agent, add_api_key.groups, add_api_key.note, add_api_key.expires);
end
$$;

comment on function add_api_key(bytea, text, text[], text, timestamptz) is 'Keep the hash of a key with its agent.';

-- Whom a key speaks for; no row when there is no such key, or it has expired.
create or replace function find_api_key(hash bytea) returns table (agent text, groups text[])
language plpgsql stable
set search_path from current
as $$
begin
  return query
    select k.agent, k.groups from api_key as k
     where k.hash = find_api_key.hash and k.expires > clock_timestamp() is not false;
end
$$;

comment on function find_api_key(bytea) is 'Whom a key speaks for.';

-- Take keys away whose hash begins so, in hexadecimal.
--
--   returns  how many there were; with more than one, none is gone
create or replace function remove_api_key(prefix text) returns int
language plpgsql
security definer
set search_path from current
as $$
declare
  v_hashes bytea[] := array(select k.hash from api_key as k where starts_with(encode(k.hash, 'hex'), prefix));
begin
  delete from api_key as k where cardinality(v_hashes) = 1 and k.hash = v_hashes[1];
  return cardinality(v_hashes);
end
$$;

comment on function remove_api_key(text) is 'Take away the one key whose hash begins so.';

-- Write down a change, in the transaction that makes it.
--
--   etag  after it; null where there is none
create or replace function record_change(action text, document text, etag text, agent text, request_id text)
returns boolean
language plpgsql
security definer
set search_path from current
as $$
begin
  insert into audit (action, document, etag, agent, request_id)
  values (record_change.action, record_change.document, record_change.etag, record_change.agent,
          record_change.request_id);
  return true;
end
$$;

comment on function record_change(text, text, text, text, text) is 'Write a change into the audit.';
