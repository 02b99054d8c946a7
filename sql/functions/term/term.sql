-- Converts terms to ids and back.
--
-- A parameter gives a term by its key, the text that its hash is computed from (src/rdf/term.ts, termKey):
--
--   I<iri>    B<blank node label>    L<datatype IRI> <language tag> <lexical form>
--
-- #<id> gives a term by an id that the caller already knows. It stays valid while names are held
-- (term/names.sql): only a move removes terms.

create or replace function term_hash(key text) returns uuid
language sql stable parallel safe
return encode(substr(sha256(convert_to(term_hash.key, 'UTF8')), 1, 16), 'hex')::uuid;

comment on function term_hash(text) is 'First 128 bits of the SHA-256 of a term''s key; unique in the dictionary.';

-- The class of a literal in the dictionary: bits 61 … 58 of its id.
--
--   returns  0 xsd:string, 1 with a language, 3 numeric, 4 date or time, 5 boolean, 6 any other datatype
create or replace function term_class(datatype text, lang text) returns int8
language sql immutable parallel safe
return case
  when term_class.lang is not null then 1
  when term_class.datatype is null then 0
  when term_class.datatype not like 'http://www.w3.org/2001/XMLSchema#%' then 6
  when substr(term_class.datatype, 34) in ('integer', 'int', 'long', 'short', 'byte', 'decimal', 'float', 'double',
    'nonNegativeInteger', 'positiveInteger', 'nonPositiveInteger', 'negativeInteger',
    'unsignedLong', 'unsignedInt', 'unsignedShort', 'unsignedByte') then 3
  when substr(term_class.datatype, 34) in ('dateTime', 'dateTimeStamp', 'date', 'time') then 4
  when substr(term_class.datatype, 34) = 'boolean' then 5
  else 6
end;

comment on function term_class(text, text) is 'Class of a dictionary literal, bits 61 to 58 of its id.';

-- Datatype and language in a literal's key.
create or replace function key_datatype(key text) returns text
language sql immutable parallel safe
return case when split_part(key_datatype.key, ' ', 2) = ''
            then nullif(substr(split_part(key_datatype.key, ' ', 1), 2), 'http://www.w3.org/2001/XMLSchema#string')
       end;

comment on function key_datatype(text) is 'Datatype in a literal''s key; null for xsd:string and with a language.';

create or replace function key_language(key text) returns text
language sql immutable parallel safe
return nullif(split_part(key_language.key, ' ', 2), '');

comment on function key_language(text) is 'Language in a literal''s key; null for none.';

-- Ids of dictionary terms. Adds the terms that are missing.
--
--   keys     in any order; a blank node (B…) gives null, #<id> gives the id
--   returns  ids in the order of the keys
--
-- Inserts rows in the order of their hashes, so that two writers with the same new terms queue instead of deadlocking.
create or replace function intern_terms(keys text[]) returns int8[]
language plpgsql
set search_path from current
as $$
declare
  v_ids  int8[] := term_ids(keys);
  v_lost boolean;
begin
  if array_position(v_ids, null) is null then
    return v_ids;
  end if;

  with missing as materialized (
    select k.key, term_hash(k.key) as hash
      from (select distinct k.key from unnest(keys, v_ids) as k (key, id)
             where k.id is null and k.key not like 'B%') as k),
  added as (
    insert into term (id, hash, lex, datatype, lang)
    select nextval('term_seq') + case when new.kind = 'I' then 0
                                      else first_literal() + (term_class(new.datatype, new.lang) << 58) end,
           new.hash, new.lex, new.datatype, new.lang
      from (select m.hash,
                   left(m.key, 1) as kind,
                   case when m.key like 'I%' then substr(m.key, 2)
                        else substr(m.key, length(split_part(m.key, ' ', 1)) + length(split_part(m.key, ' ', 2)) + 3)
                   end as lex,
                   case when m.key like 'L%' then key_datatype(m.key) end as datatype,
                   case when m.key like 'L%' then key_language(m.key) end as lang
              from missing as m
             order by hash) as new
        on conflict (hash) do nothing
    returning term.id, term.hash)
  select array_agg(coalesce(k.id, a.id) order by k.n),
         bool_or(k.id is null and a.id is null and k.key not like 'B%')
    into v_ids, v_lost
    from unnest(keys, v_ids) with ordinality as k (key, id, n)
    left join missing as m on m.key = k.key
    left join added as a on a.hash = m.hash;
  if v_lost then -- another transaction inserted one of them first
    return term_ids(keys);
  end if;
  return v_ids;
end
$$;

comment on function intern_terms(text[]) is 'Ids of terms given by key; adds unknown ones to the dictionary.';

-- Adds terms to the dictionary under the ids that plan_terms gave them.
--
--   is_new   for each key whether to add it; each such key occurs once, and none is a blank node
--   returns  whether all were added; false: another transaction added one of them first
create or replace function add_terms(keys text[], ids int8[], is_new boolean[]) returns boolean
language plpgsql
set search_path from current
as $$
declare
  v_put int;
