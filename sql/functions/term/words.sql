-- The search index: finds literals of the dictionary by their words (docs/search.md).
--
-- The index term_words contains search_words of every xsd:string and of every string with a language. Terms are shared
-- and do not change, so a literal is indexed once, whoever uses it. The writing transaction appends the words of new
-- literals to the pending list of the index. The service merges this list into the index in the background.
--
-- The index stores results of these functions. To change what they return, add functions and an index with new names.

-- A text without differences of case, without accents on Latin and Greek letters, and without the punctuation from
-- which PostgreSQL's parser would make file names, hosts and tags. A long text is cut. Sequences of more than 200
-- letters are no words: they are left out.
create or replace function search_text(value text) returns text
language plpgsql immutable parallel safe
set search_path from current
as $$
begin
  if octet_length(value) > 2000 then
    value := regexp_replace(left(value, 20000), '[^\s[:punct:]]{201,}', ' ', 'g');
  end if;
  if octet_length(value) = length(value) then
    value := lower(value collate "C");
  else
    value := regexp_replace(normalize(sparql_folded(value), nfkd), '(?<=[a-zα-ω])[\u0300-\u036f]+', '', 'g');
    if octet_length(value) <> length(value) and value is not nfc normalized then -- tests take less time than normalize
      value := normalize(value, nfc);
    end if;
  end if;
  return regexp_replace(value, '[-/.:@<>&]', ' ', 'g'); -- a tenth of the time of translate
end
$$;

comment on function search_text(text) is 'A text as its words are indexed: without case, accents and some punctuation.';

-- PostgreSQL's text search configuration for a language tag; null if it has none.
create or replace function search_config(lang text) returns regconfig
language plpgsql immutable parallel safe
as $$
begin
  return ('pg_catalog.' || case lower(split_part(lang, '-', 1))
    when 'ar' then 'arabic' when 'ca' then 'catalan' when 'da' then 'danish' when 'de' then 'german'
    when 'el' then 'greek' when 'en' then 'english' when 'es' then 'spanish' when 'eu' then 'basque'
    when 'fi' then 'finnish' when 'fr' then 'french' when 'ga' then 'irish' when 'hi' then 'hindi'
    when 'hu' then 'hungarian' when 'hy' then 'armenian' when 'id' then 'indonesian' when 'it' then 'italian'
    when 'lt' then 'lithuanian' when 'nb' then 'norwegian' when 'ne' then 'nepali' when 'nl' then 'dutch'
    when 'nn' then 'norwegian' when 'no' then 'norwegian' when 'pt' then 'portuguese' when 'ro' then 'romanian'
    when 'ru' then 'russian' when 'sr' then 'serbian' when 'sv' then 'swedish' when 'ta' then 'tamil'
    when 'tr' then 'turkish' when 'yi' then 'yiddish' end)::regconfig;
end
$$;

comment on function search_config(text) is 'Text search configuration for a language tag; null if there is none.';

-- The beginning of a text as one lexeme, without blanks and usual punctuation. '$' is appended to a whole text.
create or replace function search_lead(searched text) returns text
language sql immutable parallel safe
return '^' || regexp_replace(replace(left(search_lead.searched, 60), ' ', ''), '[,;!?()"'']', '', 'g')
           || case when length(search_lead.searched) <= 60 then '$' else '' end;

comment on function search_lead(text) is 'The beginning of a text, as one lexeme of the search index.';

-- The words of a text as they are, and their stems if PostgreSQL knows the language.
--
--   plain  as search_text returns it
create or replace function search_vector(plain text, lang text) returns tsvector
language plpgsql immutable parallel safe
set search_path from current
as $$
declare
  v_config regconfig := case when lang is not null then search_config(lang) end;
begin
  return case when v_config is null then to_tsvector('pg_catalog.simple', plain)
              else to_tsvector('pg_catalog.simple', plain) || to_tsvector(v_config, plain) end;
end
$$;

comment on function search_vector(text, text) is 'Words and stems of a text.';

-- What the index contains of a literal: its words and stems, and the beginning of the text.
create or replace function search_words(lex text, lang text) returns tsvector
language plpgsql immutable parallel safe
set search_path from current
as $$
declare
  v_text text := search_text(lex);
begin
  return search_vector(v_text, lang) || array_to_tsvector(array[search_lead(v_text)]);
end
$$;

comment on function search_words(text, text) is 'Words and stems of a literal, as the search index contains them.';

