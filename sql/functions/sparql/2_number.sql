-- Numbers in SPARQL: values, arithmetic with XPath's type promotion, rounding and canonical forms.
--
-- All values are numeric, which includes NaN and the infinities, but no negative zero: its sign is in the key only
-- (sparql_is_negative). A float or double is represented by the shortest decimal that rounds to it. Ranks give the
-- order of promotion: 1 integers, 2 decimal, 3 float, 4 double.
-- Sources: SPARQL 1.1 §17.3, §17.4.4; XPath functions §4; XSD 1.1 part 2 §3.3.

-- The rank of a numeric literal's datatype; null for other terms.
create or replace function sparql_rank(key text) returns int
language sql immutable parallel safe
return case when sparql_rank.key like 'Lhttp://www.w3.org/2001/XMLSchema#%' then
  case substr(split_part(sparql_rank.key, ' ', 1), 35)
    when 'integer' then 1 when 'decimal' then 2 when 'float' then 3 when 'double' then 4
    when 'int' then 1 when 'long' then 1 when 'short' then 1 when 'byte' then 1
    when 'nonNegativeInteger' then 1 when 'positiveInteger' then 1 when 'nonPositiveInteger' then 1
    when 'negativeInteger' then 1 when 'unsignedLong' then 1 when 'unsignedInt' then 1 when 'unsignedShort' then 1
    when 'unsignedByte' then 1
  end
end;

comment on function sparql_rank(text) is
  'Rank of a number''s datatype: 1 integers, 2 decimal, 3 float, 4 double; null for others.';

-- sparql_number for any key.
--
-- Calls no function of the schema, so it needs no search path: setting one would cost more than everything else here.
create or replace function sparql_any_number(key text) returns numeric
language plpgsql immutable parallel safe
as $$
declare
  v_type     text;
  v_lex      text;
  v_value    numeric;
  v_exponent text;
begin
  if starts_with(key, 'Lhttp://www.w3.org/2001/XMLSchema#') is not true then
    return null;
  end if;
  v_type := substr(split_part(key, ' ', 1), 35);
  if v_type in ('string', 'boolean', 'dateTime', 'date') then
    return null;
  end if;
  v_lex := substr(key, length(v_type) + 37);
  if v_type = 'integer' and v_lex ~ '^[+-]?[0-9]+$' and length(v_lex) <= 1000 then
    return v_lex::numeric;
  end if;
  v_lex := btrim(v_lex, e' \t\r\n');

  if v_type = 'double' or v_type = 'float' then
    -- PostgreSQL reads forms of moderate size. For larger ones it may raise, where XML Schema has zero or infinity.
    if length(v_lex) <= 24
       and v_lex ~ (case v_type when 'double' then '^[+-]?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9][0-9]?)?$'
                                else '^[+-]?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9])?$' end) then
      return case v_type when 'double' then v_lex::float8::text else v_lex::float4::text end::numeric;
    elsif v_lex in ('NaN', 'INF', '-INF', '+INF') then
      return replace(v_lex, 'INF', 'Infinity')::numeric;
    elsif length(v_lex) > 1000 or v_lex !~ '^[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?$' then
      return null;
    end if;
    v_value := split_part(lower(v_lex), 'e', 1)::numeric;
    v_exponent := coalesce(substring(v_lex from '[eE]([+-]?[0-9]+)$'), '0');
    if v_value = 0 then
      return 0;
    elsif length(ltrim(v_exponent, '+-0')) > 4 or v_exponent::int not between -2000 and 2000 then
      v_value := case when v_exponent like '-%' then 0 else 'Infinity'::numeric * sign(v_value) end;
    else
      v_value := lower(v_lex)::numeric;
    end if;
    if abs(v_value) > (case v_type when 'double' then 1.7976931348623158e308 else 3.4028235e38 end) then
      return 'Infinity'::numeric * sign(v_value);
    elsif abs(v_value) < (case v_type when 'double' then 5e-324 else 1.4e-45 end) then
      return 0;
    end if;
    return case v_type when 'double' then v_value::float8::text else v_value::float4::text end::numeric;
  elsif length(v_lex) > 1000 then
    return null;
  elsif v_type = 'decimal' then
    return case when v_lex ~ '^[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)$' then v_lex::numeric end;
  elsif v_lex !~ '^[+-]?[0-9]+$' then
    return null;
  end if;
  v_value := v_lex::numeric;
  return case v_type
    when 'integer' then v_value
    when 'int' then case when v_value between -2147483648 and 2147483647 then v_value end
    when 'long' then case when v_value between -9223372036854775808 and 9223372036854775807 then v_value end
    when 'short' then case when v_value between -32768 and 32767 then v_value end
    when 'byte' then case when v_value between -128 and 127 then v_value end
    when 'nonNegativeInteger' then case when v_value >= 0 then v_value end
    when 'positiveInteger' then case when v_value > 0 then v_value end
    when 'nonPositiveInteger' then case when v_value <= 0 then v_value end
    when 'negativeInteger' then case when v_value < 0 then v_value end
    when 'unsignedLong' then case when v_value between 0 and 18446744073709551615 then v_value end
    when 'unsignedInt' then case when v_value between 0 and 4294967295 then v_value end
    when 'unsignedShort' then case when v_value between 0 and 65535 then v_value end
    when 'unsignedByte' then case when v_value between 0 and 255 then v_value end
  end;
