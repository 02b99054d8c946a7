-- Copying: new documents, with references among them, and nothing else changes.
begin;
do $test$
declare
  v_ada    text[] := '{public,authenticated,"agent http://e/ada"}';
  v_caller caller := row(v_ada, true, null, null, false);
  v_old    document[];
  v        record;
begin
  perform test_document('/a/', '<> :see /a/1/', '<> :see /a/#it', '/a/#it :name "it', '<> :see /b/');
  perform test_document('/a/1/', '<> :up /a/', '_:x :see _:y', ':x :p :y');
  perform test_document('/a/1/2/', '<> :up /a/1/', '_:x :see _:y', ':x :p :y');
  perform test_document('/b/', '<> :see /a/', '<> :see /to/n/1/', '/to/ ldp:member /to/n/');
  perform test_document('/to/', '<> ldp:isMemberOfRelation :of');
  perform create_access_point('http://test/a/list/', 'http://test/a/', (g).keys, (g).s, (g).p, (g).o)
     from test_graph('http://test/a/list/', array['<> rdf:type c:AccessPoint', '<> ldp:hasMemberRelation /a/#has']) as g;
  perform add_members('http://test/a/list/', null, null, null, '{http://test/a/1/,http://test/b/}');
  select array_agg(d order by d.id) into v_old from document as d;

  perform test_raises($$ select copy_document('http://test/', null, null, null, 'http://test/to/r/', true, true) $$,
    'QS405', 'root-stays');
  perform test_raises($$ select copy_document('http://test/a/list/', null, null, null, 'http://test/x/', true, true) $$,
    'QS409', 'access-point-stays');
  perform test_raises($$ select copy_document('http://test/a/', '{0}', null, null, 'http://test/to/n/', true, true) $$,
    'QS412', 'etag-mismatch');
  perform test_raises($$ select copy_document('http://test/a/', null, null, null, 'http://test/a/x/', true, true) $$,
    'QS403', 'destination-apart');
  perform test_raises($$ select copy_document('http://test/a/', null, null, null, 'http://test/b/', true, false) $$,
    'QS412', 'destination-free');

  v := copy_document('http://test/a/', null, null, null, 'http://test/to/n/', true, true);
  perform test_equal((v.is_created, v.etag), (select (true, d.revision::text)
                                               from document as d where d.id = test_id('/to/n/')));
  perform test_equal(test_triples('/to/n/'), array['/to/n/ /to/n/#has /b/', '/to/n/ /to/n/#has /to/n/1/',
    '/to/n/ :of /to/', '/to/n/ :see /b/', '/to/n/ :see /to/n/#it', '/to/n/ :see /to/n/1/', '/to/n/#it :name "it']);
  perform test_equal(test_triples('/to/n/1/'), array['/to/n/1/ :up /to/n/', ':x :p :y', '_: :see _:']);
  perform test_equal(test_triples('/to/n/1/2/'), array['/to/n/1/2/ :up /to/n/1/', ':x :p :y', '_: :see _:']);
  perform test_equal((select (d.is_access_point, d.has_member_relation, show_term(d.parent)) from document as d
                       where d.id = test_id('/to/n/list/')), (true, test_id('/to/n/#has'), '<http://test/to/n/>'::text));
  perform test_equal((select array_agg(d order by d.id) from document as d where d.id = any (array(
    select o.id from unnest(v_old) as o))), v_old);
  perform test_sound();

  -- Alone: its children are not copied, and references to them stay.
  v := copy_document('http://test/a/', null, null, null, 'http://test/b/', false, true);
  perform test_equal(v.is_created, false);
  perform test_equal(test_triples('/b/'), array['/b/ /b/#has /a/1/', '/b/ :see /a/1/', '/b/ :see /b/#it',
    '/b/#it :name "it']);
  perform test_equal((select count(*) from document as d where d.parent = test_id('/b/')), 0::int8);
  perform copy_document('http://test/a/', null, null, null, 'http://test/a/alone/', false, true);
  perform test_sound();

  -- Grants are not copied. All that is copied must be readable.
  perform put_grants('http://test/a/', array[v_ada[3]], array['{read}'], null, null, null, false);
  perform put_grants('http://test/a/1/', array['public'], array['{edit}'], null, null, null, false);
  perform put_grants('http://test/to/', array[v_ada[3]], array['{create}'], null, null, null, false);
  v := copy_document('http://test/a/', null, null, null, 'http://test/to/ada/', true, true, v_caller);
  perform test_equal(v.etag, null::text);
  perform test_equal((select show_term(d.realm) from document as d where d.id = test_id('/to/ada/1/')), '<http://test/to/>');
  perform put_grants('http://test/a/1/', array['agent http://e/bob'], array['{read}'], null, false, null, false);
  perform test_raises(format($$ select copy_document('http://test/a/', null, null, null, 'http://test/to/b/', true, true,
    %L) $$, v_caller), 'QS403', 'access-granted');
  perform test_sound();
end
$test$;
rollback;
