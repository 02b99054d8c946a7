-- A deleted document is removed from lists.
begin;
do $test$
declare
  v_many text[];
begin
  perform test_document('/x/');
  perform test_document('/y/');

  -- The only entry, the first, one in the middle, the last; all of them; two adjacent ones.
  perform test_document('/one/', '<> :l _:1', '_:1 rdf:first /x/', '_:1 rdf:rest rdf:nil');
  perform test_document('/first/', '<> :l _:1', '_:1 rdf:first /x/', '_:1 rdf:rest _:2', '_:2 rdf:first "b', '_:2 rdf:rest rdf:nil');
  perform test_document('/middle/', '<> :l _:1', '_:1 rdf:first "a', '_:1 rdf:rest _:2', '_:2 rdf:first /x/', '_:2 rdf:rest _:3',
    '_:3 rdf:first "c', '_:3 rdf:rest rdf:nil');
  perform test_document('/last/', '<> :l _:1', '_:1 rdf:first "a', '_:1 rdf:rest _:2', '_:2 rdf:first /x/', '_:2 rdf:rest rdf:nil');
  perform test_document('/all/', '<> :l _:1', '_:1 rdf:first /x/', '_:1 rdf:rest _:2', '_:2 rdf:first /x/', '_:2 rdf:rest _:3',
    '_:3 rdf:first /x/', '_:3 rdf:rest rdf:nil');
  perform test_document('/rows/', '<> :l _:1', '_:1 rdf:first /x/', '_:1 rdf:rest _:2', '_:2 rdf:first /x/', '_:2 rdf:rest _:3',
    '_:3 rdf:first "c', '_:3 rdf:rest _:4', '_:4 rdf:first /x/', '_:4 rdf:rest _:5', '_:5 rdf:first /x/', '_:5 rdf:rest rdf:nil');

  -- Nested lists, lists with a shared tail, and lists whose cells are IRIs with further triples.
  perform test_document('/nested/', '<> :l _:1', '_:1 rdf:first _:i', '_:1 rdf:rest rdf:nil', '_:i rdf:first /x/', '_:i rdf:rest _:j',
    '_:j rdf:first "b', '_:j rdf:rest rdf:nil');
  perform test_document('/tail/', '<> :l _:1', '<> :m _:3', '_:1 rdf:first /x/', '_:1 rdf:rest _:2', '_:2 rdf:first /x/',
    '_:2 rdf:rest _:4', '_:3 rdf:first "m', '_:3 rdf:rest _:2', '_:4 rdf:first "z', '_:4 rdf:rest rdf:nil');
  perform test_document('/named/', '<> :l :cell', ':cell rdf:first /x/', ':cell rdf:rest _:2', ':cell :note "kept',
    '_:2 rdf:first "b', '_:2 rdf:rest rdf:nil');
  perform test_document('/named-too/', '<> :l :cell', ':cell rdf:first /x/', ':cell rdf:rest rdf:nil');

  -- Not lists: a cycle that is deleted completely, cells without a rest, with two entries, with two rests; rdf:nil with
  -- triples.
  perform test_document('/ring/', '<> :l _:1', '_:1 rdf:first /x/', '_:1 rdf:rest _:1');
  perform test_document('/odd/', '<> :l _:1', '_:1 rdf:first /x/', '<> :m _:2', '_:2 rdf:first /x/', '_:2 rdf:first "too',
    '_:2 rdf:rest rdf:nil', '<> :n _:3', '_:3 rdf:first /x/', '_:3 rdf:rest _:4', '_:3 rdf:rest rdf:nil',
    'rdf:nil rdf:first /x/', 'rdf:nil rdf:rest _:4');

  perform delete_document('http://test/x/');
  perform test_equal(test_triples('/one/'), array['/one/ :l rdf:nil']);
  perform test_equal(test_list('/first/', ':l'), array['"b']);
  perform test_equal(test_list('/middle/', ':l'), array['"a', '"c']);
  perform test_equal(test_list('/last/', ':l'), array['"a']);
  perform test_equal(test_triples('/all/'), array['/all/ :l rdf:nil']);
  perform test_equal(test_list('/rows/', ':l'), array['"c']);
  perform test_equal(test_triples('/nested/'),
    array['/nested/ :l _:', '_: rdf:first "b', '_: rdf:first _:', '_: rdf:rest rdf:nil', '_: rdf:rest rdf:nil']);
  perform test_equal(test_list('/tail/', ':l'), array['"z']);
  perform test_equal(test_list('/tail/', ':m'), array['"m', '"z']);
  perform test_equal(test_list('/named/', ':l'), array['"b']);
  perform test_equal(test_triples('/named/'),
    array['/named/ :l _:', ':cell :note "kept', '_: rdf:first "b', '_: rdf:rest rdf:nil']);
  perform test_equal(test_triples('/named-too/'), array['/named-too/ :l rdf:nil']);
  perform test_equal(test_triples('/ring/'), '{}');
  perform test_equal(test_triples('/odd/'), array['/odd/ :l _:', '/odd/ :m _:', '/odd/ :n _:', '_: rdf:first "too',
    '_: rdf:rest _:', '_: rdf:rest rdf:nil', '_: rdf:rest rdf:nil', 'rdf:nil rdf:rest _:']);
  perform test_sound();

  -- Two documents together, with another between them.
  perform test_document('/p/');
  perform test_document('/p/1/');
  perform test_document('/p/2/');
  perform test_document('/both/', '<> :l _:1', '_:1 rdf:first /p/1/', '_:1 rdf:rest _:2', '_:2 rdf:first /p/2/', '_:2 rdf:rest _:3',
    '_:3 rdf:first /y/', '_:3 rdf:rest _:4', '_:4 rdf:first /p/2/', '_:4 rdf:rest rdf:nil');
  perform delete_children('http://test/p/');
  perform test_equal(test_list('/both/', ':l'), array['/y/']);

  -- Two thousand entries, all but two of them the same.
  v_many := array(select '_:' || n || ' rdf:first ' || case when n in (7, 1900) then '"' || n else '/y/' end
                    from generate_series(1, 2000) as n
                   union all
                  select '_:' || n || ' rdf:rest ' || case when n = 2000 then 'rdf:nil' else '_:' || n + 1 end
                    from generate_series(1, 2000) as n);
  perform test_document('/long/', variadic v_many || '<> :l _:1'::text);
  perform delete_document('http://test/y/');
  perform test_equal(test_list('/long/', ':l'), array['"7', '"1900']);
  perform test_equal(test_triples('/both/'), array['/both/ :l rdf:nil']);
  perform test_sound();
end
$test$;
rollback;
