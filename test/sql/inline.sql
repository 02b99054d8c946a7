-- Inline literals: their lexical form and datatype, exactly, and ids in the order of values.
begin;
do $test$
begin
  perform test_equal(inline_lexical_form(inline_instant('2024-02-29T23:59:59.999Z')), '2024-02-29T23:59:59.999Z');
  perform test_equal(inline_lexical_form(inline_instant('0001-01-02T00:00:00Z')), '0001-01-02T00:00:00.000Z');
  perform test_equal(inline_lexical_form(inline_instant('9999-12-31T23:59:59.9999Z')), '9999-12-31T23:59:59.999Z');
  perform test_equal(inline_datatype(inline_instant(now())), 'dateTime');
  assert inline_instant('2024-01-01T00:00:00Z') < inline_instant('2024-01-01T00:00:00.001Z'), 'ids are in the order of instants';

  perform test_equal(array(select inline_zone(code) from unnest(array[0, 1, 2, 57, 58, 59, 114]) as code),
    array['', 'Z', '-14:00', '-00:15', '+00:00', '+00:15', '+14:00']);
  perform test_equal(array(select inline_decimal(millionths, digits)
      from (values (-1500000, 1), (0, 0), (1, 6), (-1, 6), (10000000, 3)) as d (millionths, digits)),
    array['-1.5', '0', '0.000001', '-0.000001', '10.000']);
  perform test_equal(show_term(-9223372036854775807), '"true"^^<http://www.w3.org/2001/XMLSchema#boolean>');
end
$test$;
rollback;
