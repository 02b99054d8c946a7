/**
 * One entry of a JSON-LD context to a term definition.
 *
 * Floor 2. Beyond the specification, one habit of JSON-LD 1.0 is understood: `"ex": {"@id": "http://example.org/ns#"}`
 * defines a prefix, though 1.1 asks for `"@prefix": true` there (client wire facts §1.17).
 * Source: JSON-LD 1.1 API §4.2 (create term definition).
 */
import {Problem} from '../base/problem.ts'
import type {Iri} from '../rdf/term.ts'
import {type ActiveContext, countWork, directionOf, type Environment, type Processing} from './jsonld-context.ts'
import {expandIri} from './jsonld-iri.ts'
import {
  asArray,
  has,
  hasIriForm,
  hasKeywordForm,
  invalid,
  isBlankId,
  isKeyword,
  isObject,
  type JsonObject,
} from './jsonld-words.ts'

export type TermDefinition = {
  readonly id: string | null
  readonly isPrefix: boolean
  readonly isProtected: boolean
  readonly isReverse: boolean
  readonly containers: readonly string[]
  readonly type?: string
  readonly language?: string | undefined // present and undefined: explicitly none
  readonly direction?: string | undefined // likewise
  readonly index?: string
  readonly nest?: string
  readonly context?: {readonly local: unknown; readonly baseUrl: Iri}
}

/** The context whose terms are being defined. */
export type Scope = {
  readonly local: JsonObject
  readonly defined: Map<string, boolean> // false: begun, true: done
  readonly baseUrl: Iri
  readonly environment: Environment
  readonly processing: Processing
  readonly process: (
    active: ActiveContext,
    local: unknown,
    baseUrl: Iri,
    environment: Environment,
    processing: Processing,
  ) => ActiveContext
}

type Draft = {-readonly [name in keyof TermDefinition]: TermDefinition[name]}

const chainLimit = 200 // terms defined through one another: a: 'b:x', b: 'c:x' …
const entries = new Set(
  '@container @context @direction @id @index @language @nest @prefix @protected @reverse @type'.split(' '),
)

/** Defines one term of the scope's context in `active`, whose terms are its own to change. */
export function defineTerm(active: ActiveContext, term: string, scope: Scope): void {
  const state = scope.defined.get(term)
  if (state === true) return
  if (state === false) throw invalid('cyclic IRI mapping', term)
  if (term === '') throw invalid('invalid term definition', term)
  countWork(scope.environment, 1)
  scope.defined.set(term, false)
  if (++scope.environment.depth > chainLimit) throw invalid('cyclic IRI mapping', term)
  setTerm(active, term, scope)
  scope.environment.depth--
}

function setTerm(active: ActiveContext, term: string, scope: Scope): void {
  const written = scope.local[term]
  if (!mayBeTerm(term, written, scope)) return
  const previous = active.terms.get(term)
  active.terms.delete(term)
  const definition = read(active, term, written, scope)
  scope.defined.set(term, true)
  if (definition === undefined) return
  const isKept = previous?.isProtected === true && scope.processing.overridesProtected !== true
  if (isKept && !isSameDefinition(previous, definition)) throw invalid('protected term redefinition', term)
  active.terms.set(term, isKept ? previous : definition)
}

/** Keywords are not redefined, but `@type` may be given a container. */
function mayBeTerm(term: string, written: unknown, scope: Scope): boolean {
  if (term === '@type') {
    const names = isObject(written) ? Object.keys(written) : []
    const isAllowed = names.length > 0 && names.every(name => name === '@container' || name === '@protected')
    if (!isAllowed || !isObject(written) || (has(written, '@container') && written['@container'] !== '@set')) {
      throw invalid('keyword redefinition', term)
    }
    return true
  }
  if (isKeyword(term)) throw invalid('keyword redefinition', term)
  if (!hasKeywordForm(term)) return true
  scope.environment.loss('a term reserved for keywords', term)
  return false
}

