/**
 * A graph to its canonical N-Quads and their SHA-256, which are equal for two graphs exactly if they are isomorphic.
 *
 * Pure. The name of the graph does not count: a document's checksum is that of its triples.
 * Sources: RDFC-1.0 (by rdf-canonize); decision 0001. Lines are sorted by UTF-16 units, as rdf-canonize sorts them.
 */
import {createHash} from 'node:crypto'
import {canonize} from 'rdf-canonize'
import {Problem} from '../base/problem.ts'
import {iriText, literalText, quotedText} from '../rdf/ntriples.ts'
import {defaultGraph, type Quad, type Term, type Triple} from '../rdf/term.ts'
import {termKey} from '../rdf/term-key.ts'
import {rdf} from '../rdf/vocabulary.ts'

/**
 * Limit on the work for one graph. RDFC-1.0 may need nⁿ steps to distinguish n blank nodes that look alike. It is
 * allowed n to the power of this factor. All evaluation tests of the W3C pass with 3.
 */
export const defaultWorkFactor = 3

export type CanonizeOptions = {
  readonly workFactor?: number
  readonly digest?: string // hash inside the algorithm: sha256, sha384; the checksum itself is always SHA-256
  readonly labels?: Map<string, string> // receives the canonical label of each blank node
}

/**
 * The canonical form of a graph. Order and duplicates of the quads do not matter.
 *
 * @throws  Problem 422 `checksum-work`
 */
export async function canonicalForm(quads: readonly Quad[], options: CanonizeOptions = {}): Promise<string> {
  const workFactor = options.workFactor ?? defaultWorkFactor
  try {
    return await canonize(withoutDuplicates(quads), {
      algorithm: 'RDFC-1.0',
      format: 'application/n-quads',
      maxWorkFactor: workFactor,
      ...(options.digest === undefined ? {} : {messageDigestAlgorithm: options.digest}),
      ...(options.labels === undefined ? {} : {canonicalIdMap: options.labels}),
    })
  } catch (error) {
    if (!isWorkExceeded(error)) throw error
    const message = `The canonical form takes more than n to the ${workFactor} steps for n blank nodes that look alike`
    throw new Problem(422, 'checksum-work', message, {members: {workFactor}, cause: error})
  }
}

/** The canonical form of a graph without blank nodes: its lines, sorted and without duplicates. */
export function canonicalGroundForm(triples: readonly Triple[]): string {
  return [...new Set(triples.map(line))].sort().join('')
}

/** The checksum of a graph without blank nodes. The same as `checksumOf`, at a tenth of the cost. */
export function groundChecksumOf(triples: readonly Triple[]): string {
  return sha256(canonicalGroundForm(triples))
}

/**
 * The checksum of any graph: 64 lower-case hexadecimal digits.
 *
 * @throws  Problem 422 `checksum-work`
 */
export async function checksumOf(triples: readonly Triple[], options: CanonizeOptions = {}): Promise<string> {
  return sha256(await canonicalForm(triples.map(nameless), options))
}

export function hasBlankNodes(triples: readonly Triple[]): boolean {
  return triples.some(({subject, object}) => subject.termType === 'BlankNode' || object.termType === 'BlankNode')
}

function sha256(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex')
}

function nameless({subject, predicate, object}: Triple): Quad {
  return {subject, predicate, object, graph: defaultGraph}
}

function withoutDuplicates(quads: readonly Quad[]): readonly Quad[] {
  const byKey = new Map(
    quads.map(quad => [
      `${termKey(quad.subject)}\n${quad.predicate.value}\n${termKey(quad.graph)}\n${termKey(quad.object)}`,
      quad,
    ]),
  )
  return byKey.size === quads.length ? quads : [...byKey.values()]
}

function isWorkExceeded(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('Maximum deep iterations exceeded')
}

/** A triple in canonical N-Quads (RDFC-1.0 §5). The triple must not have blank nodes. */
function line({subject, predicate, object}: Triple): string {
  return `${groundText(subject)} ${groundText(predicate)} ${groundText(object)} .\n`
}

function groundText(term: Term): string {
  if (term.termType !== 'Literal') return iriText(term.value)
  // Without a language, rdf-canonize omits the datatype rdf:langString.
  return term.datatype.value === rdf.langString && term.language === '' ? quotedText(term.value) : literalText(term)
}
