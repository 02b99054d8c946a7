-- Responses to requests with an Idempotency-Key (docs/interface.md, Repeating requests).
--
-- A request with a key is one transaction: recall_answer, the request itself, keep_answer. The service determines the
-- agent.

-- The id of a key, which has the same length for all agents.
create or replace function kept_answer_id(agent text, key text) returns bytea
language sql immutable
return sha256(convert_to(kept_answer_id.agent || E'\n' || kept_answer_id.key, 'UTF8'));

comment on function kept_answer_id(text, text) is 'The id of an agent''s Idempotency-Key.';

-- Claims a key for the transaction, and finds the response to an earlier request with this key.
--
--   agent         IRI; empty for anonymous callers
--   request_hash  SHA-256 of method, URL and body
--   lasts_ms      how long responses are kept, in milliseconds
--   returns       no row: the key is new, or its response has expired
--   raises        QS409 idempotency-running: another transaction has claimed the key
--                 QS422 idempotency-request: the earlier request was another one
create or replace function recall_answer(agent text, key text, request_hash bytea, lasts_ms float8)
returns table (status int, headers jsonb, body bytea)
language plpgsql
security definer
set search_path from current
as $$
declare
  v_kept kept_answer;
begin
  if not pg_try_advisory_xact_lock(hashtextextended(
           format('quadstead key %s %s %s', current_schema(), agent, key), 0)) then
    raise exception 'The first request with the Idempotency-Key "%" has not ended yet.', key
      using errcode = 'QS409', constraint = 'idempotency-running';
  end if;
  -- A statement of its own sees what the transaction that held the lock before has committed.
  select k.* into v_kept
    from kept_answer as k
   where k.id = kept_answer_id(recall_answer.agent, recall_answer.key)
     and k.made > now() - lasts_ms * interval '1 millisecond';
  if v_kept.request_hash <> recall_answer.request_hash then
    raise exception 'The Idempotency-Key "%" belongs to a request with another method, URL or body.', key
      using errcode = 'QS422', constraint = 'idempotency-request';
  end if;
  if v_kept.id is not null then
    return query select v_kept.status, v_kept.headers, v_kept.body;
  end if;
end
$$;

comment on function recall_answer(text, text, bytea, float8) is
  'Claims an Idempotency-Key, and finds the response to an earlier request with it.';

-- Keeps the response to a request whose key the transaction has claimed. Deletes some expired responses.
create or replace function keep_answer(agent text, key text, request_hash bytea, lasts_ms float8, status int,
                                       headers jsonb, body bytea) returns void
language plpgsql
security definer
set search_path from current
as $$
begin
  perform hold_place();
  delete from kept_answer as k
   where k.id in (select e.id from kept_answer as e
                   where e.made <= now() - lasts_ms * interval '1 millisecond'
                   order by e.made
                   limit 10
                     for update skip locked);
  insert into kept_answer (id, agent, key, request_hash, status, headers, body)
  values (kept_answer_id(keep_answer.agent, keep_answer.key), keep_answer.agent, keep_answer.key,
          keep_answer.request_hash, keep_answer.status, keep_answer.headers, keep_answer.body)
  on conflict (id) do update
     set request_hash = excluded.request_hash, status = excluded.status, headers = excluded.headers,
         body = excluded.body, made = excluded.made;
end
$$;

comment on function keep_answer(text, text, bytea, float8, int, jsonb, bytea) is
  'Keeps the response to a request with an Idempotency-Key.';
