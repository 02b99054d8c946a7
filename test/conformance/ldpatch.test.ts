/**
 * The W3C working group's LD Patch suite without HTTP: the statuses and graphs that its runner expects over HTTP.
 *
 * The patch gets the data as the service stores it, with blank nodes under labels of the service.
 */
import test from 'ava'
import {Problem} from '../../src/base/problem.ts'
import {applyPatch} from '../../src/ldpatch/apply.ts'
import {parsePatch} from '../../src/ldpatch/syntax.ts'
import {type BlankNode, blankNode, defaultGraph, type Quad, type Term, type Triple, triple} from '../../src/rdf/term.ts'
import {TripleSet} from '../../src/rdf/triple-set.ts'
import {isIsomorphic} from '../support/isomorphism.ts'
import {parseOf} from './reader.ts'
import {isSuiteHere, readSuiteFile, suiteData} from './suite.ts'

type SuiteTest = {
  readonly id: string
  readonly type: string // PositiveEvaluationTest, PositiveSyntaxTest, NegativeSyntaxTest, NegativeEvaluationTest
  readonly patch: string
  readonly data?: string
  readonly base?: string
  readonly result?: string
  readonly status?: string
}

const anyBase = 'http://localhost/documents/1/' // for tests without a base

function readText(url: URL): string {
  return new TextDecoder().decode(readSuiteFile(url))
}

/** The triples of a Turtle file, with labels as a store assigns them. */
async function readGraph(name: string, base: string): Promise<readonly Triple[]> {
  const labels = new Map<string, string>()
  const store = <Any extends Term>(term: Any): Any | BlankNode => {
    if (term.termType !== 'BlankNode') return term
    const label = labels.get(term.value) ?? `qs${labels.size + 1}`
    labels.set(term.value, label)
    return blankNode(label)
  }
  const quads = await parseOf('text/turtle')(readSuiteFile(new URL(`ldpatch-testsuite/${name}`, suiteData)), {base})
  return quads.map(({subject, predicate, object}) => triple(store(subject), predicate, store(object)))
}

/** 204 and the patched graph, or the status of the problem and the unchanged graph. */
function patch(text: string, base: string, graph: readonly Triple[]): {status: number; graph: Iterable<Triple>} {
  try {
    const patched = new TripleSet(graph)
    const {removed, added} = applyPatch(graph, parsePatch(text, {base}))
    for (const each of removed) patched.delete(each)
    for (const each of added) patched.add(each)
    return {status: 204, graph: patched}
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return {status: error.status, graph}
  }
}

async function failureOf({patch: name, data, result, base = anyBase, ...each}: SuiteTest): Promise<string | undefined> {
  const before = data === undefined ? [] : await readGraph(data, base)
  const {status, graph} = patch(readText(new URL(`ldpatch-testsuite/${name}`, suiteData)), base, before)
  switch (each.type) {
    case 'PositiveEvaluationTest': {
      if (status !== 204) return `answered ${status}`
      const expected = await readGraph(result ?? '', base)
      return isIsomorphic(quadsOf(graph), quadsOf(expected)) ? undefined : 'another graph'
    }
    case 'PositiveSyntaxTest':
      return status === 204 || status === 422 ? undefined : `answered ${status}`
    default: {
      const expected = each.type === 'NegativeSyntaxTest' ? 400 : Number(each.status)
      return status === expected ? undefined : `answered ${status} instead of ${expected}`
    }
  }
}

function quadsOf(triples: Iterable<Triple>): readonly Quad[] {
  return Array.from(triples, each => ({...each, graph: defaultGraph}))
}

if (isSuiteHere) {
  test('the whole LD Patch suite passes', async t => {
    const tests = JSON.parse(readText(new URL('index/ldpatch.json', suiteData))) as readonly SuiteTest[]
    const failures: string[] = []
    for (const each of tests) {
      const failure = await failureOf(each)
      if (failure !== undefined) failures.push(`${each.type} ${each.patch}: ${failure}`)
    }

    t.is(tests.length, 353)
    t.deepEqual(failures, [])
  })
} else {
  test('LD Patch suite skipped: ../shared/conformance is not here', t => {
    t.log('the suite is read where it lies, beside the project')
    t.pass()
  })
}
