/**
 * IRIs to prefixed names, and the record of which prefixes were needed.
 *
 * Floor 2. An IRI is cut after its last '#', '/' or ':'; a local part that would need an escape is not shortened.
 * Sources: Turtle §6.5, PNAME_LN; Namespaces in XML 1.0 (a prefix that fits both is one word of ASCII letters and
 * digits).
 */
import type {Iri} from '../rdf/term.ts'

const plainLocal = /^(?:[A-Za-z0-9_](?:[A-Za-z0-9_.-]*[A-Za-z0-9_-])?)?$/
const plainPrefix = /^(?:[A-Za-z](?:[A-Za-z0-9_-]*[A-Za-z0-9])?)?$/
const cacheLimit = 10_000 // names; a stream of fresh IRIs must not grow the memory

type Name = {readonly text: string; readonly namespace: Iri}

/** What one set of prefixes makes of IRIs: the same in every document. */
type Names = {
  readonly prefixes: ReadonlyMap<Iri, string> // namespace → prefix
  readonly of: Map<Iri, Name> // of IRIs that a prefix fits: those of vocabularies, and few
}

/** Sets of prefixes live as long as the service, so what was found once serves all documents. */
const known = new WeakMap<Readonly<Record<string, Iri>>, Names>()

export class PrefixTable {
  readonly #names: Names
  readonly #used = new Set<Iri>()

  /** @param prefixes  prefix → namespace; those that are not one plain word are left out */
  constructor(prefixes: Readonly<Record<string, Iri>> = {}) {
    this.#names = known.get(prefixes) ?? namesWith(prefixes)
  }

  /** 'prefix:local', or undefined when no prefix fits. */
  shorten(iri: Iri): string | undefined {
    const name = this.#names.of.get(iri) ?? nameOf(iri, this.#names)
    if (name === undefined) return undefined
    this.#used.add(name.namespace)
    return name.text
  }

  /** [prefix, namespace] of all, or of those that `shorten` has used; by prefix. */
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

function nameOf(iri: Iri, {prefixes, of}: Names): Name | undefined {
  const cut = Math.max(iri.lastIndexOf('#'), iri.lastIndexOf('/'), iri.lastIndexOf(':')) + 1
  const namespace = iri.slice(0, cut)
  const prefix = prefixes.get(namespace)
  const local = iri.slice(cut)
  if (prefix === undefined || !plainLocal.test(local)) return undefined
  const name = {text: `${prefix}:${local}`, namespace}
  if (of.size >= cacheLimit) of.clear()
  of.set(iri, name)
  return name
}
