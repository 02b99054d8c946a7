/** The error that clients see. */
import test from 'ava'
import {Problem} from '../../../src/base/problem.ts'

test('a problem has a status, a rule and a sentence, and nothing more unless given', t => {
  const problem = new Problem(409, 'document-iri-free', 'http://h/a/ exists')

  t.true(problem instanceof Error)
  t.is(String(problem), 'Problem: http://h/a/ exists')
  t.deepEqual({...problem}, {name: 'Problem', status: 409, rule: 'document-iri-free', members: {}, headers: {}})
  t.false('cause' in problem)
})

test('a problem keeps its members, headers and cause', t => {
  const cause = new Error('unexpected token')
  const problem = new Problem(400, 'body-syntax', 'Expected a dot', {
    members: {line: 3, column: 7},
    headers: {'Accept-Post': 'text/turtle'},
    cause,
  })

  t.like(problem, {members: {line: 3, column: 7}, headers: {'Accept-Post': 'text/turtle'}})
  t.is(problem.cause, cause)
})
