-- Texts with U+0000 or U+0001. PostgreSQL cannot store U+0000, so src/rdf/stored-text.ts makes two characters of each:
-- U+0001 U+0001 of U+0000, and U+0001 U+0002 of U+0001. Functions that count or find characters decode such texts.
-- Equality, order, concatenation, upper and lower case are the same in both forms.

-- One character for each character of a stored text: U+10FFFF, which is not a character, for U+0000. Each of the next
-- two functions uses its argument once, so that PostgreSQL can inline it whatever the argument is.
create or replace function sparql_single(value text) returns text
language sql immutable parallel safe
return replace(replace(sparql_single.value, e'\x01\x01', e'\U0010FFFF'), e'\x01\x02', e'\x01');

comment on function sparql_single(text) is 'A stored text with one character for each character.';

-- STRLEN.
create or replace function sparql_length(value text) returns int
language sql immutable parallel safe
return length(replace(replace(sparql_length.value, e'\x01\x01', '_'), e'\x01\x02', '_'));

comment on function sparql_length(text) is 'Length of a stored text in characters.';

-- The same as sparql_single, if it can be reversed. Null, the error, for the rare text that also has U+10FFFF.
create or replace function sparql_decoded(value text) returns text
language sql immutable parallel safe
return case when strpos(sparql_decoded.value, e'\U0010FFFF') = 0 then sparql_single(sparql_decoded.value) end;

comment on function sparql_decoded(text) is 'A stored text with one character for each; null if it has U+10FFFF.';

create or replace function sparql_encoded(value text) returns text
language sql immutable parallel safe
return replace(replace(sparql_encoded.value, e'\x01', e'\x01\x02'), e'\U0010FFFF', e'\x01\x01');

comment on function sparql_encoded(text) is 'The stored text of a text that sparql_decoded has decoded.';

-- The UTF-8 of a stored text. decode gives U+0000 as a byte.
create or replace function sparql_bytes(value text) returns bytea
language plpgsql immutable strict parallel safe
as $$
begin
  if strpos(value, e'\x01') = 0 then
    return convert_to(value, 'UTF8');
  end if;
  return decode(replace(replace(replace(value, '\', '\\'), e'\x01\x01', '\000'), e'\x01\x02', e'\x01'), 'escape');
end
$$;

comment on function sparql_bytes(text) is 'UTF-8 of a stored text.';

-- CONTAINS of two texts. A part that a decoded text contains is also in the stored text. The reverse is not so, because
-- a part may begin within an escape.
create or replace function sparql_contains(value text, part text) returns boolean
language sql immutable parallel safe
return case
  when strpos(sparql_contains.value, sparql_contains.part) = 0 then false
  when strpos(sparql_contains.value, e'\x01') = 0 then true
  else strpos(sparql_decoded(sparql_contains.value), sparql_decoded(sparql_contains.part)) > 0
end;

comment on function sparql_contains(text, text) is 'CONTAINS of two texts.';

-- STRENDS of two texts.
create or replace function sparql_ends_with(value text, ending text) returns boolean
language sql immutable parallel safe
return case
  when right(sparql_ends_with.value, length(sparql_ends_with.ending)) <> sparql_ends_with.ending then false
  when strpos(sparql_ends_with.value, e'\x01') = 0 then true
  else right(sparql_decoded(sparql_ends_with.value), sparql_length(sparql_ends_with.ending))
    = sparql_decoded(sparql_ends_with.ending)
end;

comment on function sparql_ends_with(text, text) is 'STRENDS of two texts.';

-- SUBSTR of a text, with whole positions from 1.
create or replace function sparql_substr(value text, first int) returns text
language sql immutable parallel safe
return case
  when strpos(sparql_substr.value, e'\x01') = 0 then substr(sparql_substr.value, sparql_substr.first)
  else sparql_encoded(substr(sparql_decoded(sparql_substr.value), sparql_substr.first))
end;

comment on function sparql_substr(text, int) is 'The end of a stored text, from a position.';

create or replace function sparql_substr(value text, first int, count int) returns text
language sql immutable parallel safe
return case
  when strpos(sparql_substr.value, e'\x01') = 0
    then substr(sparql_substr.value, sparql_substr.first, sparql_substr.count)
  else sparql_encoded(substr(sparql_decoded(sparql_substr.value), sparql_substr.first, sparql_substr.count))
end;

comment on function sparql_substr(text, int, int) is 'A part of a stored text, from a position.';