-- The query of the index for the parts of a search, all of which must match.
--
--   kinds      'word', 'phrase' (its words), 'prefix', or 'any' (one of several words)
--   texts      the words of each part, separated by blanks
--   languages  of which stems match too
create or replace function search_query(kinds text[], texts text[], languages text[]) returns tsquery
language plpgsql stable parallel safe
set search_path from current
set client_min_messages = warning -- PostgreSQL reports words that a language ignores
as $$
declare
  v_query tsquery := '';
  v_part  tsquery;
  v_stem  record;
begin
  for n in 1 .. cardinality(kinds) loop
    v_part := case kinds[n]
      when 'prefix' then to_tsquery('pg_catalog.simple', quote_literal(search_text(texts[n])) || ':*')
      when 'any' then (select string_agg(quote_literal(w.word), '|')::tsquery
                         from string_to_table(search_text(texts[n]), ' ') as w (word))
      else plainto_tsquery('pg_catalog.simple', search_text(texts[n])) end;
    if kinds[n] = 'word' then
      for v_stem in select distinct plainto_tsquery(search_config(l.lang), search_text(texts[n])) as query
                      from unnest(languages) as l (lang) where search_config(l.lang) is not null loop
        v_part := case when numnode(v_stem.query) = 0 then v_part else v_part || v_stem.query end;
      end loop;
    end if;
    v_query := case when numnode(v_query) = 0 then v_part else v_query && v_part end;
  end loop;
  return v_query;
end
$$;

comment on function search_query(text[], text[], text[]) is 'The query of the search index for the parts of a search.';

-- Whether the search index exists, and whether its creation was completed.
--
-- A name always leads to the latest index, and pg_index is read in the snapshot of the query. A query that began before
-- an import replaced the dictionary finds the new index by its name, but no row about it. This index is complete.
create or replace function search_index_state(out is_there boolean, out is_usable boolean)
language plpgsql stable
set search_path from current
as $$
declare
  v_index regclass := store_relation('term_words', 'term');
begin
  is_there := v_index is not null;
  is_usable := is_there and coalesce((select i.indisvalid and i.indisready from pg_index as i
                                       where i.indexrelid = v_index), true);
end
$$;

comment on function search_index_state() is 'Whether the search index exists and can be used.';

-- About how many literals have all words of a search, by the statistics of the index: its thousand most common words.
-- 0 if a word is not among these.
--
--   kinds, texts, languages  see search_query
create or replace function search_frequency(kinds text[], texts text[], languages text[]) returns float8
language plpgsql stable
security definer -- only the owner may read statistics of an index
set search_path from current
as $$
declare
  v_index    record;
  v_words    text[];
  v_shares   float4[];
  v_text     text;
  v_asked    text[];
  v_part     float8;
  v_share    float8 := 1;
begin
  select n.nspname as schema, c.relname as name, greatest(c.reltuples, 0) as literals into v_index
    from pg_class as c join pg_namespace as n on n.oid = c.relnamespace
   where c.oid = store_relation('term_words', 'term');
  select s.most_common_elems::text::text[], s.most_common_elem_freqs into v_words, v_shares
    from pg_stats as s
   where s.schemaname = v_index.schema and s.tablename = v_index.name;
  if v_words is null then
    return 0;
  end if;
  for n in 1 .. cardinality(kinds) loop
    v_text := search_text(texts[n]);
    v_asked := tsvector_to_array(to_tsvector('pg_catalog.simple', v_text));
    if kinds[n] = 'word' then
      v_asked := v_asked || array(select unnest(tsvector_to_array(to_tsvector(search_config(l.lang), v_text)))
                                    from unnest(languages) as l (lang) where search_config(l.lang) is not null);
    end if;
    if kinds[n] = 'prefix' then
      v_part := (select sum(w.share) from unnest(v_words, v_shares) as w (word, share)
                  where starts_with(w.word, v_asked[1]));
    else
      select case kinds[n] when 'phrase' then min(coalesce(w.share, 0)) when 'word' then max(w.share)
                           else sum(w.share) end
        into v_part
        from unnest(v_asked) as a (word)
        left join unnest(v_words, v_shares) as w (word, share) on w.word = a.word;
    end if;
    v_share := least(v_share, coalesce(v_part, 0));
  end loop;
  return v_share * v_index.literals;
end
$$;

comment on function search_frequency(text[], text[], text[]) is 'About how many literals have all words of a search.';

