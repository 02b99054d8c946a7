-- Functions on strings (SPARQL 1.1 §17.4.3) and language tags.

-- Limits the length of computed texts, which may double with each step of an expression. The limit is in bytes of
-- UTF-8, a length that PostgreSQL knows without counting. A text beyond it refuses the whole query: an error of the
-- expression alone would give a wrong result.
create or replace function sparql_bounded(value text) returns text
language plpgsql immutable strict parallel safe
set search_path from current
as $$
begin
  if octet_length(value) > 10000000 then
    perform sparql_refuse_text();
  end if;
  return value;
end
$$;

comment on function sparql_bounded(text) is 'The same text; raises text-size if it is too long.';

create or replace function sparql_refuse_text() returns void
language plpgsql immutable parallel safe
as $$
begin
  raise exception 'A function would make a text of more than 10000000 bytes.'
    using errcode = 'QS422', constraint = 'text-size', detail = '{"limitBytes": 10000000}';
end
$$;

comment on function sparql_refuse_text() is 'Raises text-size.';

-- Whether two string arguments are compatible (§17.4.3.1.2).
create or replace function sparql_compatible(left_key text, right_key text) returns boolean
language sql immutable parallel safe
return sparql_simple(sparql_compatible.right_key) is not null and sparql_text(sparql_compatible.left_key) is not null
    or sparql_text(sparql_compatible.right_key) is not null
       and split_part(sparql_compatible.left_key, ' ', 1) = split_part(sparql_compatible.right_key, ' ', 1)
       and lower(sparql_lang(sparql_compatible.left_key)) = lower(sparql_lang(sparql_compatible.right_key));

comment on function sparql_compatible(text,text) is 'Whether two string arguments are compatible (§17.4.3.1.2).';

-- CONTAINS, STRSTARTS, STRENDS.
create or replace function sparql_holds(operator text, left_key text, right_key text) returns boolean
language plpgsql immutable parallel safe
set search_path from current
as $$
declare
  v_text text := sparql_text(left_key);
  v_part text := sparql_text(right_key);
begin
  if sparql_compatible(left_key, right_key) is not true then
    return null;
  end if;
  return case operator
    when 'contains' then sparql_contains(v_text, v_part)
    when 'strstarts' then starts_with(v_text, v_part)
    else sparql_ends_with(v_text, v_part) end;
end
$$;

comment on function sparql_holds(text, text, text) is 'CONTAINS, STRSTARTS and STRENDS; null for an error.';

-- STRBEFORE and STRAFTER of a string in two parts: the part of its key before the text (sparql_kind), and the text.
-- The third argument has no character of the escapes of 4_stored_text.sql.
create or replace function sparql_strbefore(kind text, value text, part text) returns text
language sql immutable parallel safe
return case
  when sparql_strbefore.part = '' then sparql_strbefore.kind
  when strpos(sparql_strbefore.value, sparql_strbefore.part) > 0 then sparql_strbefore.kind
    || left(sparql_strbefore.value, strpos(sparql_strbefore.value, sparql_strbefore.part) - 1)
  when sparql_strbefore.value is not null then sparql_string('')
end;

comment on function sparql_strbefore(text, text, text) is 'STRBEFORE of a string in two parts and a text.';

create or replace function sparql_strafter(kind text, value text, part text) returns text
language sql immutable parallel safe
return case
  when sparql_strafter.part = '' then sparql_strafter.kind || sparql_strafter.value
  when strpos(sparql_strafter.value, sparql_strafter.part) > 0 then sparql_strafter.kind
    || substr(sparql_strafter.value,
              strpos(sparql_strafter.value, sparql_strafter.part) + length(sparql_strafter.part))
  when sparql_strafter.value is not null then sparql_string('')
end;

comment on function sparql_strafter(text, text, text) is 'STRAFTER of a string in two parts and a text.';

-- The same of a simple literal: from text to text. PL/pgSQL, because PostgreSQL inlines no function that uses an
-- expensive argument several times, and a call of an SQL function costs five times as much.
create or replace function sparql_strbefore(value text, part text) returns text
language plpgsql immutable strict parallel safe
as $$
begin
  return left(value, greatest(strpos(value, part) - 1, 0));
end
$$;

comment on function sparql_strbefore(text, text) is 'STRBEFORE of two texts.';

