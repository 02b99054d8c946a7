-- Creating: the triples of the service, the membership of the child, and errors.
begin;
do $test$
declare
  v_written written;
  v_row     document;
begin
  v_written := test_document('/a/', '<> :name "a', '<> rdf:type :Thing', '_:b :p _:c', '<> ldp:hasMemberRelation :has',
    '<> rdf:type ldp:RDFSource');
  select * into v_row from document where id = v_written.id;

  -- The row, and the returned entity tag.
  perform test_equal(v_written.etag, v_row.revision::text);
  perform test_equal(array[v_written.modified, v_row.modified], array[v_row.created, v_row.created]);
  perform test_equal(v_row.created, date_trunc('milliseconds', v_row.created));
  perform test_equal(array[v_row.has_member_relation, v_row.member_by], array[test_id(':has'), ldp_member()]);
  perform test_equal(cardinality(v_written.blank_nodes), 2);

  -- The graph: the body, and the service's types and properties.
  perform test_equal(test_triples('/a/'), array['/a/ :name "a', '/a/ rdf:type :Thing', '_: :p _:']);
  perform test_equal(array(select test_token(p) || ' ' || test_token(o) from quad
                            where g = v_row.id and s = g and (p between 13 and 99 or p = rdf_type() and o < 1000)
                            order by p, o),
    array['rdf:type ldp:RDFSource', 'rdf:type ldp:BasicContainer',
      'rdf:type https://carbonldp.com/ns/v1/platform#Document', 'ldp:membershipResource /a/', 'ldp:hasMemberRelation :has',
      'ldp:insertedContentRelation ldp:MemberSubject']);
  perform test_equal(array(select inline_lexical_form(o) from quad
                            where g = v_row.id and s = g and p in (platform_created(), platform_modified())),
    array_fill(to_char(v_row.created at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), array[2]));

  -- A child is a member of its parent by the parent's relation. The triple is not stored, and the parent does not
  -- change.
  perform test_document('/a/b/');
  perform test_equal((select member_by from document where id = test_id('/a/b/')), test_id(':has'));
  perform test_equal((select d from document as d where id = v_row.id), v_row);
  assert not exists (select from quad where s = v_row.id and o = test_id('/a/b/')), 'nothing stored with the parent';

  -- An IRI can be used once, and again after its document was deleted, with a new entity tag.
  perform test_raises($$ select test_document('/a/b/') $$, '23505', 'document-iri-free');
  perform delete_document('http://test/a/b/');
  v_written := test_document('/a/b/');
  assert v_written.etag::int8 > v_row.revision + 1, 'a new tag';

  -- Without a parent nothing is created or left behind.
  perform test_equal(test_raises($$ select test_document('/none/b/') $$, 'QS404', 'parent-exists'),
    'There is no document <http://test/none/> to create a child in.');
  assert not exists (select from term where lex = 'http://test/none/b/'), 'a refused create leaves nothing';
  perform test_sound();
end
$test$;
rollback;
