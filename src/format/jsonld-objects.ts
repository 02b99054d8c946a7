/**
 * Expanded objects of JSON-LD: their shapes, and what may stand together in one.
 *
 * Floor 2. Beyond the specification, a value object with a language *and* the type xsd:string loses the type
 * (client wire facts §1.16). Source: JSON-LD 1.1 API §5.1.2, steps 14–19; §5.3 (value expansion).
 */
import {rdf, xsd} from '../rdf/vocabulary.ts'
import type {ActiveContext, Environment} from './jsonld-context.ts'
import {expandIri} from './jsonld-iri.ts'
import {asArray, has, invalid, isObject, type JsonObject, type Loss} from './jsonld-words.ts'

export type Expanded = {[name: string]: unknown} // a node, value, list or set object in the making

/** Checks what came together in an object, and takes away what carries nothing. */
export function finishObject(result: Expanded, property: string | null, loss: Loss): unknown {
  if (has(result, '@value')) {
    const value = finishValue(result)
    if (value === null || (property !== null && property !== '@graph')) return value
    loss('a value outside of any node', value)
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
    return {
      '@id':
        expandIri(active, value, {place: type === '@vocab' ? 'either' : 'reference', loss: environment.loss}) ?? '',
    }
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

export function isListObject(value: unknown): boolean {
  return isObject(value) && has(value, '@list')
}

export function isNodeObject(value: unknown): value is JsonObject {
  return isObject(value) && !has(value, '@value') && !has(value, '@list') && !has(value, '@set')
}

export function requireNode(value: unknown): void {
  if (!isNodeObject(value)) throw invalid('invalid reverse property value', value)
}

export function requireString(value: unknown, code: string): string {
  if (typeof value !== 'string') throw invalid(code, value)
  return value
}
