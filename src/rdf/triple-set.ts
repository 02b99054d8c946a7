/**
 * A mutable set of triples in memory, indexed for triple patterns.
 *
 * It holds the graph of one document during one request. Triples are indexed by subject as they are added. The index by
 * object is built on first use, because most patches never need it.
 * Source: RDF 1.1 Concepts §3 (a graph is a set; terms are equal by exact form).
 */
import type {NamedNode, Resource, Term, Triple} from './term.ts'
import {termKey} from './term-key.ts'

/** Key of the subject (or object) → predicate → key of the object (or subject) → triple. */
type Index = Map<string, Map<string, Map<string, Triple>>>

export class TripleSet implements Iterable<Triple> {
  readonly #bySubject: Index = new Map()
  #byObject: Index | undefined
  #size = 0

  constructor(triples: Iterable<Triple> = []) {
    for (const triple of triples) this.add(triple)
  }

  get size(): number {
    return this.#size
  }

  has({subject, predicate, object}: Triple): boolean {
    return this.#bySubject.get(termKey(subject))?.get(predicate.value)?.has(termKey(object)) === true
  }

  /** @returns whether the triple was absent before */
  add(triple: Triple): boolean {
    const subject = termKey(triple.subject)
    const object = termKey(triple.object)
    if (!insert(this.#bySubject, subject, object, triple)) return false
    if (this.#byObject !== undefined) insert(this.#byObject, object, subject, triple)
    this.#size++
    return true
  }

  /** @returns whether the triple was present before */
  delete(triple: Triple): boolean {
    const subject = termKey(triple.subject)
    const object = termKey(triple.object)
    if (!remove(this.#bySubject, subject, object, triple)) return false
    if (this.#byObject !== undefined) remove(this.#byObject, object, subject, triple)
    this.#size--
    return true
  }

  /**
   * Returns the triples that match a pattern. Later changes to the set do not change the returned array.
   *
   * An undefined argument matches any term. With a subject or an object only the triples of that node are visited;
   * otherwise the whole set is.
   */
  match(subject?: Resource, predicate?: NamedNode, object?: Term): readonly Triple[] {
    if (subject !== undefined) return select(this.#bySubject.get(termKey(subject)), predicate, object)
    if (object !== undefined) return select(this.#objects().get(termKey(object)), predicate)
    return [...this].filter(triple => predicate === undefined || triple.predicate.value === predicate.value)
  }

  *[Symbol.iterator](): Iterator<Triple> {
    for (const byPredicate of this.#bySubject.values())
      for (const byObject of byPredicate.values()) yield* byObject.values()
  }

  #objects(): Index {
    if (this.#byObject !== undefined) return this.#byObject
    const index: Index = new Map()
    for (const triple of this) insert(index, termKey(triple.object), termKey(triple.subject), triple)
    this.#byObject = index
    return index
  }
}

/**
 * Selects triples from the entries of one subject (or object).
 *
 * @param predicate  undefined matches any predicate
 * @param end        the object (or subject) to match; undefined matches any
 */
function select(
  part: ReadonlyMap<string, ReadonlyMap<string, Triple>> | undefined,
  predicate: NamedNode | undefined,
  end?: Term,
): readonly Triple[] {
  if (part === undefined) return []
  const groups = predicate === undefined ? [...part.values()] : [part.get(predicate.value) ?? noTriples]
  if (end === undefined) return groups.flatMap(group => [...group.values()])
  const key = termKey(end)
  return groups.flatMap(group => group.get(key) ?? [])
}

const noTriples: ReadonlyMap<string, Triple> = new Map()

function insert(index: Index, from: string, to: string, triple: Triple): boolean {
  const part = getOrSet(index, from)
  const group = getOrSet(part, triple.predicate.value)
  if (group.has(to)) return false
  group.set(to, triple)
  return true
}

function remove(index: Index, from: string, to: string, triple: Triple): boolean {
  return index.get(from)?.get(triple.predicate.value)?.delete(to) === true
}

function getOrSet<Value>(map: Map<string, Map<string, Value>>, key: string): Map<string, Value> {
  const known = map.get(key)
  if (known !== undefined) return known
  const created = new Map<string, Value>()
  map.set(key, created)
  return created
}
