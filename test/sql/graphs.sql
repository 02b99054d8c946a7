-- A triple in several graphs has one primary row; the rows of the other graphs are copies.
begin;
do $test$
declare
  v_a int8;
  v_b int8;
  v_c int8;
begin
  v_a := (test_document('/a/', ':x :p :y', ':x :p :y', ':x :q "1')).id;
  v_b := (test_document('/b/', ':x :p :y', ':z :p :y')).id;
  v_c := (test_document('/c/', ':x :p :y')).id;

  -- One primary, and one row for each graph. The union of all graphs has the triple once.
  perform test_equal(array(select copy from quad where p = test_id(':p') and s = test_id(':x') order by g), array[null, true, true]);
  perform test_equal((select count(*) from quad where copy is null and p = test_id(':p')), 2::bigint);
  perform test_sound();

  -- Adding it again changes nothing.
  perform put_quads(v_c, array[test_id(':x')], array[test_id(':p')], array[test_id(':y')]);
  perform test_equal(test_triples('/c/'), array[':x :p :y']);

  -- When the primary is deleted, a copy replaces it. Then the last row is deleted.
  perform drop_quads(v_a, array[test_id(':x')], array[test_id(':p')], array[test_id(':y')]);
  perform test_equal((select count(*) from quad where p = test_id(':p') and s = test_id(':x') and copy is null), 1::bigint);
  perform test_sound();
  perform drop_quads(v_a, array[test_id(':x')], array[test_id(':p')], array[test_id(':y')]);
  perform drop_graphs(array[v_b]);
  delete from document where id = v_b;
  perform test_equal(array(select g from quad where p = test_id(':p') and copy is null), array[v_c]);
  perform drop_quads(v_c, array[test_id(':x'), test_id(':x')], array[test_id(':p'), test_id(':q')], array[test_id(':y'), test_id('"1')]);
  perform test_equal(test_triples('/c/'), '{}');
  perform test_equal(test_triples('/a/'), array[':x :q "1']);
  perform test_sound();

  -- A derived membership is the primary of its triple, which may be stored before or after the child is created, here
  -- or in another graph.
  perform test_replace('/a/', '<> ldp:member /a/child/', '<> ldp:member /elsewhere/');
  perform test_replace('/c/', '/a/ ldp:member /a/child/');
  perform test_document('/a/child/', '/a/ ldp:member <>');
  perform test_document('/d/', '/a/ ldp:member /a/child/', '/a/child/ ldp:member /a/');
  perform test_equal(array(select copy from quad where o = test_id('/a/child/') and p = ldp_member()), array[true, true, true, true]);
  perform test_equal((select copy from quad where o = test_id('/elsewhere/') and p = ldp_member()), null);
  perform test_sound();

  -- A replacement stores no derived triple in its own graph. One that is stored there already stays.
  perform test_replace('/a/', '<> ldp:member /a/child/', '<> ldp:contains /a/child/', ':x :p :y');
  perform test_equal(test_triples('/a/'), array['/a/ ldp:member /a/child/', ':x :p :y']);
  perform test_document('/a/other/', '/a/ ldp:member <>');
  perform test_replace('/a/', '<> ldp:member /a/child/', '<> ldp:member /a/other/', ':x :p :y');
  perform test_equal(test_triples('/a/'), array['/a/ ldp:member /a/child/', ':x :p :y']);
  perform test_equal(test_triples('/c/'), array['/a/ ldp:member /a/child/']);
  perform test_sound();

  -- The child is deleted with all references to it. Triples of other graphs with it as subject stay.
  perform delete_document('http://test/a/child/');
  perform test_equal(test_triples('/c/'), '{}');
  perform test_equal(test_triples('/d/'), array['/a/child/ ldp:member /a/']);
  perform test_sound();
end
$test$;
rollback;