end
$$;

comment on function sparql_any_number(text) is 'Value of a numeric literal; null for other terms.';

-- The value of a numeric literal; null for other terms and for ill-formed literals. A float or double is rounded to the
-- nearest one and represented by its shortest decimal.
--
-- PostgreSQL inlines it, and with it the usual forms of the usual datatypes.
create or replace function sparql_number(key text) returns numeric
language sql immutable parallel safe
return case
  when starts_with(sparql_number.key, 'Lhttp://www.w3.org/2001/XMLSchema#integer  ') and length(sparql_number.key) < 240
       and substr(sparql_number.key, 44) ~ '^[+-]?[0-9]+$'
    then substr(sparql_number.key, 44)::numeric
  when starts_with(sparql_number.key, 'Lhttp://www.w3.org/2001/XMLSchema#decimal  ') and length(sparql_number.key) < 240
       and substr(sparql_number.key, 44) ~ '^[+-]?[0-9]+(\.[0-9]+)?$'
    then substr(sparql_number.key, 44)::numeric
  else sparql_any_number(sparql_number.key) end;

comment on function sparql_number(text) is 'Value of a numeric literal; null for other terms.';

-- sparql_number of a dictionary term's parts: its lexical form and the local name of its datatype.
create or replace function sparql_number_of(lex text, local_name text) returns numeric
language sql immutable parallel safe
return case
  when sparql_number_of.local_name = 'integer' and length(sparql_number_of.lex) < 200
       and sparql_number_of.lex ~ '^[+-]?[0-9]+$'
    then sparql_number_of.lex::numeric
  when sparql_number_of.local_name = 'decimal' and length(sparql_number_of.lex) < 200
       and sparql_number_of.lex ~ '^[+-]?[0-9]+(\.[0-9]+)?$'
    then sparql_number_of.lex::numeric
  when sparql_number_of.local_name = 'double' and length(sparql_number_of.lex) < 24
       and sparql_number_of.lex ~ '^[+-]?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9][0-9]?)?$'
    then sparql_number_of.lex::float8::text::numeric
  else sparql_any_number('Lhttp://www.w3.org/2001/XMLSchema#' || sparql_number_of.local_name || '  '
    || sparql_number_of.lex) end;

comment on function sparql_number_of(text, text) is 'Value of a number by lexical form and datatype; null for others.';

-- Scaled numbers (src/sparql/plan/likely-number.ts): a value of scale zero is an integer, any other one a decimal. The
-- sum with 0.0 has a scale of at least one.
create or replace function sparql_exact_of(lex text, local_name text) returns numeric
language sql immutable parallel safe
return case
  when sparql_exact_of.local_name = 'decimal' then sparql_number_of(sparql_exact_of.lex, 'decimal') + 0.0
  when sparql_exact_of.local_name not in ('double', 'float')
    then sparql_number_of(sparql_exact_of.lex, sparql_exact_of.local_name) end;

comment on function sparql_exact_of(text, text) is
  'Scaled value of an integer or a decimal by lexical form and datatype; null for others.';

-- A rounded value has no scale, and gets that of the value before.
create or replace function sparql_with_scale(rounded numeric, value numeric) returns numeric
language sql immutable parallel safe
return sparql_with_scale.rounded + 0 * sparql_with_scale.value;