begin
  insert into term (id, hash, lex, datatype, lang)
  select k.id, term_hash(k.key),
         case when k.key like 'I%' then substr(k.key, 2)
              else substr(k.key, length(split_part(k.key, ' ', 1)) + length(split_part(k.key, ' ', 2)) + 3) end,
         case when k.key like 'L%' then key_datatype(k.key) end,
         case when k.key like 'L%' then key_language(k.key) end
    from unnest(keys, ids, is_new) as k (key, id, is_new)
   where k.is_new
   order by 2
      on conflict (hash) do nothing;
  get diagnostics v_put = row_count;
  return v_put = cardinality(array_positions(is_new, true));
end
$$;

comment on function add_terms(text[], int8[], boolean[]) is
  'Adds new terms to the dictionary under given ids.';

-- The one graph that contains a blank node; null if no triple does.
--
-- The cost must not depend on the size of the graph. The conditions therefore match those of the partial indexes on
-- subjects and on objects.
create or replace function graph_of_blank_node(id int8) returns int8
language plpgsql stable strict
set search_path from current
as $$
begin
  return coalesce((select q.g from quad as q where q.s = graph_of_blank_node.id and q.copy is null limit 1),
                  (select q.g from quad as q
                    where q.o = graph_of_blank_node.id and q.o between 1 and 2305843009213693951 limit 1));
end
$$;

comment on function graph_of_blank_node(int8) is
  'The one graph that contains a blank node; null if no triple does.';

-- Ids of a document's terms: terms of the dictionary, blank nodes of the document, and new blank nodes.
--
--   graph  the document; null for a new one. A label that it does not contain is a new node (decision 0007).
--   keys   each once
create or replace function resolve_terms(graph int8, keys text[]) returns int8[]
language plpgsql
set search_path from current
as $$
declare
  v_ids int8[] := intern_terms(keys);
begin
  if array_position(v_ids, null) is null then
    return v_ids;
  end if;

  return (select array_agg(coalesce(k.id, held.id, first_blank_node() + nextval('blank_node_seq')) order by k.n)
            from unnest(keys, v_ids) with ordinality as k (key, id, n)
           cross join lateral (
             select first_blank_node() + substring(k.key from '^Bqs([1-9][0-9]{0,16})$')::int8) as named (id)
            left join lateral (select named.id where graph_of_blank_node(named.id) = graph) as held on true);
end
$$;

comment on function resolve_terms(int8, text[]) is
  'Ids of a document''s terms by key; its own blank nodes keep their labels.';

-- Ids of the terms that are in the dictionary; null for the others.
create or replace function term_ids(keys text[]) returns int8[]
language plpgsql stable
set search_path from current
as $$
begin
  return (select array_agg(case when k.key like '#%' then substr(k.key, 2)::int8 else t.id end order by k.n)
            from unnest(keys) with ordinality as k (key, n)
            left join term as t on t.hash = case when k.key not like '#%' then term_hash(k.key) end);
end
$$;

comment on function term_ids(text[]) is 'Ids of terms given by key; null for those not in the dictionary.';

-- A term in N-Triples, for use in psql and in messages.
create or replace function show_term(id int8) returns text
language plpgsql stable parallel safe
set search_path from current
as $$
declare
  v_term term;
begin
  if id < 0 then
    return format('"%s"^^<http://www.w3.org/2001/XMLSchema#%s>', inline_lexical_form(id), inline_datatype(id));
  elsif is_blank_node(id) then
    return '_:qs' || (id - first_blank_node());
  end if;

  select * into v_term from term as t where t.id = show_term.id;
  if id < first_literal() then
    return '<' || v_term.lex || '>';
  end if;
  v_term.lex := replace(replace(replace(replace(v_term.lex, '\', '\\'), '"', '\"'), e'\n', '\n'), e'\r', '\r');
  -- PostgreSQL cannot store U+0000: src/rdf/stored-text.ts encodes it, with U+0001 as escape.
  v_term.lex := replace(replace(v_term.lex, e'\x01\x01', '\u0000'), e'\x01\x02', '\u0001');
  return '"' || v_term.lex || '"'
    || coalesce('@' || v_term.lang, '^^<' || v_term.datatype || '>', '');
end
$$;

comment on function show_term(int8) is 'A term in N-Triples; null for an id without a term.';

-- A term for the readable views: an IRI as it is, other terms in N-Triples. A blank node begins with _: and a literal
-- with a quotation mark, so neither can be taken for an IRI.
create or replace function plain_term(id int8) returns text
language plpgsql stable parallel safe
set search_path from current
as $$
begin
  if id between 1 and first_blank_node() - 1 then
    return (select t.lex from term as t where t.id = plain_term.id);
  end if;
  return show_term(id);
end
$$;

comment on function plain_term(int8) is 'An IRI as it is, another term in N-Triples; null for an id without a term.';
