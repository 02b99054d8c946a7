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
    value := normalize(regexp_replace(normalize(sparql_folded(value), nfkd), '([a-zα-ω])[\u0300-\u036f]+', '\1', 'g'),
                       nfc);
  end if;
  return translate(value, '-/.:@<>&', '        ');
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
return '^' || translate(left(search_lead.searched, 60), ' ,;!?()"''', '')
           || case when length(search_lead.searched) <= 60 then '$' else '' end;

comment on function search_lead(text) is 'The beginning of a text, as one lexeme of the search index.';

-- What the index contains of a literal: its words as they are, their stems if PostgreSQL knows the language, and the
-- beginning of the text.
create or replace function search_words(lex text, lang text) returns tsvector
language plpgsql immutable parallel safe
set search_path from current
as $$
declare
  v_text   text := search_text(lex);
  v_config regconfig := case when lang is not null then search_config(lang) end;
begin
  return to_tsvector('pg_catalog.simple', v_text)
      || array_to_tsvector(array[search_lead(v_text)])
      || case when v_config is null then '' else to_tsvector(v_config, v_text) end;
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
create or replace function search_index_state(out is_there boolean, out is_usable boolean)
language plpgsql stable
set search_path from current
as $$
begin
  select true, i.indisvalid and i.indisready into is_there, is_usable
    from pg_index as i
   where i.indexrelid = store_relation('term_words', 'term');
  is_there := coalesce(is_there, false);
  is_usable := coalesce(is_usable, false);
end
$$;

comment on function search_index_state() is 'Whether the search index exists and can be used.';

-- Literals that match a query of the index, up to a limit.
--
--   lead      lexeme: literals that begin with it are read first
--   is_first  whether the literal begins with it
--   number    of all literals that were read, some of them twice
create or replace function matching_literals(query tsquery, lead text, literal_limit int)
returns table (id int8, is_first boolean, length int, lang text, number int8)
language plpgsql stable
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_indexscan = off -- because of the limit, a scan of all literals could look cheaper
as $$
declare
  v_lead tsquery := (quote_literal(lead) || ':*')::tsquery;
begin
  return query
    with first as materialized (
      select t.id, true, length(t.lex), t.lang from term as t
       where t.id between 4611686018427387904 and 5188146770730811391
         and search_words(t.lex, t.lang) @@ (v_lead && query)
       limit literal_limit)
    select distinct on (l.id) l.*, count(*) over ()
      from (select * from first
            union all
            (select t.id, false, length(t.lex), t.lang from term as t
              where t.id between 4611686018427387904 and 5188146770730811391
                and search_words(t.lex, t.lang) @@ query
              limit literal_limit - (select count(*) from first))) as l (id, is_first, length, lang)
     order by l.id, l.is_first desc;
end
$$;

comment on function matching_literals(tsquery, text, int) is 'Literals that match a query of the search index.';

-- Literals that match a search, the best first.
--
--   kinds, texts, languages  see search_query
--   whole          the words of the search in their order: texts that begin with them are read first and score higher
--   range          only literals with this language or a narrower one (en: also en-GB); null: all
--   literal_limit  no more literals are read
--   scores         greater than 0, at most 1: the share of the text that the search makes up, and 0.1 for the beginning
--   is_complete    whether the limit was not reached
--   raises         QS503 search-ready: there is no usable index
create or replace function search_literals(kinds text[], texts text[], whole text, languages text[], range text,
                                           literal_limit int,
                                           out ids int8[], out scores numeric[], out is_complete boolean)
language plpgsql stable
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
  v_query   tsquery := search_query(kinds, texts, languages);
  v_whole   text := search_text(whole);
  v_phrases tsquery[] := array(select phraseto_tsquery('pg_catalog.simple', search_text(p.words))
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
    select m.* from matching_literals(v_query, rtrim(search_lead(v_whole), '$'), literal_limit) as m),
  scored as (
    select m.id, greatest(0.0001, round(0.9 * least(1, length(v_whole)::numeric / greatest(m.length, 1))
                                        + case when m.is_first then 0.1 else 0 end, 4)) as score
      from matched as m
     where (range is null or lower(m.lang) = lower(range) or starts_with(lower(m.lang), lower(range) || '-'))
       and (v_phrases = '{}'
            or exists (select from term as t
                        where t.id = m.id
                          and (select bool_and(to_tsvector('pg_catalog.simple', search_text(t.lex)) @@ p.phrase)
                                 from unnest(v_phrases) as p (phrase)))))
  select coalesce(array_agg(s.id order by s.score desc, s.id), '{}'),
         coalesce(array_agg(s.score order by s.score desc, s.id), '{}'),
         coalesce((select max(m.number) from matched as m), 0) < literal_limit
    into ids, scores, is_complete
    from scored as s;
end
$$;

comment on function search_literals(text[], text[], text, text[], text, int) is 'Literals that match a search.';

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
-- reads and writes, or an operator does.
do $$
begin
  if (select c.relkind from pg_class as c where c.oid = 'term'::regclass) = 'r' -- in a cluster it is a view
     and to_regclass('term_words') is null
     and not exists (select from term as t offset 10000) then
    create index term_words on term using gin (search_words(lex, lang)) with (gin_pending_list_limit = 1024)
     where id between 4611686018427387904 and 5188146770730811391;
  end if;
end
$$;