comment on function sparql_with_scale(numeric, numeric) is 'A rounded number with the scale of the number before.';

-- The cast of a string to a numeric type keeps the lexical form if that is valid for the type.
create or replace function sparql_number_from(lex text, local_name text) returns text
language sql immutable parallel safe
return case when sparql_number_of(sparql_number_from.lex, sparql_number_from.local_name) is not null
  then 'Lhttp://www.w3.org/2001/XMLSchema#' || sparql_number_from.local_name || '  '
    || btrim(sparql_number_from.lex, e' \t\r\n') end;

comment on function sparql_number_from(text, text) is 'Key of a string cast to a numeric type; null for an error.';

-- The value of an xsd:integer or xsd:decimal by its lexical form, if that is the canonical form, of at most 18 digits
-- before and after the point; null for others.
create or replace function sparql_canonical_of(lex text, local_name text) returns numeric
language sql immutable parallel safe
return case
  when sparql_canonical_of.lex ~ (case sparql_canonical_of.local_name
    when 'integer' then '^(0|-?[1-9][0-9]{0,17})$'
    when 'decimal' then '^(0\.0|-?([1-9][0-9]{0,17}\.(0|[0-9]{0,17}[1-9])|0\.[0-9]{0,17}[1-9]))$' end)
    then sparql_canonical_of.lex::numeric end;

comment on function sparql_canonical_of(text, text) is 'Value of a number in canonical form; null for other forms.';

-- The value of a double by its lexical form, if that is a usual form of a number of moderate size: at most 23
-- characters, and two digits in the exponent. Null for others, and for a negative zero.
create or replace function sparql_double_of(lex text) returns float8
language sql immutable parallel safe
return case
  when length(sparql_double_of.lex) < 24
       and sparql_double_of.lex ~ '^[+-]?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9][0-9]?)?$'
    then case when starts_with(sparql_double_of.lex, '-') then nullif(sparql_double_of.lex::float8, 0)
              else sparql_double_of.lex::float8 end end;

comment on function sparql_double_of(text) is 'Value of a double by its lexical form; null for unusual forms.';

-- The same for a float, whose form has an exponent of one digit if it has at most 15 characters, otherwise none.
create or replace function sparql_float_of(lex text) returns float8
language sql immutable parallel safe
return case
  when length(sparql_float_of.lex) < (case when sparql_float_of.lex ~ '[eE]' then 16 else 24 end)
       and sparql_float_of.lex ~ '^([+]?|-(?=[0.]*[1-9]))[0-9]+(\.[0-9]+)?([eE][+-]?[0-9])?$'
    then sparql_float_of.lex::float4::float8 end;

comment on function sparql_float_of(text) is 'Value of a float by its lexical form; null for unusual forms.';

create or replace function sparql_inexact(key text) returns float8
language sql immutable parallel safe
return case
  when starts_with(sparql_inexact.key, 'Lhttp://www.w3.org/2001/XMLSchema#double  ')
    then sparql_double_of(substr(sparql_inexact.key, 43))
  when starts_with(sparql_inexact.key, 'Lhttp://www.w3.org/2001/XMLSchema#float  ')
    then sparql_float_of(substr(sparql_inexact.key, 42)) end;

comment on function sparql_inexact(text) is
  'Value of an xsd:float or xsd:double by its key; null for others, and for unusual forms.';

create or replace function sparql_double_by_key(key text) returns float8
language sql immutable parallel safe
return case when starts_with(sparql_double_by_key.key, 'Lhttp://www.w3.org/2001/XMLSchema#double  ')
  then sparql_double_of(substr(sparql_double_by_key.key, 43)) end;

comment on function sparql_double_by_key(text) is
  'Value of an xsd:double by its key; null for others, and for unusual forms.';

-- A computed number as float8, if its absolute value is zero or from 10 ^ -size to 10 ^ size; otherwise null.
create or replace function sparql_moderate(value float8, size int8) returns float8
language sql immutable parallel safe
return case
  when sparql_moderate.value = 0
    or abs(sparql_moderate.value) between 10::float8 ^ -sparql_moderate.size and 10::float8 ^ sparql_moderate.size
  then sparql_moderate.value end;

