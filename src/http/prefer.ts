/**
 * Prefer headers to one set of preferences, and applied preferences to Preference-Applied.
 *
 * Pure. Knows the syntax of the header, not the meaning of a preference: `ldp/action.ts` decides that.
 * Sources: RFC 7240 §2–§4; docs/interface.md, Prefer; LDP 1.0 §7.2 (include and omit as parameters of return); OData
 * 4.01 §8.2.8.3 (continue-on-error).
 */

import {excerpt} from '../base/excerpt.ts'
import {Problem} from '../base/problem.ts'
import {isAbsoluteIri} from '../rdf/iri.ts'
import type {Iri} from '../rdf/term.ts'
import {type FieldParameter, readParameter, splitList, splitOutsideQuotes, trimBlanks, unquote} from './field.ts'
import {memoize} from './memo.ts'
import {uriOfIri} from './percent.ts'

export type Preferences = {
  readonly model: Iri | undefined // the interaction model; undefined if the client names none
  readonly include: ReadonlySet<Iri>
  readonly omit: ReadonlySet<Iri>
  readonly return: 'representation' | 'minimal' | undefined
  readonly handling: 'strict' | 'lenient' | undefined
  readonly respondAsync: boolean
  readonly continuesOnError: boolean // of a batch
  readonly unknown: readonly string[] // unknown or malformed preferences, as excerpts; for `handling=strict`
}

/** The preferences that a response honours. */
export type AppliedPreferences = {
  readonly return?: 'representation' | 'minimal' | undefined
  readonly include?: Iterable<Iri>
}

type Collected = {
  model: Iri | undefined
  readonly include: Set<Iri>
  readonly omit: Set<Iri>
  return: 'representation' | 'minimal' | undefined
  handling: 'strict' | 'lenient' | undefined
  respondAsync: boolean
  continuesOnError: boolean
  readonly unknown: string[]
}

/**
 * Reads all Prefer headers of one request.
 *
 * Accepts all spellings that clients use: separate headers or one list; IRIs bare, in quotes, in `<…>`, or several in
 * one quoted string; `include` and `omit` alone or as parameters of `return`. The first of a repeated preference counts
 * (RFC 7240 §2), but `include` and `omit` accumulate. `wait` is accepted and has no effect.
 *
 * @param values  field values as received; one value may hold several preferences, comma-separated
 * @throws        Problem 400 `prefer-contradiction`: one IRI both included and omitted
 */
export function readPreferences(values: readonly string[]): Preferences {
  return readFields(values.join('\n')) // a field value contains no line end
}

const readFields: (fields: string) => Preferences = memoize(fields => {
  const collected: Collected = {
    model: undefined,
    include: new Set(),
    omit: new Set(),
    return: undefined,
    handling: undefined,
    respondAsync: false,
    continuesOnError: false,
    unknown: [],
  }
  for (const text of fields.split('\n').flatMap(splitList))
    if (!collect(text, collected)) collected.unknown.push(excerpt(text))
  for (const iri of collected.include)
    if (collected.omit.has(iri))
      throw new Problem(400, 'prefer-contradiction', `Both included and omitted: ${excerpt(iri)}`)
  return collected
})

/** Adds one preference to those collected. Returns false if it is unknown or malformed. */
function collect(text: string, collected: Collected): boolean {
  const [head = '', ...rest] = splitOutsideQuotes(text, ';')
  const parameters = rest.map(readParameter).filter(parameter => parameter !== undefined)
  const isModel = parameters.some(({name, value}) => name === 'rel' && value.toLowerCase() === 'interaction-model')
  if (isModel) return collectModel(head, collected)
  const preference = readParameter(head)
  return preference !== undefined && collectPreference(preference, parameters, collected)
}

function collectModel(head: string, collected: Collected): boolean {
  const [iri, ...others] = readIris(unquote(head) ?? '')
  if (iri === undefined || others.length > 0) return false
  collected.model ??= iri
  return true
}

function collectPreference(
  {name, value}: FieldParameter,
  parameters: readonly FieldParameter[],
  collected: Collected,
): boolean {
  switch (name) {
    case 'include':
    case 'omit':
      return [{name, value}, ...parameters].every(parameter => collectIris(parameter, collected))
    case 'return':
      return collectReturn(value.toLowerCase(), parameters, collected)
    case 'handling':
      if (value !== 'strict' && value !== 'lenient') return false
      collected.handling ??= value
      return true
    case 'respond-async':
      collected.respondAsync = true
      return true
    case 'continue-on-error':
    case 'odata.continue-on-error':
      if (!/^(?:true|false)?$/i.test(value)) return false
      collected.continuesOnError = value.toLowerCase() !== 'false'
      return true
    case 'wait':
      return /^\d+$/.test(value)
    default:
      return false
  }
}

function collectReturn(value: string, parameters: readonly FieldParameter[], collected: Collected): boolean {
  if (value !== 'representation' && value !== 'minimal') return false
  if (collected.return !== undefined) return true
  collected.return = value
  return parameters.every(parameter => collectIris(parameter, collected))
}

/** Adds the IRIs of an `include` or `omit`. Returns false for another parameter, or a value without valid IRIs. */
function collectIris({name, value}: FieldParameter, collected: Collected): boolean {
  if (name !== 'include' && name !== 'omit') return false
  const iris = readIris(value)
  for (const iri of iris) collected[name].add(iri)
  return iris.length > 0
}

/** The IRIs of a list separated by blanks, each bare or in `<…>`; empty if one of them is not an absolute IRI. */
function readIris(text: string): readonly Iri[] {
  const iris = trimBlanks(text)
    .split(/[ \t]+/)
    .map(item => (item.startsWith('<') && item.endsWith('>') ? item.slice(1, -1) : item))
  return iris.every(isAbsoluteIri) ? iris : []
}

/** Writes the values of Preference-Applied, one for each header line: `return=representation`, `include="uri"`. */
export function formatPreferenceApplied(applied: AppliedPreferences): string[] {
  const included = Array.from(applied.include ?? [], iri => `include="${uriOfIri(iri)}"`)
  return applied.return === undefined ? included : [`return=${applied.return}`, ...included]
}