-- A regular expression for the lower case of each ASCII text that has a part of a search as it is written. It takes a
-- twentieth of the time of search_words.
--
--   kind, words  see search_query
create or replace function search_pattern(kind text, words text) returns text
language sql immutable parallel safe
set search_path from current
return case when search_pattern.kind = 'any' then '' -- too many words for a regular expression
            else regexp_replace(regexp_replace(search_text(search_pattern.words), '([^[:alnum:] ])', '\\\1', 'g'),
                                ' +', '[^a-z0-9]*', 'g') end;

comment on function search_pattern(text, text) is 'A regular expression for ASCII texts that have a part of a search.';

-- A regular expression for the lower case of texts that surely have a part of a search: its words between blanks or
-- usual punctuation. Other texts may have it, too. Texts of more than 2000 bytes are cut for the index, so it says
-- nothing about them.
--
--   kind, words  see search_query
--   returns      null: no text surely has the part
create or replace function search_certain_pattern(kind text, words text) returns text
language sql immutable parallel safe
set search_path from current
return (select '(^|[\s,;!?()"''])' || regexp_replace(w.plain, ' +', '\s+', 'g')
               || case search_certain_pattern.kind when 'prefix' then '' else '($|[\s,;!?()"''])' end
          from search_text(search_certain_pattern.words) as w (plain)
         where search_certain_pattern.kind <> 'any' and w.plain ~ '^[a-z0-9 ]+$');

comment on function search_certain_pattern(text, text) is
  'A regular expression for texts that surely have a part of a search.';

-- Literals that match a query, through the index.
create or replace function indexed_literals(query tsquery, literal_limit int)
returns table (id int8, length int, lang text)
language plpgsql stable
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_indexscan = off -- because of the limit, a scan of all literals could look cheaper
set max_parallel_workers_per_gather = 0
set work_mem = '16MB' -- with less, rows of whole pages are checked again
as $$
begin
  return query
    select t.id, octet_length(t.lex), t.lang from term as t
     where t.id between 4611686018427387904 and 5188146770730811391 and search_words(t.lex, t.lang) @@ query
     limit literal_limit;
end
$$;

comment on function indexed_literals(tsquery, int) is 'Literals that match a query of the search index.';

-- Literals that begin with a search, through the index.
--
--   query     which must match, too
--   whole     the words of the search in their order, as search_text returns them
--   is_open   the last word may continue
--   is_exact  only literals that are nothing but the search
create or replace function leading_literals(query tsquery, whole text, is_open boolean, is_exact boolean,
                                            literal_limit int)
returns table (id int8, length int, lang text)
language plpgsql stable
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_indexscan = off
set max_parallel_workers_per_gather = 0
set work_mem = '16MB'
as $$
declare
  v_lexeme text := search_lead(whole);
  v_lead   tsquery := case when is_exact then quote_literal(v_lexeme) else quote_literal(rtrim(v_lexeme, '$')) || ':*'
                      end::tsquery;
begin
  -- For a prefix the index would read all of its words. It is quicker to look at the beginning of the text.
  return query
    select t.id, octet_length(t.lex), t.lang from term as t
     where t.id between 4611686018427387904 and 5188146770730811391
       and search_words(t.lex, t.lang) @@ case when is_open then v_lead else v_lead && query end
       and (not is_open or starts_with(search_text(left(t.lex, length(whole))), whole)
            or search_words(t.lex, t.lang) @@ query)
     limit literal_limit;
end
$$;

comment on function leading_literals(tsquery, text, boolean, boolean, int) is 'Literals that begin with a search.';

-- Those of some literals that match a query, in the given order, up to a limit.
--
--   patterns  of the parts of the search (search_pattern)
--   certain   likewise (search_certain_pattern); null: no text surely has all parts
--   lead      lexeme: whether literals begin with it is returned
create or replace function chosen_literals(query tsquery, patterns text[], certain text[], lead text, chosen int8[],
                                           literal_limit int)
returns table (id int8, is_first boolean, length int, lang text)
language plpgsql stable
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
begin
  return query
    select m.id, starts_with(search_lead(m.beginning), lead), m.length, m.lang
      from (select t.id, search_text(left(t.lex, 60 + length(lead))) as beginning, octet_length(t.lex) as length, t.lang
              from unnest(chosen) with ordinality as c (id, n)
             cross join lateral (
               select t.*, lower(t.lex collate "C") as plain from term as t
                where t.id = c.id and t.id between 4611686018427387904 and 5188146770730811391
               offset 0) as t -- otherwise the index would be asked for the words
             where case when t.plain ~ all (patterns)
                        then octet_length(t.lex) <= 2000 and t.plain ~ all (certain) is true
                             or search_vector(search_text(t.lex), t.lang) @@ query
                        else (t.lang is not null or octet_length(t.lex) <> length(t.lex))
                             and search_vector(search_text(t.lex), t.lang) @@ query end
             limit literal_limit) as m;