create or replace function sparql_moderate(value numeric, size int8) returns float8
language sql immutable parallel safe
return case
  when sparql_moderate.value = 0
    or abs(sparql_moderate.value) between 10::numeric ^ -sparql_moderate.size and 10::numeric ^ sparql_moderate.size
  then sparql_moderate.value::float8 end;

comment on function sparql_moderate(float8, int8) is 'A number if it is of moderate size.';
comment on function sparql_moderate(numeric, int8) is 'A number if it is of moderate size.';

create or replace function sparql_exact(key text) returns numeric
language sql immutable parallel safe
return case
  when starts_with(sparql_exact.key, 'Lhttp://www.w3.org/2001/XMLSchema#decimal  ')
    then sparql_number_of(substr(sparql_exact.key, 44), 'decimal') + 0.0
  when starts_with(sparql_exact.key, 'Lhttp://www.w3.org/2001/XMLSchema#integer  ')
    then sparql_number_of(substr(sparql_exact.key, 44), 'integer') end;

comment on function sparql_exact(text) is 'Scaled value of an xsd:integer or xsd:decimal by its key; null for others.';

-- The next functions read the keys of computed numbers: integers, decimals, floats and doubles in canonical form. Other
-- keys may raise. They need no regular expression. The first one uses its argument once, so that PostgreSQL inlines it
-- whatever the argument is.
create or replace function sparql_canonical(key text) returns numeric
language sql immutable parallel safe
return split_part(sparql_canonical.key, '  ', 2)::numeric;

comment on function sparql_canonical(text) is 'Value of a computed number by its key.';

create or replace function sparql_canonical_exact(key text) returns numeric
language sql immutable parallel safe
return case
  when starts_with(sparql_canonical_exact.key, 'Lhttp://www.w3.org/2001/XMLSchema#decimal  ')
    or starts_with(sparql_canonical_exact.key, 'Lhttp://www.w3.org/2001/XMLSchema#integer  ')
    then substr(sparql_canonical_exact.key, 44)::numeric end;

comment on function sparql_canonical_exact(text) is
  'Value of a computed integer or decimal by its key; null for floats and doubles.';

create or replace function sparql_canonical_float(key text) returns float8
language sql immutable parallel safe
return case
  when starts_with(sparql_canonical_float.key, 'Lhttp://www.w3.org/2001/XMLSchema#float  ')
       and sparql_canonical_float.key not in (
         'Lhttp://www.w3.org/2001/XMLSchema#float  NaN', 'Lhttp://www.w3.org/2001/XMLSchema#float  INF',
         'Lhttp://www.w3.org/2001/XMLSchema#float  -INF',
         'Lhttp://www.w3.org/2001/XMLSchema#float  -0.0E0')
    then substr(sparql_canonical_float.key, 42)::float4::float8 end;

comment on function sparql_canonical_float(text) is
  'Value of a computed float by its key; null for others, NaN, infinities and negative zero.';

create or replace function sparql_canonical_inexact(key text) returns float8
language sql immutable parallel safe
return case
  when sparql_canonical_inexact.key in (
         'Lhttp://www.w3.org/2001/XMLSchema#double  NaN',
         'Lhttp://www.w3.org/2001/XMLSchema#float  NaN') then null
  when starts_with(sparql_canonical_inexact.key, 'Lhttp://www.w3.org/2001/XMLSchema#double  ')
    then substr(sparql_canonical_inexact.key, 43)::float8
  when starts_with(sparql_canonical_inexact.key, 'Lhttp://www.w3.org/2001/XMLSchema#float  ')
    then substr(sparql_canonical_inexact.key, 42)::float4::float8 end;

comment on function sparql_canonical_inexact(text) is
  'Value of a computed float or double by its key; null for others and for NaN.';

create or replace function sparql_moderate_float(key text) returns float8
language sql immutable parallel safe
return case
  when starts_with(sparql_moderate_float.key, 'Lhttp://www.w3.org/2001/XMLSchema#float  ')
       and abs(substr(sparql_moderate_float.key, 42)::float8) between 1e-15::float8 and 1e15::float8
    then substr(sparql_moderate_float.key, 42)::float4::float8 end;

comment on function sparql_moderate_float(text) is
  'Value of a computed float by its key, if its size is from 1e-15 to 1e15; null for others.';

