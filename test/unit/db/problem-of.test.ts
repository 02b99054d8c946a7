/** Translates errors of the database to Problems. */
import test from 'ava'
import {Problem} from '../../../src/base/problem.ts'
import {databaseCodeOf, problemOf} from '../../../src/db/connection/problem-of.ts'

function serverError(code: string, fields: Record<string, string> = {}): Error {
  return Object.assign(new Error(fields.message ?? 'as the server says'), {code, ...fields})
}

function summary(value: unknown): unknown {
  if (!(value instanceof Problem)) return value
  const {status, rule, message, members, headers} = value
  return {status, rule, message, members, headers}
}

test('what a SQL function raises becomes the Problem it names', t => {
  const error = serverError('QS412', {
    constraint_name: 'etag-matches',
    message: 'The document has changed.',
    detail: '{"etag": "7"}',
  })

  t.deepEqual(summary(problemOf(error)), {
    status: 412,
    rule: 'etag-matches',
    message: 'The document has changed.',
    members: {etag: '7'},
    headers: {},
  })
})

test('a detail that is not JSON gives no members', t => {
  t.like(problemOf(serverError('QS404', {constraint_name: 'x', detail: '{not json'})), {status: 404, members: {}})
})

for (const [code, status, rule, retryAfter] of [
  ['40001', 503, 'busy', '0'],
  ['40P01', 503, 'busy', '0'],
  ['ECONNREFUSED', 503, 'database-available', '2'],
  ['08006', 503, 'database-available', '2'],
  ['57P01', 503, 'database-available', '2'],
  ['53300', 503, 'database-available', '2'],
  ['53200', 503, 'database-available', '2'],
  ['25006', 503, 'database-available', '2'],
  ['58030', 503, 'database-available', '2'],
  ['53100', 503, 'storage-full', '30'],
  ['57014', 503, 'query-timeout', '2'],
  ['22021', 400, 'text-storable', undefined],
  ['54001', 422, 'query-complex', undefined],
] as const) {
  test(`${code} is a ${status} ${rule}`, t => {
    const problem = problemOf(serverError(code))

    t.like(problem, {status, rule, headers: retryAfter === undefined ? {} : {'Retry-After': retryAfter}})
    t.is(databaseCodeOf(problem), code)
  })
}

test('a taken document IRI is a 409, any other violated constraint is a fault of the service', t => {
  const foreign = serverError('23505', {constraint_name: 'term_hash_key'})

  t.like(problemOf(serverError('23505', {constraint_name: 'document-iri-free', message: 'taken'})), {
    status: 409,
    rule: 'document-iri-free',
  })
  t.is(problemOf(foreign), foreign)
})

test('a parent that is deleted while a child is created in it is a 404', t => {
  t.like(problemOf(serverError('23503', {constraint_name: 'parent-exists'})), {status: 404, rule: 'parent-exists'})
})

test('other errors are passed on unchanged', t => {
  const error = new TypeError('ours')

  t.is(problemOf(error), error)
  t.is(problemOf('text'), 'text')
})