create or replace function sparql_strafter(value text, part text) returns text
language plpgsql immutable strict parallel safe
as $$
begin
  return case when strpos(value, part) > 0 then substr(value, strpos(value, part) + length(part)) else '' end;
end
$$;

comment on function sparql_strafter(text, text) is 'STRAFTER of two texts.';

-- STRBEFORE and STRAFTER. The result has the first argument's datatype or language; it is a simple literal if the
-- second argument does not occur.
create or replace function sparql_beside(operator text, left_key text, right_key text) returns text
language plpgsql immutable parallel safe
set search_path from current
as $$
declare
  v_text  text := sparql_text(left_key);
  v_part  text := sparql_text(right_key);
  v_place int := strpos(v_text, v_part);
  v_stored boolean := strpos(v_text, e'\x01') > 0;
begin
  if sparql_compatible(left_key, right_key) is not true then
    return null;
  elsif v_part = '' then
    return sparql_relex(left_key, case operator when 'strbefore' then '' else v_text end);
  end if;
  if v_stored then
    v_text := sparql_decoded(v_text);
    v_part := sparql_decoded(v_part);
    v_place := strpos(v_text, v_part);
  end if;
  if v_place = 0 then
    return sparql_string('');
  end if;
  v_text := case operator when 'strbefore' then left(v_text, v_place - 1)
                          else substr(v_text, v_place + length(v_part)) end;
  return sparql_relex(left_key, case when v_stored then sparql_encoded(v_text) else v_text end);
end
$$;

comment on function sparql_beside(text, text, text) is 'STRBEFORE and STRAFTER; null for an error.';

-- SUBSTR, as fn:substring of XPath: positions begin at 1 and are rounded. Positions before the string count towards the
-- length.
create or replace function sparql_substring(key text, first_key text, length_key text, has_length boolean) returns text
language plpgsql immutable parallel safe
set search_path from current
as $$
declare
  v_text  text := sparql_text(key);
  v_first numeric := sparql_number(first_key);
  v_count numeric := sparql_number(length_key);
  v_end   numeric;
  v_size  int := sparql_length(v_text);
begin
  if v_text is null or v_first is null or (has_length and v_count is null) then
    return null;
  elsif v_first = 'NaN' or (has_length and v_count = 'NaN') then
    return sparql_relex(key, '');
  end if;
  v_end := case when has_length then v_first + v_count else 'Infinity' end;
  if v_end = 'NaN' then
    return sparql_relex(key, '');
  end if;
  v_first := case when abs(v_first) = 'Infinity' then v_first else floor(v_first + 0.5) end;
  v_end := case when not has_length or abs(v_count) = 'Infinity' then v_end else v_first + floor(v_count + 0.5) end;
  v_first := least(greatest(v_first, 1), v_size + 1);
  v_end := least(greatest(v_end, v_first), v_size + 1);
  return sparql_relex(key, sparql_substr(v_text, v_first::int, (v_end - v_first)::int));
end
$$;

comment on function sparql_substring(text, text, text, boolean) is 'SUBSTR; null for an error.';

create or replace function sparql_case(operator text, key text) returns text
language sql immutable parallel safe
return sparql_relex(sparql_case.key, case sparql_case.operator
  when 'ucase' then upper(sparql_text(sparql_case.key) collate "und-x-icu")
  else lower(sparql_text(sparql_case.key) collate "und-x-icu") end);

comment on function sparql_case(text, text) is 'UCASE and LCASE; null for an error.';

-- Each of the next functions uses its argument once, so that PostgreSQL can inline it whatever the argument is.
create or replace function sparql_upper(value text) returns text
language sql immutable parallel safe
return upper(sparql_upper.value collate "und-x-icu");

comment on function sparql_upper(text) is 'UCASE of a text.';

create or replace function sparql_lower(value text) returns text
language sql immutable parallel safe
return lower(sparql_lower.value collate "und-x-icu");

comment on function sparql_lower(text) is 'LCASE of a text.';

create or replace function sparql_lower_ascii(value text) returns text
language sql immutable parallel safe
return lower(sparql_lower_ascii.value collate "C");

comment on function sparql_lower_ascii(text) is 'A text with its ASCII letters in lower case.';

