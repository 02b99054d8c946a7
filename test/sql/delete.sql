-- Deleting: the subtree, every reference to it, and nothing else.
begin;
do $test$
declare
  v_root document;
  v_b    document;
  v_c    document;
begin
  -- A tree, and other documents that refer to it.
  perform test_document('/a/');
  perform test_document('/a/1/', '<> :next /a/2/');
  perform test_document('/a/2/');
  perform test_document('/a/1/x/', '<> :up /a/');
  perform test_document('/b/', '<> :see /a/', '<> :see /c/', '/a/ :name "a', '_:x :see /a/1/x/', '<> :deep _:x');
  perform test_document('/c/', '<> :name "c', '<> :see /b/');
  select * into v_root from document where id = test_id('/');
  select * into v_b from document where id = test_id('/b/');
  select * into v_c from document where id = test_id('/c/');

  -- Errors: a document with children at depth 0, and the root always.
  perform test_raises($$ select delete_document('http://test/a/', is_deep => false) $$, 'QS409', 'document-empty');
  perform test_raises($$ select delete_document('http://test/') $$, 'QS405', 'root-stays');
  perform test_raises($$ select delete_document('http://test/none/') $$, 'QS404', 'document-exists');
  perform delete_document('http://test/a/2/', is_deep => false);

  -- The whole tree is deleted. Documents that refer to it change, others do not. Triples about it in others stay.
  perform delete_document('http://test/a/');
  perform test_equal(array[test_exists('/a/'), test_exists('/a/1/'), test_exists('/a/1/x/')], array[false, false, false]);
  perform test_equal(test_triples('/b/'), array['/a/ :name "a', '/b/ :deep _:', '/b/ :see /c/']);
  assert (select d.revision > v_b.revision and d.modified > v_b.modified from document as d where id = v_b.id), 'b has changed';
  perform test_equal((select d from document as d where id = v_c.id), v_c);
  perform test_equal((select d from document as d where id = v_root.id), v_root);
  perform test_sound();

  -- Only the children: the document stays, and loses its references to them.
  perform test_document('/d/', '<> :see /d/1/', '<> :see /c/');
  perform test_document('/d/1/');
  perform test_document('/d/2/');
  perform test_document('/d/2/x/');
  select * into v_b from document where id = test_id('/d/');
  perform delete_children('http://test/d/');
  perform test_equal(array[test_exists('/d/'), test_exists('/d/1/'), test_exists('/d/2/x/')], array[true, false, false]);
  perform test_equal(test_triples('/d/'), array['/d/ :see /c/']);
  assert (select d.revision > v_b.revision from document as d where id = v_b.id), 'd has changed';
  select * into v_b from document where id = test_id('/d/');
  perform delete_children('http://test/d/');
  perform test_equal((select d from document as d where id = v_b.id), v_b);
  perform test_sound();

  -- A thousand levels.
  for v_level in 0 .. 999 loop
    perform create_document('http://test/d/' || repeat('x/', v_level + 1), 'http://test/d/' || repeat('x/', v_level),
      '{}', '{}', '{}', '{}');
  end loop;
  perform delete_document('http://test/d/x/');
  perform test_equal((select count(*) from document where parent = test_id('/d/')), 0::bigint);
  perform test_sound();
end
$test$;
rollback;
