/**
 * Terms, compact IRIs and relative references of JSON-LD to IRIs, keywords and blank node ids.
 *
 * Floor 2. Source: JSON-LD 1.1 API §5.2 (IRI expansion).
 */
import {resolveIri} from '../rdf/iri.ts'
import type {ActiveContext} from './jsonld-context.ts'
import {hasIriForm, hasKeywordForm, isKeyword, type Loss} from './jsonld-words.ts'

export type IriExpansion = {
  readonly vocab?: boolean // a term or a name in the vocabulary may stand here
  readonly relative?: boolean // a reference relative to the document may stand here
  readonly define?: (term: string) => void // within a context: define a term that is still to come
  readonly loss: Loss
}

/** Null means: this word stands for nothing. */
export function expandIri(active: ActiveContext, value: string, expansion: IriExpansion): string | null {
  if (isKeyword(value)) return value
  if (hasKeywordForm(value)) {
    expansion.loss('a word reserved for keywords', value)
    return null
  }
  expansion.define?.(value)
  const definition = active.terms.get(value)
  if (definition !== undefined && (isKeyword(definition.id) || expansion.vocab === true)) return definition.id
  const compact = expandCompact(active, value, expansion)
  if (compact !== undefined) return compact
  if (expansion.vocab === true && active.vocab !== undefined) return active.vocab + value
  return expansion.relative === true && active.base !== undefined ? resolveIri(value, active.base) : value
}

/** 'prefix:suffix' by its prefix, or as the IRI or blank node id it is; undefined when it is none of these. */
function expandCompact(active: ActiveContext, value: string, expansion: IriExpansion): string | undefined {
  const colon = value.indexOf(':', 1)
  if (colon === -1) return undefined
  const prefix = value.slice(0, colon)
  const suffix = value.slice(colon + 1)
  if (prefix === '_' || suffix.startsWith('//')) return value
  expansion.define?.(prefix)
  const definition = active.terms.get(prefix)
  if (definition?.isPrefix === true && typeof definition.id === 'string') return definition.id + suffix
  return hasIriForm(value) ? value : undefined
}
