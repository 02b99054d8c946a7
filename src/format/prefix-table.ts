/**
 * IRIs to prefixed names, with a record of the prefixes used.
 *
 * An IRI is split after its last '#', '/' or ':'. A local part that would need an escape is not shortened.
 * Sources: Turtle §6.5, PNAME_LN; Namespaces in XML 1.0 (ASCII letters and digits are valid as a prefix in both).
 */
import type {Iri} from '../rdf/term.ts'

const plainLocal = /^(?:[A-Za-z0-9_](?:[A-Za-z0-9_.-]*[A-Za-z0-9_-])?)?$/
const plainPrefix = /^(?:[A-Za-z](?:[A-Za-z0-9_-]*[A-Za-z0-9])?)?$/
const cacheLimit = 10_000 // names, so that a stream of new IRIs does not grow the memory

type Name = {readonly text: string; readonly namespace: Iri}

/** The prefixed names that one set of prefixes gives. They are the same in every document. */
type Names = {
  readonly prefixes: ReadonlyMap<Iri, string> // namespace → prefix
  readonly of: Map<Iri, Name> // cache, of IRIs that have a prefixed name: mostly those of vocabularies, so few
}

/** One cache for each set of prefixes. Sets of prefixes live as long as the service. */
const known = new WeakMap<Readonly<Record<string, Iri>>, Names>()

export class PrefixTable {
  readonly #names: Names
  readonly #used = new Set<Iri>()

  /** @param prefixes  prefix → namespace; a prefix that is not one plain word is left out */
  constructor(prefixes: Readonly<Record<string, Iri>> = {}) {
    this.#names = known.get(prefixes) ?? namesWith(prefixes)
  }

  /** 'prefix:local'; undefined if the IRI has no prefixed name. */
  shorten(iri: Iri): string | undefined {
    const name = this.#names.of.get(iri) ?? nameOf(iri, this.#names)
    if (name === undefined) return undefined
    this.#used.add(name.namespace)
    return name.text
  }

  /** [prefix, namespace] of all prefixes, or of those that `shorten` has used; ordered by prefix. */
  entries(which: 'all' | 'used'): readonly (readonly [string, Iri])[] {
    return [...this.#names.prefixes]
      .filter(([namespace]) => which === 'all' || this.#used.has(namespace))
      .map(([namespace, prefix]) => [prefix, namespace] as const)
  }
}

function namesWith(prefixes: Readonly<Record<string, Iri>>): Names {
  const namespaces = new Map<Iri, string>()
  for (const [prefix, namespace] of Object.entries(prefixes))
    if (plainPrefix.test(prefix) && !namespaces.has(namespace)) namespaces.set(namespace, prefix)
  const sorted = [...namespaces].sort(([, left], [, right]) => (left < right ? -1 : 1))
  const names = {prefixes: new Map(sorted), of: new Map<Iri, Name>()}
  known.set(prefixes, names)
  return names
}

/** Where the local part begins. One loop is faster than three calls of lastIndexOf. */
function cutOf(iri: Iri): number {
  for (let at = iri.length; at > 0; at -= 1) {
    const unit = iri.charCodeAt(at - 1)
    if (unit === hash || unit === slash || unit === colon) return at
  }
  return 0
}

const [hash, slash, colon] = [0x23, 0x2f, 0x3a]

function nameOf(iri: Iri, {prefixes, of}: Names): Name | undefined {
  const cut = cutOf(iri)
  const namespace = iri.slice(0, cut)
  const prefix = prefixes.get(namespace)
  const local = iri.slice(cut)
  if (prefix === undefined || !plainLocal.test(local)) return undefined
  const name = {text: `${prefix}:${local}`, namespace}
  if (of.size >= cacheLimit) of.clear()
  of.set(iri, name)
  return name
}
