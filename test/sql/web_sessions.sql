-- Sessions of people with a browser: their tokens, their ends, and the API keys that they depend on.
begin;
do $test$
declare
  v_hour float8 := 3600000;
  v_one  bytea := sha256('one');
  v_two  bytea := sha256('two');
  v_key  bytea := sha256('key');
  v_row  record;
begin
  perform begin_web_session(v_one, 'http://e/ada', '{staff}', 'Ada', null, 'id', 12 * v_hour, null);
  select s.* into v_row from find_web_session(v_one, v_hour) as s;
  perform test_equal(v_row.agent, 'http://e/ada');
  perform test_equal(v_row.groups, '{staff}'::text[]);
  perform test_equal(v_row.name, 'Ada');
  perform test_equal(v_row.is_key, false);
  perform test_equal(v_row.lasts_ms, 12 * v_hour);
  perform test_equal(array[v_row.is_due, v_row.is_old, v_row.is_copy], '{f,f,f}'::boolean[]);
  perform test_equal((select count(*) from find_web_session(v_two, v_hour)), 0::int8);

  -- A token of a quarter of an hour is old. Only one request of a minute gives the session another.
  update web_session set turned = now() - interval '16 minutes', used = now() - interval '2 minutes';
  select s.* into v_row from find_web_session(v_one, v_hour) as s;
  perform test_equal(array[v_row.is_due, v_row.is_old, v_row.is_copy], '{t,t,f}'::boolean[]);
  perform test_equal(turn_web_session(v_one, v_two), true);
  perform test_equal(turn_web_session(v_one, sha256('three')), false);
  perform use_web_session(v_one);
  select s.* into v_row from find_web_session(v_one, v_hour) as s;
  perform test_equal(array[v_row.is_due, v_row.is_old, v_row.is_copy], '{f,t,f}'::boolean[]);

  -- The next token becomes the current one when it is used. The one before works for a minute.
  select s.* into v_row from find_web_session(v_two, v_hour) as s;
  perform test_equal(array[v_row.is_due, v_row.is_old, v_row.is_copy], '{t,f,f}'::boolean[]);
  perform use_web_session(v_two);
  perform test_equal((select array[s.hash, s.next_hash, s.past_hash] from web_session as s), array[v_two, null, v_one]);
  perform test_equal(turn_web_session(v_one, sha256('three')), false);
  select s.* into v_row from find_web_session(v_one, v_hour) as s;
  perform test_equal(array[v_row.is_due, v_row.is_old, v_row.is_copy], '{f,f,f}'::boolean[]);
  update web_session set turned = now() - interval '2 minutes';
  select s.* into v_row from find_web_session(v_one, v_hour) as s;
  perform test_equal(v_row.is_copy, true);

  perform use_web_session(v_one); -- a token before counts as use, and stays the one before
  perform test_equal((select array[s.hash, s.next_hash, s.past_hash] from web_session as s), array[v_two, null, v_one]);

  -- A session ends when it is not used, at its time, by sign-out, and when another takes its place.
  update web_session set used = now() - interval '61 minutes';
  perform test_equal((select count(*) from find_web_session(v_two, v_hour)), 0::int8);
  perform test_equal((select count(*) from find_web_session(v_two, 2 * v_hour)), 1::int8);
  update web_session set ends = now();
  perform test_equal((select count(*) from find_web_session(v_two, 2 * v_hour)), 0::int8);
  perform test_equal(end_web_session(v_one), 'id');
  perform test_equal(end_web_session(v_one), null);
  perform begin_web_session(v_one, 'http://e/ada', '{}', '', null, null, v_hour, null);
  perform begin_web_session(v_two, 'http://e/bob', '{}', '', null, null, v_hour, v_one);
  perform test_equal(array(select s.agent from web_session as s), '{http://e/bob}'::text[]);

  -- A session by a key has the groups and the scope of the key, and ends with it.
  perform add_api_key(v_key, 'http://e/eve', '{night}', 'import', '{read}', null, now() + interval '30 minutes');
  perform begin_web_session(v_one, 'http://e/eve', '{}', '', v_key, null, v_hour, null);
  select s.* into v_row from find_web_session(v_one, v_hour) as s;
  perform test_equal(v_row.is_key, true);
  perform test_equal(v_row.groups, '{night}'::text[]);
  perform test_equal(v_row.modes, '{read}'::text[]);
  perform test_equal(v_row.lasts_ms, v_hour / 2);
  update api_key set expires = now();
  perform test_equal((select count(*) from find_web_session(v_one, v_hour)), 0::int8);
  perform remove_api_key(api_key_id(v_key), null);
  perform test_equal((select count(*) from web_session), 1::int8);

  -- An agent has 50 sessions at most. Sessions that are over are deleted, ten at a time.
  perform begin_web_session(sha256(n::text::bytea), 'http://e/many', '{}', '', null, null, v_hour, null)
    from generate_series(1, 60) as n;
  perform test_equal((select count(*) from web_session as s where s.agent = 'http://e/many'), 50::int8);
  update web_session set ends = now();
  perform begin_web_session(v_key, 'http://e/ada', '{}', '', null, null, v_hour, null);
  perform test_equal((select count(*) from web_session), 42::int8);

  -- An agent sees and ends its own sessions: one, or all but the one that asks.
  delete from web_session;
  perform begin_web_session(v_one, 'http://e/ada', '{}', '', null, null, v_hour, null, 'Firefox');
  perform begin_web_session(v_two, 'http://e/ada', '{}', '', null, null, v_hour, null);
  perform begin_web_session(v_key, 'http://e/bob', '{}', '', null, null, v_hour, null);
  update web_session set used = now() - interval '1 minute', past_hash = sha256('past') where hash = v_two;
  perform test_equal(array(select s.client || ' ' || s.is_own from list_web_sessions('http://e/ada', v_one, v_hour) as s),
                     '{Firefox true," false"}'::text[]);
  perform test_equal(array(select s.is_own from list_web_sessions('http://e/ada', sha256('past'), v_hour) as s),
                     '{f,t}'::boolean[]);
  perform test_equal(array(select s.is_own from list_web_sessions('http://e/ada', null, 30000) as s), '{f}'::boolean[]);
  perform test_equal(end_web_sessions('http://e/ada', (select s.id from web_session as s where s.hash = v_key), null),
                     0::int8);
  perform test_equal(end_web_sessions('http://e/ada', null, v_one), 1::int8);
  perform test_equal(array(select s.hash from web_session as s order by s.agent), array[v_one, v_key]);
  perform test_equal(end_web_sessions('http://e/ada', (select s.id from web_session as s where s.hash = v_one), null),
                     1::int8);
  perform test_equal(array(select s.hash from web_session as s), array[v_key]);
end
$test$;
rollback;
