/**
 * Encodes graphs for the store's SQL functions and decodes graphs from them.
 *
 * Encoded: each term once, as a key, and three arrays of references. Decoded: three arrays of ids and the dictionary
 * entries of these ids. Inline literals are ids only, never text. The SQL functions are in sql/functions/30_term.sql
 * and 55_read.sql.
 */

import {type PackedTexts, packTexts, unpackTexts} from '../../base/packed-texts.ts'
import type {Changes} from '../../ldpatch/patch.ts'
import {blankNodeLabel, kindOfId} from '../../rdf/id-layout.ts'
import {packLiteral, unpackLiteral} from '../../rdf/inline.ts'
import {fromStoredText, toStoredText} from '../../rdf/stored-text.ts'
import {
  blankNode,
  type Iri,
  langLiteral,
  literal,
  type NamedNode,
  namedNode,
  type Resource,
  type Term,
  type Triple,
} from '../../rdf/term.ts'
import {blankNodeKey, kindOfKey, termKey, termOfKey} from '../../rdf/term-key.ts'
import {encodeValue} from '../connection/value.ts'

/** Encoded graphs. A positive reference n is the n-th key (from 1); a negative reference is an inline literal's id. */
export type EncodedGraphs = {
  readonly keys: readonly string[]
  readonly references: readonly (readonly string[])[] // s, p and o of the first graph, of the second …
}

/** The same as parameter texts. A thread that encodes a large graph returns this form. */
export type GraphParameters = {
  readonly keys: string
  readonly references: readonly string[]
  readonly labels: PackedTexts // of the blank nodes among the keys, in the order of the keys
}

/** A graph to write. */
export type GraphToWrite = readonly Triple[] | GraphParameters

/** A graph as the store returns it: ids, and `{"<id>": "<IRI>" | [lexical form, datatype, language]}`. */
export type StoredGraph = {
  readonly subjects: readonly string[]
  readonly predicates: readonly string[]
  readonly objects: readonly string[]
  readonly terms: StoredTerms | null
}
export type StoredTerm = string | readonly [lexicalForm: string, datatype: string | null, language: string | null]
export type StoredTerms = Readonly<Record<string, StoredTerm>>

/** Creates an encoder, which refers to terms by keys, each kept once, or by the ids of inline literals. */
export function createEncoder() {
  const known = new Map<string, string>()
  return {
    /** @param scope  the same label in another scope is another blank node */
    refer(term: Term, scope = ''): string {
      const inline = term.termType === 'Literal' ? packLiteral(term) : undefined
      if (inline !== undefined) return inline.toString()
      const key = toStoredText(term.termType === 'BlankNode' ? blankNodeKey(scope + term.value) : termKey(term))
      const found = known.get(key)
      if (found !== undefined) return found
      const reference = String(known.size + 1)
      known.set(key, reference)
      return reference
    },
    keys: () => [...known.keys()],
  }
}

/** Encodes several graphs with one set of keys. */
export function encodeGraphs(graphs: readonly Iterable<Triple>[]): EncodedGraphs {
  const {refer, keys} = createEncoder()
  const references = graphs.flatMap(graph => {
    const subjects: string[] = []
    const predicates: string[] = []
    const objects: string[] = []
    for (const {subject, predicate, object} of graph) {
      subjects.push(refer(subject))
      predicates.push(refer(predicate))
      objects.push(refer(object))
    }
    return [subjects, predicates, objects]
  })
  return {keys: keys(), references}
}

export function graphParameters(graphs: readonly Iterable<Triple>[]): GraphParameters {
  const {keys, references} = encodeGraphs(graphs)
  return {
    keys: String(encodeValue(keys)),
    references: references.map(idsText),
    labels: packTexts(blankLabelsOf(keys)),
  }
}

/**
 * Encodes the removed and the added triples. A label only in removed triples is not written, so it becomes anonymous.
 */
export function changeParameters({removed, added}: Changes): GraphParameters {
  const {labels, ...others} = graphParameters([removed, added])
  const put = new Set(
    added
      .flatMap(({subject, object}) => [subject, object])
      .filter(isBlank)
      .map(({value}) => value),
  )
  return {...others, labels: packTexts(Array.from(unpackTexts(labels), label => (put.has(label) ? label : anonymous)))}
}

export function isEncoded(graph: GraphToWrite | Changes): graph is GraphParameters {
  return 'references' in graph
}

const anonymous = '!' // see isAnonymousLabel in format/

function isBlank({termType}: Term): boolean {
  return termType === 'BlankNode'
}

/** The text of a PostgreSQL array of numbers, which need no quotes. */
export function idsText(ids: readonly string[]): string {
  return `{${ids.join(',')}}`
}

/** The labels of the blank nodes among the keys, in the order of the `blank_nodes` of the SQL functions. */
export function blankLabelsOf(keys: readonly string[]): string[] {
  return keys.filter(key => kindOfKey(key) === 'blank').map(key => termOfKey(key).value)
}

/**
 * Creates a decoder from ids to terms.
 *
 * @param vocabulary  the terms with ids below 1000, which rows leave out
 * @returns           a decoder that creates one term object per id
 */
export function createDecoder(vocabulary: ReadonlyMap<string, Iri>) {
  const decoded = new Map<string, Term>()

  function decodeTerm(id: string, terms: StoredTerms | null): Term {
    const known = decoded.get(id)
    if (known !== undefined) return known
    const term = buildTerm(id, terms?.[id], vocabulary)
    decoded.set(id, term)
    return term
  }

  return function decodeGraph({subjects, predicates, objects, terms}: StoredGraph): Triple[] {
    return subjects.map((subject, index) => ({
      subject: decodeTerm(subject, terms) as Resource,
      predicate: decodeTerm(predicates[index] ?? '', terms) as NamedNode,
      object: decodeTerm(objects[index] ?? '', terms),
    }))
  }
}

/**
 * @param stored      the dictionary entry; undefined for an inline literal or a term of the vocabulary
 * @param vocabulary  the terms with ids below 1000
 */
export function buildTerm(id: string, stored: StoredTerm | undefined, vocabulary: ReadonlyMap<string, Iri>): Term {
  if (id.startsWith('-')) return unpackLiteral(BigInt(id))
  if (typeof stored === 'string') return namedNode(stored)
  if (stored !== undefined) {
    const [storedForm, datatype, language] = stored
    const lexicalForm = fromStoredText(storedForm)
    return language === null ? literal(lexicalForm, datatype ?? undefined) : langLiteral(lexicalForm, language)
  }
  const own = vocabulary.get(id)
  if (own !== undefined) return namedNode(own)
  if (kindOfId(id) === 'blank') return blankNode(blankNodeLabel(id))
  throw new Error(`term ${id} is not in the dictionary`)
}