create or replace function sparql_canonical_double(key text) returns float8
language sql immutable parallel safe
return case
  when starts_with(sparql_canonical_double.key, 'Lhttp://www.w3.org/2001/XMLSchema#double  ')
       and sparql_canonical_double.key not in (
         'Lhttp://www.w3.org/2001/XMLSchema#double  NaN', 'Lhttp://www.w3.org/2001/XMLSchema#double  INF',
         'Lhttp://www.w3.org/2001/XMLSchema#double  -INF',
         'Lhttp://www.w3.org/2001/XMLSchema#double  -0.0E0')
    then substr(sparql_canonical_double.key, 43)::float8 end;

comment on function sparql_canonical_double(text) is
  'Value of a computed double by its key; null for others, NaN, infinities and negative zero.';

create or replace function sparql_moderate_double(key text) returns float8
language sql immutable parallel safe
return case
  when starts_with(sparql_moderate_double.key, 'Lhttp://www.w3.org/2001/XMLSchema#double  ')
       and abs(substr(sparql_moderate_double.key, 43)::float8) between 1e-100::float8 and 1e100::float8
    then substr(sparql_moderate_double.key, 43)::float8 end;

comment on function sparql_moderate_double(text) is
  'Value of a computed double by its key, if its size is from 1e-100 to 1e100; null for others.';

create or replace function sparql_usual_number(key text) returns numeric
language sql immutable parallel safe
return case
  when starts_with(sparql_usual_number.key, 'Lhttp://www.w3.org/2001/XMLSchema#float  ')
    then sparql_inexact(sparql_usual_number.key)::float4::text::numeric
  else coalesce(sparql_exact(sparql_usual_number.key), sparql_inexact(sparql_usual_number.key)::text::numeric) end;

comment on function sparql_usual_number(text) is
  'Value of an integer, a decimal, a float or a double by its key; null for others, and for unusual forms.';

create or replace function sparql_comparable(lex text, local_name text) returns numeric
language sql immutable parallel safe
return nullif(sparql_number_of(sparql_comparable.lex, sparql_comparable.local_name), 'NaN');

comment on function sparql_comparable(text, text) is 'Value of a number by its parts; null for NaN as well.';

create or replace function sparql_comparable(key text) returns numeric
language sql immutable parallel safe
return nullif(sparql_any_number(sparql_comparable.key), 'NaN');

comment on function sparql_comparable(text) is 'Value of a number; null for NaN as well.';

-- The float (rank 3) or double (rank 4) nearest to a number, as the shortest decimal.
create or replace function sparql_nearest(lex text, rank int) returns numeric
language sql immutable parallel safe
return sparql_number('Lhttp://www.w3.org/2001/XMLSchema#'
  || case sparql_nearest.rank when 3 then 'float  ' else 'double  ' end
  || replace(sparql_nearest.lex, 'Infinity', 'INF'));

comment on function sparql_nearest(text, int) is 'The float or double nearest to a number, as the shortest decimal.';

-- Promotes a value to a higher rank: to float or double by rounding, from float to double by its binary value.
create or replace function sparql_promoted(value numeric, from_rank int, to_rank int) returns numeric
language sql immutable parallel safe
return case
  when sparql_promoted.from_rank = sparql_promoted.to_rank or sparql_promoted.to_rank < 3
    or sparql_promoted.value in ('NaN', 'Infinity', '-Infinity') then sparql_promoted.value
  when sparql_promoted.from_rank = 3 then sparql_promoted.value::float4::float8::text::numeric
  when sparql_promoted.to_rank = 4 and abs(sparql_promoted.value) between 1e-300 and 1e300
    then sparql_promoted.value::float8::text::numeric
  else sparql_nearest(sparql_promoted.value::text, sparql_promoted.to_rank)
end;

comment on function sparql_promoted(numeric, int, int) is 'A number promoted to another rank.';

-- The canonical form of a finite float or double, by a decimal form of its value: 4.15E2 for 415.0, 1.0E-7 for 1e-07.
-- It runs for each row, so it has few statements.
create or replace function sparql_scientific(form text) returns text
language plpgsql immutable strict parallel safe
as $$
declare
  v_form text := ltrim(case when form like '%e%' then form::numeric::text else form end, '-');
  v_rest text := ltrim(v_form, '0.'); -- from the first digit that counts
