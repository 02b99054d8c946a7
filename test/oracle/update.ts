/**
 * Applies an update to quads, straight from the specification.
 *
 * The graphs are a fixed set of documents. Source: SPARQL 1.1 Update §4.2 (graph update), §4.3 (graph management).
 */
import {blankNode, type Quad, quad, type Term} from '../../src/rdf/term.ts'
import {termKey} from '../../src/rdf/term-key.ts'
import type {TemplateTerm} from '../../src/sparql/algebra.ts'
import type {GraphRange, TemplateQuad, UpdateOperation} from '../../src/sparql/operation.ts'
import {evaluate, storeOf} from './evaluator.ts'
import {withoutDuplicates} from './random-data.ts'
import {emptySolution, type Solution} from './solution.ts'

export type World = {
  readonly documents: readonly string[] // graphs that exist, even without quads
  readonly implied: readonly Quad[] // what WHERE sees besides the stored quads
}

export function updated(quads: readonly Quad[], world: World, operations: readonly UpdateOperation[]): readonly Quad[] {
  return operations.reduce((all, operation, index) => applied(all, world, operation, index), quads)
}

function applied(all: readonly Quad[], world: World, operation: UpdateOperation, index: number): readonly Quad[] {
  switch (operation.type) {
    case 'modify': {
      const {where, deleted, inserted} = operation
      const found = storeOf([...all, ...world.implied], where.dataset)
      const isOpen = where.dataset === undefined || where.dataset.named === 'all'
      const empty = isOpen ? world.documents.map((name): [string, readonly Quad[]] => [name, []]) : []
      const store = {...found, named: new Map([...empty, ...found.named])}
      const now = new Date().toISOString()
      const scope = {store, triples: store.default, outer: emptySolution, base: where.base, now}
      const solutions = evaluate(where.pattern, scope)
      const filled = (templates: readonly TemplateQuad[]) =>
        solutions.flatMap((solution, row) =>
          templates.flatMap(template => instance(template, solution, `${index}x${row}`)),
        )
      return changed(all, filled(deleted), filled(inserted))
    }
    case 'insertData':
      return changed(
        all,
        [],
        operation.quads.flatMap(one => instance(one, emptySolution, 'data')),
      )
    case 'deleteData':
      return changed(
        all,
        operation.quads.flatMap(one => instance(one, emptySolution, 'data')),
        [],
      )
    case 'clear':
      return all.filter(({graph}) => !isIn(graph.value, operation.range))
    case 'add':
    case 'copy': {
      const {from, to} = operation
      if (from.graph === to.graph) return all
      const copied = all.filter(({graph}) => graph.value === from.graph)
      const kept = operation.type === 'copy' ? all.filter(({graph}) => graph.value !== to.graph) : all
      const graph = {termType: 'NamedNode', value: to.graph} as const
      return withoutDuplicates([...kept, ...copied.map(one => ({...one, graph}))])
    }
    default:
      throw new Error(`the oracle has no ${operation.type}`)
  }
}

function isIn(graph: string, range: GraphRange): boolean {
  if (range.kind === 'one') return graph === range.graph
  return range.kind === 'all' || graph !== range.besides
}

function changed(all: readonly Quad[], removed: readonly Quad[], added: readonly Quad[]): readonly Quad[] {
  const gone = new Set(removed.map(keyOf))
  return withoutDuplicates([...all.filter(one => !gone.has(keyOf(one))), ...added])
}

function keyOf({graph, subject, predicate, object}: Quad): string {
  return JSON.stringify([graph, subject, predicate, object].map(term => termKey(term as Term)))
}

/** The quad of one solution; none with an unbound variable, or if it is no RDF. */
function instance({graph, subject, predicate, object}: TemplateQuad, solution: Solution, scope: string): Quad[] {
  const [g, s, p, o] = [graph, subject, predicate, object].map(term => filledIn(term, solution, scope))
  if (g?.termType !== 'NamedNode' || p?.termType !== 'NamedNode') return []
  if (s === undefined || s.termType === 'Literal' || o === undefined) return []
  return [quad(s, p, o, g)]
}

function filledIn(term: TemplateTerm, solution: Solution, scope: string): Term | undefined {
  if (term.termType === 'Variable') return solution.get(term.value)
  return term.termType === 'BlankNode' ? blankNode(`${scope}x${term.value}`) : term
}
