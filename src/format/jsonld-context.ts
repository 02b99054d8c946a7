/**
 * JSON-LD contexts: local context in, active context out.
 *
 * Floor 2. Contexts come from the body, from those the caller knows and from those bundled; a URL beyond these is refused.
 * Source: JSON-LD 1.1 API §4.1 (context processing).
 */
import {Problem} from '../base/problem.ts'
import {resolveIri} from '../rdf/iri.ts'
import type {Iri} from '../rdf/term.ts'
import {excerpt} from './body-text.ts'
import {expandIri} from './jsonld-iri.ts'
import {defineTerm, type TermDefinition} from './jsonld-term.ts'
import {asArray, has, hasIriForm, invalid, isBlankId, isObject, type JsonObject, type Loss} from './jsonld-words.ts'

export type ActiveContext = {
  readonly terms: Map<string, TermDefinition>
  readonly base: Iri | undefined
  readonly vocab: string | undefined
  readonly language: string | undefined
  readonly direction: string | undefined
  readonly previous: ActiveContext | undefined // what comes back when a context that does not propagate ends
}

/** What one body brings to the processing of its contexts. */
export type Environment = {
  readonly base: Iri
  readonly contexts: ReadonlyMap<Iri, unknown>
  readonly loss: Loss
  depth: number // definitions begun and not yet done
  work: number // terms copied and defined so far; bounded, as small bodies can ask for very many
}

export type Processing = {
  readonly remote?: readonly Iri[] // the URLs that led here
  readonly overridesProtected?: boolean
  readonly propagates?: boolean
  readonly validatesScoped?: boolean
}

const remoteLimit = 20
const workLimit = 1_000_000
const directives = new Set('@base @direction @import @language @propagate @protected @version @vocab'.split(' '))

export function initialContext(base: Iri): ActiveContext {
  return {terms: new Map(), base, vocab: undefined, language: undefined, direction: undefined, previous: undefined}
}

/** Counts work on contexts. @throws Problem 400 `context-size` */
export function countWork(environment: Environment, terms: number): void {
  environment.work += terms
  if (environment.work > workLimit)
    throw new Problem(400, 'context-size', `The contexts define more than ${workLimit} terms.`)
}

/**
 * @param baseUrl  what relative URLs of contexts resolve against
 * @throws Problem 400 `jsonld-invalid` | `context-size`, 422 `remote-context-refused`
 */
export function processContext(
  active: ActiveContext,
  local: unknown,
  baseUrl: Iri,
  environment: Environment,
  processing: Processing = {},
): ActiveContext {
  let propagates = processing.propagates ?? true
  if (isObject(local) && typeof local['@propagate'] === 'boolean') propagates = local['@propagate']
  let result = propagates || active.previous !== undefined ? active : {...active, previous: active}
  for (const context of asArray(local)) {
    if (context === null) result = nullify(result, propagates, environment, processing)
    else if (typeof context === 'string') result = includeContext(result, context, baseUrl, environment, processing)
    else if (isObject(context)) result = applyContext(result, context, baseUrl, environment, processing)
    else throw invalid('invalid local context', context)
  }
  return result
}

function nullify(
  active: ActiveContext,
  propagates: boolean,
  environment: Environment,
  processing: Processing,
): ActiveContext {
  if (processing.overridesProtected !== true) {
    for (const [term, definition] of active.terms) {
      if (definition.isProtected) throw invalid('invalid context nullification', term)
    }
  }
  return {...initialContext(environment.base), previous: propagates ? undefined : active}
}

function includeContext(
  active: ActiveContext,
  reference: string,
  baseUrl: Iri,
  environment: Environment,
  processing: Processing,
): ActiveContext {
  const url = resolveIri(reference, baseUrl)
  const remote = processing.remote ?? []
  if (remote.includes(url) && processing.validatesScoped === false) return active
  if (remote.length >= remoteLimit) throw invalid('context overflow', url)
  const loaded = loadContext(url, environment)
  return processContext(active, loaded, url, environment, {
    remote: [...remote, url],
    validatesScoped: processing.validatesScoped ?? true,
  })
}

function loadContext(url: Iri, environment: Environment): unknown {
  const document = environment.contexts.get(url)
  if (document === undefined) {
    const message = `The context ${excerpt(url)} is not known here, and contexts are not fetched: write it into the body`
    throw new Problem(422, 'remote-context-refused', message, {members: {context: url}})
  }
  if (!isObject(document) || !has(document, '@context')) throw invalid('invalid remote context', url)
  return document['@context']
}

function applyContext(
  active: ActiveContext,
  written: JsonObject,
  baseUrl: Iri,
  environment: Environment,
  processing: Processing,
): ActiveContext {
  if (has(written, '@version') && written['@version'] !== 1.1)
    throw invalid('invalid @version value', written['@version'])
  const context = has(written, '@import') ? importInto(written, baseUrl, environment) : written
  const isRemote = (processing.remote ?? []).length > 0
  countWork(environment, active.terms.size)
  const withBase = has(context, '@base') && !isRemote ? {...active, base: baseOf(context['@base'], active)} : active
  const result = {
    ...withBase,
    terms: new Map(active.terms),
    vocab: has(context, '@vocab') ? vocabOf(context['@vocab'], withBase, environment.loss) : active.vocab,
    language: has(context, '@language') ? languageOf(context['@language']) : active.language,
    direction: has(context, '@direction') ? directionOf(context['@direction']) : active.direction,
  }
  requireBoolean(context, '@propagate', 'invalid @propagate value')
  requireBoolean(context, '@protected', 'invalid @protected value')
  const defined = new Map<string, boolean>()
  const scope = {local: context, defined, baseUrl, environment, processing, process: processContext}
  for (const term of Object.keys(context)) if (!directives.has(term)) defineTerm(result, term, scope)
  return result
}

function importInto(context: JsonObject, baseUrl: Iri, environment: Environment): JsonObject {
  if (typeof context['@import'] !== 'string') throw invalid('invalid @import value', context['@import'])
  const imported = loadContext(resolveIri(context['@import'], baseUrl), environment)
  if (!isObject(imported)) throw invalid('invalid remote context', context['@import'])
  if (has(imported, '@import')) throw invalid('invalid context entry', imported['@import'])
  const {'@import': _, ...own} = context
  return {...imported, ...own}
}

function baseOf(value: unknown, active: ActiveContext): Iri | undefined {
  if (value === null) return undefined
  if (typeof value !== 'string') throw invalid('invalid base IRI', value)
  if (hasIriForm(value)) return value
  if (active.base === undefined) throw invalid('invalid base IRI', value)
  return resolveIri(value, active.base)
}

function vocabOf(value: unknown, active: ActiveContext, loss: Loss): string | undefined {
  if (value === null) return undefined
  if (typeof value !== 'string') throw invalid('invalid vocab mapping', value)
  const vocab = expandIri(active, value, {vocab: true, relative: true, loss})
  if (vocab === null || (!isBlankId(vocab) && !hasIriForm(vocab))) throw invalid('invalid vocab mapping', value)
  return vocab
}

function languageOf(value: unknown): string | undefined {
  if (value === null) return undefined
  if (typeof value !== 'string') throw invalid('invalid default language', value)
  return value
}

/** null, 'ltr' or 'rtl'. */
export function directionOf(value: unknown): string | undefined {
  if (value === null) return undefined
  if (value !== 'ltr' && value !== 'rtl') throw invalid('invalid base direction', value)
  return value
}

function requireBoolean(context: JsonObject, name: string, code: string): void {
  if (has(context, name) && typeof context[name] !== 'boolean') throw invalid(code, context[name])
}