begin
  return case when v_rest = '' then '0.0E0'
    else case when form like '-%' then '-' else '' end || left(v_rest, 1) || '.'
      || coalesce(nullif(rtrim(replace(substr(v_rest, 2), '.', ''), '0'), ''), '0') || 'E'
      || case when v_form like '0%' then length(v_rest) - length(v_form) + 1
              else strpos(v_form || '.', '.') - 2 end end;
end
$$;

comment on function sparql_scientific(text) is 'Canonical form of a finite float or double.';

-- Whether a number has a negative sign. A float or double may be a negative zero, an integer or decimal may not.
create or replace function sparql_is_negative(key text, value numeric) returns boolean
language sql immutable parallel safe
return sparql_is_negative.value < 0
    or sparql_is_negative.value = 0 and sparql_rank(sparql_is_negative.key) >= 3
       and sparql_is_negative.key ~ '^L[^ ]*  [ \t\r\n]*-';

comment on function sparql_is_negative(text, numeric) is 'Whether a number has a negative sign.';

create or replace function sparql_integer(value numeric) returns text
language sql immutable parallel safe
return 'Lhttp://www.w3.org/2001/XMLSchema#integer  ' || trunc(sparql_integer.value)::text;

comment on function sparql_integer(numeric) is 'Key of an integer.';

-- The bits of an id for sign, kind and datatype are compared at once: 0xF000000000000018.
create or replace function sparql_is_decimal(id int8) returns boolean
language sql immutable parallel safe
return sparql_is_decimal.id & -1152921504606846952 = -6917529027641081856;

comment on function sparql_is_decimal(int8) is 'Whether an id is an inline xsd:decimal.';

create or replace function sparql_is_double(id int8) returns boolean
language sql immutable parallel safe
return sparql_is_double.id & -1152921504606846960 = -6917529027641081840; -- one bit of the datatype

comment on function sparql_is_double(int8) is 'Whether an id is an inline xsd:double.';

-- The compiler uses the next functions if ids show that all operands are integers or decimals. PostgreSQL inlines them.
create or replace function sparql_numeric(value numeric) returns numeric
language sql immutable parallel safe
return sparql_numeric.value;

comment on function sparql_numeric(numeric) is 'An integer as numeric, which has no limit.';

create or replace function sparql_numeric(lex text) returns numeric
language sql immutable parallel safe
return sparql_numeric.lex::numeric;

comment on function sparql_numeric(text) is 'Value of a decimal by its lexical form.';

create or replace function sparql_decimal_form(value float8) returns numeric
language sql immutable parallel safe
return sparql_decimal_form.value::text::numeric;

create or replace function sparql_decimal_form(value float4) returns numeric
language sql immutable parallel safe
return sparql_decimal_form.value::text::numeric;

comment on function sparql_decimal_form(float8) is 'Value of a finite double as its shortest decimal form.';
comment on function sparql_decimal_form(float4) is 'Value of a finite float as its shortest decimal form.';

-- The product of two computed numbers; null if one has more than 30,000 digits before the point, of the 131,072 that
-- numeric can have.
create or replace function sparql_product(a numeric, b numeric) returns numeric
language sql immutable parallel safe
return case when abs(sparql_product.a) < 1e30000 and abs(sparql_product.b) < 1e30000
  then sparql_product.a * sparql_product.b end;

comment on function sparql_product(numeric, numeric) is 'Product of two numbers; null if it may be too large.';

-- PostgreSQL gives a quotient as many digits as its operands have. Without zeros at the end, equal values have equal
-- quotients.
create or replace function sparql_quotient(dividend numeric, divisor numeric) returns numeric
language sql immutable parallel safe
return round(trim_scale(sparql_quotient.dividend) / nullif(trim_scale(sparql_quotient.divisor), 0), 24);

comment on function sparql_quotient(numeric, numeric) is 'Quotient of two decimals; null for a division by zero.';

-- Uses its argument once, so that PostgreSQL inlines it whatever the argument is. The sum has a fraction digit.
create or replace function sparql_decimal(value numeric) returns text
language sql immutable parallel safe
return 'Lhttp://www.w3.org/2001/XMLSchema#decimal  ' || (trim_scale(sparql_decimal.value) + 0.0)::text;

comment on function sparql_decimal(numeric) is 'Key of a decimal in its canonical form.';

create or replace function sparql_scaled(value numeric) returns text
language sql immutable parallel safe
return case when scale(sparql_scaled.value) > 0 then sparql_decimal(sparql_scaled.value)
  else sparql_integer(sparql_scaled.value) end;

