-- Inline literals: unpacks the literal that a negative id contains.
--
-- src/rdf/inline.ts packs and unpacks the same layout; test/db/inline.test.ts compares the two on random values.
--
--   id = -2^63 + kind * 2^60 + payload
--
--   kind  literal                          payload, high to low bits
--   0     boolean                          0 or 1
--   8     decimal or double that does        1 bit for the sign, 6 bits of exponent and 52 bits of mantissa of the
--         not fit into kind 2              nearest double (src/rdf/inline.ts), then 0 for a decimal or 1 for a double
--   1     integer and its derived types    value + 2^55, then 4 bits of datatype
--   2     decimal, float and double        value * 10^6 + 2^53, then 2 bits of datatype and
--                                          3 bits for the number of fraction digits, or
--         double with an exponent          2 bits that are 1, then 2 bits for the style and 1 bit that is 0 for E
--                                          and 1 for e; no style has a zero at the end but the one of 5.0
--                                          style 0: 5.21E1, 5.0E1   1: 5.21E+01, 5E+01   2: 52.1E0, 50.0E0
--   3     dateTime with a time zone        milliseconds since 1970 in UTC + 2^46, then 7 bits of zone and
--                                          2 bits for the number of fraction digits, of which there are at most 3
--   4     the same with 6 fraction digits  microseconds since 1970 in UTC + 2^52, then 7 bits of zone
--   5     dateTime without a time zone     the same as 3
--   6     the same with 6 fraction digits  the same as 4
--   7     date                             days since 1970 + 2^30, then 7 bits of zone
--
-- Kind 8 has the place of kind 0, except for the two ids of booleans. `id >> 60` is kind - 8 for other inline literals,
-- and not negative for other terms. No function may fail for the id of another term: PostgreSQL may evaluate a test
-- before the join after which all ids are inline.

-- The datatype, by its local name in XML Schema's namespace.
create or replace function inline_datatype(id int8) returns text
language sql immutable parallel safe
return case inline_datatype.id >> 60
  when -8 then case when inline_datatype.id < -9223372036854775806 then 'boolean'
    when inline_datatype.id & 1 = 0 then 'decimal' else 'double' end
  when -7 then (array['integer', 'int', 'long', 'short', 'byte', 'nonNegativeInteger', 'positiveInteger',
    'nonPositiveInteger', 'negativeInteger', 'unsignedLong', 'unsignedInt', 'unsignedShort', 'unsignedByte'])
    [(inline_datatype.id & 15) + 1]
  when -6 then (array['decimal', 'float', 'double', 'double'])[((inline_datatype.id >> 3) & 3) + 1]
  when -5 then 'dateTime'
  when -4 then 'dateTime'
  when -3 then 'dateTime'
  when -2 then 'dateTime'
  when -1 then 'date'
end;

comment on function inline_datatype(int8) is 'Local name of an inline literal''s datatype in XML Schema''s namespace.';

-- A number of millionths as a decimal with the given number of fraction digits.
create or replace function inline_decimal(millionths int8, digits int) returns text
language sql immutable parallel safe
return trunc(inline_decimal.millionths * 0.000001, inline_decimal.digits)::text;

-- A number of millionths with an exponent, by the bits of style and letter.
create or replace function inline_scientific(millionths int8, form int) returns text
language plpgsql immutable strict parallel safe
as $$
declare
  v_sign     text := case when millionths < 0 then '-' else '' end;
  v_digits   text := abs(millionths)::text;
  v_letter   text := case when form & 1 = 1 then 'e' else 'E' end;
  v_exponent int := case when millionths = 0 then 0 else length(v_digits) - 7 end;
  v_fraction text := rtrim(substr(v_digits, 2), '0');
begin
  case form >> 1
    when 1 then
      return v_sign || left(v_digits, 1) || case when v_fraction = '' then '' else '.' || v_fraction end || v_letter
        || case when v_exponent < 0 then '-' else '+' end || lpad(abs(v_exponent)::text, 2, '0');
    when 2 then
      v_digits := lpad(v_digits, greatest(7, length(v_digits)), '0');
      return v_sign || left(v_digits, -6) || '.' || coalesce(nullif(rtrim(right(v_digits, 6), '0'), ''), '0')
        || v_letter || '0';
    else
      return v_sign || left(v_digits, 1) || '.' || coalesce(nullif(v_fraction, ''), '0') || v_letter || v_exponent;
  end case;
end
$$;

-- The double of a fine number (kind 8). A negative one has the complement of the bits of a positive one. The lowest bit
-- of the mantissa counts 2^-65 with the least of the 64 exponents. Gives some number for the id of another term.
create or replace function inline_fine(id int8) returns float8
language sql immutable parallel safe
return case when inline_fine.id >= -8646911284551352320
  then float8(inline_fine.id >> 1 & 4503599627370495 | 4503599627370496)
    * float8(1::int8 << (inline_fine.id >> 53 & 63)::int) * 2.710505431213761e-20::float8
  else float8(~(inline_fine.id >> 1) & 4503599627370495 | 4503599627370496)
    * float8(1::int8 << (~(inline_fine.id >> 53) & 63)::int) * -2.710505431213761e-20::float8 end;

