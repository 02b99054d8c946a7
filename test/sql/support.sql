-- Helpers of the SQL tests. Run it before them, in a scratch database with a dataset:
--
--   createdb scratch && DATABASE_URL=postgres:///scratch npm run quadstead -- migrate
--   PGOPTIONS='-c search_path=quadstead,pg_temp' psql -v ON_ERROR_STOP=1 -d scratch \
--     -f test/sql/support.sql -f test/sql/delete.sql
--
-- A test is one transaction that is rolled back. Its documents are below http://test/. Triples have a short notation:
--
--   <> the document · /a/ the document http://test/a/ · :x http://e/x · _:x a blank node · "x the string x
--   rdf:type … rdf:nil and ldp:member … as prefixed names · any other token is an IRI

create or replace function test_iri(token text, document text) returns text
language sql immutable
as $$
  select case
    when token = '<>' then document
    when token like '/%' then 'http://test' || token
    when token like ':%' then 'http://e/' || substr(token, 2)
    when token like 'rdf:%' then 'http://www.w3.org/1999/02/22-rdf-syntax-ns#' || substr(token, 5)
    when token like 'ldp:%' then 'http://www.w3.org/ns/ldp#' || substr(token, 5)
    when token like 'c:%' then (select platform_ns from dataset) || substr(token, 3)
    else token
  end
$$;

-- The key of a token (sql/functions/term/term.sql).
create or replace function test_key(token text, document text) returns text
language sql immutable
as $$
  select case
    when token like '\_:%' then 'B' || substr(token, 3)
    when token like '"%' then 'Lhttp://www.w3.org/2001/XMLSchema#string  ' || substr(token, 2)
    else 'I' || test_iri(token, document)
  end
$$;

-- Triples in the form of the document functions' parameters, from texts of three tokens.
create or replace function test_graph(document text, triples text[], out keys text[], out s int8[], out p int8[], out o int8[])
language plpgsql
as $$
begin
  keys := array(select distinct test_key(token, document)
                  from unnest(triples) as t (triple)
                 cross join unnest(string_to_array(t.triple, ' ')) as token);
  select array_agg(array_position(keys, test_key(split_part(t.triple, ' ', 1), document)) order by t.n),
         array_agg(array_position(keys, test_key(split_part(t.triple, ' ', 2), document)) order by t.n),
         array_agg(array_position(keys, test_key(split_part(t.triple, ' ', 3), document)) order by t.n)
    into s, p, o
    from unnest(triples) with ordinality as t (triple, n);
  s := coalesce(s, '{}');
  p := coalesce(p, '{}');
  o := coalesce(o, '{}');
end
$$;

-- The root of the tests, created with the first document. Raises if the dataset has another base.
create or replace function test_root() returns void
language plpgsql
as $$
begin
  perform open_dataset('http://test/', 'http://test/', 'https://carbonldp.com/ns/v1/platform#');
end
$$;

-- Creates /a/b/ in /a/.
create or replace function test_document(path text, variadic triples text[] default '{}') returns written
language plpgsql
as $$
declare
  v_iri text := test_iri(path, null);
  v     record;
begin
  perform test_root();
  v := test_graph(v_iri, triples);
  return create_document(v_iri, regexp_replace(v_iri, '[^/]+/$', ''), v.keys, v.s, v.p, v.o);
end
$$;

-- Creates several documents together; each is a text of its path and its triples: '/a/; <> :p :x; <> :q "1'.
create or replace function test_together(variadic documents text[])
returns table (id int8, etag text, modified timestamptz, blank_nodes int8[])
language plpgsql
as $$
declare
  v_paths   text[] := array(select split_part(d, '; ', 1) from unnest(documents) as d);
  v_keys    text[] := '{}';
  v_own     text[];
  v_places  int8[];
  v_all     int8[] := '{}';
  v_parents text[] := '{}';
  v_graphs  int[] := '{}';
  v_s       int8[] := '{}';
  v_p       int8[] := '{}';
  v_o       int8[] := '{}';
  v         record;
begin
  perform test_root();
  for n in 1..cardinality(documents) loop
    v := test_graph(test_iri(v_paths[n], null), (string_to_array(documents[n], '; '))[2:]);
    v_own := array(select case when key like 'B%' then 'B' || n || ' ' || substr(key, 2) else key end
                     from unnest(v.keys || test_key(v_paths[n], null)) as key);
    v_keys := v_keys || array(select distinct key from unnest(v_own) as key where key <> all (v_keys));
    v_places := array(select array_position(v_keys, key) from unnest(v_own) as key);
    v_all := v_all || v_places[cardinality(v_places)];
    v_parents := v_parents || regexp_replace(test_iri(v_paths[n], null), '[^/]+/$', '');
    v_graphs := v_graphs || array_fill(n, array[cardinality(v.s)]);
    v_s := v_s || array(select v_places[r] from unnest(v.s) as r);
    v_p := v_p || array(select v_places[r] from unnest(v.p) as r);
    v_o := v_o || array(select v_places[r] from unnest(v.o) as r);
  end loop;
  return query select * from create_documents(v_all, v_parents, v_keys, v_graphs, v_s, v_p, v_o);
end
$$;

-- The id of a token's term; null if it is not stored.
create or replace function test_id(token text) returns int8
language sql
as $$
  select (term_ids(array[test_key(token, null)]))[1]
$$;

