/**
 * JSON-LD to its expanded form: no contexts, full IRIs, everything in arrays.
 *
 * Floor 2. Keeps what RDF needs exactly: language tags with their case, strings as they are. Beyond the specification, a
 * value object with a language *and* the type xsd:string loses the type (client wire facts §1.16).
 * Source: JSON-LD 1.1 API §5.1 (expansion), §5.3 (value expansion).
 */
import {rdf, xsd} from '../rdf/vocabulary.ts'
import {
  type ActiveContext,
  type Environment,
  initialContext,
  type Processing,
  processContext,
} from './jsonld-context.ts'
import {expandIri} from './jsonld-iri.ts'
import {expandMap} from './jsonld-maps.ts'
import type {TermDefinition} from './jsonld-term.ts'
import {asArray, has, invalid, isKeyword, isObject, type JsonObject} from './jsonld-words.ts'

export type Expanded = {[name: string]: unknown} // a node, value, list or set object in the making

/** The whole document, as the array of its top-level nodes. */
export function expandDocument(document: unknown, environment: Environment): readonly unknown[] {
  const expansion = new Expansion(environment)
  const expanded = expansion.expand(initialContext(environment.base), null, document)
  const isGraphOnly = isObject(expanded) && has(expanded, '@graph') && Object.keys(expanded).length === 1
  const top = isGraphOnly ? expanded['@graph'] : expanded
  return top === null || top === undefined ? [] : asArray(top)
}

export class Expansion {
  readonly environment: Environment

  constructor(environment: Environment) {
    this.environment = environment
  }

  /** @param property  the term the element stands under; null at the top */
  expand(
    active: ActiveContext,
    property: string | null,
    element: unknown,
    from: 'map' | 'elsewhere' = 'elsewhere',
  ): unknown {
    if (element === null || element === undefined) return null
    if (Array.isArray(element)) return this.#expandArray(active, property, element, from)
    if (isObject(element)) return this.#expandObject(active, property, element, from)
    if (property === null || property === '@graph') {
      this.environment.loss('a value outside of any node', element)
      return null
    }
    const definition = active.terms.get(property)
    const context = this.#applyScoped(active, definition, {overridesProtected: true})
    return expandValue(context, property, element, this.environment)
  }

  iri(
    active: ActiveContext,
    value: string,
    where: {readonly vocab?: boolean; readonly relative?: boolean},
  ): string | null {
    return expandIri(active, value, {...where, loss: this.environment.loss})
  }

