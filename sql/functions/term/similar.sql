-- Similar words for misspelt searches (docs/search.md).
--
-- search_word contains the words of literals. The service adds those of new literals in the background, so writers do
-- not pay for them. Similar words are found by trigrams, with an index that exists if the database has the extension
-- pg_trgm. Words that no literal has any more stay. They find nothing.

-- Words of a text that similar words are found for: without digits, of 4 to 24 characters.
create or replace function spelt_words(value text) returns setof text
language sql immutable parallel safe
set search_path from current
as $$
  select w.word
    from unnest(tsvector_to_array(to_tsvector('pg_catalog.simple', search_text(value)))) as w (word)
   where length(w.word) between 4 and 24 and w.word !~ '[0-9_]'
$$;

comment on function spelt_words(text) is 'Words of a text for which similar words are found.';

-- Adds the words of some more literals to search_word.
--
-- Terms get ascending numbers, but their transactions do not commit in this order. A round therefore notes the last
-- number and the running transactions. The words up to this number are added when all of these have ended.
--
--   literal_limit  no more literals of a class are read
--   returns        whether there are more literals to be read now
create or replace function gather_search_words(literal_limit int) returns boolean
language plpgsql
security definer -- only the owner may
set search_path from current
set enable_seqscan = off
set jit = off -- search_gathering has one row and is scanned, which seems so costly that PostgreSQL 15 to 17 compile it
as $$
declare
  v_strings constant int8 := first_literal();
  v_tagged  constant int8 := first_literal() + (1::int8 << 58);
  v_row     search_gathering;
  v_until   int8;
begin
  perform hold_place();
  select * into v_row from search_gathering for update skip locked;
  if not found then -- another process is at it
    return false;
  end if;
  if v_row.ended = v_row.next
     or v_row.next_xid > pg_snapshot_xmax(pg_current_snapshot()) then -- of another server, before a move or a restore
    update search_gathering
       set next = greatest(ended, coalesce((select max(t.id) - v_strings from term as t
                                             where t.id >= v_strings and t.id < v_tagged), 0),
                           coalesce((select max(t.id) - v_tagged from term as t
                                      where t.id >= v_tagged and t.id < v_tagged + (1::int8 << 58)), 0)),
           next_xid = pg_snapshot_xmax(pg_current_snapshot())
     returning * into v_row;
  end if;
  if v_row.ended = v_row.next or v_row.next_xid > pg_snapshot_xmin(pg_current_snapshot()) then
    return false;
  end if;
  v_until := least(v_row.next,
                   (select t.id - v_strings from term as t
                     where t.id > v_strings + v_row.ended and t.id <= v_strings + v_row.next
                     order by t.id offset literal_limit - 1 limit 1),
                   (select t.id - v_tagged from term as t
                     where t.id > v_tagged + v_row.ended and t.id <= v_tagged + v_row.next
                     order by t.id offset literal_limit - 1 limit 1));
  insert into search_word (word)
  select distinct w.word
    from (select t.lex from term as t where t.id > v_strings + v_row.ended and t.id <= v_strings + v_until
          union all
          select t.lex from term as t where t.id > v_tagged + v_row.ended and t.id <= v_tagged + v_until) as t,
         spelt_words(t.lex) as w (word)
  on conflict do nothing;
  update search_gathering set ended = v_until;
  return v_until < v_row.next;
end
$$;

comment on function gather_search_words(int) is
  'Adds the words of new literals to the words among which similar ones are found.';

-- Forgets all words, so that they are gathered again.
create or replace function forget_search_words() returns void
language plpgsql
security definer
set search_path from current
as $$
begin
  perform hold_place();
  delete from search_word;
  update search_gathering set ended = 0, next = 0;
end
$$;

comment on function forget_search_words() is 'Forgets all words among which similar ones are found.';

-- The schema of pg_trgm, if similar words can be found; otherwise null.
create or replace function similar_words_schema() returns text
language sql stable
set search_path from current
as $$
  select n.nspname
    from pg_extension as e
    join pg_namespace as n on n.oid = e.extnamespace
    join pg_index as i on i.indexrelid = store_relation('search_word_similar', 'search_word')
   where e.extname = 'pg_trgm' and i.indisvalid and i.indisready and has_schema_privilege(n.oid, 'usage')
$$;

comment on function similar_words_schema() is 'Schema of pg_trgm; null if similar words cannot be found.';

-- The most similar words of literals for each of some words, by the share of equal trigrams.
--
--   word_limit  for each word
--   returns     {word: [similar word, …], …}; null if the database has no pg_trgm, or no index of it
create or replace function similar_words(words text[], word_limit int) returns jsonb
language plpgsql stable
set search_path from current
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
as $$
declare
  v_schema  text := similar_words_schema();
  v_word    text;
  v_length  int;
  v_similar text[];
  v_found   jsonb := '{}';
begin
  if v_schema is null then
    return null;
  end if;
  foreach v_word in array words loop
    v_length := length(v_word);
    -- Two mistakes change up to eight of the n + 1 trigrams of a word with n letters. Too many words have but a few
    -- trigrams in common.
    perform set_config('pg_trgm.similarity_threshold',
                       greatest(0.15, (v_length - 7)::float8 / (v_length + 9) - 0.01)::text, true);
    execute format('select array(select w.word from search_word as w
                                  where w.word operator(%1$I.%%) $1
                                  order by %1$I.similarity(w.word, $1) desc, w.word
                                  limit $2)', v_schema)
       into v_similar using search_text(v_word), word_limit;
    v_found := v_found || jsonb_build_object(v_word, v_similar);
  end loop;
  return v_found;
end
$$;

comment on function similar_words(text[], int) is 'The most similar words of literals for each of some words.';