function read(active: ActiveContext, term: string, written: unknown, scope: Scope): TermDefinition | undefined {
  const value = written === null || typeof written === 'string' ? {'@id': written} : written
  if (!isObject(value)) throw invalid('invalid term definition', written)
  const draft: Draft = {
    id: null,
    isPrefix: false,
    isProtected: protectionOf(value, scope),
    isReverse: false,
    containers: [],
  }
  if (has(value, '@type')) draft.type = typeOf(active, value['@type'], scope)
  if (has(value, '@reverse')) return readReverse(active, value, draft, scope)
  const id = idOf(active, term, value, scope)
  if (id === undefined) return undefined
  draft.id = id
  draft.isPrefix = isPrefix(term, value, id, isObject(written) ? 'expanded' : 'simple')
  if (has(value, '@container')) readContainer(value['@container'], draft)
  readRest(active, value, draft, scope)
  if (Object.keys(value).some(name => !entries.has(name))) throw invalid('invalid term definition', value)
  return draft
}

function protectionOf(value: JsonObject, scope: Scope): boolean {
  if (!has(value, '@protected')) return scope.local['@protected'] === true
  if (typeof value['@protected'] !== 'boolean') throw invalid('invalid @protected value', value['@protected'])
  return value['@protected']
}

/** Expands a word of this context; terms it needs are defined first. */
function expand(active: ActiveContext, word: string, scope: Scope): string | null {
  const define = (term: string) => {
    if (has(scope.local, term) && scope.defined.get(term) !== true) defineTerm(active, term, scope)
  }
  return expandIri(active, word, {vocab: true, define, loss: scope.environment.loss})
}

function typeOf(active: ActiveContext, written: unknown, scope: Scope): string {
  if (typeof written !== 'string') throw invalid('invalid type mapping', written)
  const type = expand(active, written, scope)
  const isWord = type === '@id' || type === '@vocab' || type === '@json' || type === '@none'
  if (type === null || (!isWord && !hasIriForm(type))) throw invalid('invalid type mapping', written)
  return type
}

function readReverse(active: ActiveContext, value: JsonObject, draft: Draft, scope: Scope): TermDefinition | undefined {
  const written = value['@reverse']
  if (has(value, '@id') || has(value, '@nest')) throw invalid('invalid reverse property', value)
  if (typeof written !== 'string') throw invalid('invalid IRI mapping', written)
  if (hasKeywordForm(written)) {
    scope.environment.loss('a word reserved for keywords', written)
    return undefined
  }
  draft.id = expand(active, written, scope)
  if (draft.id === null || (!hasIriForm(draft.id) && !isBlankId(draft.id)))
    throw invalid('invalid IRI mapping', written)
  const container = value['@container'] ?? null
  if (container !== null && container !== '@set' && container !== '@index')
    throw invalid('invalid reverse property', container)
  draft.containers = container === null ? [] : [container]
  draft.isReverse = true
  return draft
}

/** The IRI a term stands for; null: nothing; undefined: the entry does not define the term. */
function idOf(active: ActiveContext, term: string, value: JsonObject, scope: Scope): string | null | undefined {
  if (has(value, '@id') && value['@id'] !== term) return writtenId(active, term, value['@id'], scope)
  const colon = term.indexOf(':', 1)
  if (colon !== -1) {
    const prefix = term.slice(0, colon)
    if (has(scope.local, prefix)) defineTerm(active, prefix, scope)
    const definition = active.terms.get(prefix)
    return definition === undefined ? term : `${definition.id}${term.slice(colon + 1)}`
  }
  if (term.includes('/')) {
    const id = expandIri(active, term, {vocab: true, relative: true, loss: scope.environment.loss})
    if (id === null || !hasIriForm(id)) throw invalid('invalid IRI mapping', term)
    return id
  }
  if (term === '@type') return '@type'
  if (active.vocab === undefined) throw invalid('invalid IRI mapping', term)
  return active.vocab + term
}

function writtenId(active: ActiveContext, term: string, written: unknown, scope: Scope): string | null | undefined {
  if (written === null) return null
  if (typeof written !== 'string') throw invalid('invalid IRI mapping', written)
  if (!isKeyword(written) && hasKeywordForm(written)) {
    scope.environment.loss('a word reserved for keywords', written)
    return undefined
  }
  const id = expand(active, written, scope)
  if (id === null || !(isKeyword(id) || hasIriForm(id) || isBlankId(id))) throw invalid('invalid IRI mapping', written)
  if (id === '@context') throw invalid('invalid keyword alias', written)
  if (/.:./s.test(term) || term.includes('/')) {
    scope.defined.set(term, true) // so that the term expands as if it were not defined here
    if (expand(active, term, scope) !== id) throw invalid('invalid IRI mapping', term)
  }
  return id
}

