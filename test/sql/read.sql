-- Reading: a state with its triples, without those that the client knows, up to a limit, and children in pages.
begin;
do $test$
declare
  v_written written;
  v_state   document_state;
  v_page    jsonb;
  v_rows    document_state[];
begin
  v_written := test_document('/a/', '<> :name "a', ':x :p :y', '_:x :p "a');
  v_state := read_documents(array['http://test/a/'], null, array[5000], array[0], array[10]);

  -- The whole document: its own triples first, and each term of the dictionary once, except those that clients know.
  perform test_equal(array[v_state.id::text, v_state.etag, v_state.modified::text],
    array[v_written.id::text, v_written.etag, v_written.modified::text]);
  perform test_equal(array[cardinality(v_state.subjects), cardinality(v_state.predicates), cardinality(v_state.objects)],
    array[11, 11, 11]);
  perform test_equal(array[v_state.subjects[1], v_state.subjects[9]], array[v_written.id, v_written.id]);
  assert v_state.subjects[10] <> v_written.id, 'others come after';
  perform test_equal(
    (select jsonb_object_agg(e.id, v_state.term_texts -> e.n::int - 1)
       from unnest(v_state.term_ids) with ordinality as e (id, n)),
    jsonb_build_object(test_id('/a/')::text, 'http://test/a/',
      test_id(':name')::text, 'http://e/name', test_id(':p')::text, 'http://e/p', test_id(':x')::text, 'http://e/x',
      test_id(':y')::text, 'http://e/y', test_id('"a')::text, jsonb_build_array('a', null, null)));
  perform test_equal(array[v_state.own_modes::text, v_state.public_modes::text], array[null, null]::text[]);
  perform test_equal(v_state.children::text, null);

  -- A known state, a document that is too large, and a missing one.
  v_state := read_documents(array['http://test/a/'], array[array['x', v_written.etag]::text], array[5000]);
  perform test_equal(array[v_state.etag, v_state.subjects::text, v_state.term_ids::text], array[v_written.etag, null, null]);
  v_state := read_documents(array['http://test/a/'], null, array[10]);
  perform test_equal(array[v_state.etag, v_state.subjects::text, v_state.term_ids::text], array[v_written.etag, null, null]);
  v_state := read_documents(array['http://test/a/'], null, array[11]);
  perform test_equal(cardinality(v_state.subjects), 11);
  v_state := read_documents(array['http://test/none/'], null, array[5000], array[0], array[10]);
  perform test_equal(array[v_state.id::text, v_state.children::text], array[null, null]::text[]);

  -- Several at once: each with its own tags, limit and page. The first row has the terms of all.
  perform test_document('/b/', '<> :name "c');
  perform test_document('/b/1/');
  v_rows := array(
    select d from read_documents(array['http://test/none/', 'http://test/a/', 'http://test/b/', 'http://test/a/'],
                                 array[null, null, null, '{' || v_written.etag || '}'], array[10, 11, 100, null],
                                 page_sizes => array[null, 0, 5]) as d);
  perform test_equal(array[v_rows[1].id, v_rows[2].id, v_rows[3].id, v_rows[4].id],
    array[null, test_id('/a/'), test_id('/b/'), test_id('/a/')]);
  perform test_equal(array[cardinality(v_rows[1].subjects), cardinality(v_rows[2].subjects),
                           cardinality(v_rows[3].subjects), cardinality(v_rows[4].subjects)], array[null, 11, 9, null]);
  perform test_equal(array[json_array_length(v_rows[2].children), json_array_length(v_rows[3].children),
                           json_array_length(v_rows[4].children)], array[null, 1, null]);
  assert v_rows[1].term_ids @> array[test_id('/a/'), test_id('/b/'), test_id('"c')], 'terms of all';
  perform test_equal(array[v_rows[2].term_ids::text, v_rows[3].term_texts::text], array[null, null]::text[]);

  -- By the id, as the statement that wrote it does.
  perform test_replace('/a/', '<> :name "b');
  perform test_equal(cardinality((read_written(v_written.id, 5000)).subjects), 9);

  -- Children in pages by id, with the relation by which they are members.
  perform test_document('/a/3/');
  perform test_document('/a/1/');
  perform test_document('/a/2/');
  update document set member_by = null where id = test_id('/a/1/');
  v_page := (read_documents(array['http://test/a/'], array['{*}'], array[0], array[0], array[2])).children;
  perform test_equal(v_page, jsonb_build_array(
    jsonb_build_array(test_id('/a/3/')::text, 'http://test/a/3/', false, 'http://www.w3.org/ns/ldp#member'),
    jsonb_build_array(test_id('/a/1/')::text, 'http://test/a/1/', false, null)));
  v_page := (read_documents(array['http://test/a/'], array['{*}'], array[0], array[test_id('/a/1/')], array[2])).children;
  perform test_equal(array[v_page -> 0 ->> 1, v_page ->> 1], array['http://test/a/2/', null]);
  perform test_equal((read_documents(array['http://test/a/'], null, array[0], array[test_id('/a/2/')], array[2])).children::text, null);

  perform test_equal(array[has_document('http://test/a/'), has_document('http://test/none/'), has_document('http://e/x')],
    array[true, false, false]);
  perform test_equal((select count(*) from vocabulary()), 19::bigint);
end
$test$;
rollback;
