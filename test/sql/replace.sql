-- Replacing: only the difference is written, and the service's triples stay.
begin;
do $test$
declare
  v_before tid[];
  v_a      int8;
  v_x      text;
  v_one    written;
  v_two    written;
begin
  v_one := test_document('/a/', '<> :name "a', '<> :tag "1', '<> :tag "2', '<> :part _:x', '_:x :name "x');
  v_a := v_one.id;
  v_x := '_:qs' || v_one.blank_nodes[1] - first_blank_node();
  v_before := array(select ctid from quad where g = v_a);

  -- One triple is removed and one added: only the added one and c:modified are new rows.
  v_two := test_replace('/a/', '<> :name "a', '<> :tag "1', '<> :tag "3', '<> :part ' || v_x, v_x || ' :name "x');
  perform test_equal(test_triples('/a/'),
    array['/a/ :name "a', '/a/ :part _:', '/a/ :tag "1', '/a/ :tag "3', '_: :name "x']);
  perform test_equal((select count(*) from quad where g = v_a and ctid <> all (v_before)), 2::bigint);
  perform test_equal((select count(*) from quad where ctid = any (v_before)), cardinality(v_before) - 2::bigint);
  perform test_equal(v_two.blank_nodes, v_one.blank_nodes);
  assert v_two.etag::int8 > v_one.etag::int8 and v_two.modified > v_one.modified, 'a new tag, a later time';
  perform test_equal((select inline_lexical_form(o) from quad where g = v_a and s = g and p = platform_modified()),
    to_char(v_two.modified at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'));

  -- The same body again creates a new state too.
  v_before := array(select ctid from quad where g = v_a);
  v_one := test_replace('/a/', '<> :name "a', '<> :tag "1', '<> :tag "3', '<> :part ' || v_x, v_x || ' :name "x');
  assert v_one.etag <> v_two.etag, 'a new tag';
  perform test_equal((select count(*) from quad where g = v_a and ctid <> all (v_before)), 1::bigint);

  -- An unknown label is a new node. Old nodes are removed with their triples.
  v_two := test_replace('/a/', '<> :part _:y');
  assert v_two.blank_nodes[1] <> v_one.blank_nodes[1], 'a new node';
  perform test_equal(test_triples('/a/'), array['/a/ :part _:']);

  -- An empty body keeps the service's types and properties.
  perform test_replace('/a/');
  perform test_equal((select count(*) from quad where g = v_a), 8::bigint);
  perform test_sound();

  -- The service's properties: missing, changed, and twice.
  assert test_raises($$ select replace_document('http://test/a/', '{*}', null, null, '{}', '{}', '{}', '{}') $$,
    'QS412', 'reserved-kept') like '%#insertedContentRelation> (missing)%#created> (missing)%', 'each is named';
  assert test_raises($$ select test_replace('/a/', '<> c:created "now') $$, 'QS412', 'reserved-kept')
    like '%: <%#created> (changed).', 'the one is named';
  perform test_raises($$ select test_replace('/a/', '<> ldp:hasMemberRelation :other') $$, 'QS412', 'reserved-kept');
  perform test_raises($$ select test_replace('/a/', '<> c:accessPoint /a/point/') $$, 'QS412', 'reserved-kept');

  -- Containment is maintained by the service: actual children are ignored, others refused. Triples about other
  -- documents are allowed.
  perform test_document('/a/b/');
  perform test_replace('/a/', '<> ldp:contains /a/b/', '<> ldp:member /a/b/', '/x/ ldp:contains /y/');
  perform test_equal(test_triples('/a/'), array['/x/ ldp:contains /y/']);
  perform test_equal(test_raises($$ select test_replace('/a/', '<> ldp:contains /c/') $$, 'QS409', 'containment-kept'),
    'Only the service states ldp:contains, and <http://test/c/> is not contained here.');

  -- Another document may have the same triple about this one's time, for its current value and for later ones.
  perform test_document('/b/');
  v_one := test_replace('/a/');
  perform put_quads(test_id('/b/'), array[v_a, v_a], array_fill(platform_modified(), array[2]),
    array[inline_instant(v_one.modified), inline_instant(v_one.modified + interval '1 millisecond')]);
  perform test_replace('/a/');
  perform test_sound();
  perform put_quads(test_id('/b/'), array_fill(v_a, array[3000]), array_fill(platform_modified(), array[3000]),
    array(select inline_instant(date_trunc('milliseconds', clock_timestamp()) + n * interval '1 millisecond')
            from generate_series(0, 2999) as n));
  perform touch_documents(array[v_a, test_id('/b/')]);
  perform test_replace('/a/');
  perform touch_documents(array[v_a, test_id('/b/')]);
  perform test_sound();

  perform test_raises($$ select replace_document('http://test/none/', '{*}', null, null, '{}', '{}', '{}', '{}') $$,
    'QS404', 'document-exists');
end
$test$;
rollback;
