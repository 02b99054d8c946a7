/** Compares the failures of a suite with the list of exceptions. */
import type {ExecutionContext} from 'ava'
import {Problem} from '../../src/base/problem.ts'
import type {Quad} from '../../src/rdf/term.ts'
import {isIsomorphic} from '../support/isomorphism.ts'
import {exceptions} from './exceptions.ts'
import {parseOf} from './reader.ts'
import {readSuiteFile, type SyntaxTest} from './suite.ts'

/** The errors of the failing tests, by id. */
type Failures = Record<string, string>

export async function failuresOf(tests: readonly SyntaxTest[], mediaType: string): Promise<Failures> {
  const failures: Failures = {}
  for (const test of tests) {
    const failure = await failureOf(test, mediaType)
    if (failure !== undefined) failures[test.id] = failure
  }
  return failures
}

async function failureOf(test: SyntaxTest, mediaType: string): Promise<string | undefined> {
  const isNegative = /Negative/.test(test.type)
  try {
    const quads = await parseOf(mediaType)(readSuiteFile(test.input), {base: test.base})
    if (isNegative) return 'accepted'
    if (test.result === undefined) return undefined
    const expected = await parseOf('application/n-quads')(readSuiteFile(test.result), {base: test.base})
    return isIsomorphic(quads, expected) ? undefined : `another graph: ${show(quads)} instead of ${show(expected)}`
  } catch (error) {
    if (!(error instanceof Problem)) return `threw ${error}`
    return isNegative ? undefined : `refused: ${error.message}`
  }
}

/** Unlisted failures and listed successes are both differences. */
export function compareWithExceptions(t: ExecutionContext, suite: string, failures: Failures): void {
  const listed = exceptions[suite] ?? {}
  const unlisted = Object.entries(failures).filter(([id]) => !(id in listed))
  const passing = Object.keys(listed).filter(id => !(id in failures))
  t.deepEqual({unlisted, passing}, {unlisted: [], passing: []})
}

export function show(quads: readonly Quad[]): string {
  const term = (value: {readonly termType: string; readonly value: string}) => `${value.termType[0]}:${value.value}`
  return quads
    .map(quad => [quad.subject, quad.predicate, quad.object, quad.graph].map(term).join(' '))
    .join(' | ')
    .slice(0, 2000)
}
