-- The text index: finds literals of the dictionary by trigrams of their lexical forms. It needs the extension pg_trgm.
--
-- The migrations do not create the index term_text; an operator does (quadstead text-index). It does not change the
-- answer of any query. Queries find terms in it by LIKE and then test their filter on these terms.

-- Removes differences of case from a text. The index contains the results.
--
-- For all texts x and y: folded(x || y) = folded(x) || folded(y), and folded(lower(x)) = folded(upper(x)) = folded(x).
-- Therefore x contains y, ignoring case, only if folded(x) contains folded(y). Greek has two small sigmas for one
-- capital, and lower() chooses one by its position in the word; this function replaces both by the same letter.
--
-- The index stores results of this function. To change what it returns, add a function and an index with new names.
create or replace function sparql_folded(value text) returns text
language sql immutable parallel safe
return case
  when octet_length(sparql_folded.value collate "C") = length(sparql_folded.value collate "C")
    then lower(sparql_folded.value collate "C")
  else translate(lower(upper(lower(sparql_folded.value collate "und-x-icu"))), 'ς', 'σ') collate "C"
end;

comment on function sparql_folded(text) is 'A text without differences of case, as the text index stores it.';

-- The LIKE pattern that matches folded texts with the pieces in this order.
--
--   is_start  whether the text must begin with the first piece
--   is_end    whether the text must end with the last piece
create or replace function sparql_like(pieces text[], is_start boolean, is_end boolean) returns text
language plpgsql immutable parallel safe
set search_path from current
as $$
begin
  return concat(case when not is_start then '%' end,
    (select string_agg(regexp_replace(sparql_folded(p.piece), '([\\%_])', '\\\1', 'g'), '%' order by p.n)
       from unnest(pieces) with ordinality as p (piece, n)),
    case when not is_end then '%' end);
end
$$;

comment on function sparql_like(text[], boolean, boolean) is 'The LIKE pattern for folded texts that contain pieces.';

-- The state of the index and of the extension that it needs.
--
--   is_offered        whether the server has pg_trgm
--   extension_schema  schema of pg_trgm in this database; null if the extension is not created
--   is_there          whether the index exists
--   is_usable         whether its creation was completed
--   terms             number of terms in the dictionary, from PostgreSQL's statistics
create or replace function text_index_state(out is_offered boolean, out extension_schema text, out is_there boolean,
                                            out is_usable boolean, out terms int8)
language plpgsql stable
set search_path from current
as $$
begin
  is_offered := exists (select from pg_available_extensions as a where a.name = 'pg_trgm');
  select n.nspname into extension_schema
    from pg_extension as e join pg_namespace as n on n.oid = e.extnamespace
   where e.extname = 'pg_trgm';
  select true, i.indisvalid and i.indisready into is_there, is_usable
    from pg_index as i
   where i.indexrelid = store_relation('term_text', 'term');
  is_there := coalesce(is_there, false);
  is_usable := coalesce(is_usable, false);
  select greatest(c.reltuples::int8, 0) into terms from pg_class as c where c.oid = store_relation('term', 'term');
end
$$;

comment on function text_index_state() is 'The state of the text index and of the extension that it needs.';

-- Literals from a sample of 50 pages, from which the compiler estimates how many texts contain a string. No row if
-- there is no usable index.
--
--   literals      estimated number of literals in the dictionary
--   has_letters   whether letters outside ASCII have trigrams; false if LC_CTYPE of the database is C
--   texts         the folded texts, each cut to 400 characters
create or replace function sparql_text_sample() returns table (literals float8, has_letters boolean, texts text[])
language plpgsql stable
set search_path from current
as $$
declare
  v_state record;
  v_part  constant float8 := least(1, 50 * 8192.0 / greatest(pg_relation_size(store_relation('term', 'term')), 1));
begin
  select * into v_state from text_index_state();
  if not v_state.is_usable then
    return;
  end if;
  has_letters := false;
  if has_schema_privilege(v_state.extension_schema, 'usage') then
    execute format('select cardinality(%I.show_trgm(%L)) > 0', v_state.extension_schema, 'жжж') into has_letters;
  end if;
  select count(*) / v_part, coalesce(array_agg(left(sparql_folded(t.lex), 400)), '{}') into literals, texts
    from sample_literals(v_part) as t;
  return next;
end
$$;

comment on function sparql_text_sample() is 'A sample of literals of the dictionary; no row without a usable index.';
