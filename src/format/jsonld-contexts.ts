/**
 * The contexts of one JSON-LD body: resolves the bundled ones, refuses all others, and limits the work they cause.
 *
 * jsonld's own cache outlives a body and mixes documents: a relative '@vocab' would keep the base of the first body
 * that used it. Each body therefore has its own cache. One habit of JSON-LD 1.0 is supported (decision 0013):
 * `"ex": {"@id": "http://example.org/ns#"}` defines a prefix, though 1.1 requires `"@prefix": true` for that.
 */
import ContextResolver from 'jsonld/lib/ContextResolver.js'
import {excerpt} from '../base/excerpt.ts'
import {Problem} from '../base/problem.ts'
import type {Iri} from '../rdf/term.ts'
import {has, isObject, type JsonObject} from './jsonld-words.ts'

const iriLimit = 2_000 // characters of a namespace or a term's IRI, because each use expands to all of them
const defaultWorkLimit = 1_000_000 // terms copied and defined: a small body can cause very many

/** A processed context, as jsonld represents it. */
type ActiveContext = {
  readonly mappings: ReadonlyMap<string, {readonly '@id'?: unknown}>
  readonly '@base'?: unknown
  readonly '@vocab'?: unknown
}
type Processed = {readonly context?: ActiveContext}
type Resolved = {
  readonly document: unknown
  getProcessed(active: ActiveContext): Processed | undefined
  setProcessed(active: ActiveContext, processed: Processed): void
}
type Request = {readonly context: unknown; readonly [name: string]: unknown}

export type Loaded = {readonly contextUrl: undefined; readonly documentUrl: Iri; readonly document: unknown}

export class BodyContexts {
  readonly #known: ReadonlyMap<Iri, unknown>
  readonly #workLimit: number
  readonly #resolver = new ContextResolver({sharedCache: new Map()})
  readonly #resolved = new Map<unknown, readonly Resolved[]>()
  readonly #counted = new Map<Resolved, Resolved>()
  #work = 0
  /** The first Problem. It is kept here because jsonld wraps what this class throws in errors of its own. */
  problem: Problem | undefined

  /**
   * @param known      URL → context document
   * @param workLimit  number of terms that contexts may copy and define
   */
  constructor(known: ReadonlyMap<Iri, unknown>, workLimit = defaultWorkLimit) {
    this.#known = known
    this.#workLimit = workLimit
  }

  /** jsonld's document loader. It fetches nothing. @throws Problem 422 `remote-context-refused` */
  readonly load = async (url: Iri): Promise<Loaded> => {
    const document = this.#known.get(url)
    if (document !== undefined) return {contextUrl: undefined, documentUrl: url, document: structuredClone(document)}
    const message = `The context ${excerpt(url)} is not known, and contexts are not fetched: write it into the body`
    throw this.#refuse(new Problem(422, 'remote-context-refused', message, {members: {context: url}}))
  }

  /** jsonld's context resolver: the contexts of one '@context' value. The same value resolves to the same objects. */
  async resolve(request: Request): Promise<readonly Resolved[]> {
    const known = this.#resolved.get(request.context)
    if (known !== undefined) return known
    const found = (await this.#resolver.resolve({
      ...request,
      context: withPrefixes(request.context),
    })) as readonly Resolved[]
    const resolved = found.map(each => this.#count(each))
    if (typeof request.context === 'object') this.#resolved.set(request.context, resolved)
    return resolved
  }

  /** Keeps a Problem before jsonld wraps it. */
  keep(error: unknown): void {
    if (error instanceof Problem) this.#refuse(error)
  }

  #refuse(problem: Problem): Problem {
    this.problem ??= problem
    return problem
  }

  #count(resolved: Resolved): Resolved {
    const known = this.#counted.get(resolved)
    if (known !== undefined) return known
    const document = typeof resolved.document === 'object' ? withPrefixes(resolved.document) : resolved.document
    const size = isObject(document) ? Object.keys(document).length : 0
    const counted: Resolved = {
      document,
      getProcessed: active => {
        const processed = resolved.getProcessed(active)
        if (processed === undefined) this.#addWork(active.mappings.size + size)
        return processed
      },
      setProcessed: (active, processed) => {
        this.#requireShort(processed.context)
        resolved.setProcessed(active, processed)
      },
    }
    this.#counted.set(resolved, counted)
    return counted
  }

  /**
   * Refuses long IRIs. It checks the processed context, because the document lacks the terms of an '@import'.
   *
   * @throws Problem 400 `context-size`
   */
  #requireShort(context: ActiveContext | undefined): void {
    if (!(context?.mappings instanceof Map)) return
    const iris = [context['@base'], context['@vocab']]
    for (const mapping of context.mappings.values()) iris.push(mapping['@id'])
    const long = iris.find(iri => typeof iri === 'string' && iri.length > iriLimit)
    if (long === undefined) return
    const message = `A context defines an IRI of more than ${iriLimit} characters: ${excerpt(String(long))}`
    throw this.#refuse(new Problem(400, 'context-size', message))
  }

  /** @throws Problem 400 `context-size` */
  #addWork(terms: number): void {
    this.#work += terms
    if (this.#work <= this.#workLimit) return
    throw this.#refuse(new Problem(400, 'context-size', `The contexts define more than ${this.#workLimit} terms.`))
  }
}

/** The context with "@prefix": true added to the prefixes that are written in the style of JSON-LD 1.0. */
function withPrefixes(context: unknown): unknown {
  if (Array.isArray(context)) return context.map(withPrefixes)
  if (!isObject(context)) return context
  if (!Object.entries(context).some(([term, definition]) => isOldPrefix(term, definition))) return context
  return Object.fromEntries(
    Object.entries(context).map(([term, definition]) => [
      term,
      isObject(definition) && isOldPrefix(term, definition) ? {...definition, '@prefix': true} : definition,
    ]),
  )
}

function isOldPrefix(term: string, definition: unknown): definition is JsonObject {
  if (/[:/]/.test(term) || !isObject(definition) || has(definition, '@prefix')) return false
  const id = definition['@id']
  return typeof id === 'string' && /[:/?#[\]@]$/.test(id)
}
