/**
 * The settings of queries: limits of their size, and the endpoints that SERVICE may use.
 *
 * Part of the list in config.ts.
 */
import {readEndpointList} from '../http/endpoint-list.ts'
import {defaultHeldLimits} from '../query/held-limits.ts'
import type {Loading} from '../query/load.ts'
import {defaultLimits, type QueryLimits} from '../sparql/parse/limits.ts'
import {oneOf, setting, type ValuesOf, wholeNumber} from './setting.ts'

export const querySettings = {
  QUERY_LIMIT_LENGTH: setting({
    initial: `${defaultLimits.length}`,
    about: 'Maximum length of a query, in characters (UTF-16 units).',
    expected: 'a whole number of characters from 100 to 100000000',
    read: wholeNumber(100, 100_000_000),
  }),
  QUERY_LIMIT_TOKENS: setting({
    initial: `${defaultLimits.tokens}`,
    about: 'Maximum number of words and punctuation marks in a query, without those in VALUES and in lists after IN.',
    expected: 'a whole number from 100 to 10000000',
    read: wholeNumber(100, 10_000_000),
  }),
  QUERY_LIMIT_PATTERNS: setting({
    initial: `${defaultLimits.patterns}`,
    about:
      'Maximum number of triple patterns, path steps, groups, computed columns and other patterns in a query, and of ' +
      'triples in its template.',
    expected: 'a whole number from 10 to 100000',
    read: wholeNumber(10, 100_000),
  }),
  QUERY_LIMIT_VALUES: setting({
    initial: `${defaultLimits.values}`,
    about: 'Maximum number of terms in VALUES and in lists after IN of a query.',
    expected: 'a whole number from 10 to 10000000',
    read: wholeNumber(10, 10_000_000),
  }),
  TEXT_INDEX: setting({
    initial: 'auto',
    about:
      'The index for CONTAINS, REGEX and similar filters. auto: use it if "quadstead text-index" has created it; on: ' +
      'also create it, while the service runs; off: do not use it.',
    expected: 'auto, on or off',
    read: oneOf(['auto', 'on', 'off']),
  }),
  SEARCH: setting({
    initial: 'on',
    about:
      'The search (/search, the box on pages, text:query in SPARQL). on: the service creates the search index if it ' +
      'is missing; off: there is no search. An existing index stays until "quadstead search-index --drop".',
    expected: 'on or off',
    read: oneOf(['on', 'off']),
  }),
  RESULT_LIMIT_BYTES: setting({
    initial: `${defaultHeldLimits.bytes}`,
    about: 'Maximum size of the terms that the service holds in memory for one answer, in bytes.',
    expected: 'a whole number of bytes from 1024 to 1073741824',
    read: wholeNumber(1024, 2 ** 30),
  }),
  RESULT_LIMIT_ITEMS: setting({
    initial: `${defaultHeldLimits.items}`,
    about:
      'Maximum number of resources of a DESCRIBE, and of documents with checksums in a result. PostgreSQL or the ' +
      'service holds them in memory until the result ends.',
    expected: 'a whole number from 1 to 100000000',
    read: wholeNumber(1, 100_000_000),
  }),
  SERVICE_ENDPOINTS: setting({
    initial: '',
    about:
      'SPARQL endpoints that SERVICE may ask, separated by commas; one that ends with / allows all URLs below it. If ' +
      'it is not given, SERVICE is refused.',
    expected: 'absolute http or https URLs without user and fragment, separated by commas',
    read: readEndpointList,
  }),
  SERVICE_LIMIT_BYTES: setting({
    initial: '16777216',
    about: 'Maximum size of the responses of other endpoints (SERVICE) to one query, in bytes.',
    expected: 'a whole number of bytes from 1024 to 1073741824',
    read: wholeNumber(1024, 2 ** 30),
  }),
  SERVICE_LIMIT_ROWS: setting({
    initial: '100000',
    about: 'Maximum number of solutions from other endpoints (SERVICE) for one query.',
    expected: 'a whole number from 1 to 10000000',
    read: wholeNumber(1, 10_000_000),
  }),
  LOAD_FROM: setting({
    initial: '',
    about:
      'URLs that LOAD in updates may fetch, separated by commas; one that ends with / allows all URLs below it. If ' +
      'it is not given, LOAD is refused.',
    expected: 'absolute http or https URLs without user and fragment, separated by commas',
    read: readEndpointList,
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

/** @param body  the limits of request bodies, which loaded documents have too */
export function readLoading(
  {LOAD_FROM: from}: Values,
  body: {readonly BODY_LIMIT_BYTES: number; readonly BODY_LIMIT_TRIPLES: number},
): Loading | undefined {
  return from && Object.freeze({from, limitBytes: body.BODY_LIMIT_BYTES, limitTriples: body.BODY_LIMIT_TRIPLES})
}
