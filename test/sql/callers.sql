-- Callers: a function refuses a caller without a grant before any other check, and records the changes of others.
begin;
do $test$
declare
  v_ada     text[] := '{public,authenticated,"agent http://e/ada"}';
  v_refused caller := row(v_ada, false, 'http://e/ada', 'request', true);
  v_hidden  caller := row(v_ada, true, 'http://e/ada', 'request', true);
  v_nobody  caller := row('{public}'::text[], false, null, 'request', true);
  v_calls   text[] := array[
    'create_document(''http://test/a/n/'', ''http://test/a/'', ''{}'', ''{}'', ''{}'', ''{}'', %L)',
    'create_access_point(''http://test/a/n/'', ''http://test/a/'', ''{}'', ''{}'', ''{}'', ''{}'', %L)',
    'replace_document(''http://test/a/'', null, null, null, ''{}'', ''{}'', ''{}'', ''{}'', %L)',
    'put_graph(''http://test/a/'', null, null, null, ''{}'', ''{}'', ''{}'', ''{}'', %L)',
    'graph_to_write(''http://test/a/'', %L)',
    'patch_document(''http://test/a/'', null, null, null, ''{}'', ''{}'', ''{}'', ''{}'', ''{}'', ''{}'', ''{}'', %L)',
    'add_members(''http://test/a/'', null, null, null, ''{http://test/b/}'', %L)',
    'remove_members(''http://test/a/'', null, null, null, null, %L)',
    'delete_document(''http://test/a/'', caller => %L)',
    'delete_children(''http://test/a/'', caller => %L)',
    'move_document(''http://test/a/'', null, null, null, ''http://test/b/n/'', true, caller => %L)',
    'copy_document(''http://test/a/'', null, null, null, ''http://test/b/n/'', true, true, caller => %L)',
    'hold_document(''http://test/a/'', %L)',
    'read_grants(''http://test/a/'', %L)',
    'put_grants(''http://test/a/'', ''{public}'', ''{"{read}"}'', null, null, null, false, %L)',
    'add_grant(''http://test/a/'', ''public'', ''{read}'', null, null, %L)',
    'remove_grant(''http://test/a/'', ''public'', null, null, false, %L)'];
  v_call    text;
  v_tags    text[];
  v         record;
begin
  perform test_document('/a/');
  perform test_document('/b/');

  -- Without a grant. A hidden document has the same result as one that does not exist.
  foreach v_call in array v_calls loop
    perform test_raises(format('select ' || v_call, v_refused), 'QS403', 'access-granted');
    perform test_raises(format('select ' || v_call, v_nobody), 'QS401', 'authentication-required');
    perform test_raises(format('select ' || v_call, v_hidden), 'QS404',
                        case when v_call like 'create%' then 'parent-exists' else 'document-exists' end);
    perform test_raises(format('select ' || replace(v_call, '/a/', '/none/'), v_hidden), 'QS404',
                        case when v_call like 'create%' then 'parent-exists' else 'document-exists' end);
  end loop;
  perform test_equal(array(
    select d.id from create_documents('{1,2}', '{http://test/a/,http://test/a/}', '{Ihttp://test/a/n/,Ihttp://test/a/m/}',
                                      '{}', '{}', '{}', '{}', array[v_refused, v_hidden]) as d), '{null,null}');
  perform test_equal((select count(*) from document as d where d.parent is not null), 2::int8);
  perform test_equal((select count(*) from audit), 0::int8);

  -- With a grant, for each of the modes that it needs.
  perform put_grants('http://test/', array[v_ada[3]], array['{write,control}'], null, null, null, false);
  v_tags := v_tags || (create_document('http://test/a/n/', 'http://test/a/', '{}', '{}', '{}', '{}', v_refused)).etag;
  select c.etag into v from create_documents('{1}', '{http://test/a/}', '{Ihttp://test/a/m/}', '{}', '{}', '{}', '{}',
                                             array[v_refused]) as c;
  v_tags := v_tags || v.etag;
  v_tags := v_tags || (add_members('http://test/a/', null, null, null, '{http://test/b/}', v_refused)).etag;
  v_tags := v_tags || (remove_members('http://test/a/', null, null, null, null, v_refused)).etag;
  v_tags := v_tags || (patch_document('http://test/a/', null, null, null, '{Ihttp://e/p}', '{}', '{}', '{}', '{1}', '{1}',
                                      '{1}', v_refused)).etag;
  v_tags := v_tags || (put_graph('http://test/a/', null, null, null, '{}', '{}', '{}', '{}', v_refused)).etag;
  v_tags := v_tags || add_grant('http://test/a/', 'public', '{read}', null, null, v_refused);
  v_tags := v_tags || (copy_document('http://test/a/', null, null, null, 'http://test/b/c/', true, true, v_refused)).etag;
  v_tags := v_tags || (move_document('http://test/b/c/', null, null, null, 'http://test/b/d/', true,
                                     caller => v_refused)).etag;
  perform delete_children('http://test/a/', caller => v_refused);
  perform delete_document('http://test/a/', caller => v_refused);
  perform test_equal(array(select format('%s %s %s', a.action, a.document, a.etag) from audit as a order by a.id), array[
    'create http://test/a/n/ ' || v_tags[1], 'create http://test/a/m/ ' || v_tags[2],
    'add-members http://test/a/ ' || v_tags[3], 'remove-members http://test/a/ ' || v_tags[4],
    'patch http://test/a/ ' || v_tags[5], 'replace http://test/a/ ' || v_tags[6], 'grant http://test/a/ ' || v_tags[7],
    'copy http://test/b/c/ ' || v_tags[8], 'move-to http://test/b/d/ ' || v_tags[9],
    'move http://test/b/c/ ' || v_tags[9], 'delete-children http://test/a/ ', 'delete http://test/a/ ']);
  perform test_equal(array(select distinct a.agent || ' ' || a.request_id from audit as a), '{http://e/ada request}'::text[]);

  -- A caller who may add members but not read does not learn the entity tag, not even by a precondition.
  perform put_grants('http://test/', array[v_ada[3]], array['{read}'], null, null, null, false);
  perform test_document('/list/');
  perform put_grants('http://test/list/', array[v_ada[3]], array['{members}'], null, false, null, false);
  perform test_equal(add_members('http://test/list/', null, null, null, '{http://test/b/}', v_refused), null::written);
  perform test_raises(format('select add_members(''http://test/list/'', ''{1}'', null, null, ''{http://test/b/}'', %L)',
                             v_refused), 'QS403', 'access-granted');

  -- Without grantees everything is allowed. Unaudited changes leave no row.
  delete from audit;
  perform patch_document('http://test/b/', null, null, null, '{}', '{}', '{}', '{}', '{}', '{}', '{}');
  perform patch_document('http://test/b/', null, null, null, '{}', '{}', '{}', '{}', '{}', '{}', '{}',
                         row(null, null, 'http://e/ada', 'request', false));
  perform test_equal((select count(*) from audit), 0::int8);
  perform patch_document('http://test/b/', null, null, null, '{}', '{}', '{}', '{}', '{}', '{}', '{}',
                         row(null, null, null, 'request', true));
  perform test_equal((select count(*) from audit), 1::int8);
end
$test$;
rollback;
