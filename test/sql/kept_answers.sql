-- Responses to requests with an Idempotency-Key, and the locks of a group.
begin;
do $test$
declare
  v_hour float8 := 3600000;
  v_row  record;
begin
  perform test_equal((select count(*) from recall_answer('ada', 'k', '\x01', v_hour)), 0::int8);
  perform keep_answer('ada', 'k', '\x01', v_hour, 201, '{"location": "x"}', '\x41');
  select r.* into v_row from recall_answer('ada', 'k', '\x01', v_hour) as r;
  perform test_equal(v_row.status, 201);
  perform test_equal(v_row.headers ->> 'location', 'x');
  perform test_equal(v_row.body, '\x41'::bytea);

  -- The key stands for one request of one agent.
  perform test_raises($$ select recall_answer('ada', 'k', '\x02', 3600000) $$, 'QS422', 'idempotency-request');
  perform test_equal((select count(*) from recall_answer('', 'k', '\x02', v_hour)), 0::int8);
  perform test_equal((select count(*) from recall_answer('ada', 'K', '\x02', v_hour)), 0::int8);

  -- An expired response does not count, and is replaced. Others are deleted, the oldest first, ten at a time.
  perform keep_answer('ada', 'old ' || n, '\x01', v_hour, 200, '{}', '') from generate_series(1, 15) as n;
  update kept_answer set made = now() - interval '2 hours' - right(key, 2)::int * interval '1 second' where key like 'old%';
  update kept_answer set made = now() - interval '61 minutes' where key = 'k';
  perform test_equal((select count(*) from recall_answer('ada', 'k', '\x02', v_hour)), 0::int8);
  perform keep_answer('ada', 'k', '\x02', v_hour, 204, '{}', '');
  perform test_equal((select r.status from recall_answer('ada', 'k', '\x02', v_hour) as r), 204);
  perform test_equal(array(select k.key from kept_answer as k order by k.made desc),
                     array['k', 'old 1', 'old 2', 'old 3', 'old 4', 'old 5']);

  -- A group locks the documents that the caller may edit, and ignores all others.
  perform test_document('/a/');
  perform test_document('/b/');
  perform hold_group('{http://test/b/, http://test/nothing/}');
  perform test_equal(test_is_locked('/b/'), true);
  perform hold_group('{http://test/a/}', row('{public}', false, null, null, false));
  perform test_equal(test_is_locked('/a/'), false);
end
$test$;
rollback;
