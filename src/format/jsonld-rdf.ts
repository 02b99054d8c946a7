/**
 * Expanded JSON-LD to quads.
 *
 * Labels stay as written; nodes without an '@id' get anonymous labels. Strings stay as written; native numbers and
 * booleans get the lexical form that the specification defines.
 * Source: JSON-LD 1.1 API §7.2 (node map), §8.1–8.4 (to RDF).
 */
import {isAbsoluteIri} from '../rdf/iri.ts'
import {defaultGraph, type Graph, type NamedNode, type Quad, type Resource, type Term} from '../rdf/term.ts'
import {rdf, xsd} from '../rdf/vocabulary.ts'
import {type BodyTerms, isLanguageTag} from './body-terms.ts'
import {canonicalJson} from './json-canonical.ts'
import {asArray, has, isBlankId, type JsonObject, jsonldProblem, type LossHandler} from './jsonld-words.ts'

export type RdfOptions = {
  readonly terms: BodyTerms
  readonly loss: LossHandler
  readonly unfit: 'refused' | 'dropped' // values that are not valid as an RDF term
}

export function expandedToQuads(nodes: readonly JsonObject[], options: RdfOptions): readonly Quad[] {
  const conversion = new Conversion(options)
  for (const node of nodes) conversion.node(node, defaultGraph)
  return conversion.quads
}

class Conversion {
  readonly quads: Quad[] = []
  readonly #options: RdfOptions
  readonly #terms: BodyTerms
  readonly #indexes = new Map<string, unknown>() // 'graph subject' → @index
  readonly #first: NamedNode
  readonly #rest: NamedNode
  readonly #nil: NamedNode

  constructor(options: RdfOptions) {
    this.#options = options
    this.#terms = options.terms
    this.#first = this.#terms.iri(rdf.first)
    this.#rest = this.#terms.iri(rdf.rest)
    this.#nil = this.#terms.iri(rdf.nil)
  }

  /** Emits the quads of a node object. Returns its subject; undefined if its '@id' cannot be one. */
  node(node: JsonObject, graph: Graph): Resource | undefined {
    const subject = has(node, '@id') ? this.#resource(node['@id']) : this.#terms.anonymous()
    if (subject === undefined) return undefined
    if (has(node, '@index')) this.#checkIndex(subject, graph, node['@index'])
    for (const [name, value] of Object.entries(node)) {
      if (!name.startsWith('@')) this.#property(subject, name, value, graph)
      else if (name === '@type') this.#types(subject, value, graph)
      else if (name === '@reverse') this.#reverse(subject, value as JsonObject, graph)
      else if (name === '@included') for (const each of asArray(value)) this.node(each as JsonObject, graph)
      else if (name === '@graph') for (const each of asArray(value)) this.node(each as JsonObject, subject)
      else if (name !== '@id' && name !== '@index') this.#options.loss('a keyword without a meaning here', name)
    }
    return subject
  }

  #checkIndex(subject: Resource, graph: Graph, index: unknown): void {
    const key = `${graph.value} ${subject.value}`
    if (this.#indexes.has(key) && this.#indexes.get(key) !== index) throw jsonldProblem('conflicting indexes', index)
    this.#indexes.set(key, index)
  }

  #types(subject: Resource, types: unknown, graph: Graph): void {
    const predicate = this.#terms.iri(rdf.type)
    for (const type of asArray(types)) {
      const object = this.#resource(type)
      if (object !== undefined) this.quads.push(this.#terms.quad(subject, predicate, object, graph))
    }
  }

  #property(subject: Resource, name: string, values: unknown, graph: Graph): void {
    const predicate = this.#predicate(name)
    for (const value of asArray(values)) {
      const object = this.#object(value as JsonObject, graph)
      if (predicate !== undefined && object !== undefined)
        this.quads.push(this.#terms.quad(subject, predicate, object, graph))
    }
  }

  #reverse(object: Resource, properties: JsonObject, graph: Graph): void {
    for (const [name, nodes] of Object.entries(properties)) {
      const predicate = this.#predicate(name)
      for (const node of asArray(nodes)) {
        const subject = this.node(node as JsonObject, graph)
        if (predicate !== undefined && subject !== undefined)
          this.quads.push(this.#terms.quad(subject, predicate, object, graph))
      }
    }
  }

  #predicate(name: string): NamedNode | undefined {
    if (!isBlankId(name)) return this.#iri(name)
    this.#options.loss('a blank node as property', name)
    return undefined
  }

  /** The resource of an '@id'. It may be null: jsonld expands words that look like keywords to null. */
  #resource(id: unknown): Resource | undefined {
    if (typeof id !== 'string') {
      this.#options.loss('a word reserved for keywords', id)
      return undefined
    }
    return isBlankId(id) ? this.#terms.blank(id.slice(2)) : this.#iri(id)
  }

  #iri(value: string): NamedNode | undefined {
    return this.#options.unfit === 'refused' || isAbsoluteIri(value) ? this.#terms.iri(value) : undefined
  }

  #object(item: JsonObject, graph: Graph): Term | undefined {
    if (has(item, '@value')) return this.#literal(item)
    return has(item, '@list') ? this.#list(asArray(item['@list']), graph) : this.node(item, graph)
  }

  #list(items: readonly unknown[], graph: Graph): Resource {
    let head: Resource | undefined
    let last: Resource | undefined
    for (const item of items) {
      const object = this.#object(item as JsonObject, graph)
      const cell = this.#terms.anonymous()
      if (last !== undefined) this.quads.push(this.#terms.quad(last, this.#rest, cell, graph))
      if (object !== undefined) this.quads.push(this.#terms.quad(cell, this.#first, object, graph))
      head ??= cell
      last = cell
    }
    if (last !== undefined) this.quads.push(this.#terms.quad(last, this.#rest, this.#nil, graph))
    return head ?? this.#nil
  }

  #literal(item: JsonObject): Term | undefined {
    const {'@value': value, '@type': type, '@language': language} = item
    if (has(item, '@direction')) this.#options.loss('a base direction', value)
    if (type === '@json') return this.#terms.literal(canonicalJson(value), rdf.JSON)
    if (type !== undefined && typeof type !== 'string') throw jsonldProblem('invalid typed value', type)
    if (type !== undefined && this.#iri(type) === undefined) return undefined
    if (typeof value === 'boolean') return this.#terms.literal(String(value), type ?? xsd.boolean)
    if (typeof value === 'number') return this.#number(value, type)
    if (typeof language !== 'string') return this.#terms.literal(String(value), type)
    if (this.#options.unfit === 'dropped' && !isLanguageTag(language)) return undefined
    return this.#terms.langLiteral(String(value), language)
  }

  /** JSON-LD API §8.4: whole numbers below 10^21 as integers, all others in the canonical form of xsd:double. */
  #number(value: number, datatype: string | undefined): Term {
    const isWhole = Number.isInteger(value) && Math.abs(value) < 1e21
    if (isWhole && datatype !== xsd.double) return this.#terms.literal(value.toFixed(0), datatype ?? xsd.integer)
    const text = value.toExponential(15).replace(/(\d)0*e\+?/, '$1E')
    return this.#terms.literal(text, datatype ?? xsd.double)
  }
}
