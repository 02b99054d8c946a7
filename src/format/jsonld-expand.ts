/**
 * JSON-LD to its expanded form: no contexts, full IRIs, everything in arrays.
 *
 * Floor 2. Keeps what RDF needs exactly: language tags with their case, strings as they are.
 * Source: JSON-LD 1.1 API §5.1 (expansion).
 */
import {type ActiveContext, type Environment, initialContext, processContext} from './jsonld-context.ts'
import {expandIri, type IriExpansion, type IriPlace} from './jsonld-iri.ts'
import {expandMap} from './jsonld-maps.ts'
import {
  append,
  type Expanded,
  expandValue,
  finishObject,
  isListObject,
  requireNode,
  requireString,
} from './jsonld-objects.ts'
import {ScopedContexts} from './jsonld-scoped.ts'
import {asArray, has, invalid, isKeyword, isObject, type JsonObject} from './jsonld-words.ts'

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
  readonly scoped: ScopedContexts
  readonly #places: {readonly [place in IriPlace]: IriExpansion}

  constructor(environment: Environment) {
    const {loss} = environment
    this.environment = environment
    this.scoped = new ScopedContexts(environment)
    this.#places = {
      term: {place: 'term', loss},
      reference: {place: 'reference', loss},
      either: {place: 'either', loss},
    }
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
    const context = this.scoped.apply(active, definition, 'property')
    return expandValue(context, property, element, this.environment)
  }

  iri(active: ActiveContext, value: string, place: IriPlace): string | null {
    return expandIri(active, value, this.#places[place])
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

  #expandObject(
    active: ActiveContext,
    property: string | null,
    element: JsonObject,
    from: 'map' | 'elsewhere',
  ): unknown {
    const definition = property === null ? undefined : active.terms.get(property)
    let context = this.#revert(active, element, from)
    context = this.scoped.apply(context, definition, 'property')
    if (has(element, '@context'))
      context = processContext(context, element['@context'], this.environment.base, this.environment)
    const typeScoped = context
    const typeNames = Object.keys(element).filter(
      name => name === '@type' || typeScoped.terms.get(name)?.id === '@type',
    )
    if (typeNames.length > 1) typeNames.sort()
    context = this.#applyTypes(context, typeNames, element)
    const result: Expanded = {}
    const entries = {
      result,
      element,
      property,
      context,
      typeScoped,
      inputType: this.#inputType(context, typeNames, element),
    }
    this.expandEntries(entries)
    return finishObject(result, property, this.environment.loss)
  }

  /** A context that does not propagate ends at the next node. */
  #revert(active: ActiveContext, element: JsonObject, from: 'map' | 'elsewhere'): ActiveContext {
    if (active.previous === undefined || from === 'map') return active
    const names = Object.keys(element).map(name => this.iri(active, name, 'term'))
    if (names.includes('@value') || (names.length === 1 && names[0] === '@id')) return active
    return active.previous
  }

  #applyTypes(active: ActiveContext, typeNames: readonly string[], element: JsonObject): ActiveContext {
    let context = active
    for (const name of typeNames) {
      const types = asArray(element[name]).filter(type => typeof type === 'string')
      for (const type of types.sort()) context = this.scoped.apply(context, active.terms.get(type), 'type')
    }
    return context
  }

  /** The type that decides how `@value` is read: '@json' above all. */
  #inputType(active: ActiveContext, typeNames: readonly string[], element: JsonObject): string | null {
    const [name] = typeNames
    const type = name === undefined ? undefined : asArray(element[name]).at(-1)
    return typeof type === 'string' ? this.iri(active, type, 'term') : null
  }

  /** The entries of one JSON object into its expanded form; also of the objects nested in it by `@nest`. */
  expandEntries(entries: Entries): void {
    const nests: string[] = []
    for (const name of Object.keys(entries.element)) {
      if (name === '@context') continue
      const value = entries.element[name]
      const expanded = this.iri(entries.context, name, 'term')
      if (expanded === '@nest') nests.push(name)
      else if (expanded === null || !(expanded.includes(':') || isKeyword(expanded))) {
        if (value !== null) this.environment.loss('a property that is no IRI', name)
      } else if (isKeyword(expanded)) this.#expandKeyword(entries, expanded, value)
      else this.#expandProperty(entries, name, expanded, value)
    }
    for (const name of nests) this.#expandNest(entries, name)
  }

  #expandNest(entries: Entries, name: string): void {
    const context = this.scoped.apply(entries.context, entries.context.terms.get(name), 'property')
    for (const nested of asArray(entries.element[name])) {
      const isNest = isObject(nested) && !this.#hasKeyword(context, nested, ['@value'])
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
    const id = this.iri(context, requireString(value, 'invalid @id value'), 'reference')
    return id ?? ''
  }

  #types(entries: Entries, value: unknown): string[] {
    const types: string[] = []
    for (const type of asArray(value)) {
      const written = requireString(type, 'invalid type value')
      const iri = this.iri(entries.typeScoped, written, 'either')
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
    return Object.keys(element).some(name => keywords.includes(this.iri(context, name, 'term') ?? ''))
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
