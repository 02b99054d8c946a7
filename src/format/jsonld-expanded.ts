/**
 * JSON-LD to its expanded form, by jsonld: no contexts, full IRIs, arrays everywhere.
 *
 * `patches/jsonld+9.0.0.patch` corrects jsonld: it keeps the case of language tags, the port of a base and names such
 * as '__proto__', accepts a language beside xsd:string, and removes steps that take quadratic time.
 * Sources: JSON-LD 1.1 API §5.1 (expansion), §9.6 (error codes); decision 0013.
 */
import jsonld from 'jsonld'
import type {Problem} from '../base/problem.ts'
import type {Iri} from '../rdf/term.ts'
import {BodyContexts} from './jsonld-contexts.ts'
import {isObject, type JsonObject, jsonldProblem, type LossHandler} from './jsonld-words.ts'

export type ExpandOptions = {
  readonly base: Iri
  readonly contexts: ReadonlyMap<Iri, unknown> // URL → context document
  readonly contextWork?: number | undefined // terms that contexts may copy and define
  readonly loss: LossHandler
}

type JsonLdEvent = {readonly code: string; readonly details: JsonObject}

/** Code of a jsonld warning about data that it drops → what is lost, for the message. */
const losses: ReadonlyMap<string, string> = new Map([
  ['free-floating scalar', 'a value outside of any node'],
  ['object with only @value', 'a value outside of any node'],
  ['object with only @list', 'a list outside of any node'],
  ['invalid property', 'a property that is no IRI'],
  ['reserved term', 'a word reserved for keywords'],
  ['reserved @id value', 'a word reserved for keywords'],
  ['reserved @reverse value', 'a word reserved for keywords'],
])

/** @throws Problem 400 `jsonld-invalid` | `jsonld-lossless` | `context-size`, 422 `remote-context-refused` */
export async function expandDocument(document: unknown, options: ExpandOptions): Promise<readonly JsonObject[]> {
  if (document === null) return []
  if (typeof document !== 'object') {
    options.loss('a value outside of any node', document) // jsonld would read a string as the URL of a document
    return []
  }
  const contexts = new BodyContexts(options.contexts, options.contextWork)
  const onEvent = ({event, next}: {readonly event: JsonLdEvent; readonly next: () => void}) => {
    const what = losses.get(event.code)
    if (what !== undefined) reportLoss(what, event.details, options.loss, contexts)
    next()
  }
  const settings = {
    base: options.base,
    processingMode: 'json-ld-1.1',
    documentLoader: contexts.load,
    contextResolver: contexts,
    eventHandler: onEvent,
  }
  try {
    const expanded: readonly unknown[] = await jsonld.expand(document as jsonld.JsonLdDocument, settings as object)
    return expanded.filter(isObject)
  } catch (error) {
    throw contexts.problem ?? problemOf(error)
  }
}

function reportLoss(what: string, details: JsonObject, loss: LossHandler, contexts: BodyContexts): void {
  try {
    loss(what, details.property ?? details.value ?? details.id ?? details.term ?? details.reverse)
  } catch (error) {
    contexts.keep(error)
    throw error
  }
}

/** Members of jsonld's error details that hold the offending value, the most specific first. */
const culprits = ['term', 'value', 'element', 'url', 'keyword', 'languageMap', 'context'] as const

function problemOf(error: unknown): Problem {
  // a chain of terms defined by one another, too long for the stack
  if (error instanceof RangeError) return jsonldProblem('context overflow', undefined, error)
  const details = error instanceof Error && 'details' in error && isObject(error.details) ? error.details : {}
  const culprit = culprits.find(name => details[name] !== undefined)
  const value = culprit === undefined ? undefined : details[culprit]
  if (typeof details.code === 'string') return jsonldProblem(details.code, value, error)
  return jsonldProblem('invalid input', value, error) // jsonld throws a TypeError for some values of the wrong kind
}
