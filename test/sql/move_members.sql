-- Moving: memberships, access points, grants and keys.
begin;
do $test$
declare
  v_ada    text[] := '{public,authenticated,"agent http://e/ada"}';
  v_caller caller := row(v_ada, true, null, null, false);
  v_x      document;
  v_g      document;
begin
  -- The derived membership ends in the old parent and begins in the new one, with its inverse. A copy of the triple
  -- elsewhere becomes its only row, and the other way round.
  perform test_document('/list/', '<> ldp:hasMemberRelation :has', '<> ldp:isMemberOfRelation :of');
  perform test_document('/group/', '<> ldp:hasMemberRelation :in', '<> ldp:isMemberOfRelation :part');
  perform test_document('/list/m/', '<> :name "m');
  perform test_document('/says/', '/list/ :has /list/m/', '/group/ :in /list/m/');
  perform test_equal(test_triples('/list/m/'), array['/list/m/ :name "m', '/list/m/ :of /list/']);
  perform move_document('http://test/list/m/', null, null, null, 'http://test/group/m/', true);
  perform test_equal(test_triples('/group/m/'), array['/group/m/ :name "m', '/group/m/ :part /group/']);
  perform test_equal(test_triples('/says/'), array['/group/ :in /group/m/', '/list/ :has /group/m/']);
  perform test_sound();

  -- Within one parent it stays as it is, also when it has ended.
  perform remove_members('http://test/group/', null, null, null, '{http://test/group/m/}');
  perform move_document('http://test/group/m/', null, null, null, 'http://test/group/n/', true);
  perform test_equal((select d.member_by from document as d where d.id = test_id('/group/n/')), null::int8);
  perform test_sound();

  -- An access point stays in its container document, moves with it, and takes what is moved into it as a member.
  perform create_access_point('http://test/group/list/', 'http://test/group/', (g).keys, (g).s, (g).p, (g).o)
     from test_graph('http://test/group/list/', array['<> rdf:type c:AccessPoint', '<> ldp:hasMemberRelation :point',
                                                     '<> ldp:isMemberOfRelation :at']) as g;
  perform test_raises($$ select move_document('http://test/group/list/', null, null, null, 'http://test/l/', true) $$,
    'QS409', 'access-point-stays');
  perform move_document('http://test/group/n/', null, null, null, 'http://test/group/list/n/', true);
  perform test_equal(test_triples('/group/list/n/'), array['/group/list/n/ :at /group/', '/group/list/n/ :name "m']);
  perform move_document('http://test/group/', null, null, null, 'http://test/list/group/', true);
  perform test_equal(test_triples('/list/group/list/n/'),
    array['/list/group/list/n/ :at /list/group/', '/list/group/list/n/ :name "m']);
  perform move_document('http://test/list/group/list/n/', null, null, null, 'http://test/n/', true);
  perform test_equal(test_triples('/n/'), array['/n/ :at /list/group/', '/n/ :name "m']);
  perform test_sound();

  -- Grants stay with their documents, which are in the realms of their new place.
  perform test_document('/a/');
  perform test_document('/b/');
  perform test_document('/a/d/');
  perform test_document('/a/d/own/');
  perform test_document('/a/d/own/x/');
  perform test_document('/says/2/', '<> :see /a/d/', '<> :see /b/d/', '/a/d/own/ :name "own');
  perform test_document('/mine/', '<> :see /a/d/');
  perform put_grants('http://test/a/', array[v_ada[3]], array['{write}'], null, null, null, false);
  perform test_raises(format($$ select move_document('http://test/a/d/', null, null, null, 'http://test/b/d/', true,
    caller => %L) $$, v_caller), 'QS409', 'destination-parent');
  perform put_grants('http://test/b/', array[v_ada[3]], array['{write}'], null, null, null, false);
  perform put_grants('http://test/mine/', array[v_ada[3]], array['{write}'], null, null, null, false);
  perform put_grants('http://test/a/d/own/', array['public'], array['{read}'], null, null, null, false);
  perform add_api_key('\x0000000000000000000000000000000000000000000000000000000000000000', 'http://e/ada', '{}', '', null,
                      'http://test/a/d/own/', null);
  select * into v_x from document where id = test_id('/says/2/');
  perform test_raises(format($$ select move_document('http://test/a/d/', null, null, null, 'http://test/b/d/', true,
    caller => %L) $$, v_caller), 'QS403', 'access-granted');
  perform put_grants('http://test/a/', array[v_ada[3]], array['{write,control}'], null, null, null, false);
  perform put_grants('http://test/b/', array[v_ada[3]], array['{write,control}'], null, null, null, false);
  perform move_document('http://test/a/d/', null, null, null, 'http://test/b/d/', true, caller => v_caller);
  perform test_equal(array(select show_term(d.realm) from unnest('{/b/d/,/b/d/own/,/b/d/own/x/}'::text[]) as t (path)
                             join document as d on d.id = test_id(t.path)),
    array['<http://test/b/>', '<http://test/b/d/own/>', '<http://test/b/d/own/>']);
  perform test_equal((select k.within from api_key as k), 'http://test/b/d/own/');

  -- References stay in documents that the caller may not edit, which have not changed, and follow in others.
  perform test_equal(test_triples('/says/2/'),
    array['/a/d/own/ :name "own', '/says/2/ :see /a/d/', '/says/2/ :see /b/d/']);
  perform test_equal((select d from document as d where id = v_x.id), v_x);
  perform test_equal(test_triples('/mine/'), array['/mine/ :see /b/d/']);
  perform test_sound();

  -- Where a document went is told to those who may read it there.
  perform move_document('http://test/b/d/', null, null, null, 'http://test/b/e/', true, '1 hour');
  perform move_document('http://test/b/e/', null, null, null, 'http://test/b/d/', true, '1 hour');
  perform move_document('http://test/b/d/', null, null, null, 'http://test/b/e/', true, '1 hour');
  perform test_equal(array[moved_to('http://test/b/d/'), moved_to('http://test/b/d/own/x/', v_caller),
                           moved_to('http://test/b/d/none/'), moved_to('http://test/b/e/'),
                           moved_to('http://test/b/d/own/', row('{public}'::text[], true, null, null, false)),
                           moved_to('http://test/b/d/', row('{public}'::text[], true, null, null, false))],
    array['http://test/b/e/', 'http://test/b/e/own/x/', null, null, 'http://test/b/e/own/', null]);
  perform move_document('http://test/b/e/', null, null, null, 'http://test/b/d/', true);
  perform test_equal(moved_to('http://test/b/d/'), null);

  -- A raw graph follows, and its IRI is taken.
  insert into raw_graph (id) values ((intern_terms('{Ihttp://test/raw/}'))[1]);
  perform put_quads(test_id('/raw/'), array[test_id('/raw/')], array[test_id(':see')], array[test_id('/b/d/')]);
  perform test_raises($$ select move_document('http://test/b/d/', null, null, null, 'http://test/raw/', true) $$,
    'QS409', 'document-iri-free');
  perform move_document('http://test/b/d/', null, null, null, 'http://test/d/', true);
  perform test_equal(test_triples('/raw/'), array['/raw/ :see /d/']);
  perform test_sound();
end
$test$;
rollback;
