/** Evaluates a whole query over quads with the oracle. Source: SPARQL 1.1 §16. */
import {blankNode, defaultGraph, type Iri, type Quad, quad, sameTerm, type Term} from '../../src/rdf/term.ts'
import {termKey} from '../../src/rdf/term-key.ts'
import type {DatasetClause, Query, TemplateTerm, TemplateTriple} from '../../src/sparql/algebra.ts'
import {parseQuery} from '../../src/sparql/parse/parse.ts'
import {translateQuery} from '../../src/sparql/translate/translate.ts'
import {evaluate, type Scope, type Store, storeOf} from './evaluator.ts'
import {emptySolution, type Solution} from './solution.ts'

export type Answer =
  | {readonly type: 'solutions'; readonly variables: readonly string[]; readonly solutions: readonly Solution[]}
  | {readonly type: 'boolean'; readonly boolean: boolean}
  | {readonly type: 'graph'; readonly quads: readonly Quad[]}

export type AnswerOptions = {
  readonly base: Iri
  readonly dataset?: DatasetClause | undefined // of the protocol; overrides FROM
}

export function answerQuery(text: string, quads: readonly Quad[], options: AnswerOptions): Answer {
  const query = translateQuery(parseQuery(text, options.base))
  return answer(query, storeOf(quads, options.dataset ?? query.dataset))
}

export function answer(query: Query, store: Store): Answer {
  const now = new Date().toISOString()
  const scope: Scope = {store, triples: store.default, outer: emptySolution, base: query.base, now}
  const solutions = evaluate(query.pattern, scope)
  switch (query.form) {
    case 'select':
      return {type: 'solutions', variables: query.variables, solutions}
    case 'ask':
      return {type: 'boolean', boolean: solutions.length > 0}
    case 'construct': {
      const made = solutions.flatMap((solution, index) =>
        query.template.flatMap(triple => instantiate(triple, solution, index)),
      )
      return {type: 'graph', quads: asSet(made)}
    }
    case 'describe': {
      const resources = query.resources.flatMap(resource =>
        resource.termType === 'NamedNode' ? [resource] : solutions.map(solution => solution.get(resource.value)),
      )
      return {type: 'graph', quads: describe(resources, store)}
    }
  }
}

/** §16.2: omits invalid triples; blank nodes are new for each solution. */
function instantiate(template: TemplateTriple, solution: Solution, index: number): readonly Quad[] {
  const fill = (term: TemplateTerm): Term | undefined => {
    if (term.termType === 'Variable') return solution.get(term.value)
    return term.termType === 'BlankNode' ? blankNode(`${term.value}.${index}`) : term
  }
  const [subject, predicate, object] = [template.subject, template.predicate, template.object].map(fill)
  if (subject === undefined || subject.termType === 'Literal' || object === undefined) return []
  return predicate?.termType === 'NamedNode' ? [quad(subject, predicate, object)] : []
}

/** The triples about each resource, and recursively about the blank nodes that are their objects. */
function describe(resources: readonly (Term | undefined)[], store: Store): readonly Quad[] {
  const found = new Map<string, Quad>()
  const seen = new Set<string>()
  const visit = (resource: Term) => {
    if (seen.has(termKey(resource))) return
    seen.add(termKey(resource))
    for (const {subject, predicate, object} of store.default.filter(triple => sameTerm(triple.subject, resource))) {
      const made = quad(subject, predicate, object)
      found.set(quadKey(made), made)
      if (object.termType === 'BlankNode') visit(object)
    }
  }
  for (const resource of resources) if (resource !== undefined) visit(resource)
  return [...found.values()]
}

function asSet(quads: readonly Quad[]): readonly Quad[] {
  return [...new Map(quads.map(made => [quadKey(made), made])).values()]
}

function quadKey({subject, predicate, object}: Quad): string {
  return JSON.stringify([subject, predicate, object, defaultGraph].map(termKey))
}
