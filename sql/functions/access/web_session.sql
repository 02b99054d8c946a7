-- Sessions of people who are signed in with a browser (docs/sign-in.md).
--
-- The browser has a random token in a cookie, and the table its hash. From time to time the browser is sent another
-- token. The first request with that one makes it the current token, because only then is it certain that the browser
-- has it. The token before is accepted for one minute, for requests that were sent at the same time. After that it can
-- only be a copy, and its use ends the session.

-- Begins a session.
--
--   key_hash   the API key that the person signed in with; null: an issuer
--   id_token   of the issuer; null: none
--   lasts_ms   how long the session lasts at most, in milliseconds
--   replaced   hash of a token of the session that the browser had before; null: none. That session ends.
--   client     User-Agent of the browser; '' if it is not known
--
-- Deletes some sessions that are over, and the oldest of an agent that has 50.
create or replace function begin_web_session(hash bytea, agent text, groups text[], name text, key_hash bytea,
                                             id_token text, lasts_ms float8, replaced bytea,
                                             client text default '') returns void
language plpgsql
security definer
set search_path from current
as $$
begin
  perform hold_place();
  perform end_web_session(replaced);
  delete from web_session as s
   where s.hash in (select e.hash from web_session as e where e.ends <= now() order by e.ends limit 10
                       for update skip locked)
      or s.hash in (select e.hash from web_session as e where e.agent = begin_web_session.agent
                     order by e.begun desc offset 49 for update skip locked);
  insert into web_session (hash, agent, groups, name, key_hash, id_token, ends, client)
  values (begin_web_session.hash, begin_web_session.agent, begin_web_session.groups, begin_web_session.name,
          begin_web_session.key_hash, begin_web_session.id_token, now() + lasts_ms * interval '1 millisecond',
          begin_web_session.client);
end
$$;

comment on function begin_web_session(bytea, text, text[], text, bytea, text, float8, bytea, text) is
  'Begins the session of a person with a browser.';

-- The session of a token; no row if there is none, or it is over.
--
--   idle_ms   how long a session lasts without requests, in milliseconds
--   modes, within, expires  of the API key that the person signed in with, if is_key
--   lasts_ms  how long the session lasts at most from now on, in milliseconds
--   is_due    use_web_session is to be called: the token is the next one, or the last use is a minute ago
--   is_old    the token has been the current one for a quarter of an hour: the browser should be sent another
--   is_copy   the token was replaced more than a minute ago
create or replace function find_web_session(hash bytea, idle_ms float8)
returns table (agent text, groups text[], name text, is_key boolean, modes text[], within text, expires timestamptz,
               lasts_ms float8, is_due boolean, is_old boolean, is_copy boolean)
language plpgsql stable
set search_path from current
as $$
begin
  return query
    select s.agent, coalesce(k.groups, s.groups), s.name, s.key_hash is not null, k.modes, k.within, k.expires,
           extract(epoch from least(s.ends, k.expires) - now())::float8 * 1000,
           s.next_hash is not distinct from find_web_session.hash or s.used < now() - interval '1 minute',
           s.hash = find_web_session.hash and s.turned < now() - interval '15 minutes',
           s.past_hash is not distinct from find_web_session.hash and s.turned < now() - interval '1 minute'
      from web_session as s
      left join api_key as k on k.hash = s.key_hash
     where (s.hash = find_web_session.hash or s.next_hash = find_web_session.hash
            or s.past_hash = find_web_session.hash)
       and s.ends > now() and s.used > now() - idle_ms * interval '1 millisecond'
       and k.expires > now() is not false;
end
$$;

comment on function find_web_session(bytea, float8) is 'The session of a token.';

-- Records that a session is used. Its next token becomes the current one if it is the one that was used.
create or replace function use_web_session(hash bytea) returns void
language plpgsql
security definer
set search_path from current
as $$
begin
  perform hold_place();
  update web_session as s
     set past_hash = s.hash, hash = s.next_hash, next_hash = null, turned = now()
   where s.next_hash = use_web_session.hash;
  update web_session as s set used = now() where use_web_session.hash in (s.hash, s.past_hash);
end
$$;

comment on function use_web_session(bytea) is 'Records that a session is used.';

-- Gives a session its next token.
--
--   returns  false: another request has done so within the last minute, or the token is not the current one
create or replace function turn_web_session(hash bytea, next_hash bytea) returns boolean
language plpgsql
security definer
set search_path from current
as $$
begin
  perform hold_place();
  update web_session as s
     set next_hash = turn_web_session.next_hash, next_made = now()
   where s.hash = turn_web_session.hash
     and (s.next_hash is null or s.next_made < now() - interval '1 minute');
  return found;
end
$$;

comment on function turn_web_session(bytea, bytea) is 'Gives a session its next token.';

-- Ends the session of a token.
--
--   returns  the ID token of the issuer; null: there is none, or there is no such session
create or replace function end_web_session(hash bytea) returns text
language plpgsql
security definer
set search_path from current
as $$
declare
  v_id_token text;
begin
  perform hold_place();
  delete from web_session as s
   where s.hash = end_web_session.hash or s.next_hash = end_web_session.hash or s.past_hash = end_web_session.hash
  returning s.id_token into v_id_token;
  return v_id_token;
end
$$;

comment on function end_web_session(bytea) is 'Ends the session of a token.';

-- The sessions of an agent that are not over, the last used one first.
--
--   hash     of a token; the session with it is_own
--   idle_ms  how long a session lasts without requests, in milliseconds
create or replace function list_web_sessions(agent text, hash bytea, idle_ms float8)
returns table (id uuid, client text, is_key boolean, begun timestamptz, used timestamptz, ends timestamptz,
               is_own boolean)
language plpgsql stable
set search_path from current
as $$
begin
  return query
    select s.id, s.client, s.key_hash is not null, s.begun, s.used, least(s.ends, k.expires),
           coalesce(list_web_sessions.hash in (s.hash, s.next_hash, s.past_hash), false)
      from web_session as s
      left join api_key as k on k.hash = s.key_hash
     where s.agent = list_web_sessions.agent
       and s.ends > now() and s.used > now() - idle_ms * interval '1 millisecond'
       and k.expires > now() is not false
     order by s.used desc, s.begun desc;
end
$$;

comment on function list_web_sessions(text, bytea, float8) is 'The sessions of an agent that are not over.';

-- Ends sessions of an agent.
--
--   id       the session; null: all of them
--   kept     hash of a token; the session with it does not end; null: all may end
--   returns  how many have ended
create or replace function end_web_sessions(agent text, id uuid, kept bytea) returns bigint
language plpgsql
security definer
set search_path from current
as $$
declare
  v_count bigint;
begin
  perform hold_place();
  delete from web_session as s
   where s.agent = end_web_sessions.agent
     and (end_web_sessions.id is null or s.id = end_web_sessions.id)
     and coalesce(kept in (s.hash, s.next_hash, s.past_hash), false) is false;
  get diagnostics v_count = row_count;
  return v_count;
end
$$;

comment on function end_web_sessions(text, uuid, bytea) is 'Ends sessions of an agent: one, or all but one.';
