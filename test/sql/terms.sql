-- Terms are added to the dictionary once, and a document's blank nodes are found by their label.
begin;
do $test$
declare
  v_keys text[] := array['Ihttp://e/é', 'Lhttp://www.w3.org/2001/XMLSchema#string  a b  c ',
    'Lhttp://www.w3.org/1999/02/22-rdf-syntax-ns#langString en-GB a', 'Lhttp://e/type  01', 'Lhttp://e/type  ',
    'Lhttp://www.w3.org/2001/XMLSchema#integer  01', 'Lhttp://www.w3.org/2001/XMLSchema#date  soon',
    'Lhttp://www.w3.org/2001/XMLSchema#boolean  1', 'Lhttp://www.w3.org/1999/02/22-rdf-syntax-ns#langString EN-gb a'];
  v_ids  int8[];
  v_one  written;
  v_two  written;
begin
  perform test_root();

  -- A term is added once: it has the same id again, in any order, and if its key is given twice.
  v_ids := intern_terms(v_keys);
  perform test_equal(intern_terms(v_keys), v_ids);
  perform test_equal(term_ids(array['Inowhere', v_keys[2], v_keys[1]]), array[null, v_ids[2], v_ids[1]]);
  perform test_equal((select count(distinct id) from unnest(v_ids) as id), 9::bigint);
  v_ids := intern_terms(array['Ihttp://e/twice', 'Ihttp://e/twice']);
  perform test_equal(v_ids[1], v_ids[2]);
  perform test_equal(intern_terms('{}'), null::int8[]);

  -- Terms are stored as written, and different terms are distinguished.
  perform test_equal(array(select show_term(id) from unnest(term_ids(v_keys)) as id), array['<http://e/é>', '"a b  c "',
    '"a"@en-GB', '"01"^^<http://e/type>', '""^^<http://e/type>', '"01"^^<http://www.w3.org/2001/XMLSchema#integer>',
    '"soon"^^<http://www.w3.org/2001/XMLSchema#date>', '"1"^^<http://www.w3.org/2001/XMLSchema#boolean>', '"a"@EN-gb']);
  perform test_equal(array(select case when id < first_literal() then -1 else id >> 58 & 15 end
    from unnest(term_ids(v_keys)) as id), array[-1, 0, 1, 6, 6, 3, 4, 5, 1]::int8[]);
  v_ids := intern_terms(array[e'Lhttp://www.w3.org/2001/XMLSchema#string  "\\\n\r\t']);
  perform test_equal(show_term(v_ids[1]), e'"\\"\\\\\\n\\r\t"');
  perform test_equal(show_term(5000000), null);

  -- Longer than a page of an index.
  v_ids := intern_terms(array['Lhttp://www.w3.org/2001/XMLSchema#string  ' || repeat('é', 100000)]);
  perform test_equal((select length(lex) from term where id = v_ids[1]), 100000);

  -- The key of a blank node has no id in the dictionary.
  perform test_equal(intern_terms(array['Bx']), array[null]::int8[]);

  -- Labels of a document denote its own nodes, as subjects and as objects; other labels are new nodes.
  v_one := test_document('/one/', '<> :part _:x', '_:x :name "x', '<> :end _:end');
  v_two := test_document('/two/', '<> :part _:x');
  perform test_equal(cardinality(v_one.blank_nodes), 2);
  perform test_equal(resolve_terms(v_one.id, array(select 'Bqs' || id - first_blank_node() from unnest(v_one.blank_nodes) as id)),
    v_one.blank_nodes);
  v_ids := resolve_terms(v_one.id, array['Bqs' || v_two.blank_nodes[1] - first_blank_node(), 'Bqs0', 'Bqs01', 'Bx', 'Bqs',
    'Bqs' || repeat('9', 17), 'Bqs' || repeat('9', 40)]);
  perform test_equal((select count(distinct id) from unnest(v_ids) as id), 7::bigint);
  assert not exists (select from quad where s = any (v_ids) or o = any (v_ids)), 'new nodes are in no triple';
  perform test_sound();
end
$test$;
rollback;
