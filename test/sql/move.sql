-- Moving: the subtree gets other IRIs, references follow, and nothing else changes.
begin;
do $test$
declare
  v_a    document;
  v_x    document;
  v_b    document;
  v_c    document;
  v_ids  int8[];
  v_quad int8;
  v      record;
begin
  perform test_document('/a/', '<> :see /a/1/', '<> :see /a/#it', '/a/#it :name "it');
  perform test_document('/a/1/', '<> :up /a/', '<> /a/#uses _:x', '_:x :see /b/');
  perform test_document('/b/', '<> :see /a/', '/a/1/ :name "one', '<> /a/#uses :x', '<> :see /a/none/');
  perform test_document('/c/', '<> :see /b/');
  perform test_document('/to/');
  select * into v_a from document where id = test_id('/a/');
  select * into v_x from document where id = test_id('/a/1/');
  select * into v_b from document where id = test_id('/b/');
  select * into v_c from document where id = test_id('/c/');
  select array_agg(d.id order by d.id) into v_ids from document as d;

  -- Errors.
  perform test_raises($$ select move_document('http://test/', null, null, null, 'http://test/to/r/', true) $$,
    'QS405', 'root-stays');
  perform test_raises($$ select move_document('http://test/none/', null, null, null, 'http://test/to/r/', true) $$,
    'QS404', 'document-exists');
  perform test_raises($$ select move_document('http://test/a/', '{0}', null, null, 'http://test/to/r/', true) $$,
    'QS412', 'etag-mismatch');
  perform test_raises($$ select move_document('http://test/a/', null, null, null, 'http://test/a/', true) $$,
    'QS403', 'destination-apart');
  perform test_raises($$ select move_document('http://test/a/', null, null, null, 'http://test/a/1/x/', true) $$,
    'QS403', 'destination-apart');
  perform test_raises($$ select move_document('http://test/a/1/', null, null, null, 'http://test/a/', true) $$,
    'QS403', 'destination-apart');
  perform test_raises($$ select move_document('http://test/a/', null, null, null, 'http://test/no/a/', true) $$,
    'QS409', 'destination-parent');
  perform test_raises($$ select move_document('http://test/a/', null, null, null, 'http://test/b/', false) $$,
    'QS412', 'destination-free');
  perform test_raises($$ select move_document('http://test/a/', null, null, null, 'http://test/.system/', false) $$,
    'QS400', 'destination-valid');
  perform test_raises($$ select move_document('http://test/a/', null, null, null, 'http://test/to/a', false) $$,
    'QS400', 'destination-valid');

  -- Everything below moves, with fragments and IRIs that are only mentioned. Quads of others stay in their rows.
  select count(*) into v_quad from quad;
  v := move_document('http://test/a/', null, null, null, 'http://test/to/n/', true);
  perform test_equal(v.is_created, true);
  perform test_equal(array[test_exists('/a/'), test_exists('/a/1/'), test_exists('/to/n/'), test_exists('/to/n/1/')],
    array[false, false, true, true]);
  perform test_equal((select array_agg(d.id order by d.id) from document as d), v_ids);
  perform test_equal((select count(*) from quad), v_quad);
  perform test_equal(test_triples('/to/n/'),
    array['/to/n/ :see /to/n/#it', '/to/n/ :see /to/n/1/', '/to/n/#it :name "it']);
  perform test_equal(test_triples('/to/n/1/'), array['/to/n/1/ /to/n/#uses _:', '/to/n/1/ :up /to/n/', '_: :see /b/']);
  perform test_equal(test_triples('/b/'), array['/b/ /to/n/#uses :x', '/b/ :see /to/n/', '/b/ :see /to/n/none/',
    '/to/n/1/ :name "one']);
  perform test_equal((select d.member_by from document as d where d.id = v_a.id), ldp_member());
  perform test_equal((select show_term(d.parent) from document as d where d.id = v_a.id), '<http://test/to/>');

  -- All moved documents and all that refer to one have new tags; the time of creation stays. Others have not changed.
  perform test_equal(array(select d.id from document as d
                            join unnest(array[v_a, v_x, v_b]) as o on o.id = d.id
                            where d.revision > o.revision and d.modified > o.modified and d.created = o.created
                            order by d.id), array(select unnest(array[v_a.id, v_x.id, v_b.id]) order by 1));
  perform test_equal((select d from document as d where id = v_c.id), v_c);
  perform test_equal(v.etag, (select d.revision::text from document as d where d.id = v_a.id));
  perform test_sound();

  -- Where the new IRIs are mentioned already, both terms become one.
  perform test_document('/m/', '<> :see /to/o/', '<> :see /to/n/', '/to/ ldp:member /to/o/', '/to/o/1/ :name "one',
    '<> /to/o/#uses :x');
  select * into v_b from document where id = test_id('/b/');
  v := move_document('http://test/to/n/', null, null, null, 'http://test/to/o/', false);
  perform test_equal(test_triples('/m/'), array['/m/ /to/o/#uses :x', '/m/ :see /to/o/', '/to/ ldp:member /to/o/',
    '/to/o/1/ :name "one']);
  perform test_equal(test_triples('/b/'), array['/b/ /to/o/#uses :x', '/b/ :see /to/o/', '/b/ :see /to/o/none/',
    '/to/o/1/ :name "one']);
  perform test_equal((select d.id from document as d where d.id = test_id('/to/o/')), v_a.id);
  perform test_sound();

  -- Overwriting deletes what is there, with the references to it.
  perform test_document('/old/', '<> :name "old');
  perform test_document('/old/1/');
  perform test_document('/refers/', '<> :see /old/', '<> :see /to/o/', '<> :see /old/1/');
  v := move_document('http://test/to/o/', null, null, null, 'http://test/old/', true);
  perform test_equal(v.is_created, false);
  perform test_equal(test_triples('/refers/'), array['/refers/ :see /old/']);
  perform test_equal(test_exists('/old/1/'), true);
  perform test_equal((select show_term(d.parent) from document as d where d.id = v_a.id), '<http://test/>');
  perform test_sound();

  -- The number of a rename that is rolled back is not used again.
  begin
    perform move_document('http://test/old/', null, null, null, 'http://test/undone/', true);
    select d.names_revision into v_quad from dataset as d;
    raise exception 'undone';
  exception when raise_exception then
    assert v_quad > (select d.names_revision from dataset as d), 'it was rolled back';
  end;
  perform move_document('http://test/old/', null, null, null, 'http://test/undone/', true);
  assert v_quad < (select d.names_revision from dataset as d), 'the number is a new one';
  perform move_document('http://test/undone/', null, null, null, 'http://test/old/', true);

  -- Back and forth: no term is left behind.
  perform move_document('http://test/old/', null, null, null, 'http://test/back/', true);
  perform move_document('http://test/back/', null, null, null, 'http://test/old/', true);
  perform test_equal(array[test_id('/back/'), test_id('/back/1/'), test_id('/old/')], array[null, null, v_a.id]);
  perform test_document('/back/');
  perform test_sound();
end
$test$;
rollback;