  #expandArray(
    active: ActiveContext,
    property: string | null,
    items: readonly unknown[],
    from: 'map' | 'elsewhere',
  ): unknown {
    const isInList = property !== null && active.terms.get(property)?.containers.includes('@list') === true
    const result: unknown[] = []
    for (const item of items) {
      const expanded = this.expand(active, property, item, from)
      if (Array.isArray(expanded) && isInList) result.push({'@list': expanded})
      else if (Array.isArray(expanded)) for (const each of expanded) result.push(each)
      else if (expanded !== null) result.push(expanded)
    }
    return result
  }

  #applyScoped(active: ActiveContext, definition: TermDefinition | undefined, processing: Processing): ActiveContext {
    if (definition?.context === undefined) return active
    return processContext(active, definition.context.local, definition.context.baseUrl, this.environment, processing)
  }

  #expandObject(
    active: ActiveContext,
    property: string | null,
    element: JsonObject,
    from: 'map' | 'elsewhere',
  ): unknown {
    const definition = property === null ? undefined : active.terms.get(property)
    let context = this.#revert(active, element, from)
    context = this.#applyScoped(context, definition, {overridesProtected: true})
    if (has(element, '@context'))
      context = processContext(context, element['@context'], this.environment.base, this.environment)
    const typeScoped = context
    context = this.#applyTypes(context, typeScoped, element)
    const result: Expanded = {}
    const entries = {result, element, property, context, typeScoped, inputType: this.#inputType(context, element)}
    this.expandEntries(entries)
    return this.#finish(result, property)
  }

  /** A context that does not propagate ends at the next node. */
  #revert(active: ActiveContext, element: JsonObject, from: 'map' | 'elsewhere'): ActiveContext {
    if (active.previous === undefined || from === 'map') return active
    const names = Object.keys(element).map(name => this.iri(active, name, {vocab: true}))
    if (names.includes('@value') || (names.length === 1 && names[0] === '@id')) return active
    return active.previous
  }

  #applyTypes(active: ActiveContext, typeScoped: ActiveContext, element: JsonObject): ActiveContext {
    let context = active
    for (const name of Object.keys(element).sort()) {
      if (this.iri(active, name, {vocab: true}) !== '@type') continue
      const types = asArray(element[name]).filter(type => typeof type === 'string')
      for (const type of types.sort()) {
        context = this.#applyScoped(context, typeScoped.terms.get(type), {propagates: false})
      }
    }
    return context
  }

  /** The type that decides how `@value` is read: '@json' above all. */
  #inputType(active: ActiveContext, element: JsonObject): string | null {
    const name = Object.keys(element)
      .sort()
      .find(each => this.iri(active, each, {vocab: true}) === '@type')
    const type = name === undefined ? undefined : asArray(element[name]).at(-1)
    return typeof type === 'string' ? this.iri(active, type, {vocab: true}) : null
  }

  /** The entries of one JSON object into its expanded form; also of the objects nested in it by `@nest`. */
  expandEntries(entries: Entries): void {
    const nests: string[] = []
    for (const name of Object.keys(entries.element)) {
      if (name === '@context') continue
      const value = entries.element[name]
      const expanded = this.iri(entries.context, name, {vocab: true})
      if (expanded === '@nest') nests.push(name)
      else if (expanded === null || !(expanded.includes(':') || isKeyword(expanded))) {
        if (value !== null) this.environment.loss('a property that is no IRI', name)
      } else if (isKeyword(expanded)) this.#expandKeyword(entries, expanded, value)
      else this.#expandProperty(entries, name, expanded, value)
    }
    for (const name of nests) this.#expandNest(entries, name)
  }

  #expandNest(entries: Entries, name: string): void {
    const context = this.#applyScoped(entries.context, entries.context.terms.get(name), {overridesProtected: true})
    for (const nested of asArray(entries.element[name])) {
      const isNest =
        isObject(nested) && !Object.keys(nested).some(each => this.iri(context, each, {vocab: true}) === '@value')
      if (!isNest) throw invalid('invalid @nest value', nested)
      this.expandEntries({...entries, element: nested, context})
    }
  }

  #expandProperty(entries: Entries, name: string, iri: string, value: unknown): void {
    const definition = entries.context.terms.get(name)
    const containers = definition?.containers ?? []
    let expanded: unknown
    if (definition?.type === '@json') expanded = {'@value': value, '@type': '@json'}
    else expanded = expandMap(this, entries.context, name, value) ?? this.expand(entries.context, name, value)
    if (expanded === null) return
    if (containers.includes('@list') && !isListObject(expanded)) expanded = {'@list': asArray(expanded)}
    if (containers.includes('@graph') && !containers.includes('@id') && !containers.includes('@index')) {
      expanded = asArray(expanded).map(each => ({'@graph': asArray(each)}))
    }
    if (definition?.isReverse !== true) {
      append(entries.result, iri, expanded)
      return
    }
    for (const item of asArray(expanded)) requireNode(item)
    entries.result['@reverse'] ??= {}
    append(entries.result['@reverse'] as Expanded, iri, expanded)
  }

  #expandKeyword(entries: Entries, keyword: string, value: unknown): void {
    if (entries.property === '@reverse') throw invalid('invalid reverse property map', keyword)
    const {result, context, property} = entries
    if (has(result, keyword) && keyword !== '@included' && keyword !== '@type')
      throw invalid('colliding keywords', keyword)
    switch (keyword) {
      case '@id':
        result['@id'] = this.#id(context, value)
        return
      case '@type':
        result['@type'] = [...asArray(result['@type'] ?? []), ...this.#types(entries, value)]
        return
      case '@graph':
        result['@graph'] = asArray(this.expand(context, '@graph', value) ?? [])
        return
      case '@included':
        result['@included'] = [...asArray(result['@included'] ?? []), ...this.#included(context, value)]
        return
      case '@value':
        result['@value'] = this.#value(entries, value)
        return
      case '@language':
        result['@language'] = requireString(value, 'invalid language-tagged string')
        return
      case '@direction':
        if (value !== 'ltr' && value !== 'rtl') throw invalid('invalid base direction', value)
        result['@direction'] = value
        return
      case '@index':
        result['@index'] = requireString(value, 'invalid @index value')
        return
      case '@list':
        if (property === null || property === '@graph') this.environment.loss('a list outside of any node', value)
        else result['@list'] = asArray(this.expand(context, property, value) ?? [])
        return
      case '@set':
        result['@set'] = this.expand(context, property, value)
        return
      case '@reverse':
        this.#reverse(entries, value)
        return
      default:
        this.environment.loss('a keyword that means nothing here', keyword)
    }
  }

  #id(context: ActiveContext, value: unknown): string {
    const id = this.iri(context, requireString(value, 'invalid @id value'), {relative: true})
    return id ?? ''
  }

  #types(entries: Entries, value: unknown): string[] {
    const types: string[] = []
    for (const type of asArray(value)) {
      const written = requireString(type, 'invalid type value')
      const iri = this.iri(entries.typeScoped, written, {vocab: true, relative: true})
      if (iri !== null) types.push(iri)
    }
    return types
  }

  #included(context: ActiveContext, value: unknown): readonly unknown[] {
    return asArray(value).flatMap(written => {
      const isNode = isObject(written) && !this.#hasKeyword(context, written, ['@value', '@list', '@set'])
      if (!isNode) throw invalid('invalid @included value', written)
      return asArray(this.expand(context, null, written) ?? [])
    })
  }

  #hasKeyword(context: ActiveContext, element: JsonObject, keywords: readonly string[]): boolean {
    return Object.keys(element).some(name => keywords.includes(this.iri(context, name, {vocab: true}) ?? ''))
  }

  #value(entries: Entries, value: unknown): unknown {
    if (entries.inputType === '@json') return value
    if (typeof value === 'object' && value !== null) throw invalid('invalid value object value', value)
    return value
  }

  #reverse(entries: Entries, value: unknown): void {
    if (!isObject(value)) throw invalid('invalid @reverse value', value)
    const expanded = this.expand(entries.context, '@reverse', value)
    if (!isObject(expanded)) return
    for (const [property, items] of Object.entries(expanded)) {
      if (property === '@reverse') {
        for (const [twice, each] of Object.entries(items as Expanded)) append(entries.result, twice, each)
        continue
      }
      for (const item of asArray(items)) requireNode(item)
      entries.result['@reverse'] ??= {}
      append(entries.result['@reverse'] as Expanded, property, items)
    }
  }

  /** Checks what came together, and takes away what carries nothing. */
  #finish(result: Expanded, property: string | null): unknown {
    if (has(result, '@value')) {
      const value = finishValue(result)
      if (value === null || (property !== null && property !== '@graph')) return value
      this.environment.loss('a value outside of any node', value)
      return null
    }
    if (has(result, '@set') || has(result, '@list')) {
      const others = Object.keys(result).filter(name => name !== '@set' && name !== '@list' && name !== '@index')
      if (others.length > 0 || (has(result, '@set') && has(result, '@list')))
        throw invalid('invalid set or list object', result)
      return has(result, '@set') ? result['@set'] : result
    }
    const names = Object.keys(result)
    if (names.length === 1 && names[0] === '@language') return null
    if (property === null || property === '@graph') {
      if (names.length === 0 || (names.length === 1 && names[0] === '@id')) return null
    }
    return result
  }
}

