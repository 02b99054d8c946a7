/** W3C rdf-canon (RDFC-1.0): canonical forms, issued labels, and the refusal of a graph that takes too long. */
import {createHash} from 'node:crypto'
import test from 'ava'
import {type Quad as Library, Parser} from 'n3'
import {canonicalForm} from '../../src/checksum/canonical.ts'
import {createChecksumPool} from '../../src/checksum/pool.ts'
import type {Quad} from '../../src/rdf/term.ts'
import {isSuiteHere, readSuiteFile, suiteData} from './suite.ts'

type CanonTest = {
  readonly id: string
  readonly type: string
  readonly action: string
  readonly result?: string
  readonly hashAlgorithm?: string
}

const folder = new URL('w3c-rdf-canon/tests/', suiteData)

function readText(path: string): string {
  return new TextDecoder().decode(readSuiteFile(new URL(path, folder)))
}

function testsOf(type: string): readonly CanonTest[] {
  const {entries}: {readonly entries: readonly CanonTest[]} = JSON.parse(readText('manifest.jsonld'))
  return entries.filter(entry => entry.type === `rdfc:${type}`)
}

/** Uses the library's parser, because the service's refuses U+0000, which canonical forms can contain. */
function readQuads(path: string): readonly Quad[] {
  return new Parser({format: 'N-Quads', blankNodePrefix: ''}).parse(readText(path)).map(plain)
}

/** The library's terms are class instances with getters, which structured clone does not copy. */
function plain(given: Library): Quad {
  return JSON.parse(JSON.stringify(given.toJSON()))
}

async function canonize({action, hashAlgorithm}: CanonTest): Promise<{form: string; labels: Record<string, string>}> {
  const labels = new Map<string, string>()
  const digest = hashAlgorithm?.toLowerCase()
  const form = await canonicalForm(readQuads(action), {labels, ...(digest === undefined ? {} : {digest})})
  return {form, labels: Object.fromEntries(labels)}
}

if (isSuiteHere) {
  test('canonical forms equal those of the suite', async t => {
    const tests = testsOf('RDFC10EvalTest')
    const failures: string[] = []
    for (const entry of tests) {
      if ((await canonize(entry)).form !== readText(entry.result ?? '')) failures.push(entry.id)
    }

    t.true(tests.length >= 64, `${tests.length} tests`)
    t.deepEqual(failures, [])
  })

  test('canonical labels equal those of the suite', async t => {
    const tests = testsOf('RDFC10MapTest')
    t.true(tests.length >= 21, `${tests.length} tests`)

    for (const entry of tests) {
      t.deepEqual((await canonize(entry)).labels, JSON.parse(readText(entry.result ?? '')), entry.id)
    }
  })

  test('the graph that takes too long is refused', async t => {
    const pool = createChecksumPool({threads: 1})
    t.teardown(pool.close)
    const [poison] = testsOf('RDFC10NegativeEvalTest')

    const error = await t.throwsAsync(pool.checksum(readQuads(poison?.action ?? '')))

    t.like(error, {status: 422, rule: 'checksum-work'})
  })

  test('a checksum is the SHA-256 of the canonical form of the suite', async t => {
    const pool = createChecksumPool()
    t.teardown(pool.close)
    const isOneGraph = (quads: readonly Quad[]) => quads.every(({graph}) => graph.termType === 'DefaultGraph')
    const wrong: string[] = []
    for (const {id, action, result, hashAlgorithm} of testsOf('RDFC10EvalTest')) {
      const quads = readQuads(action)
      if (!isOneGraph(quads) || hashAlgorithm !== undefined) continue
      const expected = createHash('sha256')
        .update(readText(result ?? ''))
        .digest('hex')
      if ((await pool.checksum(quads)) !== expected) wrong.push(id)
    }

    t.deepEqual(wrong, [])
  })
} else {
  test('W3C rdf-canon skipped: ../shared/conformance is not here', t => {
    t.log('the suite is read where it lies, beside the project')
    t.pass()
  })
}
