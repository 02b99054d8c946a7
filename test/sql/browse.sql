-- Pages beyond one document: children in a chosen order, an IRI, and the store; also for callers with grants on a part.
begin;
do $test$
declare
  v_ada    caller := row('{public,authenticated,"agent http://e/ada"}'::text[], false, null, null, null);
  v_nobody caller := row('{public}'::text[], false, null, null, null);
  v_page   record;
  v_labels text[] := array['http://e/label'];
begin
  perform test_document('/a/');
  perform test_document('/a/two/', '<> :label "Zebra');
  perform test_document('/a/one/', '<> :label "Äpfel', ':x :p :y', ':z :p :x');
  perform test_document('/a/three/');
  perform test_document('/b/', ':x :p "b');
  perform test_equal(plain_text('ÄPFEL é'), 'apfel e');

  -- Order, in both directions; children without a label by their name.
  v_page := arranged_children('http://test/a/', 'label', false, '', 0, 10, 10, v_labels, '{""}');
  perform test_equal((select array_agg(c ->> 0) from json_array_elements(v_page.children) as c),
    array['http://test/a/one/', 'http://test/a/three/', 'http://test/a/two/']);
  v_page := arranged_children('http://test/a/', 'name', true, '', 0, 2, 10, v_labels, '{""}');
  perform test_equal((select array_agg(c ->> 0) from json_array_elements(v_page.children) as c),
    array['http://test/a/two/', 'http://test/a/three/']);
  perform test_equal(v_page.total, 3);

  -- Pages, search in labels and names, and too many children.
  v_page := arranged_children('http://test/a/', 'name', false, '', 2, 2, 10, v_labels, '{""}');
  perform test_equal(v_page.children -> 0 ->> 0, 'http://test/a/two/');
  v_page := arranged_children('http://test/a/', 'created', false, 'APF', 0, 10, 10, v_labels, '{""}');
  perform test_equal(array[v_page.total::text, v_page.children -> 0 ->> 0], array['1', 'http://test/a/one/']);
  v_page := arranged_children('http://test/a/', 'created', false, 'nothing', 0, 10, 10, v_labels, '{""}');
  perform test_equal(array[v_page.total::text, v_page.children::text], array['0', null]);
  v_page := arranged_children('http://test/a/', 'name', false, '', 0, 10, 2, v_labels, '{""}');
  perform test_equal(v_page.total, null);

  -- What is said about an IRI, in which document, and who mentions it.
  v_page := iri_page('http://e/x', 10, 10);
  perform test_equal((select array_agg(s order by s) from unnest(v_page.subjects) as s),
    (select array_agg(s order by s) from unnest(array[test_id('/a/one/'), test_id('/b/')]) as s));
  perform test_equal(v_page.mentions::jsonb, '[["http://test/a/one/", "http://e/z", "http://e/p"]]'::jsonb);
  perform test_equal(cardinality((iri_page('http://e/x', 1, 1)).objects), 1);
  perform test_equal((iri_page('http://e/unknown', 10, 10)).subjects, '{}');

  -- The store.
  v_page := store_page(100, 10, 2);
  perform test_equal(json_array_length(v_page.newest), 2);
  assert v_page.documents >= 5 and v_page.triples > 5, 'numbers of the store';
  perform test_equal((select (p ->> 1)::int from json_array_elements(v_page.properties) as p where p ->> 0 = 'http://e/p'), 3);

  -- Callers see what they may read.
  perform put_grants('http://test/a/', array['agent http://e/ada'], array['{read}'], null, null, null, false);
  perform test_equal((iri_page('http://e/x', 10, 10, v_ada)).subjects, array[test_id('/a/one/')]);
  v_page := iri_page('http://e/x', 10, 10, v_nobody);
  perform test_equal(array[cardinality(v_page.subjects)::text, v_page.mentions::text], array['0', null]);
  v_page := store_page(100, 10, 100, v_ada);
  assert v_page.documents is null and v_page.classes is null, 'no numbers for a caller who may not read everything';
  assert not v_page.newest::jsonb ? 'http://test/b/' and v_page.newest::jsonb ? 'http://test/a/one/', 'newest documents';
  perform test_raises(
    $$ select arranged_children('http://test/a/', 'name', false, '', 0, 9, 9, '{}', '{}',
                                row('{public}'::text[], false, null, null, null)) $$,
    'QS401', 'authentication-required');
end
$test$;
rollback;
