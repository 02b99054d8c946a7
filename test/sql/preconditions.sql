-- Preconditions: entity tags by strong comparison, times only without a condition on tags.
begin;
do $test$
declare
  v_a   document;
  v_tag text;
begin
  perform test_document('/a/');
  select * into v_a from document where id = test_id('/a/');
  v_tag := v_a.revision;

  -- Met.
  perform require_state(v_a, null, null, null);
  perform require_state(v_a, array['x', v_tag], null, null);
  perform require_state(v_a, '{*}', null, null);
  perform require_state(v_a, null, array['x'], null);
  perform require_state(v_a, null, '{}', null);
  perform require_state(v_a, null, null, date_trunc('second', v_a.modified));
  perform require_state(v_a, array[v_tag], null, '2000-01-01T00:00:00Z');

  -- Not met.
  perform test_equal(test_raises($$ select check_precondition('http://test/a/', array['0', 'x'], null, null) $$,
    'QS412', 'etag-mismatch'), format('The document has changed: its entity tag is "%s", not "0", "x".', v_tag));
  perform test_equal(test_raises($$ select check_precondition('http://test/a/', '{}', null, null) $$,
    'QS412', 'etag-mismatch'), format('The document has changed: its entity tag is "%s", not a weak one.', v_tag));
  perform test_raises($$ select check_precondition('http://test/a/', null, '{*}', null) $$, 'QS412', 'etag-mismatch');
  perform test_raises(format($$ select check_precondition('http://test/a/', '{*}', array[%L], null) $$, v_tag),
    'QS412', 'etag-mismatch');
  perform test_raises($$ select check_precondition('http://test/a/', null, null, now() - interval '1 hour') $$,
    'QS412', 'etag-mismatch');
  perform test_raises($$ select check_precondition('http://test/none/', null, null, null) $$, 'QS404', 'document-exists');

  -- Each write checks them.
  perform test_raises($$ select replace_document('http://test/a/', '{0}', null, null, '{}', '{}', '{}', '{}') $$,
    'QS412', 'etag-mismatch');
  perform test_raises($$ select delete_document('http://test/a/', '{0}') $$, 'QS412', 'etag-mismatch');
  perform test_raises($$ select delete_children('http://test/a/', '{0}') $$, 'QS412', 'etag-mismatch');
  perform test_equal((select d from document as d where id = v_a.id), v_a);
end
$test$;
rollback;
