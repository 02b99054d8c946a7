/**
 * The W3C working group's LD Patch suite over HTTP: each test creates a document with its data, patches it, and reads
 * it again.
 */
import test from 'ava'
import {formatOfMediaType} from '../../src/format/registry.ts'
import {defaultGraph, type Quad} from '../../src/rdf/term.ts'
import {c, ldp, turtle} from '../support/documents.ts'
import {isIsomorphic} from '../support/isomorphism.ts'
import {ldpatch, rdf} from '../support/members.ts'
import {type TestService, useService} from '../support/service.ts'
import {ldPatchOverHttp as exceptions} from './exceptions.ts'
import {parseOf} from './reader.ts'
import {isSuiteHere, readSuiteFile, suiteData} from './suite.ts'

type SuiteTest = {
  readonly id: string
  readonly type: string // PositiveEvaluationTest, PositiveSyntaxTest, NegativeSyntaxTest, NegativeEvaluationTest
  readonly patch: string
  readonly data?: string
  readonly result?: string
  readonly status?: string
}

const ownTypes = [`${c}Document`, `${ldp}BasicContainer`, `${ldp}RDFSource`]
const ownProperties = [
  `${c}created`,
  `${c}modified`,
  `${ldp}membershipResource`,
  `${ldp}hasMemberRelation`,
  `${ldp}insertedContentRelation`,
]

function read(name: string): Uint8Array {
  return readSuiteFile(new URL(`ldpatch-testsuite/${name}`, suiteData))
}

/** The triples of a document without those of the service. */
async function graphOf({send}: TestService, path: string, iri: string): Promise<readonly Quad[]> {
  const {status, bytes, text} = await send({path, headers: {Accept: 'application/n-triples'}})
  if (status !== 200) throw new Error(`GET ${status} ${text}`)
  const parse = formatOfMediaType('application/n-triples')?.parse ?? parseOf('text/turtle')
  const quads = await parse(bytes, {base: iri})
  return quads.filter(({subject, predicate, object}) => {
    if (subject.value !== iri) return true
    return (
      !ownProperties.includes(predicate.value) && !(predicate.value === `${rdf}type` && ownTypes.includes(object.value))
    )
  })
}

/** Why a test fails; undefined if it passes. */
async function failureOf(service: TestService, {patch, data, result, type, status}: SuiteTest) {
  const body = data === undefined ? '<> <http://example.org/p> "v" .' : read(data)
  const made = await service.send({method: 'POST', headers: turtle, body})
  if (made.status !== 201) return `POST ${made.status} ${made.text}`
  const iri = made.headers.location ?? ''
  const path = `/${iri.slice(service.base.length)}`
  const before = await graphOf(service, path, iri)
  const headers = {...ldpatch, Prefer: `${ldp}RDFSource; rel=interaction-model`}

  const answer = await service.send({method: 'PATCH', path, headers, body: read(patch)})

  if (type === 'PositiveSyntaxTest') return [204, 422].includes(answer.status) ? undefined : `${answer.status}`
  if (type === 'PositiveEvaluationTest') {
    if (answer.status !== 204) return `${answer.status} ${answer.text}`
    const expected = await parseOf('text/turtle')(read(result ?? ''), {base: iri})
    return isSame(await graphOf(service, path, iri), expected) ? undefined : 'another graph'
  }
  const wanted = type === 'NegativeSyntaxTest' ? 400 : Number(status ?? 422)
  if (answer.status !== wanted) return `${answer.status} instead of ${wanted}`
  return isSame(await graphOf(service, path, iri), before) ? undefined : 'a refused patch changed the document'
}

function isSame(left: readonly Quad[], right: readonly Quad[]): boolean {
  const flat = (quads: readonly Quad[]) => quads.map(quad => ({...quad, graph: defaultGraph}))
  return isIsomorphic(flat(left), flat(right))
}

if (isSuiteHere) {
  test('the LD Patch suite passes over HTTP, except the listed tests', async t => {
    const service = await useService(t)
    const index = new TextDecoder().decode(readSuiteFile(new URL('index/ldpatch.json', suiteData)))
    const tests = JSON.parse(index) as readonly SuiteTest[]
    const failures: string[] = []
    for (const each of tests) {
      const failure = await failureOf(service, each)
      if (failure !== undefined) failures.push(`${each.id.replace(/^.*#/, '')} ${failure}`)
    }

    t.is(tests.length, 353)
    t.deepEqual(
      failures.filter(failure => !exceptions.has(failure.replace(/ .*$/, ''))),
      [],
    )
    t.deepEqual(failures.length, exceptions.size, 'an exception that passes is none')
  })
} else {
  test('LD Patch suite over HTTP skipped: ../shared/conformance is not here', t => {
    t.log('the suite is read where it lies, beside the project')
    t.pass()
  })
}
