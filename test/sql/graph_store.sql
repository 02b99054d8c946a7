-- The Graph Store Protocol: what graphs are, and replacing the graph of a document without the triples of the service.
begin;
do $test$
declare
  v_ada     text[] := '{public,authenticated,"agent http://e/ada"}';
  v_refused caller := row(v_ada, false, 'http://e/ada', 'request', true);
  v_hidden  caller := row(v_ada, true, 'http://e/ada', 'request', true);
  v_owned   text[];
  v_before  tid[];
  v_one     written;
  v_two     written;
  v_graph   record;
  v_raw     int8;
begin
  v_one := test_document('/a/', '<> :name "a', '<> :part _:x', '_:x :name "x');
  perform test_document('/a/b/');
  v_owned := array(select show_term(q.p) || show_term(q.o) from quad as q
                    where q.g = v_one.id and q.s = q.g and is_reserved(false, q.p, q.o) and q.p <> platform_modified()
                    order by 1);
  v_before := array(select ctid from quad where g = v_one.id);

  -- Only the difference is written, and the service's triples stay.
  v_graph := test_graph('http://test/a/', array['<> :name "a', '<> :tag "1']);
  v_two := put_graph('http://test/a/', array[v_one.etag], null, null, v_graph.keys, v_graph.s, v_graph.p, v_graph.o);
  perform test_equal(test_triples('/a/'), array['/a/ :name "a', '/a/ :tag "1']);
  perform test_equal(array(select show_term(q.p) || show_term(q.o) from quad as q
                            where q.g = v_one.id and q.s = q.g and is_reserved(false, q.p, q.o)
                              and q.p <> platform_modified() order by 1), v_owned);
  perform test_equal((select count(*) from quad where g = v_one.id and ctid <> all (v_before)), 2::bigint);
  assert v_two.etag::int8 > v_one.etag::int8 and v_two.modified > v_one.modified, 'a new tag, a later time';
  perform test_equal((select inline_lexical_form(o) from quad where g = v_one.id and s = g and p = platform_modified()),
    to_char(v_two.modified at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'));

  -- They cannot be changed.
  v_graph := test_graph('http://test/a/', array['<> ldp:hasMemberRelation :other']);
  perform test_raises(format('select put_graph(''http://test/a/'', null, null, null, %L, %L, %L, %L)', v_graph.keys,
                             v_graph.s, v_graph.p, v_graph.o), 'QS409', 'reserved-free');
  perform test_raises($$ select put_graph('http://test/a/', '{0}', null, null, '{}', '{}', '{}', '{}') $$, 'QS412',
                      'etag-mismatch');
  perform test_raises($$ select put_graph('http://test/none/', null, null, null, '{}', '{}', '{}', '{}') $$, 'QS404',
                      'document-exists');
  perform put_graph('http://test/a/', null, null, null, '{}', '{}', '{}', '{}');
  perform test_equal((select count(*) from quad where g = v_one.id), 8::bigint);

  -- What graphs are.
  v_raw := (intern_terms('{Ihttp://raw/g}'))[1];
  insert into raw_graph (id) values (v_raw);
  perform test_equal(array(select graph_to_write(i.iri)
                             from unnest(array['http://test/', 'http://test/a/', 'http://test/a/c/', 'http://raw/g'])
                               as i (iri)), '{document,document,free,raw}');
  perform test_raises('select graph_to_write(''http://test/c/d/'')', 'QS404', 'parent-exists');
  perform test_raises(format('select graph_to_write(%L)', i.iri), 'QS422', 'graph-known')
     from unnest(array['urn:g', 'http://other/g/', 'http://test/g']) as i (iri);
  perform test_raises(format('select graph_to_write(%L)', i.iri), 'QS400', 'segment-usable')
     from unnest(array['http://test/.system/', 'http://test/a%2Fb/']) as i (iri);

  -- Without a grant, an existing document cannot be told from a missing one.
  perform test_raises(format('select graph_to_write(%L, %L)', i.iri, v_refused), 'QS403', 'access-granted')
     from unnest(array['http://test/a/', 'http://test/c/']) as i (iri);
  perform test_raises(format('select graph_to_write(%L, %L)', i.iri, v_hidden), 'QS404', 'document-exists')
     from unnest(array['http://test/a/', 'http://test/c/']) as i (iri);
  perform test_raises(format('select graph_to_write(''http://raw/g'', %L)', v_refused), 'QS422', 'graph-known');

  -- A document needs edit, a free child create.
  perform put_grants('http://test/', array[v_ada[3]], array['{create}'], null, null, null, false);
  perform test_equal(graph_to_write('http://test/c/', v_refused), 'free');
  perform test_raises(format('select graph_to_write(''http://test/a/'', %L)', v_refused), 'QS403', 'access-granted');
  perform put_grants('http://test/', array[v_ada[3]], array['{edit}'], null, null, null, false);
  perform test_equal(graph_to_write('http://test/a/', v_refused), 'document');
  perform test_raises(format('select graph_to_write(''http://test/c/'', %L)', v_refused), 'QS403', 'access-granted');
  perform test_equal(graph_to_write('http://raw/g', v_refused), 'raw');
end
$test$;
rollback;