comment on function sparql_scaled(numeric) is 'Key of a scaled number: an integer if its scale is zero.';

-- The key of the float nearest to a finite number, which float8 holds.
create or replace function sparql_float(value float8) returns text
language sql immutable parallel safe
return 'Lhttp://www.w3.org/2001/XMLSchema#float  ' || sparql_scientific(sparql_float.value::float4::text);

comment on function sparql_float(float8) is 'Key of a finite float in its canonical form.';

-- The key of a double that is neither NaN nor infinite.
create or replace function sparql_double(value float8) returns text
language sql immutable parallel safe
return 'Lhttp://www.w3.org/2001/XMLSchema#double  ' || sparql_scientific(sparql_double.value::text);

comment on function sparql_double(float8) is 'Key of a finite double in its canonical form.';

-- The key of a number as a literal of the rank's datatype, in canonical form: 5, 5.0, 5.0E0.
create or replace function sparql_number_key(value numeric, rank int) returns text
language sql immutable parallel safe
return case sparql_number_key.rank
  when 1 then sparql_integer(sparql_number_key.value)
  when 2 then sparql_decimal(sparql_number_key.value)
  else 'Lhttp://www.w3.org/2001/XMLSchema#' || case sparql_number_key.rank when 3 then 'float' else 'double' end || '  '
    || case when sparql_number_key.value in ('NaN', 'Infinity', '-Infinity')
              then replace(sparql_number_key.value::text, 'Infinity', 'INF')
            else sparql_scientific(sparql_number_key.value::text) end end;

comment on function sparql_number_key(numeric, int) is 'Key of a number in its canonical form.';

-- sparql_number_key of a value that is a negative zero if it is zero and `is_negative`.
create or replace function sparql_signed_key(value numeric, rank int, is_negative boolean) returns text
language sql immutable parallel safe
return case
  when sparql_signed_key.value = 0 and sparql_signed_key.rank >= 3 and sparql_signed_key.is_negative
    then 'Lhttp://www.w3.org/2001/XMLSchema#' || case sparql_signed_key.rank when 3 then 'float' else 'double' end
      || '  -0.0E0'
  else sparql_number_key(sparql_signed_key.value, sparql_signed_key.rank) end;

comment on function sparql_signed_key(numeric, int, boolean) is 'Key of a number, which may be a negative zero.';

create or replace function sparql_float_result(operator text, a float8, b float8) returns float8
language sql immutable parallel safe
return case sparql_float_result.operator
  when '+' then sparql_float_result.a + sparql_float_result.b
  when '-' then sparql_float_result.a - sparql_float_result.b
  when '*' then sparql_float_result.a * sparql_float_result.b
  else sparql_float_result.a / sparql_float_result.b end;

comment on function sparql_float_result(text, float8, float8) is 'Operator + - * / of two doubles of moderate size.';

-- The operators + - * / for two literals: numbers, or times and durations (6_time.sql). Null for an error.
create or replace function sparql_arithmetic(operator text, left_key text, right_key text) returns text
language plpgsql immutable parallel safe
set search_path from current
as $$
declare
  v_left  numeric := sparql_number(left_key);
  v_right numeric := sparql_number(right_key);
  v_rank  int := greatest(sparql_rank(left_key), sparql_rank(right_key));
  v_value numeric;
  v_minus boolean; -- whether a result of zero is negative
