-- Creating several documents together: each has the same result as alone, and documents that are not plain are skipped.
begin;
do $test$
declare
  v_made  record;
  v_alone written;
  v_terms int8;
begin
  -- Each has its row, its graph, its blank nodes and its entity tag. The rows of the result are in order.
  perform test_document('/p/', '<> ldp:hasMemberRelation :has');
  create temporary table made on commit drop as
  select * from test_together(
    '/a/; <> :name "a; <> :see :x; _:n :p :y; <> :node _:n; <> rdf:type ldp:RDFSource',
    '/p/b/; <> :name "b; <> :see :x; _:n :p :y; <> :see :x',
    '/p/c/') with ordinality as w (id, etag, modified, blank_nodes, n);
  perform test_equal(array(select id from made order by n), array[test_id('/a/'), test_id('/p/b/'), test_id('/p/c/')]);
  perform test_equal(array(select (d.revision::text, d.modified)::text from made as m join document as d using (id) order by n),
    array(select (etag, modified)::text from made order by n));
  perform test_equal(array(select member_by from document join made using (id) order by n),
    array[ldp_member(), test_id(':has'), test_id(':has')]);
  perform test_equal((select count(distinct etag) from made), 3::bigint);
  perform test_equal(array(select blank_nodes is null from made order by n), array[false, true, true]);
  perform test_equal((select blank_nodes from made where n = 1),
    array(select q.s from quad as q where q.p = test_id(':p') order by q.g = test_id('/p/b/')));
  perform test_equal(test_triples('/a/'), array['/a/ :name "a', '/a/ :node _:', '/a/ :see :x', '_: :p :y']);
  perform test_equal(test_triples('/p/b/'), array['/p/b/ :name "b', '/p/b/ :see :x', '_: :p :y']);
  perform test_equal(test_triples('/p/c/'), '{}');
  perform test_sound();

  -- The same as alone: the triples of the service, and their rows.
  v_alone := test_document('/alone/');
  perform test_equal(
    array(select (q.s = q.g, q.p, case when q.o > 0 and q.o <> q.g then q.o end)::text from quad as q
           where q.g = test_id('/p/c/') order by 1),
    array(select (q.s = q.g, q.p, case when q.o > 0 and q.o <> q.g then q.o end)::text from quad as q
           where q.g = v_alone.id order by 1));
  perform test_equal(
    array(select distinct inline_lexical_form(q.o) from quad as q
           where q.g = test_id('/p/c/') and q.p in (platform_created(), platform_modified())),
    array[to_char((select modified from made where n = 3) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')]);

  -- They may refer to each other, state their memberships, and have the same triples.
  perform test_together('/1/; <> :next /2/; /2/ :name "two; / ldp:member /2/; :shared :by :all; :shared :by "1',
    '/2/; <> :name "two; :shared :by :all', '/3/; :shared :by :all; /1/ rdf:type ldp:BasicContainer');
  perform test_equal(test_triples('/1/'), array['/ ldp:member /2/', '/1/ :next /2/', '/2/ :name "two',
    ':shared :by "1', ':shared :by :all']);
  perform test_equal(test_triples('/3/'), array['/1/ rdf:type ldp:BasicContainer', ':shared :by :all']);
  perform test_equal((select array_agg(copy order by copy nulls first) from quad
                       where s = test_id(':shared') and o = test_id(':all')), array[null, true, true]);
  perform test_equal((select copy from quad where p = ldp_member() and o = test_id('/2/')), true);
  perform test_sound();

  -- Documents that are not plain are skipped without a trace. The others are created.
  perform create_access_point('http://test/p/point/', 'http://test/p/',
    array['Ihttp://test/p/point/', 'Ihttp://www.w3.org/ns/ldp#hasMemberRelation', 'Ihttp://e/of'], '{1}', '{2}', '{3}');
  perform test_document('/list/', '<> ldp:isMemberOfRelation :in');
  v_terms := (select count(*) from term);
  drop table made;
  create temporary table made on commit drop as
  select * from test_together(
    '/none/x/; <> :name "missing', '/p/point/x/; <> :name "point', '/list/x/; <> :name "referring',
    '/good/; <> :name "good; :shared :by :all', '/a/; <> :name "taken; <> :other "taken2', ':x; <> :name "term',
    '/rules/; <> ldp:hasMemberRelation :has; <> :name "rules', '/good/; <> :name "twice',
    '/rules2/; <> ldp:insertedContentRelation :has', '/good2/; _:n :name _:n') with ordinality
    as w (id, etag, modified, blank_nodes, n);
  perform test_equal(array(select n from made where id is not null order by n), array[4, 10]::int8[]);
  perform test_equal(array(select n from made where etag is not null or modified is not null order by n), array[4, 10]::int8[]);
  perform test_equal(test_triples('/good/'), array['/good/ :name "good', ':shared :by :all']);
  perform test_equal(test_triples('/a/'), array['/a/ :name "a', '/a/ :node _:', '/a/ :see :x', '_: :p :y']);
  perform test_equal((select count(*) from term), v_terms + 3); -- the two IRIs, and "good
  perform test_sound();

  -- If no document can be created, nothing is.
  for v_made in select * from test_together('/none/x/', '/none/y/; <> :name "y') loop
    perform test_equal(row(v_made.id, v_made.etag, v_made.modified, v_made.blank_nodes)::text, '(,,,)');
  end loop;
  perform test_equal((select count(*) from term), v_terms + 3);
end
$test$;
rollback;
