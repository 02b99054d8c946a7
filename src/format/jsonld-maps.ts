/**
 * JSON-LD's maps to arrays: language maps, and maps by index, id, type or graph.
 *
 * Floor 2. Source: JSON-LD 1.1 API §5.1.2, step 13.7 and 13.8.
 */
import {type ActiveContext, processContext} from './jsonld-context.ts'
import {type Expanded, type Expansion, expandValue} from './jsonld-expand.ts'
import type {TermDefinition} from './jsonld-term.ts'
import {asArray, has, invalid, isObject, type JsonObject} from './jsonld-words.ts'

/** The items of a map; undefined when the term defines none or the value is none. */
export function expandMap(
  expansion: Expansion,
  active: ActiveContext,
  term: string,
  value: unknown,
): unknown[] | undefined {
  const definition = active.terms.get(term)
  if (definition === undefined || !isObject(value)) return undefined
  if (definition.containers.includes('@language')) return expandLanguageMap(expansion, active, definition, value)
  const isMap = definition.containers.some(word => word === '@index' || word === '@type' || word === '@id')
  return isMap ? expandIndexMap(expansion, active, term, definition, value) : undefined
}

function expandLanguageMap(
  expansion: Expansion,
  active: ActiveContext,
  definition: TermDefinition,
  map: JsonObject,
): Expanded[] {
  const result: Expanded[] = []
  const direction = has(definition, 'direction') ? definition.direction : active.direction
  for (const [language, values] of Object.entries(map)) {
    const isNone = language === '@none' || expansion.iri(active, language, {vocab: true}) === '@none'
    for (const value of asArray(values)) {
      if (value === null) continue
      if (typeof value !== 'string') throw invalid('invalid language map value', value)
      const item: Expanded = {'@value': value}
      if (!isNone) item['@language'] = language
      if (direction !== undefined) item['@direction'] = direction
      result.push(item)
    }
  }
  return result
}

function expandIndexMap(
  expansion: Expansion,
  active: ActiveContext,
  term: string,
  definition: TermDefinition,
  map: JsonObject,
): unknown[] {
  const {containers} = definition
  const byIdOrType = containers.includes('@id') || containers.includes('@type')
  const result: unknown[] = []
  for (const [index, value] of Object.entries(map)) {
    let context = byIdOrType ? (active.previous ?? active) : active
    const scoped = containers.includes('@type') ? context.terms.get(index)?.context : undefined
    if (scoped !== undefined) {
      context = processContext(context, scoped.local, scoped.baseUrl, expansion.environment, {propagates: false})
    }
    const items = expansion.expand(context, term, asArray(value), 'map')
    for (const item of asArray(items)) {
      const isBare = containers.includes('@graph') && !(isObject(item) && has(item, '@graph'))
      const node = (isBare ? {'@graph': asArray(item)} : item) as Expanded
      result.push(indexed(expansion, active, definition, index, node))
    }
  }
  return result
}

/** Puts what the map's key says into the item. */
function indexed(
  expansion: Expansion,
  active: ActiveContext,
  definition: TermDefinition,
  index: string,
  item: Expanded,
): Expanded {
  const {containers} = definition
  const expandedIndex = expansion.iri(active, index, {vocab: true})
  if (expandedIndex === '@none') return item
  if (containers.includes('@index')) {
    if (definition.index !== undefined && definition.index !== '@index') {
      return withIndexProperty(expansion, active, definition.index, index, item)
    }
    return has(item, '@index') ? item : {...item, '@index': index}
  }
  if (containers.includes('@id')) {
    return has(item, '@id') ? item : {...item, '@id': expansion.iri(active, index, {relative: true}) ?? ''}
  }
  return {...item, '@type': [expandedIndex, ...asArray(item['@type'] ?? [])]}
}

function withIndexProperty(
  expansion: Expansion,
  active: ActiveContext,
  property: string,
  index: string,
  item: Expanded,
): Expanded {
  if (has(item, '@value')) throw invalid('invalid value object', item)
  const iri = expansion.iri(active, property, {vocab: true}) ?? property
  const value = expandValue(active, property, index, expansion.environment)
  return {...item, [iri]: [value, ...asArray(item[iri] ?? [])]}
}