-- The lexical form of a fine number: the shortest one of its double, which has no exponent in this range.
create or replace function inline_fine_form(value float8) returns text
language sql immutable parallel safe
return case when inline_fine_form.value = trunc(inline_fine_form.value) then inline_fine_form.value::text || '.0'
  else inline_fine_form.value::text end;

-- A time zone. Code 0 means none and 1 means Z. Other codes count quarters of an hour: 2 is -14:00, 58 is +00:00.
create or replace function inline_zone(code int) returns text
language sql immutable parallel safe
return case inline_zone.code
  when 0 then ''
  when 1 then 'Z'
  else case when inline_zone.code < 58 then '-' else '+' end
    || lpad((abs(inline_zone.code - 58) / 4)::text, 2, '0') || ':'
    || lpad((abs(inline_zone.code - 58) % 4 * 15)::text, 2, '0')
end;

-- The code of an inline dateTime's or date's time zone.
create or replace function inline_zone_code(id int8) returns int8
language sql immutable parallel safe
return case inline_zone_code.id >> 60 when -5 then inline_zone_code.id >> 2 when -3 then inline_zone_code.id >> 2
  else inline_zone_code.id end & 127;

-- Formats a timestamp without names of months or days. Only because of such names is to_char stable, not immutable. A
-- stable call would keep PostgreSQL from inlining the functions that use it.
create or replace function inline_clock(at timestamp, format text) returns text
language plpgsql immutable strict parallel safe
as $$
begin
  return to_char(at, format);
end
$$;

-- The lexical form, exactly as the client wrote it.
create or replace function inline_lexical_form(id int8) returns text
language sql immutable parallel safe
return case inline_lexical_form.id >> 60
  when -8 then case inline_lexical_form.id when -9223372036854775807 then 'true' when -9223372036854775808 then 'false'
    else inline_fine_form(inline_fine(inline_lexical_form.id)) end
  when -7 then (((inline_lexical_form.id & 1152921504606846975) >> 4) - 36028797018963968)::text
  when -6 then case when inline_lexical_form.id & 24 = 24
    then inline_scientific(((inline_lexical_form.id & 1152921504606846975) >> 5) - 9007199254740992,
      (inline_lexical_form.id & 7)::int)
    else inline_decimal(((inline_lexical_form.id & 1152921504606846975) >> 5) - 9007199254740992,
      (inline_lexical_form.id & 7)::int) end
  when -1 then inline_clock(timestamp '1970-01-01'
      -- The limits are days of the years 1 and 9999. A damaged id may exceed those of PostgreSQL.
      + greatest(-719162, least(((inline_lexical_form.id & 1152921504606846975) >> 7) - 1073741824, 2932896))
        * interval '1 day', 'YYYY-MM-DD')
    || inline_zone((inline_lexical_form.id & 127)::int)
  else case when inline_lexical_form.id < 0 then inline_clock(timestamp '1970-01-01'
      + case when inline_lexical_form.id & 1152921504606846976 <> 0
          then (((inline_lexical_form.id & 1152921504606846975) >> 9) - 70368744177664) * interval '1 millisecond'
          else (((inline_lexical_form.id & 1152921504606846975) >> 7) - 4503599627370496) * interval '1 microsecond' end
      + case when inline_zone_code(inline_lexical_form.id) > 1 then inline_zone_code(inline_lexical_form.id) - 58
             else 0 end * interval '15 minutes',
      case when inline_lexical_form.id & 1152921504606846976 <> 0
        then (array['YYYY-MM-DD"T"HH24:MI:SS', 'YYYY-MM-DD"T"HH24:MI:SS.FF1', 'YYYY-MM-DD"T"HH24:MI:SS.FF2',
                    'YYYY-MM-DD"T"HH24:MI:SS.MS'])[(inline_lexical_form.id & 3) + 1]
        else 'YYYY-MM-DD"T"HH24:MI:SS.US' end)
    || inline_zone(inline_zone_code(inline_lexical_form.id)::int)
  end
end;

comment on function inline_lexical_form(int8) is 'Lexical form of an inline literal, exactly as written.';

-- The id of an instant as the service writes it: xsd:dateTime in UTC with three fraction digits.
create or replace function inline_instant(at timestamptz) returns int8
language sql stable parallel safe
return -9223372036854775808 + (3::int8 << 60)
  + ((floor(extract(epoch from inline_instant.at) * 1000)::int8 + 70368744177664) << 9) + 7; -- zone 1, 3 digits

comment on function inline_instant(timestamptz) is 'Id of an instant as xsd:dateTime in UTC with milliseconds.';

comment on function inline_decimal(int8, int) is 'A number of millionths as a decimal with some fraction digits.';
comment on function inline_scientific(int8, int) is 'A number of millionths as a double with an exponent.';
comment on function inline_fine(int8) is 'Double of a fine number.';
comment on function inline_fine_form(float8) is 'Lexical form of a fine number.';
comment on function inline_zone(int) is 'A time zone in the form of XML Schema, by its code.';
comment on function inline_zone_code(int8) is 'Code of an inline dateTime''s or date''s time zone.';
comment on function inline_clock(timestamp, text) is 'A timestamp in a format without names of months or days.';
