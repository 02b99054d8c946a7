/**
 * Our actions for the productions of updates: operations and their quads, in the types of syntax.ts.
 *
 * Pure. check-update.ts finds variables and blank nodes where they are not allowed. sparqljs looks for blank nodes
 * outside GRAPH only.
 * Source: SPARQL 1.1 §19.8, rules 29 to 52; sparqljs 3.7 for the numbers of productions.
 */
import type {NamedNode} from '../../rdf/term.ts'
import type {Action} from './actions.ts'
import type {DatasetSyntax, GraphRef, SyntaxGroup, SyntaxQuads, SyntaxTemplate, UpdateSyntax} from './syntax.ts'

type Keyword = string | undefined // undefined: it is not there
type Triples = {readonly triples: readonly SyntaxTemplate[]} | undefined
type Clause = {readonly delete: readonly SyntaxQuads[]; readonly insert: readonly SyntaxQuads[]}
type Using = {readonly iri: NamedNode; readonly named: boolean}

export const updateActions: Readonly<Record<string, Action>> = {
  '45 Update': (_, others: readonly UpdateSyntax[], last: UpdateSyntax) => ({
    type: 'update',
    operations: [...others, last],
  }),
  '46 Update1': (_, verb: string, silent: Keyword, source: NamedNode, target: GraphRef = 'default') =>
    operation(verb, {silent: silent !== undefined, source, target}),
  '47 Update1': (_, verb: string, silent: Keyword, graph: GraphRef | 'named' | 'all') =>
    operation(verb, {silent: silent !== undefined, graph}),
  '48 Update1': (_, verb: string, silent: Keyword, source: GraphRef, _to, target: GraphRef) =>
    operation(verb, {silent: silent !== undefined, source, target}),
  '49 Update1': (_, verb: string, silent: Keyword, _graph, graph: NamedNode) =>
    operation(verb, {silent: silent !== undefined, graph}),
  '50 Update1': (_, _verbs, quads: readonly SyntaxQuads[]) => operation('insertdata', {quads}),
  '51 Update1': (_, _verbs, quads: readonly SyntaxQuads[]) => operation('deletedata', {quads}),
  '52 Update1': (_, _verbs, quads: readonly SyntaxQuads[]) => operation('deletewhere', {quads}),
  '53 Update1': ({base}, graph: NamedNode | undefined, clause: Clause, using: readonly Using[], _where, group) =>
    operation('modify', {
      with: graph,
      ...clause,
      using: datasetOf(using),
      where: (group as SyntaxGroup).patterns,
      base,
    }),
  '55 InsertDeleteClause': (_, _delete, quads: readonly SyntaxQuads[], insert: readonly SyntaxQuads[] = []) => ({
    delete: quads,
    insert,
  }),
  '59 WithClause': (_, _with, graph: NamedNode) => graph,
  '60 GraphOrDefault': () => 'default',
  '61 GraphOrDefault': (_, _graph, graph: NamedNode) => graph,
  '62 GraphRef': (_, _graph, graph: NamedNode) => graph,
  '63 GraphRefAll': (_, graph: NamedNode) => graph,
  '64 GraphRefAll': (_, keyword: string) => keyword.toLowerCase(),
  '66 Quads': (_, triples: Triples, others: readonly (readonly SyntaxQuads[])[]) => [
    ...quadsOf(triples),
    ...others.flat(),
  ],
  '67 QuadsNotTriples': (_, _graph, graph: SyntaxQuads['graph'], _open, triples: Triples, ...[, , after]: Rest) => [
    {graph, triples: triples?.triples ?? []},
    ...quadsOf(after),
  ],
}

type Rest = readonly [close: string, point: Keyword, after: Triples]

/** @param type  of the operation, or its keyword as written */
function operation(type: string, members: object): UpdateSyntax {
  return {type: type.toLowerCase(), ...members} as UpdateSyntax
}

function quadsOf(triples: Triples): readonly SyntaxQuads[] {
  return triples === undefined ? [] : [{triples: triples.triples}]
}

function datasetOf(using: readonly Using[]): DatasetSyntax | undefined {
  if (using.length === 0) return undefined
  const irisOf = (isNamed: boolean) => using.flatMap(({iri, named}) => (named === isNamed ? [iri] : []))
  return {default: irisOf(false), named: irisOf(true)}
}