end
$$;

comment on function chosen_literals(tsquery, text[], text[], text, int8[], int) is
  'Those of some literals that match a query of the search index.';

-- The strings that came last into the dictionary, the newest first.
--
--   properties  only values of these; null: all
create or replace function recent_strings(properties int8[], string_limit int) returns int8[]
language plpgsql stable
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
as $$
declare
  v_strings constant int8 := first_literal();
  v_tagged  constant int8 := first_literal() + (1::int8 << 58);
begin
  if properties is null then
    return array(
      select r.id
        from ((select t.id, t.id - v_strings as n from term as t
                where t.id >= v_strings and t.id < v_tagged
                order by t.id desc limit string_limit)
              union all
              (select t.id, t.id - v_tagged from term as t
                where t.id >= v_tagged and t.id < v_tagged + (1::int8 << 58)
                order by t.id desc limit string_limit)) as r
       order by r.n desc limit string_limit);
  end if;
  return array(
    select v.o
      from unnest(properties) as p (id)
     cross join lateral (
       select distinct r.o, r.n
         from ((select q.o, q.o - v_strings as n from quad as q
                 where q.p = p.id and q.o >= v_strings and q.o < v_tagged and q.copy is null
                 order by q.o desc limit string_limit)
               union all
               (select q.o, q.o - v_tagged from quad as q
                 where q.p = p.id and q.o >= v_tagged and q.o < v_tagged + (1::int8 << 58) and q.copy is null
                 order by q.o desc limit string_limit)) as r) as v
     group by v.o, v.n
     order by v.n desc limit string_limit);
end
$$;

comment on function recent_strings(int8[], int) is 'The strings that came last into the dictionary.';

-- Literals that match a search, up to a limit; some of them twice.
--
-- The index takes time for each literal that has the words, whatever the limit. So only the newest literals are read if
-- the words are too frequent.
--
--   query, patterns, certain, whole, is_open  see the functions above
--   within       only these literals, without a limit; null: all
--   frequency    about how many literals match
--   is_frequent  too many for the index
--   properties   of literals that are looked for; null: all
create or replace function matching_literals(query tsquery, patterns text[], certain text[], whole text,
                                             is_open boolean, within int8[], frequency float8, is_frequent boolean,
                                             properties int8[], literal_limit int)
returns table (id int8, is_first boolean, length int, lang text)
language plpgsql stable
set search_path from current
as $$
declare
  v_lead     text := rtrim(search_lead(whole), '$');
  v_recent   constant int := 600;
  v_count    int;
  v_literals float8;
  v_chosen   int8[] := within;
begin
  if within is null then
    return query
      select l.id, true, l.length, l.lang
        from leading_literals(query, whole, is_open, frequency > 150000, literal_limit) as l;
    get diagnostics v_count = row_count;
    if v_count >= literal_limit or is_frequent and v_count >= v_recent then
      return;
    elsif not is_frequent then
      return query
        select l.id, false, l.length, l.lang from indexed_literals(query, literal_limit - v_count) as l;
      return;
    end if;
    v_literals := (select greatest(c.reltuples, 1) from pg_class as c
                    where c.oid = store_relation('term_words', 'term'));
    v_chosen := recent_strings(properties, least(8000, 1000 + v_recent * v_literals / frequency)::int);
    literal_limit := v_recent;
  else
    -- The index takes 1 µs for each literal, and a look at a literal some more.
    literal_limit := null;
    v_count := 4 * cardinality(within);
    if frequency <= v_count then
      v_chosen := array(select l.id from indexed_literals(query, 2 * v_count) as l);
      v_chosen := case when cardinality(v_chosen) = 2 * v_count then within
                       else array(select unnest(within) intersect select unnest(v_chosen)) end;
    end if;
  end if;
  return query select c.* from chosen_literals(query, patterns, certain, v_lead, v_chosen, literal_limit) as c;
end
$$;

comment on function matching_literals(tsquery, text[], text[], text, boolean, int8[], float8, boolean, int8[], int) is
  'Literals that match a search, some of them twice.';

