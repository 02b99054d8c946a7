-- check_store names each broken invariant, and returns nothing for a sound store.
begin;
do $test$
begin
  perform test_document('/a/', '<> :p :x', '_:b :p "1');
  perform test_document('/a/b/');
  perform test_document('/c/', '/a/ :p :x', '/a/ ldp:member /a/b/');
  perform test_sound();

  perform test_breaks('triple-has-one-primary',
    $$ update quad set copy = true where s = test_id('/a/') and o = test_id(':x') $$);
  perform test_breaks('triple-has-one-primary',
    $$ delete from quad where s = test_id('/a/') and o = test_id(':x') and copy is null $$);
  perform test_breaks('triple-has-one-primary',
    $$ update quad set copy = null where s = test_id('/a/') and o = test_id('/a/b/') $$);
  perform test_breaks('triple-has-one-primary', $$ update document set member_by = null where id = test_id('/a/b/') $$);
  perform test_breaks('triple-once-a-graph',
    $$ insert into quad select g, s, p, o, true from quad where s = test_id('/a/') and o = test_id(':x') and copy is null $$);
  perform test_breaks('term-known', $$ insert into quad values (test_id('/a/'), 777777777, test_id(':p'), test_id(':x')) $$);
  perform test_breaks('term-known', $$ update document set has_member_relation = 777777777 where id = test_id('/a/b/') $$);
  perform test_breaks('term-in-place', $$ insert into quad values (test_id('/a/'), -1, test_id(':p'), test_id(':x')) $$);
  perform test_breaks('term-in-place', $$ insert into quad values (test_id('/a/'), test_id('"1'), test_id(':p'), test_id(':x')) $$);
  perform test_breaks('term-in-place',
    $$ insert into quad select g, s, s, o from quad where g = test_id('/a/') and is_blank_node(s) $$);
  perform test_breaks('term-hash-right', $$ update term set lex = 'http://e/other' where id = test_id(':x') $$);
  perform test_breaks('term-hash-right', $$ update term set lang = 'en' where id = test_id('"1') $$);
  perform test_breaks('blank-node-in-one-graph',
    $$ insert into quad select test_id('/c/'), s, p, g from quad where g = test_id('/a/') and is_blank_node(s) $$);
  perform test_breaks('graph-is-a-document',
    $$ insert into quad values (test_id(':x'), test_id(':x'), test_id(':x'), test_id(':x')) $$);
  perform test_breaks('sequence-ahead', $$ alter sequence revision_seq restart $$);
  perform test_breaks('sequence-ahead', $$ alter sequence term_seq restart $$);
  perform test_breaks('sequence-ahead',
    $$ insert into quad values (test_id('/a/'), first_blank_node() + 1000000, test_id(':p'), test_id(':x')) $$);
  perform test_breaks('root-is-the-base', $$ update dataset set base = 'http://other/' $$);
  perform test_breaks('root-is-the-base', $$ update document set parent = null where id = test_id('/c/') $$);
  perform test_breaks('parent-is-one-segment-up', $$ update document set parent = test_id('/c/') where id = test_id('/a/b/') $$);
  perform test_breaks('member-by-parents-relation', $$ update document set member_by = test_id(':p') where id = test_id('/a/b/') $$);
  perform create_access_point('http://test/c/list/', 'http://test/c/', (g).keys, (g).s, (g).p, (g).o)
     from test_graph('http://test/c/list/', array['<> ldp:hasMemberRelation :has']) as g;
  perform test_sound();
  perform test_breaks('access-point-listed', $$ delete from quad where o = test_id('/c/list/') and g = test_id('/c/') $$);
  perform test_breaks('access-point-listed',
    $$ insert into quad values (test_id('/a/'), test_id('/a/'), platform_has_access_point(), test_id('/a/b/')) $$);
  perform test_breaks('service-triples-kept',
    $$ delete from quad where g = test_id('/a/') and s = g and p = rdf_type() and o = platform_document() $$);
  perform test_breaks('service-triples-kept', $$ update document set modified = now() + interval '1 hour' where parent is null $$);
  perform test_breaks('service-properties-single',
    $$ insert into quad values (test_id('/a/'), test_id('/a/'), platform_created(), inline_instant('2000-01-01T00:00:00Z')) $$);
  perform test_breaks('containment-not-stored',
    $$ insert into quad values (test_id('/a/'), test_id('/a/'), ldp_contains(), test_id('/c/')) $$);
  perform test_sound();
end
$test$;
rollback;
