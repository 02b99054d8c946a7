-- Writes for a caller who may not write everything: documents that the caller may not write do not change.
begin;
do $test$
declare
  v_ada    text[] := '{public,authenticated,"agent http://e/ada"}';
  v_caller caller := row(v_ada, true, null, null, false);
  v_x      document;
  v_list   document;
  v_ids    int8[];
  v_realms int8[];
begin
  perform test_document('/a/');
  perform test_document('/mine/', '<> :see /a/f/', '<> :list _:1', '_:1 rdf:first /a/f/', '_:1 rdf:rest rdf:nil');
  perform test_document('/x/', '<> :see /a/f/', '/a/ ldp:member /a/f/', '/a/f/ :see /a/f/g/',
    '<> :list _:1', '_:1 rdf:first /a/f/', '_:1 rdf:rest _:2', '_:2 rdf:first /mine/', '_:2 rdf:rest rdf:nil');
  perform put_grants('http://test/a/', array[v_ada[3]], array['{write}'], null, null, null, false);
  perform put_grants('http://test/mine/', array[v_ada[3]], array['{write}'], null, null, null, false);
  select * into v_x from document where id = test_id('/x/');
  insert into raw_graph (id) values ((intern_terms('{Ihttp://e/raw}'))[1]);
  perform put_quads(test_id(':raw'), array[test_id(':raw')], array[test_id(':see')], array[test_id('/a/f/')]);

  -- References stay in /x/ and in raw graphs, and are removed from /mine/. For a caller who may write everywhere, all
  -- are removed.
  perform test_document('/a/f/', '/a/f/ :see /a/f/g/');
  perform test_document('/a/f/g/');
  perform delete_document('http://test/a/f/', caller => v_caller);
  perform test_equal(test_triples('/mine/'), array['/mine/ :list rdf:nil']);
  perform test_equal(test_triples('/x/'), array['/a/ ldp:member /a/f/', '/a/f/ :see /a/f/g/', '/x/ :list _:',
    '/x/ :see /a/f/', '_: rdf:first /a/f/', '_: rdf:first /mine/', '_: rdf:rest _:', '_: rdf:rest rdf:nil']);
  perform test_equal((select d from document as d where id = v_x.id), v_x);
  perform test_sound();

  perform test_document('/a/f/');
  perform delete_children('http://test/a/', caller => v_caller);
  perform test_equal((select d from document as d where id = v_x.id), v_x);
  perform test_sound();

  perform test_document('/a/f/');
  perform test_equal(test_triples(':raw'), array[':raw :see /a/f/']);
  perform delete_document('http://test/a/f/');
  perform test_equal(test_triples(':raw'), '{}');
  perform test_equal(test_list('/x/', ':list'), array['/mine/']);
  perform test_equal(test_triples('/x/'), array['/a/f/ :see /a/f/g/', '/x/ :list _:', '_: rdf:first /mine/',
    '_: rdf:rest rdf:nil']);
  perform test_sound();

  -- Members: neither the list nor the inverse triple changes in a document that may not be written.
  perform create_access_point('http://test/x/list/', 'http://test/x/', (g).keys, (g).s, (g).p, (g).o)
     from test_graph('http://test/x/list/', array['<> rdf:type c:AccessPoint', '<> ldp:hasMemberRelation :has',
                                                  '<> ldp:isMemberOfRelation :in']) as g;
  perform put_grants('http://test/x/list/', array[v_ada[3]], array['{write}'], null, null, null, false);
  perform test_document('/mine/m/');
  perform test_raises(format($$ select add_members('http://test/x/list/', null, null, null, '{http://test/mine/m/}', %L) $$,
    v_caller), 'QS403', 'access-granted');
  perform test_raises(format($$ select create_document('http://test/x/list/c/', 'http://test/x/list/', '{}', '{}', '{}',
    '{}', %L) $$, v_caller), 'QS403', 'access-granted');
  perform add_members('http://test/x/list/', null, null, null, '{http://test/mine/m/,http://test/x/}');
  select * into v_x from document where id = test_id('/x/');
  perform test_raises(format($$ select remove_members('http://test/x/list/', null, null, null, null, %L) $$, v_caller),
    'QS403', 'access-granted');
  perform test_raises(format($$ select delete_document('http://test/x/list/', caller => %L) $$, v_caller),
    'QS403', 'access-granted');
  perform delete_document('http://test/mine/m/', caller => v_caller);
  perform test_equal((select d from document as d where id = v_x.id), v_x);
  perform test_sound();

  -- A caller who may edit the list but not a member can remove it. The member's inverse triple stays.
  perform test_document('/y/');
  perform put_grants('http://test/x/', array[v_ada[3]], array['{members}'], null, null, null, false);
  perform test_raises(format($$ select add_members('http://test/x/list/', null, null, null, '{http://test/y/}', %L) $$,
    v_caller), 'QS422', 'member-known');
  perform put_grants('http://test/y/', array[v_ada[3]], array['{read}'], null, null, null, false);
  perform test_raises(format($$ select add_members('http://test/x/list/', null, null, null, '{http://test/y/}', %L) $$,
    v_caller), 'QS403', 'access-granted');
  perform put_grants('http://test/y/', array[v_ada[3]], array['{members,read}'], null, null, null, false);
  perform add_members('http://test/x/list/', null, null, null, '{http://test/y/}', v_caller);
  perform put_grants('http://test/x/', array[v_ada[3]], array['{edit}'], null, null, null, false);
  select * into v_list from document where id = test_id('/y/');
  perform remove_members('http://test/x/list/', null, null, null, null, v_caller);
  perform test_equal(test_triples('/x/') && array['/x/ :has /x/', '/x/ :has /y/', '/x/ :in /x/'], false);
  perform test_equal(test_triples('/y/'), array['/y/ :in /x/']);
  perform test_equal((select d from document as d where id = v_list.id), v_list);
  perform test_sound();

  -- The container is deleted, and references to it in protected documents stay.
  perform put_grants('http://test/x/', array[v_ada[3]], array['{delete,edit}'], null, null, null, false);
  perform delete_document('http://test/x/', caller => v_caller);
  perform test_equal(test_triples('/y/'), array['/y/ :in /x/']);
  perform test_sound();
  perform test_document('/x/');
  perform add_members('http://test/x/', null, null, null, '{http://test/y/}');
  perform delete_document('http://test/x/');
  perform test_equal(test_triples('/y/'), '{}');
  perform test_sound();

  -- The mode delete changes only the deleted documents, not the document whose children are deleted. No access point
  -- may be among them.
  perform test_document('/z/', '<> :see /z/f/');
  perform test_document('/z/f/');
  perform put_grants('http://test/z/', array[v_ada[3]], array['{create,delete}'], null, null, null, false);
  select * into v_x from document where id = test_id('/z/');
  perform delete_children('http://test/z/', caller => v_caller);
  perform test_equal(test_triples('/z/'), array['/z/ :see /z/f/']);
  perform test_equal((select d from document as d where id = v_x.id), v_x);
  perform create_access_point('http://test/z/list/', 'http://test/z/', (g).keys, (g).s, (g).p, (g).o)
     from test_graph('http://test/z/list/', array['<> rdf:type c:AccessPoint', '<> ldp:hasMemberRelation :has']) as g;
  perform test_raises(format($$ select delete_children('http://test/z/', caller => %L) $$, v_caller),
    'QS403', 'access-granted');
  perform test_raises(format($$ select delete_document('http://test/z/list/', caller => %L) $$, v_caller),
    'QS403', 'access-granted');
  perform test_raises(format($$ select create_document('http://test/z/list/c/', 'http://test/z/list/', '{}', '{}', '{}',
    '{}', %L) $$, v_caller), 'QS403', 'access-granted');
  perform put_grants('http://test/z/', array[v_ada[3]], array['{create,members}'], null, null, null, false);
  perform create_document('http://test/z/list/c/', 'http://test/z/list/', '{}', '{}', '{}', '{}', v_caller);
  perform put_grants('http://test/z/', array[v_ada[3]], array['{delete,edit}'], null, null, null, false);
  perform delete_children('http://test/z/', caller => v_caller);
  perform test_equal(test_triples('/z/'), array['/z/ :see /z/f/']);
  perform test_sound();

  -- If the caller may edit everything except a document that does not inherit, all other references are removed.
  perform put_grants('http://test/', array[v_ada[3]], array['{write}'], null, null, null, false);
  perform test_document('/p/', '<> :see /y/');
  perform test_document('/p/q/', '<> :see /y/');
  perform put_grants('http://test/p/', array['agent http://e/bob'], array['{control}'], null, false, null, true);
  perform put_quads(test_id(':raw'), array[test_id(':raw')], array[test_id(':see')], array[test_id('/y/')]);
  perform put_quads(test_id('/mine/'), array[test_id('/mine/')], array[test_id(':see')], array[test_id('/y/')]);
  v_ids := array(select d.id from document as d) || test_id(':raw') || test_id(':see');
  for v_realms in values (granted_realms(v_ada, 'edit')), (granted_realms('{agent http://e/bob}', 'control')),
                         (granted_realms(array_append(v_ada, 'within http://test/mine/'), 'edit')),
                         (granted_realms(array_append(v_ada, 'only members'), 'edit')), (null) loop
    perform test_equal(array(select unnest(within_realms(v_ids, v_realms)) order by 1),
      array(select i.id from unnest(v_ids) as i (id) where is_in_realms(i.id, v_realms) order by 1));
  end loop;
  perform delete_document('http://test/y/', caller => v_caller);
  perform test_equal(test_triples('/p/') || test_triples('/p/q/') || test_triples(':raw') || test_triples('/mine/'),
    array['/p/ :see /y/', '/p/q/ :see /y/', '/mine/ :list rdf:nil']);
  perform test_sound();
end
$test$;
rollback;
