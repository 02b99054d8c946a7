/**
 * Translates the property function text:query, which finds literals by their words, as in Jena.
 *
 *   ?s text:query "words"                                       in the properties of labels
 *   (?s ?score ?literal) text:query (rdfs:label "words" 10 "lang:en")
 *     =>  slice 0 10 (orderBy (desc ?score)
 *           (join (search ?literal ?score "words" en) (bgp (triple ?s rdfs:label ?literal))))
 *
 * The triples of a basic graph pattern contain the two lists as rdf:first and rdf:rest. The limit applies to the
 * solutions, so literals that the caller cannot read do not count for it.
 * Source: Apache Jena, "Jena Full Text Search", Query with SPARQL.
 */
import {excerpt} from '../../base/excerpt.ts'
import {Problem} from '../../base/problem.ts'
import {type Iri, type Literal, type NamedNode, namedNode} from '../../rdf/term.ts'
import {labelProperties, rdf, textQuery, xsd} from '../../rdf/vocabulary.ts'
import {type Algebra, join, type PatternTerm, variable} from '../algebra.ts'
import type {SyntaxTerm, SyntaxTriple} from '../parse/syntax.ts'

type TextQuery = {
  readonly subject: PatternTerm
  readonly score: string
  readonly literal: string
  readonly properties: readonly Iri[]
  readonly words: string
  readonly range: string | undefined // a language
  readonly limit: number | undefined
}

/**
 * Takes the calls of text:query out of the triples of a basic graph pattern.
 *
 * @returns  the other triples, and a pattern for each call
 * @throws   Problem 400 `text-query`: the arguments are not as above
 */
export function takeTextQueries(
  triples: readonly SyntaxTriple[],
  toPattern: (term: SyntaxTerm) => PatternTerm,
  fresh: () => string,
): {readonly triples: readonly SyntaxTriple[]; readonly calls: readonly Algebra[]} {
  const isCall = ({predicate}: SyntaxTriple) => 'termType' in predicate && predicate.value === textQuery
  if (!triples.some(isCall)) return {triples, calls: []}
  const left = new Set(triples)
  const listOf = (head: SyntaxTerm): readonly SyntaxTerm[] | undefined => takeList(left, head)
  const calls = triples.filter(isCall).map(call => {
    left.delete(call)
    const results = listOf(call.subject) ?? [call.subject]
    return toAlgebra(readCall(results, listOf(call.object) ?? [call.object], toPattern, fresh), fresh)
  })
  return {triples: [...left], calls}
}

/** Takes the triples of a list, and returns its items; undefined if the term is no list. */
function takeList(triples: Set<SyntaxTriple>, head: SyntaxTerm): readonly SyntaxTerm[] | undefined {
  const take = (subject: SyntaxTerm, property: Iri): SyntaxTerm | undefined => {
    for (const triple of triples) {
      const {subject: own, predicate} = triple
      if (own.termType !== 'BlankNode' || own.value !== subject.value) continue
      if (!('termType' in predicate) || predicate.value !== property) continue
      triples.delete(triple)
      return triple.object
    }
    return undefined
  }
  if (head.termType === 'NamedNode' && head.value === rdf.nil) return []
  if (head.termType !== 'BlankNode') return undefined
  const items: SyntaxTerm[] = []
  for (let node: SyntaxTerm | undefined = head; node?.termType === 'BlankNode'; node = take(node, rdf.rest)) {
    const item = take(node, rdf.first)
    if (item === undefined) return items.length === 0 ? undefined : items
    items.push(item)
  }
  return items
}

function readCall(
  [subject, score, literal, ...others]: readonly SyntaxTerm[],
  args: readonly SyntaxTerm[],
  toPattern: (term: SyntaxTerm) => PatternTerm,
  fresh: () => string,
): TextQuery {
  if (subject === undefined || subject.termType === 'Literal' || others.length > 0)
    throw refused('the subject is a variable or an IRI, or a list of it and of variables for the score and the literal')
  const nameOf = (term: SyntaxTerm | undefined): string => {
    if (term === undefined) return fresh()
    if (term.termType === 'Variable') return term.value
    if (term.termType === 'BlankNode') return `_:${term.value}`
    throw refused('the score and the literal are variables')
  }
  return {subject: toPattern(subject), score: nameOf(score), literal: nameOf(literal), ...readArguments(args)}
}

function readArguments(args: readonly SyntaxTerm[]): Pick<TextQuery, 'properties' | 'words' | 'range' | 'limit'> {
  const first = args.findIndex(({termType}) => termType !== 'NamedNode')
  const properties = args.slice(0, Math.max(first, 0)).map(({value}) => value)
  const [words, ...options] = args.slice(Math.max(first, 0))
  if (words?.termType !== 'Literal' || (words.language === '' && words.datatype.value !== xsd.string))
    throw refused('the words are a string in quotes, after the properties, if there are any')
  let [limit, range]: [number | undefined, string | undefined] = [undefined, words.language || undefined]
  for (const option of options) {
    if (option.termType === 'Literal' && isLimit(option)) limit = Number(option.value)
    else if (option.termType === 'Literal' && /^lang:[a-z0-9-]{1,35}$/i.test(option.value))
      range = option.value.slice(5)
    else throw refused(`after the words there are a limit and "lang:en", not "${excerpt(option.value)}"`)
  }
  return {properties, words: words.value, range, limit}
}

function isLimit({value, datatype}: Literal): boolean {
  return datatype.value === xsd.integer && /^[0-9]{1,9}$/.test(value)
}

function toAlgebra(
  {subject, score, literal, properties, words, range, limit}: TextQuery,
  fresh: () => string,
): Algebra {
  const search: Algebra = {type: 'search', literal, score, words, range}
  const object = variable(literal)
  const all = properties.length === 0 ? labelProperties : properties
  const [only, ...others] = all
  const property = variable(fresh())
  const found =
    only !== undefined && others.length === 0
      ? join(search, {type: 'bgp', patterns: [{subject, predicate: namedNode(only), object}]})
      : join(
          join(search, {
            type: 'values',
            variables: [property.value],
            rows: all.map((iri): NamedNode[] => [namedNode(iri)]),
          }),
          {type: 'bgp', patterns: [{subject, predicate: property, object}]},
        )
  if (limit === undefined) return found
  const best = {expression: {type: 'variable', name: score}, isDescending: true} as const
  return {type: 'slice', input: {type: 'orderBy', input: found, keys: [best]}, offset: 0, limit}
}

function refused(reason: string): Problem {
  return new Problem(400, 'text-query', `text:query: ${reason}.`)
}
