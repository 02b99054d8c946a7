-- A dataset is created once, for one base and one platform namespace.
begin;
do $test$
begin
  perform test_equal(open_dataset(null, 'http://test/', 'https://carbonldp.com/ns/v1/platform#'), 'http://test/');
  perform test_equal(open_dataset(null, 'http://other/', 'https://carbonldp.com/ns/v1/platform#'), 'http://test/');
  perform test_equal(open_dataset('http://test/', 'http://other/', 'https://carbonldp.com/ns/v1/platform#'), 'http://test/');
  perform test_equal((select count(*) from document), 1::bigint);

  perform test_equal(
    test_raises($$ select open_dataset('http://other/', 'http://test/', 'https://carbonldp.com/ns/v1/platform#') $$,
      'QS409', 'base-url-kept'), 'This dataset''s documents live under <http://test/>, not under <http://other/>.');
  perform test_raises($$ select open_dataset(null, 'http://test/', 'http://other/ns#') $$, 'QS409', 'platform-ns-kept');
  perform test_raises($$ insert into dataset (base, platform_ns) values ('http://b/', 'x') $$, '23505', 'dataset_pkey');
  perform test_sound();
end
$test$;
rollback;