-- Literals that match a search, the best first.
--
--   kinds, texts, languages  see search_query
--   whole          the words of the search in their order: texts that begin with them are read first and score higher
--   range          only literals with this language or a narrower one (en: also en-GB); null: all
--   within         only these literals, all of which are read; null: all
--   frequency      as search_frequency returns it; 0: the words are looked up in the index, however frequent they are
--   properties     see matching_literals
--   literal_limit  otherwise no more literals are read
--   scores         greater than 0, at most 1: the share of the text that the search makes up, and 0.1 for the beginning
--   is_complete    whether all literals with the words were read
--   raises         QS503 search-ready: there is no usable index
create or replace function search_literals(kinds text[], texts text[], whole text, languages text[], range text,
                                           within int8[], frequency float8, properties int8[], literal_limit int,
                                           out ids int8[], out scores numeric[], out is_complete boolean)
language plpgsql stable
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
  v_query       tsquery := search_query(kinds, texts, languages);
  v_whole       text := search_text(whole);
  -- The index takes 0.06 µs for each literal with a word, and 0.45 µs with a prefix.
  v_is_frequent boolean := frequency > case when 'prefix' = any (kinds) then 20000 else 150000 end;
  v_phrases     tsquery[] := array(select phraseto_tsquery('pg_catalog.simple', search_text(p.words))
                                     from unnest(kinds, texts) as p (kind, words) where p.kind = 'phrase');
  v_patterns    text[] := array(select search_pattern(p.kind, p.words) from unnest(kinds, texts) as p (kind, words));
  v_certain     text[] := array(select search_certain_pattern(p.kind, p.words)
                                  from unnest(kinds, texts) as p (kind, words));
  v_near        text[] := array(select search_pattern(p.kind, p.words)
                                  from unnest(kinds, texts) as p (kind, words) where p.kind = 'phrase');
begin
  if not (select s.is_usable from search_index_state() as s) then
    raise exception 'There is no search index yet. The service creates it, or "quadstead search-index".'
      using errcode = 'QS503', constraint = 'search-ready';
  end if;
  if numnode(v_query) = 0 then
    ids := '{}';
    scores := '{}';
    is_complete := true;
    return;
  end if;
  with matched as materialized (
    select m.*
      from matching_literals(v_query, v_patterns, v_certain, v_whole, kinds[cardinality(kinds)] = 'prefix', within,
                             frequency, v_is_frequent, properties, literal_limit) as m),
  scored as (
    select m.id, round(greatest(1, 9000 * least(1, octet_length(v_whole)::float8 / greatest(m.length, 1))
                                   + case when m.is_first then 1000 else 0 end)) as score
      from (select distinct on (m.id) m.* from matched as m order by m.id, m.is_first desc) as m
     where (range is null or lower(m.lang) = lower(range) or starts_with(lower(m.lang), lower(range) || '-'))
       and (v_phrases = '{}'
            or exists (select from term as t
                        where t.id = m.id
                          and (octet_length(t.lex) <> length(t.lex) or lower(t.lex collate "C") ~ all (v_near))
                          and (select bool_and(to_tsvector('pg_catalog.simple', search_text(t.lex)) @@ p.phrase)
                                 from unnest(v_phrases) as p (phrase)))))
  select coalesce(array_agg(s.id), '{}'), coalesce(array_agg(round(s.score::numeric / 10000, 4)), '{}'),
         within is not null or not v_is_frequent and (select count(*) from matched as m) < literal_limit
    into ids, scores, is_complete
    from (select s.* from scored as s order by s.score desc, s.id) as s; -- PostgreSQL 15 would sort for each aggregate
end
$$;

comment on function search_literals(text[], text[], text, text[], text, int8[], float8, int8[], int) is
  'Literals that match a search.';

-- Merges the pending list of the search index into the index, which otherwise a writer would do.
--
--   returns  number of pages that were merged; 0 without an index
create or replace function merge_search_index() returns int8
language plpgsql
security definer -- only the owner may
set search_path from current
as $$
begin
  return coalesce((select gin_clean_pending_list(store_relation('term_words', 'term'))
                    where (select s.is_usable from search_index_state() as s)), 0);
end
$$;

comment on function merge_search_index() is 'Merges the pending list of the search index into the index.';

-- Create the index if the dictionary is small, such as that of a new dataset. Otherwise the service creates it beside
-- reads and writes, or an operator does. In a cluster, term is a view. There, the program that prepares a node does
-- this.
do $$
begin
  if (select c.relkind from pg_class as c where c.oid = 'term'::regclass) = 'r'
     and to_regclass('term_words') is null
     and not exists (select from term as t offset 10000) then
    create index term_words on term using gin (search_words(lex, lang)) with (gin_pending_list_limit = 1024)
     where id between 4611686018427387904 and 5188146770730811391;
  end if;
end
$$;
