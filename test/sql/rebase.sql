-- Rebasing: everything below the base gets other IRIs, and nothing else changes.
begin;
do $test$
declare
  v_old document[];
begin
  perform test_document('/a/', '<> :see /a/1/', '<> :see /a/#it', '<> :see http://test/data/a/', '/a/b :p http://other/a/');
  perform test_document('/a/1/', '<> :up /a/', '<> /a/#uses _:x');
  perform test_document('/data/', '<> :see /', '<> :see http://other/a/1/');
  perform put_grants('http://test/a/', '{"agent http://test/ada","agent http://other/ada",public}',
                     '{"{write,control}","{read,query}","{read}"}', null, null, null, false);
  perform add_api_key('\x0000000000000000000000000000000000000000000000000000000000000000', 'http://test/ada', '{}', '', null,
                      'http://test/a/', null);
  select array_agg(d order by d.id) into v_old from document as d;

  perform test_equal(rebase_dataset('http://test/'), 0::int8);
  perform rebase_dataset('http://other/');
  perform test_equal((select d.base from dataset as d), 'http://other/');
  perform test_equal((select array_agg(d order by d.id) from document as d), v_old);
  perform test_equal(test_triples('http://other/a/'), array['http://other/a/ :see http://other/a/#it',
    'http://other/a/ :see http://other/a/1/', 'http://other/a/ :see http://other/data/a/',
    'http://other/a/b :p http://other/a/']);
  perform test_equal(test_triples('http://other/data/'),
    array['http://other/data/ :see http://other/', 'http://other/data/ :see http://other/a/1/']);
  perform test_equal(array(select g.grantee || ' ' || array_to_string(g.modes, ',') from access_grant as g order by 1),
    array['agent http://other/ada control,query,read,write', 'public read']);
  perform test_equal((select k.agent || ' ' || k.within from api_key as k), 'http://other/ada http://other/a/');
  perform test_sound();

  -- The new base may be below the old one, and the other way round. A path there is another document's name before.
  perform rebase_dataset('http://other/data/');
  perform test_equal(test_triples('http://other/data/data/'), array['http://other/data/data/ :see http://other/data/',
    'http://other/data/data/ :see http://other/data/a/1/']);
  perform test_sound();
  perform rebase_dataset('http://test/');
  perform test_equal((select array_agg(d order by d.id) from document as d), v_old);
  perform test_equal(test_triples('/data/'), array['/data/ :see /', '/data/ :see /a/1/']);
  perform test_sound();
end
$test$;
rollback;