create or replace function sparql_ends(value text, ending text) returns boolean
language sql immutable parallel safe
return right(sparql_ends.value, length(sparql_ends.ending)) = sparql_ends.ending;

comment on function sparql_ends(text, text) is 'STRENDS of two texts.';

-- CONCAT of two strings. The language or datatype stays if both have it. The compiler nests CONCATs of more arguments
-- as pairs of pairs, so that the length is checked before a much longer text is built.
create or replace function sparql_concat(one text, other text) returns text
language plpgsql immutable parallel safe
set search_path from current
as $$
declare
  v_one   text;
  v_other text;
begin
  if octet_length(one) + octet_length(other) > 10000000 then
    v_one := sparql_text(one);
    v_other := sparql_text(other);
    if octet_length(v_one) + octet_length(v_other) > 10000000 then
      perform sparql_refuse_text();
    end if;
  end if;
  return case
    when split_part(one, ' ', 1) = split_part(other, ' ', 1) and split_part(one, ' ', 2) = split_part(other, ' ', 2)
      then sparql_relex(one, sparql_text(one) || sparql_text(other))
    else sparql_string(sparql_text(one) || sparql_text(other)) end;
end
$$;

comment on function sparql_concat(text, text) is 'CONCAT of two; null for an error.';

create or replace function sparql_concat(key text) returns text
language sql immutable parallel safe
return case when sparql_text(sparql_concat.key) is not null then sparql_concat.key end;

comment on function sparql_concat(text) is 'CONCAT of one; null for an error.';

-- The bytes of a stored text, each as a percent sign and two hexadecimal digits (RFC 3986 §2.1).
create or replace function sparql_percent(value text) returns text
language sql immutable parallel safe
return upper(regexp_replace(encode(sparql_bytes(sparql_percent.value), 'hex'), '(..)', '%\1', 'g'));

comment on function sparql_percent(text) is 'A stored text, percent-encoded byte by byte.';

-- ENCODE_FOR_URI: percent-encodes the UTF-8 bytes of all but RFC 3986's unreserved characters. A text that is mostly
-- ASCII has few different ones of the others, so each is replaced wherever it occurs. The rest is encoded run by run.
create or replace function sparql_encode(key text) returns text
language plpgsql immutable parallel safe
set search_path from current
as $$
declare
  v_text text := sparql_text(key);
  v_made text := v_text;
  v_char text := substring(v_text from '[^A-Za-z0-9_.~-]');
begin
  if v_char is null then
    return sparql_string(v_text);
  end if;
  -- Each byte becomes three bytes or stays.
  if octet_length(v_text) > 3333333 and 3 * octet_length(v_text)
      - 2 * octet_length(regexp_replace(v_text, '[^A-Za-z0-9_.~-]+', '', 'g')) > 10000000 then
    perform sparql_refuse_text();
  end if;
  v_made := replace(case when strpos(v_text, '%') = 0 then v_text else replace(v_text, '%', '%25') end, ' ', '%20');
  for v_count in 1 .. case when octet_length(v_text) < 1.2 * length(v_text) then 12 else 0 end loop
    v_char := substring(v_made from '[^A-Za-z0-9_.~%-]');
    if v_char is null then
      return sparql_string(v_made);
    end if;
    -- In a stored text these two are parts of pairs.
    exit when v_char in (e'\x01', e'\x02');
    v_made := replace(v_made, v_char, sparql_percent(v_char));
  end loop;
  return sparql_string((
    select string_agg(case when r.run[1] ~ '^[A-Za-z0-9_.~-]' then r.run[1] else sparql_percent(r.run[1]) end, ''
             order by r.n)
      from regexp_matches(v_text, '[A-Za-z0-9_.~-]+|[^A-Za-z0-9_.~-]+', 'g') with ordinality as r (run, n)));
end
$$;

comment on function sparql_encode(text) is 'ENCODE_FOR_URI; null for an error.';

-- LANGMATCHES: basic filtering of RFC 4647.
create or replace function sparql_lang_matches(tag_key text, range_key text) returns boolean
language sql immutable parallel safe
return case when sparql_simple(sparql_lang_matches.range_key) = '*'
  then sparql_simple(sparql_lang_matches.tag_key) <> ''
  else lower(sparql_simple(sparql_lang_matches.tag_key)) = lower(sparql_simple(sparql_lang_matches.range_key))
    or sparql_simple(sparql_lang_matches.range_key) <> ''
       and starts_with(lower(sparql_simple(sparql_lang_matches.tag_key)),
         lower(sparql_simple(sparql_lang_matches.range_key)) || '-')
