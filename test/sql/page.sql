-- Pages: a document with its surroundings, a limited number of values and labels, names in use.
begin;
do $test$
declare
  v_page  record;
  v_heads record;
  v_ids   int8[];
begin
  perform test_document('/a/', '<> :p "one', '<> :p "two', '<> :p "three', '<> :q :x', ':x :p "of_x');
  perform test_document('/a/1/', '<> :see /a/');
  perform test_document('/a/2/', '<> :see /a/', ':y :see /a/', '_:b :see /a/');
  perform test_document('/a/3/');

  -- A document with its children, counted up to a limit, and the triples of others that refer to it.
  v_page := read_page('http://test/a/', 0, 2, 2, 10, 1000, 2, 100, 1000);
  perform test_equal(array[(v_page.state).id, (v_page.state).subjects[1], v_page.child_count],
    array[test_id('/a/'), test_id('/a/'), 2]);
  perform test_equal(json_array_length((v_page.state).children), 2);
  perform test_equal(v_page.points::text, null);
  perform test_equal(
    (select array_agg(format('%s %s', m ->> 0, m ->> 1) order by m ->> 0, (m ->> 1) collate "C")
       from json_array_elements(v_page.mentions) as m where m ->> 1 not like '\_:qs%'),
    array['http://test/a/1/ http://test/a/1/', 'http://test/a/2/ http://e/y', 'http://test/a/2/ http://test/a/2/']);
  perform test_equal(json_array_length(v_page.mentions), 4);
  perform test_equal(json_array_length((read_page('http://test/a/', 0, 2, 2, 3, 1000, 2, 100, 1000)).mentions), 3);
  v_page := read_page('http://test/a/', 0, 2, 2, 3, 10, 2, 100, 1000);
  assert v_page.is_part and (v_page.state).term_ids @> array[test_id(':q')], 'a part of a large document, with its terms';
  perform test_equal((v_page.state).objects, (property_heads(test_id('/a/'), 2, 100, 1000)).objects);
  perform test_equal((read_page('http://test/none/', 0, 2, 2, 3, 1000, 2, 100, 1000)).state.id, null);

  -- Access points with their relations.
  perform create_access_point('http://test/a/point/', 'http://test/a/',
    array['Ihttp://test/a/point/', 'Ihttp://www.w3.org/ns/ldp#hasMemberRelation', 'Ihttp://e/member',
          'Ihttp://www.w3.org/ns/ldp#isMemberOfRelation', 'Ihttp://e/memberOf'],
    '{1,1}', '{2,4}', '{3,5}');
  perform test_equal((read_page('http://test/a/', 0, 10, 10, 3, 1000, 2, 100, 1000)).points::jsonb,
    '[["http://test/a/point/", "http://e/member", "http://e/memberOf"]]'::jsonb);

  -- The start of the previous page.
  perform test_equal(array[place_before('http://test/a/', test_id('/a/3/'), 1),
                           place_before('http://test/a/', test_id('/a/3/'), 2),
                           place_before('http://test/a/', test_id('/a/3/'), 3)],
    array[test_id('/a/2/'), test_id('/a/1/'), 0]);

  -- For a large document, the first values of each property, one more if there are more, and a part of other subjects.
  v_heads := property_heads(test_id('/a/'), 2, 100, 1000);
  v_ids := array(select o from unnest(v_heads.subjects, v_heads.predicates, v_heads.objects) as h (s, p, o)
                  where h.s = test_id('/a/') and h.p = test_id(':p'));
  perform test_equal(cardinality(v_ids), 3);
  v_heads := property_heads(test_id('/a/'), 1, 100, 1000);
  perform test_equal((select count(*) from unnest(v_heads.predicates) as h (p) where h.p = test_id(':p')), 3::int8);
  assert v_heads.subjects[cardinality(v_heads.subjects)] = test_id(':x'), 'other subjects come last';

  -- Values in pages, including those that another document has too, but not those of other documents only.
  perform test_document('/b/', '/a/ :p "two', '/a/ :p "foreign');
  perform test_replace('/a/', '<> :p "one', '<> :p "two', '<> :p "three', '<> :p "foreign2');
  v_ids := property_values(test_id('/a/'), test_id(':p'), null, 2)
        || property_values(test_id('/a/'), test_id(':p'),
                           (property_values(test_id('/a/'), test_id(':p'), null, 2))[2], 10);
  perform test_equal(array(select test_token(id) from unnest(v_ids) as v (id) order by 1),
    array['"foreign2', '"one', '"three', '"two']);
  perform test_equal(cardinality((values_page('http://test/a/', 'http://e/p', null, 3)).objects), 3);
  perform test_equal(cardinality((values_page('http://test/a/', 'http://e/none', null, 3)).objects), 0);
  perform test_equal((values_page('http://test/none/', 'http://e/p', null, 3)).etag, null);

  -- Labels in the reader's language, then by the property.
  perform test_document('/c/', '<> :label "plain', '<> :title "titled', '/b/ :title "about_b');
  perform test_equal(
    labels_of(array['http://test/c/', 'http://test/b/', 'http://test/a/', 'http://e/unknown'],
              array['http://e/label', 'http://e/title', 'http://e/none'], array['']) ::jsonb,
    '{"http://test/c/": "plain", "http://test/b/": "about_b"}'::jsonb);
  perform test_equal(labels_of('{}', '{}', '{}')::text, null);

  -- Names in use, up to a limit.
  assert 'http://e/p' = any ((used_names(100)).properties), 'a property is found';
  assert 'http://www.w3.org/ns/ldp#RDFSource' = any ((used_names(100)).classes), 'a class is found';
  perform test_equal(cardinality((used_names(1)).properties), 1);
  perform test_equal(cardinality((used_names(1)).classes), 1);
end
$test$;
rollback;