-- Replaces a document in any state. Adds the service's properties as they are stored.
create or replace function test_replace(path text, variadic triples text[] default '{}') returns written
language plpgsql
as $$
declare
  v_iri  text := test_iri(path, null);
  v      record;
  v_kept record;
begin
  v := test_graph(v_iri, triples);
  select array_agg('I' || t.lex order by q.p) as keys, array_agg(q.o order by q.p) as o
    into v_kept
    from quad as q
    join term as t on t.id = q.p
   where q.g = test_id(path) and q.s = q.g and q.p between 12 and 999;
  return replace_document(v_iri, '{*}', null, null,
    v.keys || v_kept.keys || ('I' || v_iri) || array(select coalesce('I' || t.lex, 'Ihttp://e/unused')
       from unnest(v_kept.o) with ordinality as k (o, n) left join term as t on t.id = k.o order by k.n),
    v.s || array_fill((cardinality(v.keys) + cardinality(v_kept.keys) + 1)::int8, array[cardinality(v_kept.keys)]),
    v.p || array(select cardinality(v.keys) + n from generate_series(1, cardinality(v_kept.keys)) as n),
    v.o || array(select case when k.o < 0 then k.o else cardinality(v.keys) + cardinality(v_kept.keys) + 1 + k.n end
       from unnest(v_kept.o) with ordinality as k (o, n) order by k.n));
end
$$;

-- A term in the notation of the tests. All blank nodes are equal.
create or replace function test_token(id int8) returns text
language sql
as $$
  select case
    when is_blank_node(id) then '_:'
    when id >= first_literal() then '"' || (select lex from term as t where t.id = test_token.id)
    else replace(replace(replace(replace(trim(both '<>' from show_term(id)), 'http://test/', '/'), 'http://e/', ':'),
      'http://www.w3.org/1999/02/22-rdf-syntax-ns#', 'rdf:'), 'http://www.w3.org/ns/ldp#', 'ldp:')
  end
$$;

-- The triples of a document's graph without those of the service, in order.
create or replace function test_triples(path text) returns text[]
language sql
as $$
  select array(select concat_ws(' ', test_token(q.s), test_token(q.p), test_token(q.o))
                 from quad as q
                where q.g = test_id(path)
                  and not (q.s = q.g and (q.p between 12 and 999 or q.p = rdf_type() and q.o < 1000))
                order by 1)
$$;

-- The entries of the list that is the object of a document's predicate.
create or replace function test_list(path text, predicate text) returns text[]
language plpgsql
as $$
declare
  v_cell    int8;
  v_first   int8;
  v_entries text[] := '{}';
begin
  select q.o into strict v_cell from quad as q where q.g = test_id(path) and q.s = q.g and q.p = test_id(predicate);
  while v_cell <> rdf_nil() and cardinality(v_entries) < 1000 loop
    select q.o into strict v_first from quad as q where q.g = test_id(path) and q.s = v_cell and q.p = rdf_first();
    v_entries := v_entries || test_token(v_first);
    select q.o into strict v_cell from quad as q where q.g = test_id(path) and q.s = v_cell and q.p = rdf_rest();
  end loop;
  return v_entries;
end
$$;

-- Whether a document exists.
create or replace function test_exists(path text) returns boolean
language sql
as $$
  select has_document(test_iri(path, null))
$$;

-- Fails if an invariant of the store is broken.
create or replace function test_sound() returns void
language plpgsql
as $$
declare
  v_broken text := (select string_agg(c.rule || ': ' || c.detail, e'\n') from check_store() as c);
begin
  assert v_broken is null, v_broken;
end
$$;

-- Fails unless two values are equal.
create or replace function test_equal(actual anyelement, expected anyelement) returns void
language plpgsql
as $$
begin
  assert actual is not distinct from expected, format('%s, expected %s', actual, expected);
end
$$;

-- Fails unless a statement raises this code and rule. Returns the message. Rolls the statement back. In a Citus cluster
-- names of constraints end with the number of the shard.
create or replace function test_raises(statement text, code text, rule text) returns text
language plpgsql
as $$
declare
  v_rule    text;
  v_message text;
begin
  begin
    execute statement;
  exception when others then
    get stacked diagnostics v_rule = constraint_name, v_message = message_text;
    assert (sqlstate, regexp_replace(v_rule, '_\d+$', '')) is not distinct from (code, rule),
      format('%s %s (%s), expected %s %s', sqlstate, v_rule, v_message, code, rule);
    return v_message;
  end;
  assert false, format('nothing raised, expected %s %s: %s', code, rule, statement);
end
$$;

-- Whether a transaction has locked or changed the row of a document. A view of a shard has no xmax, so the table is read.
create or replace function test_is_locked(path text) returns boolean
language plpgsql
as $$
declare
  v_is_locked boolean;
begin
  execute format('select d.xmax <> 0 from %s as d join term as t using (id) where t.lex = $1',
                 store_relation('document', 'document'))
     into v_is_locked using test_iri(path, null);
  return v_is_locked;
end
$$;

-- Fails unless a statement breaks an invariant that check_store then names. Rolls the statement back.
create or replace function test_breaks(rule text, statement text) returns void
language plpgsql
as $$
declare
  v_rules text[];
begin
  begin
    execute statement;
    v_rules := array(select distinct c.rule from check_store() as c);
    raise exception using errcode = 'QS000';
  exception when sqlstate 'QS000' then
    assert rule = any (v_rules), format('%s, expected %s: %s', v_rules, rule, statement);
  end;
end
$$;
