-- The text index: literals of the dictionary by the trigrams of their lexical forms, where the server offers pg_trgm.
--
-- The index term_text is no part of the schema: an operator asks for it (quadstead text-index), and without it every
-- query has the same answer. Queries look for terms in it by LIKE, and test what they find again.

-- A text without what LCASE, UCASE and case-insensitive patterns may change. The index is made of it.
--
-- For all texts x and y: folded(x || y) = folded(x) || folded(y), and folded(lower(x)) = folded(upper(x)) = folded(x).
-- So x holds y, in any case, only if folded(x) holds folded(y). Greek has two small letters for one capital; lower()
-- chooses between them by what stands beside, so they are made one.
--
-- An index keeps what this function returned: another form needs a function, and an index, of another name.
create or replace function sparql_folded(value text) returns text
language sql immutable parallel safe
return case
  when octet_length(sparql_folded.value collate "C") = length(sparql_folded.value collate "C")
    then lower(sparql_folded.value collate "C")
  else translate(lower(upper(lower(sparql_folded.value collate "und-x-icu"))), 'ς', 'σ') collate "C"
end;

comment on function sparql_folded(text) is 'A text without differences of case; the text index is made of it.';

-- The pattern of LIKE for texts that hold some pieces, one after the other.
--
--   is_start, is_end  whether the text begins with the first piece, and ends with the last
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

comment on function sparql_like(text[], boolean, boolean) is 'The pattern of LIKE for folded texts that hold pieces.';

-- The state of the index and of the extension that it needs.
--
--   is_offered        the server has pg_trgm
--   extension_schema  where the database has it; null: it was not created
--   is_there          there is an index of the name
--   is_usable         it is complete: made without interruption
--   terms             in the dictionary, by PostgreSQL's last count
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
   where i.indexrelid = to_regclass('term_text') and i.indrelid = to_regclass('term');
  is_there := coalesce(is_there, false);
  is_usable := coalesce(is_usable, false);
  select greatest(c.reltuples::int8, 0) into terms from pg_class as c where c.oid = to_regclass('term');
end
$$;

comment on function text_index_state() is 'The state of the text index and of the extension that it needs.';

-- What the compiler estimates by how many texts hold a needle: literals from a sample of pages. No row where there is
-- no index to use.
--
--   literals      in the dictionary, about
--   has_letters   whether letters beyond ASCII have trigrams; not where LC_CTYPE of the database is C
--   texts         folded, each cut after 400 characters
create or replace function sparql_text_sample() returns table (literals float8, has_letters boolean, texts text[])
language plpgsql stable
set search_path from current
as $$
declare
  v_state record;
  v_part  constant float8 := least(1, 50 * 8192.0 / greatest(pg_relation_size('term'), 1));
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
    from term as t tablesample system (100 * v_part) repeatable (0)
   where t.id >= 4611686018427387904;
  return next;
end
$$;

comment on function sparql_text_sample() is 'A sample of literals of the dictionary; no row without an index.';
