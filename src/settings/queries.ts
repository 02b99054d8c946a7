/**
 * The settings of queries: limits of their size, and the endpoints that SERVICE may use.
 *
 * Part of the list in config.ts.
 */
import {readEndpointList} from '../http/endpoint-list.ts'
import {defaultHeldLimits} from '../query/decode.ts'
import {defaultLimits, type QueryLimits} from '../sparql/parse/limits.ts'
import {oneOf, setting, type ValuesOf, wholeNumber} from './setting.ts'

export const querySettings = {
  QUERY_LIMIT_LENGTH: setting({
    initial: `${defaultLimits.length}`,
    about: 'Longest query, in characters (UTF-16 units).',
    expected: 'a whole number of characters from 100 to 100000000',
    read: wholeNumber(100, 100_000_000),
  }),
  QUERY_LIMIT_TOKENS: setting({
    initial: `${defaultLimits.tokens}`,
    about: 'Words and punctuation marks of a query at most, but for those in VALUES and in lists after IN.',
    expected: 'a whole number from 100 to 10000000',
    read: wholeNumber(100, 10_000_000),
  }),
  QUERY_LIMIT_PATTERNS: setting({
    initial: `${defaultLimits.patterns}`,
    about:
      'Triple patterns, path steps, groups, computed columns and other patterns of a query at most; as many triples ' +
      'in its template.',
    expected: 'a whole number from 10 to 100000',
    read: wholeNumber(10, 100_000),
  }),
  QUERY_LIMIT_VALUES: setting({
    initial: `${defaultLimits.values}`,
    about: 'Terms in VALUES and in lists after IN of a query at most.',
    expected: 'a whole number from 10 to 10000000',
    read: wholeNumber(10, 10_000_000),
  }),
  TEXT_INDEX: setting({
    initial: 'auto',
    about:
      'The index for CONTAINS, REGEX and their like: auto uses one that "quadstead text-index" made; on makes it, ' +
      'too, beside the running service; off uses none.',
    expected: 'auto, on or off',
    read: oneOf(['auto', 'on', 'off']),
  }),
  RESULT_LIMIT_BYTES: setting({
    initial: `${defaultHeldLimits.bytes}`,
    about: 'Terms that one answer may make the service hold at once, in bytes.',
    expected: 'a whole number of bytes from 1024 to 1073741824',
    read: wholeNumber(1024, 2 ** 30),
  }),
  RESULT_LIMIT_ITEMS: setting({
    initial: `${defaultHeldLimits.items}`,
    about: 'Resources of a DESCRIBE, and documents with checksums of a result, at most: they are held to its end.',
    expected: 'a whole number from 1 to 100000000',
    read: wholeNumber(1, 100_000_000),
  }),
  SERVICE_ENDPOINTS: setting({
    initial: '',
    about:
      'SPARQL endpoints that SERVICE may ask, separated by commas; one that ends with / stands for all below it. ' +
      'None: SERVICE is refused.',
    expected: 'absolute http or https URLs without user and fragment, separated by commas',
    read: readEndpointList,
  }),
  SERVICE_LIMIT_BYTES: setting({
    initial: '16777216',
    about: 'What one query may take from other endpoints (SERVICE), in bytes.',
    expected: 'a whole number of bytes from 1024 to 1073741824',
    read: wholeNumber(1024, 2 ** 30),
  }),
  SERVICE_LIMIT_ROWS: setting({
    initial: '100000',
    about: 'What one query may take from other endpoints (SERVICE), in solutions.',
    expected: 'a whole number from 1 to 10000000',
    read: wholeNumber(1, 10_000_000),
  }),
} as const

type Values = ValuesOf<typeof querySettings>

export function readQueryLimits(values: Values): QueryLimits {
  return {
    length: values.QUERY_LIMIT_LENGTH,
    tokens: values.QUERY_LIMIT_TOKENS,
    patterns: values.QUERY_LIMIT_PATTERNS,
    values: values.QUERY_LIMIT_VALUES,
  }
}