begin
  if v_left is null or v_right is null then
    -- A number is multiplied and divided with a duration only.
    return case when left_key like 'L%' and right_key like 'L%' and (v_left is null and v_right is null
        or operator in ('*', '/')) then sparql_time_arithmetic(operator, left_key, right_key) end;
  elsif v_rank = 1 and operator <> '/' then
    return sparql_integer(case operator when '+' then v_left + v_right when '-' then v_left - v_right
                                        else v_left * v_right end);
  elsif v_rank >= 3 then
    -- Operands of moderate size, whose results neither overflow nor underflow. No zero, which could be negative.
    if v_rank = 4 and sparql_rank(left_key) <> 3 and sparql_rank(right_key) <> 3
       and abs(v_left) between 1e-100 and 1e100 and abs(v_right) between 1e-100 and 1e100 then
      return sparql_double(sparql_float_result(operator, v_left::float8, v_right::float8));
    elsif v_rank = 3 and abs(v_left) between 1e-15 and 1e15 and abs(v_right) between 1e-15 and 1e15 then
      return sparql_float(sparql_float_result(operator, v_left::float4, v_right::float4));
    end if;
    v_value := sparql_float_arithmetic(operator, sparql_promoted(v_left, sparql_rank(left_key), v_rank),
      sparql_promoted(v_right, sparql_rank(right_key), v_rank), v_rank);
    if operator = '/' and v_right = 0 and sparql_is_negative(right_key, v_right) then
      v_value := -v_value; -- a division by negative zero
    end if;
    v_minus := case operator
      when '+' then sparql_is_negative(left_key, v_left) and sparql_is_negative(right_key, v_right)
      when '-' then sparql_is_negative(left_key, v_left) and not sparql_is_negative(right_key, v_right)
      else sparql_is_negative(left_key, v_left) <> sparql_is_negative(right_key, v_right) end;
    return sparql_signed_key(v_value, v_rank, v_minus);
  end if;
  return sparql_decimal(case operator
    when '+' then v_left + v_right
    when '-' then v_left - v_right
    when '*' then v_left * v_right
    else sparql_quotient(v_left, v_right) end);
end
$$;

comment on function sparql_arithmetic(text, text, text) is
  'Sum, difference, product or quotient of two numbers, times or durations.';

-- Arithmetic of floats and doubles. Gives the infinities of IEEE 754 where PostgreSQL would raise an error.
create or replace function sparql_float_arithmetic(operator text, a numeric, b numeric, rank int) returns numeric
language plpgsql immutable parallel safe
set search_path from current
as $$
declare
  v_exact numeric;
  v_most  constant numeric := 1e307;
  v_least constant numeric := 1e-307;
  v_left  float8;
  v_right float8;
  v_value float8;
begin
  if a = 'NaN' or b = 'NaN' then
    return 'NaN';
  elsif operator = '/' and b = 0 then
    return case when a = 0 then 'NaN' else 'Infinity'::numeric * sign(a) end;
  elsif abs(a) = 'Infinity' or abs(b) = 'Infinity' then
    return case operator
      when '+' then a + b
      when '-' then a - b
      when '*' then a * b
      else case when abs(a) = abs(b) then 'NaN' when abs(b) = 'Infinity' then 0 else a * sign(b) end end;
  end if;
  v_exact := case operator when '+' then a + b when '-' then a - b when '*' then a * b else a / b end;
  if abs(v_exact) > v_most or abs(v_exact) < v_least or abs(a) > v_most or abs(b) > v_most
     or (a <> 0 and abs(a) < v_least) or (b <> 0 and abs(b) < v_least) then
    return sparql_nearest(v_exact::text, rank);
  end if;
  v_left := case rank when 3 then a::float4 else a::float8 end;
  v_right := case rank when 3 then b::float4 else b::float8 end;
  v_value := sparql_float_result(operator, v_left, v_right);
  return case when rank = 3 and abs(v_value) between 1e-37 and 3.4e38 then v_value::float4::text::numeric
              else sparql_nearest(v_value::text, rank) end;
end
$$;

comment on function sparql_float_arithmetic(text,numeric,numeric,int) is
  'Arithmetic of floats and doubles, with the infinities of IEEE 754.';

-- ABS, CEIL, FLOOR, ROUND (half up, as in XPath), unary plus and minus. The datatype stays, except that integers of
-- derived types become xsd:integer. A result of zero keeps the sign in floats and doubles.
create or replace function sparql_rounding(operator text, key text) returns text
language plpgsql immutable parallel safe
set search_path from current
as $$
declare
  v_value numeric := sparql_number(key);
  v_rank  int := sparql_rank(key);
begin
  return sparql_signed_key(case operator
    when 'abs' then abs(v_value)
    when '+' then v_value
    when '-' then -v_value
    when 'ceil' then ceil(v_value)
    when 'floor' then floor(v_value)
    else case when v_value in ('NaN', 'Infinity', '-Infinity') then v_value else floor(v_value + 0.5) end
  end, v_rank, operator <> 'abs' and sparql_is_negative(key, v_value) <> (operator = '-'));
end
$$;

comment on function sparql_rounding(text, text) is
  'ABS, CEIL, FLOOR, ROUND, unary plus and minus of a numeric literal.';
