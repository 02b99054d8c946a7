-- Reading for a caller: what grants allow, what is hidden, and what a page leaves out.
begin;
do $test$
declare
  v_ada    caller := row('{public,authenticated,"agent http://e/ada"}'::text[], false, null, null, null);
  v_nobody caller := row('{public}'::text[], false, null, null, null);
  v_hidden caller := row('{public}'::text[], true, null, null, null);
  v_all    caller := row(null, true, 'http://e/root', null, true);
  v_a      written;
  v_rows   document_state[];
  v_page   record;
begin
  v_a := test_document('/a/', '<> :name "a', ':x :p :y');
  perform test_document('/a/open/', '<> :see /a/', '<> :label "open');
  perform test_document('/a/closed/', '<> :see /a/', '<> :label "closed');
  perform test_document('/b/', '/a/ :label "by_b', '<> :see /a/');
  perform put_grants('http://test/a/', array['agent http://e/ada'], array['{read,create}'], null, null, null, false);
  perform put_grants('http://test/a/open/', array['public'], array['{read}'], null, null, null, false);
  perform put_grants('http://test/a/closed/', array['agent http://e/bob'], array['{read}'], null, false, null, false);

  -- Each row for its caller: with the modes, and empty if the caller may not read the document.
  v_rows := array(
    select d from read_documents(array_fill('http://test/a/'::text, array[5]), null, null, null, null,
                                 array[v_ada, v_nobody, v_hidden, v_all, null]) as d);
  perform test_equal(array[v_rows[1].id, v_rows[2].id, v_rows[3].id, v_rows[4].id, v_rows[5].id],
    array[v_a.id, null, null, v_a.id, v_a.id]);
  perform test_equal(array[cardinality(v_rows[1].subjects), cardinality(v_rows[2].subjects),
                           cardinality(v_rows[4].subjects)], array[10, null, 10]);
  perform test_equal(v_rows[1].own_modes, '{create,read}');
  perform test_equal(v_rows[1].public_modes, '{}');
  perform test_equal(array[v_rows[4].own_modes::text, v_rows[5].own_modes::text], array[null, null]::text[]);
  perform test_equal((read_documents('{http://test/a/open/}', callers => array[v_nobody])).public_modes, '{read}');

  -- Known tags and limits work as for any caller. A document that is not readable reveals neither.
  v_rows := array(
    select d from read_documents(array_fill('http://test/a/'::text, array[3]),
                                 array['{' || v_a.etag || '}', null, '{' || v_a.etag || '}'], array[100, 9, 9],
                                 callers => array[v_ada, v_ada, v_nobody]) as d);
  perform test_equal(array[v_rows[1].etag, v_rows[2].etag, v_rows[3].etag], array[v_a.etag, v_a.etag, null]);
  perform test_equal(array[v_rows[1].subjects::text, v_rows[2].subjects::text, v_rows[1].term_ids::text],
    array[null, null, null]::text[]);

  -- The reason for a missing row.
  perform add_grant('http://test/b/', 'agent http://e/ada', '{create}', null, null);
  perform test_equal(array[has_document('http://test/a/', caller => v_ada), has_document('http://test/a/x/', 'create', v_ada),
                           has_document('http://test/b/', 'create', v_ada), has_document('http://test/b/x/', 'create', v_ada),
                           has_document('http://test/a/', caller => v_hidden)], array[true, false, true, true, false]);
  perform test_raises(format($$ select has_document('http://test/a/', caller => %L) $$, v_nobody),
    'QS401', 'authentication-required');
  perform test_raises(format($$ select has_document('http://test/none/', caller => %L) $$, v_ada),
    'QS403', 'access-granted');
  perform test_raises(format($$ select has_document('http://test/a/', 'edit', %L) $$, v_ada), 'QS403', 'access-granted');

  -- Preconditions, which reveal the state.
  perform check_precondition('http://test/a/', array[v_a.etag], null, null, caller => v_ada);
  perform test_raises(format($$ select check_precondition('http://test/a/', '{0}', null, null, caller => %L) $$, v_ada),
    'QS412', 'etag-mismatch');
  perform test_raises(format($$ select check_precondition('http://test/a/', '{0}', null, null, caller => %L) $$, v_nobody),
    'QS401', 'authentication-required');
  perform check_precondition('http://test/b/x/', null, null, null, 'create', v_ada);
  perform test_raises(
    format($$ select check_precondition('http://test/b/', '{0}', null, null, 'create', %L) $$, v_ada),
    'QS403', 'access-granted');

  -- A page shows nothing of other documents that the caller may not read.
  v_page := read_page('http://test/a/', 0, 10, 10, 10, 1000, 2, 100, 1000, v_ada);
  perform test_equal((v_page.state).own_modes, '{create,read}');
  perform test_equal((select array_agg(m ->> 0) from json_array_elements(v_page.mentions) as m),
    array['http://test/a/open/']);
  perform test_equal(
    json_array_length((read_page('http://test/a/', 0, 10, 10, 10, 1000, 2, 100, 1000, v_all)).mentions), 3);
  perform test_equal(
    labels_of(array['http://test/a/', 'http://test/a/open/', 'http://test/a/closed/'], array['http://e/label'], '{""}',
              v_ada)::jsonb, '{"http://test/a/open/": "open"}'::jsonb);
  perform test_raises(format($$ select %s $$, call), 'QS401', 'authentication-required')
     from unnest(array[
       format('read_page(%L, 0, 10, 10, 10, 1000, 2, 100, 1000, %L)', 'http://test/a/', v_nobody),
       format('values_page(%L, %L, null, 10, %L)', 'http://test/a/', 'http://e/name', v_nobody),
       format('subject_page(%L, %1$L, null, null, null, 10, %L)', 'http://test/a/', v_nobody),
       format('place_before(%L, 1, 10, %L)', 'http://test/a/', v_nobody),
       format('values_place_before(%L, %L, 1, 10, %L)', 'http://test/a/', 'http://e/name', v_nobody)]) as calls (call);

  -- Members are in the graph of the container document.
  perform create_access_point('http://test/b/point/', 'http://test/b/',
    array['Ihttp://test/b/point/', 'Ihttp://www.w3.org/ns/ldp#hasMemberRelation', 'Ihttp://e/member'], '{1}', '{2}', '{3}');
  perform put_grants('http://test/b/point/', array['agent http://e/ada'], array['{read}'], null, null, null, false);
  v_rows := array(
    select d from read_documents(array_fill('http://test/b/point/'::text, array[2]), null, null, '{0,0}', '{10,10}',
                                 array[v_ada, null]) as d);
  perform test_equal(array[v_rows[1].is_access_point, v_rows[2].is_access_point], array[true, true]);
  perform test_equal(array[v_rows[1].members ->> 0, v_rows[2].members ->> 0], array[null, 'http://test/b/']);
end
$test$;
rollback;