/** One JSON object on its way into one expanded object. */
export type Entries = {
  readonly result: Expanded
  readonly element: JsonObject
  readonly property: string | null
  readonly context: ActiveContext
  readonly typeScoped: ActiveContext
  readonly inputType: string | null
}

const valueNames = new Set(['@value', '@type', '@language', '@direction', '@index'])

function finishValue(result: Expanded): Expanded | null {
  if (Object.keys(result).some(name => !valueNames.has(name))) throw invalid('invalid value object', result)
  const types = asArray(result['@type'] ?? [])
  if (has(result, '@type')) result['@type'] = types.length === 1 ? types[0] : types
  if (has(result, '@language') && isStringType(result['@type'])) delete result['@type']
  if (has(result, '@type') && (has(result, '@language') || has(result, '@direction'))) {
    throw invalid('invalid value object', result)
  }
  if (result['@type'] === '@json') return result
  if (result['@value'] === null) return null
  if (has(result, '@language') && typeof result['@value'] !== 'string')
    throw invalid('invalid language-tagged value', result)
  const type = result['@type']
  if (has(result, '@type') && (typeof type !== 'string' || !/^[A-Za-z][A-Za-z0-9+.-]*:[^\s<>"{}|\\^`]*$/.test(type))) {
    throw invalid('invalid typed value', result)
  }
  return result
}

/** xsd:string, also as clients write it without a context that says what 'xsd' is. */
function isStringType(type: unknown): boolean {
  return type === xsd.string || type === 'xsd:string' || type === rdf.langString
}

/** A string, number or boolean under a term, by the term's definition. */
export function expandValue(
  active: ActiveContext,
  property: string,
  value: unknown,
  environment: Environment,
): Expanded {
  const definition = active.terms.get(property)
  const type = definition?.type
  if (typeof value === 'string' && (type === '@id' || type === '@vocab')) {
    return {'@id': expandIri(active, value, {vocab: type === '@vocab', relative: true, loss: environment.loss}) ?? ''}
  }
  const result: Expanded = {'@value': value}
  if (type !== undefined && type !== '@id' && type !== '@vocab' && type !== '@none') result['@type'] = type
  else if (typeof value === 'string') {
    const language = definition !== undefined && has(definition, 'language') ? definition.language : active.language
    const direction = definition !== undefined && has(definition, 'direction') ? definition.direction : active.direction
    if (language !== undefined) result['@language'] = language
    if (direction !== undefined) result['@direction'] = direction
  }
  return result
}

export function append(target: Expanded, name: string, value: unknown): void {
  const values = (target[name] ?? []) as unknown[]
  for (const each of asArray(value)) values.push(each)
  target[name] = values
}

function isListObject(value: unknown): boolean {
  return isObject(value) && has(value, '@list')
}

export function isNodeObject(value: unknown): value is JsonObject {
  return isObject(value) && !has(value, '@value') && !has(value, '@list') && !has(value, '@set')
}

function requireNode(value: unknown): void {
  if (!isNodeObject(value)) throw invalid('invalid reverse property value', value)
}

function requireString(value: unknown, code: string): string {
  if (typeof value !== 'string') throw invalid(code, value)
  return value
}