end;

comment on function sparql_lang_matches(text, text) is 'LANGMATCHES; null for an error.';

-- REGEX, with a pattern in PostgreSQL's syntax (regex.ts). An invalid pattern is an error of the
-- expression, not of the query. Here and below, letters and their case are those of Unicode, whatever the collations of
-- the text and of the database are: texts of the dictionary have the collation "C", which knows ASCII only.
create or replace function sparql_matches(value text, pattern text) returns boolean
language plpgsql immutable parallel safe
as $$
begin
  return value ~ pattern collate "und-x-icu";
exception when invalid_regular_expression then
  return null;
end
$$;

comment on function sparql_matches(text, text) is 'Whether a text matches a pattern; null if the pattern is invalid.';

-- A constant pattern, checked once per query; null if it is invalid.
create or replace function sparql_regex(pattern text) returns text
language plpgsql immutable parallel safe
as $$
begin
  return case when '' ~ pattern collate "und-x-icu" is not null then pattern end;
exception when invalid_regular_expression then
  return null;
end
$$;

comment on function sparql_regex(text) is 'The same pattern; null if it is invalid.';

-- REPLACE; null if the pattern is invalid. A pattern may match the empty text, as in XPath 4.0 and in other stores; in
-- XPath 3.1 it may not. The length of the result is at most that of a text that has the replacement around each byte.
create or replace function sparql_replace(key text, pattern text, replacement text) returns text
language plpgsql immutable parallel safe
set search_path from current
as $$
begin
  return sparql_relex(key, sparql_replaced(sparql_text(key), pattern, replacement));
exception when invalid_regular_expression then
  return null;
end
$$;

comment on function sparql_replace(text, text, text) is 'REPLACE; null for an error.';

-- REPLACE in a text whose result could become too long, or that has escapes: counts the matches first.
create or replace function sparql_replace_long(value text, pattern text, replacement text) returns text
language plpgsql immutable parallel safe
set search_path from current
as $$
declare
  v_references int := regexp_count(replacement, '\\[0-9&]');
  v_size       int8 := octet_length(value)::int8 * (1 + v_references)
    + regexp_count(value, pattern collate "und-x-icu")::int8 * octet_length(replacement);
begin
  if v_size > 40000000 then -- four times the limit: references rarely repeat the whole text
    perform sparql_refuse_text();
  elsif strpos(value, e'\x01') > 0 then
    return sparql_bounded(sparql_encoded(regexp_replace(sparql_decoded(value), pattern collate "und-x-icu",
      sparql_decoded(replacement), 'g')));
  end if;
  return sparql_bounded(regexp_replace(value, pattern collate "und-x-icu", replacement, 'g'));
end
$$;

comment on function sparql_replace_long(text, text, text) is 'REPLACE of a long text; raises text-size.';

-- REPLACE in a text, with a valid pattern.
create or replace function sparql_replaced(value text, pattern text, replacement text) returns text
language sql immutable parallel safe
return case
  when (octet_length(sparql_replaced.value)::int8 + 1) * (1 + octet_length(sparql_replaced.replacement)) > 10000000
      or strpos(sparql_replaced.value, e'\x01') > 0
    then sparql_replace_long(sparql_replaced.value, sparql_replaced.pattern, sparql_replaced.replacement)
  else regexp_replace(sparql_replaced.value, sparql_replaced.pattern collate "und-x-icu",
    sparql_replaced.replacement, 'g')
end;

comment on function sparql_replaced(text, text, text) is 'REPLACE in a text; raises text-size.';

-- Translates a pattern that is not a constant to PostgreSQL's syntax: flags and '.' only. regex.ts
-- translates constant patterns.
create or replace function sparql_pattern(pattern_key text, flags_key text) returns text
language plpgsql immutable parallel safe
set search_path from current
as $$
declare
  v_pattern text := sparql_single(sparql_simple(pattern_key));
  v_flags   text := sparql_simple(flags_key);
