-- Views for people: an IRI is the same text in all of them; members, access points, grants and changes.
begin;
do $test$ begin
  perform test_root();
  update dataset set logs_changes = true;
  perform set_config('quadstead.change', '', true); -- this transaction has found the log off
  perform test_document('/a/', '<> :p :x', '<> :q "1', '<> :r _:b');
  perform test_document('/a/b/', '<> :p /a/');

  -- An IRI is plain wherever it is, so documents and quads join.
  perform test_equal(array(select q.object from quads as q join documents as d on d.iri = q.graph and d.iri = q.subject
                            where d.iri = 'http://test/a/' and q.predicate in ('http://e/p', 'http://e/q') order by 1),
                     array['"1"', 'http://e/x']);
  assert (select q.object ~ '^_:qs\d+$' from quads as q where q.predicate = 'http://e/r'), 'a blank node';
  perform test_equal((select array[d.parent, c.parent, m.keeper, m.container, m.relation]
                        from documents as d
                        join children as c on c.child = d.iri
                        join members as m on m.member = d.iri
                       where d.iri = 'http://test/a/b/'),
                     array['http://test/a/', 'http://test/a/', 'http://test/a/', 'http://test/a/',
                           'http://www.w3.org/ns/ldp#member']);

  -- A derived membership that is also stored counts once; one that was removed does not count.
  perform test_replace('/a/', '<> ldp:member /a/b/', '<> ldp:member /elsewhere/');
  perform test_equal(array(select m.member from members as m where m.keeper = 'http://test/a/' order by 1),
                     array['http://test/a/b/', 'http://test/elsewhere/']);
  perform remove_members('http://test/a/', null, null, null, array['http://test/a/b/']);
  perform test_equal(array(select m.member from members as m where m.keeper = 'http://test/a/'),
                     array['http://test/elsewhere/']);

  -- Grants, with and without an end; a document that does not inherit.
  insert into access_grant (document, grantee, modes, expires)
    values (test_id('/a/'), 'agent http://e/ada', '{write,control}', '2001-01-01'), (test_id('/a/'), 'public', '{read}', default);
  insert into access_realm (id, is_isolated) values (test_id('/a/'), true);
  perform test_equal((select jsonb_agg(array[g.document, g.grantee, g.expires::date::text, g.is_valid::text, g.is_private::text]
                                      order by g.grantee)::text
                        from grants as g where g.document = 'http://test/a/'),
                     '[["http://test/a/", "agent http://e/ada", "2001-01-01", "false", "true"], ' ||
                     '["http://test/a/", "public", null, "true", "true"]]');

  -- Changes have the triples in N-Triples.
  perform test_equal((select c.added from changes as c where c.document = 'http://test/a/b/' and c.action = 'created'
                         and c.before is null)
                       @> array['<http://test/a/b/> <http://e/p> <http://test/a/> .'], true);
  perform test_equal((select array_length(c.removed, 1) from changes as c
                       where c.document = 'http://test/a/' and c.action = 'replaced'), 4); -- c:modified too
end $test$;
rollback;
