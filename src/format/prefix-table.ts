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
const cacheLimit = 10_000 // names; a stream of fresh IRIs must not grow the table

export class PrefixTable {
  readonly #prefixes = new Map<Iri, string>() // namespace → prefix
  readonly #names = new Map<Iri, string | undefined>()
  readonly #used = new Set<Iri>()

  /** @param prefixes  prefix → namespace; those that are not one plain word are left out */
  constructor(prefixes: Readonly<Record<string, Iri>> = {}) {
    for (const [prefix, namespace] of Object.entries(prefixes)) {
      if (plainPrefix.test(prefix) && !this.#prefixes.has(namespace)) this.#prefixes.set(namespace, prefix)
    }
  }

  /** 'prefix:local', or undefined when no prefix fits. */
  shorten(iri: Iri): string | undefined {
    if (this.#names.has(iri)) return this.#names.get(iri)
    const cut = Math.max(iri.lastIndexOf('#'), iri.lastIndexOf('/'), iri.lastIndexOf(':')) + 1
    const namespace = iri.slice(0, cut)
    const prefix = this.#prefixes.get(namespace)
    const local = iri.slice(cut)
    const name = prefix === undefined || !plainLocal.test(local) ? undefined : `${prefix}:${local}`
    if (name !== undefined) this.#used.add(namespace)
    if (this.#names.size < cacheLimit) this.#names.set(iri, name)
    return name
  }

  /** [prefix, namespace] of all, or of those that `shorten` has used; by prefix. */
  entries(which: 'all' | 'used'): readonly (readonly [string, Iri])[] {
    return [...this.#prefixes]
      .filter(([namespace]) => which === 'all' || this.#used.has(namespace))
      .map(([namespace, prefix]) => [prefix, namespace] as const)
      .sort(([left], [right]) => (left < right ? -1 : 1))
  }
}