begin
  if v_flags !~ '^[smixq]*$' then
    return null;
  elsif v_flags ~ 'q' then
    v_pattern := regexp_replace(v_pattern, '([][\\.*+?^$(){}|/-])', '\\\1', 'g');
  elsif v_flags ~ 'x' then
    v_pattern := regexp_replace(v_pattern, '\s', '', 'g');
  end if;
  if v_flags !~ '[sq]' then
    -- Without the flag s, a dot outside of escapes and character classes does not match line ends.
    v_pattern := (select string_agg(case m.part[1] when '.' then '[^\n\r]' else m.part[1] end, '' order by m.n)
                    from regexp_matches(v_pattern, '\\.|\[(?:\\.|[^]\\])*\]|.', 'g') with ordinality as m (part, n));
  end if;
  return '(?' || case when v_flags ~ 'i' then 'i' else 'c' end || case when v_flags ~ 'm' then 'w' else 's' end || ')'
    || coalesce(v_pattern, '');
end
$$;

comment on function sparql_pattern(text, text) is
  'A pattern with its flags in PostgreSQL''s syntax; null for invalid flags.';

create or replace function sparql_replacement(key text) returns text
language sql immutable parallel safe
return case when sparql_simple(sparql_replacement.key) ~ '^([^\\$]|\\[\\$]|\$[0-9])*$' then coalesce(
  (select string_agg(case m.part[1] when '\$' then '$' when '$0' then '\&'
                     else regexp_replace(m.part[1], '^\$', '\\') end, '' order by m.n)
     from regexp_matches(sparql_simple(sparql_replacement.key), '[\\$].|[^\\$]+', 'g')
            with ordinality as m (part, n)), '') end;

comment on function sparql_replacement(text) is 'A replacement in PostgreSQL''s syntax; null if it is invalid.';

-- MD5, SHA1, SHA256, SHA384 and SHA512 of a simple literal. SHA1 has a function of its own, because PostgreSQL without
-- extensions has none.
create or replace function sparql_digest(operator text, key text) returns text
language plpgsql immutable parallel safe
set search_path from current
as $$
declare
  v_bytes bytea := sparql_bytes(sparql_simple(key));
begin
  return sparql_string(case operator
    when 'md5' then md5(v_bytes)
    when 'sha1' then sparql_sha1(v_bytes)
    when 'sha256' then encode(sha256(v_bytes), 'hex')
    when 'sha384' then encode(sha384(v_bytes), 'hex')
    else encode(sha512(v_bytes), 'hex') end);
end
$$;

comment on function sparql_digest(text, text) is 'Hash functions; null for an error.';

-- SHA-1 (FIPS 180-4 §6.1).
create or replace function sparql_sha1(bytes bytea) returns text
language plpgsql immutable parallel safe
as $$
declare
  m   constant int8 := 4294967295;
  h   int8[] := array[1732584193, 4023233417, 2562383102, 271733878, 3285377520];
  k   constant int8[] := array[1518500249, 1859775393, 2400959708, 3395469782];
  w   int8[];
  v   int8[];
  f   int8;
  x   int8;
  v_message bytea;
begin
  if bytes is null then
    return null;
  end if;
  v_message := bytes || '\x80'::bytea
    || decode(repeat('00', (119 - length(bytes) % 64) % 64), 'hex') || int8send(length(bytes)::int8 * 8);
  for v_block in 0 .. length(v_message) / 64 - 1 loop
    for i in 0 .. 15 loop
      w[i] := (get_byte(v_message, v_block * 64 + i * 4)::int8 << 24)
        + (get_byte(v_message, v_block * 64 + i * 4 + 1) << 16)
        + (get_byte(v_message, v_block * 64 + i * 4 + 2) << 8) + get_byte(v_message, v_block * 64 + i * 4 + 3);
    end loop;
    for i in 16 .. 79 loop
      x := w[i - 3] # w[i - 8] # w[i - 14] # w[i - 16];
      w[i] := ((x << 1) | (x >> 31)) & m;
    end loop;
    v := h;
    for i in 0 .. 79 loop
      f := case i / 20 when 0 then (v[2] & v[3]) | (~v[2] & m & v[4])
                       when 2 then (v[2] & v[3]) | (v[2] & v[4]) | (v[3] & v[4])
                       else v[2] # v[3] # v[4] end;
      x := ((((v[1] << 5) | (v[1] >> 27)) & m) + f + v[5] + k[i / 20 + 1] + w[i]) & m;
      v := array[x, v[1], ((v[2] << 30) | (v[2] >> 2)) & m, v[3], v[4]];
    end loop;
    h := array[(h[1] + v[1]) & m, (h[2] + v[2]) & m, (h[3] + v[3]) & m, (h[4] + v[4]) & m, (h[5] + v[5]) & m];
  end loop;
  return lpad(to_hex(h[1]), 8, '0') || lpad(to_hex(h[2]), 8, '0') || lpad(to_hex(h[3]), 8, '0')
    || lpad(to_hex(h[4]), 8, '0') || lpad(to_hex(h[5]), 8, '0');