function isPrefix(term: string, value: JsonObject, id: string | null, form: 'simple' | 'expanded'): boolean {
  const isPlain = !term.includes(':') && !term.includes('/')
  if (has(value, '@prefix')) {
    if (!isPlain) throw invalid('invalid term definition', term)
    if (typeof value['@prefix'] !== 'boolean') throw invalid('invalid @prefix value', value['@prefix'])
    if (value['@prefix'] && isKeyword(id)) throw invalid('invalid term definition', term)
    return value['@prefix']
  }
  if (!isPlain || id === null) return false
  const endsOpen = /[:/?#[\]@]$/.test(id)
  return form === 'simple' ? endsOpen || isBlankId(id) : endsOpen && !isKeyword(id)
}

const containerWords = new Set('@graph @id @index @language @list @set @type'.split(' '))

function readContainer(written: unknown, draft: Draft): void {
  const words = asArray(written)
  const isKnown = words.length > 0 && words.every(word => typeof word === 'string' && containerWords.has(word))
  const rest = words.filter(word => word !== '@set')
  const isPair = rest.length === 2 && rest.includes('@graph') && (rest.includes('@id') || rest.includes('@index'))
  const isListInSet = rest.includes('@list') && words.length > 1
  if (!isKnown || isListInSet || (rest.length > 1 && !isPair)) throw invalid('invalid container mapping', written)
  draft.containers = words as string[]
  if (!words.includes('@type')) return
  draft.type ??= '@id'
  if (draft.type !== '@id' && draft.type !== '@vocab') throw invalid('invalid type mapping', draft.type)
}

function readRest(active: ActiveContext, value: JsonObject, draft: Draft, scope: Scope): void {
  if (has(value, '@index')) draft.index = indexOf(active, value['@index'], draft, scope)
  if (has(value, '@context')) draft.context = scopedContext(active, value['@context'], scope)
  if (has(value, '@language') && !has(value, '@type')) {
    const language = value['@language']
    if (language !== null && typeof language !== 'string') throw invalid('invalid language mapping', language)
    draft.language = language ?? undefined
  }
  if (has(value, '@direction') && !has(value, '@type')) draft.direction = directionOf(value['@direction'])
  if (has(value, '@nest')) {
    const nest = value['@nest']
    if (typeof nest !== 'string' || (isKeyword(nest) && nest !== '@nest')) throw invalid('invalid @nest value', nest)
    draft.nest = nest
  }
}

function indexOf(active: ActiveContext, written: unknown, draft: Draft, scope: Scope): string {
  if (!draft.containers.includes('@index') || typeof written !== 'string')
    throw invalid('invalid term definition', written)
  const iri = expand(active, written, scope)
  if (iri === null || !hasIriForm(iri)) throw invalid('invalid term definition', written)
  return written
}

/** A scoped context is checked where it is defined and applied where its term is used. */
function scopedContext(active: ActiveContext, local: unknown, scope: Scope): {local: unknown; baseUrl: Iri} {
  const processing = {remote: scope.processing.remote ?? [], overridesProtected: true, validatesScoped: false}
  try {
    scope.process(active, local, scope.baseUrl, scope.environment, processing)
  } catch (error) {
    if (error instanceof Problem && error.rule === 'jsonld-invalid')
      throw invalid('invalid scoped context', local, error)
    throw error
  }
  return {local, baseUrl: scope.baseUrl}
}

/** Definitions are the same when all but their protection is. */
function isSameDefinition(left: TermDefinition, right: TermDefinition): boolean {
  const shape = (definition: TermDefinition) =>
    JSON.stringify([
      definition.id,
      definition.isPrefix,
      definition.isReverse,
      definition.containers,
      definition.type,
      has(definition, 'language') ? [definition.language] : undefined,
      has(definition, 'direction') ? [definition.direction] : undefined,
      definition.index,
      definition.nest,
      definition.context?.local,
    ])
  return shape(left) === shape(right)
}