end
$$;

comment on function sparql_sha1(bytea) is 'SHA-1 (FIPS 180-4 §6.1).';

-- IRI(): resolves the argument's text against an absolute base (RFC 3986 §5.2).
create or replace function sparql_iri(key text, base text) returns text
language plpgsql immutable parallel safe
set search_path from current
as $$
declare
  v_reference text := case when key like 'I%' then substr(key, 2) else sparql_simple(key) end;
  v_syntax    constant text := '^(?:([A-Za-z][A-Za-z0-9+.-]*):)?(?://([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$';
  v_parts     text[];
  v_base      text[];
  v_path      text;
begin
  if v_reference is null or v_reference ~ '[\u0001-\u0020<>"{}|\\^`]' then
    return null;
  elsif v_reference ~ '^[A-Za-z][A-Za-z0-9+.-]*:' then
    return 'I' || v_reference;
  end if;
  v_parts := regexp_match(v_reference, v_syntax);
  v_base := regexp_match(base, v_syntax);
  v_path := case when v_parts[2] is not null or v_parts[3] like '/%' then v_parts[3]
                 when v_parts[3] = '' then v_base[3]
                 when v_base[2] is not null and v_base[3] = '' then '/' || v_parts[3]
                 else regexp_replace(v_base[3], '[^/]*$', '') || v_parts[3] end;
  return 'I' || v_base[1] || ':'
    || coalesce('//' || coalesce(v_parts[2], v_base[2]), '')
    || case when v_parts[3] = '' and v_parts[2] is null then v_path else sparql_path(v_path) end
    || coalesce('?' || case when v_parts[4] is null and v_parts[3] = '' and v_parts[2] is null then v_base[4]
                            else v_parts[4] end, '')
    || coalesce('#' || v_parts[5], '');
end
$$;

comment on function sparql_iri(text, text) is 'IRI(): the key of an IRI; null for an error.';

-- Removes the dot segments of a path (RFC 3986 §5.2.4).
create or replace function sparql_path(path text) returns text
language plpgsql immutable parallel safe
as $$
declare
  v_segment text;
  v_kept    text[] := '{}';
  v_all     text[] := string_to_array(ltrim(path, '/'), '/');
begin
  if path !~ '(^|/)\.{1,2}(/|$)' then
    return path;
  end if;
  for i in 1 .. cardinality(v_all) loop
    v_segment := v_all[i];
    if v_segment = '..' then
      v_kept := v_kept[1:cardinality(v_kept) - 1];
    end if;
    if v_segment not in ('.', '..') then
      v_kept := v_kept || v_segment;
    elsif i = cardinality(v_all) then
      v_kept := v_kept || '';
    end if;
  end loop;
  return case when path like '/%' then '/' else '' end || array_to_string(v_kept, '/');
end
$$;

comment on function sparql_path(text) is 'A path without its dot segments (RFC 3986 §5.2.4).';

-- Literals that match a search (text:query), as search_literals of term/words.sql returns them.
create or replace function sparql_search(kinds text[], texts text[], whole text, languages text[], range text,
                                         literal_limit int8)
returns table (id int8, score numeric)
language plpgsql stable rows 100
set search_path from current
as $$
begin
  return query
    select f.id, f.score
      from search_literals(kinds, texts, whole, languages, range, null, 0, null, literal_limit::int) as s,
           unnest(s.ids, s.scores) as f (id, score);
end
$$;

comment on function sparql_search(text[], text[], text, text[], text, int8) is 'Literals that match a search.';
