/**
 * Translates the syntax tree of an update to operations.
 *
 * Pure. A template without GRAPH writes to the graph of WITH, otherwise to the default graph: the document of the
 * request. WHERE reads the union of all graphs, unless WITH, USING or the protocol's parameters say otherwise.
 * Sources: SPARQL 1.1 Update §3.1, §3.2; SPARQL 1.1 Protocol §2.2.3 (using-graph-uri); decision 0006.
 */
import {Problem} from '../../base/problem.ts'
import {type Iri, type NamedNode, namedNode} from '../../rdf/term.ts'
import type {DatasetClause, Variable} from '../algebra.ts'
import type {GraphPlace, GraphRange, ModifyOperation, TemplateQuad, UpdateOperation} from '../operation.ts'
import type {GraphRef, SyntaxPattern, SyntaxQuads, UpdateSyntax, VariableTerm} from '../parse/syntax.ts'
import {templateTriple, translateQuery} from './translate.ts'

export type UpdateScope = {
  readonly document: Iri | undefined // the default graph of templates; undefined: there is none
  readonly using?: DatasetClause | undefined // of the protocol's parameters
  readonly isAlone?: boolean // the update may name no other graph, and WHERE reads the document alone
}

/**
 * Translates an update.
 *
 * @throws  Problem 422 `update-graph`: a graph is not named, and there is no default; 422 `patch-graph`: a graph is
 *          named, and `isAlone`; 400 `update-dataset`: USING or WITH beside the protocol's parameters
 */
export function translateUpdate(update: readonly UpdateSyntax[], scope: UpdateScope): readonly UpdateOperation[] {
  return update.map(operation => translateOperation(operation, scope))
}

function translateOperation(operation: UpdateSyntax, scope: UpdateScope): UpdateOperation {
  switch (operation.type) {
    case 'insertdata':
      return {type: 'insertData', quads: quadsOf(operation.quads, undefined, scope)}
    case 'deletedata':
      return {type: 'deleteData', quads: quadsOf(operation.quads, undefined, scope)}
    case 'deletewhere': {
      const deleted = quadsOf(operation.quads, undefined, scope)
      const where = operation.quads.map(asPattern)
      return modify({deleted, inserted: [], where, dataset: datasetOf({}, scope), base: ''})
    }
    case 'modify':
      return translateModify(operation, scope)
    default:
      if (scope.isAlone) throw alone(`${operation.type.toUpperCase()} is`)
      return translateManagement(operation, scope)
  }
}

type Modify = Extract<UpdateSyntax, {type: 'modify'}>

function translateModify(operation: Modify, scope: UpdateScope): ModifyOperation {
  const {with: graph, where, base} = operation
  if (scope.isAlone && (graph !== undefined || operation.using !== undefined || where.some(hasGraph)))
    throw alone('WITH, USING and GRAPH are')
  const [deleted, inserted] = [operation.delete, operation.insert].map(quads => quadsOf(quads, graph, scope))
  return modify({deleted, inserted, where, dataset: datasetOf(operation, scope), base})
}

type Management = Extract<UpdateSyntax, {silent: boolean}>

function translateManagement(operation: Management, scope: UpdateScope): UpdateOperation {
  const isSilent = operation.silent
  switch (operation.type) {
    case 'load':
      return {type: 'load', source: operation.source.value, into: placeOf(operation.target, scope).graph, isSilent}
    case 'create':
      return {type: 'create', graph: operation.graph.value, isSilent}
    case 'clear':
    case 'drop':
      return {type: operation.type, range: rangeOf(operation.graph, scope), isSilent}
    default: {
      const {type, source, target} = operation
      return {type, from: placeOf(source, scope), to: placeOf(target, scope), isSilent}
    }
  }
}

type Modification = {
  readonly deleted: readonly TemplateQuad[] | undefined
  readonly inserted: readonly TemplateQuad[] | undefined
  readonly where: readonly SyntaxPattern[]
  readonly dataset: DatasetClause | undefined
  readonly base: Iri
}

/** The solutions are those of a SELECT of the templates' variables. */
function modify({deleted = [], inserted = [], where, dataset, base}: Modification): ModifyOperation {
  const names = new Set(
    [...deleted, ...inserted]
      .flatMap(({graph, subject, predicate, object}) => [graph, subject, predicate, object])
      .flatMap(({termType, value}) => (termType === 'Variable' ? [value] : [])),
  )
  const variables = Array.from(names, (value): VariableTerm => ({termType: 'Variable', value}))
  const query = translateQuery({query: {type: 'query', queryType: 'SELECT', variables, where}, base})
  if (query.form !== 'select') throw new Error('a SELECT became another form of query')
  return {type: 'modify', deleted, inserted, where: {...query, dataset}}
}

/** The dataset of WHERE. USING replaces WITH there (§3.1.3). */
function datasetOf(
  {with: graph, using}: Pick<Modify, 'with' | 'using'>,
  {document, using: asked, isAlone}: UpdateScope,
): DatasetClause | undefined {
  if (asked !== undefined && (graph ?? using) !== undefined) {
    const message = 'The parameters using-graph-uri and using-named-graph-uri cannot stand beside USING or WITH.'
    throw new Problem(400, 'update-dataset', message)
  }
  if (isAlone && document !== undefined) return {default: [document], named: []}
  if (using !== undefined)
    return {default: using.default.map(({value}) => value), named: using.named.map(({value}) => value)}
  return graph === undefined ? asked : {default: [graph.value], named: 'all'}
}

function quadsOf(
  quads: readonly SyntaxQuads[],
  graph: NamedNode | undefined,
  scope: UpdateScope,
): readonly TemplateQuad[] {
  return quads.flatMap(group => {
    if (group.triples.length === 0) return []
    const place = group.graph === undefined ? (graph ?? namedNode(defaultGraph(scope))) : graphTerm(group.graph, scope)
    return group.triples.map(triple => ({...templateTriple(triple), graph: place}))
  })
}

function graphTerm(name: NamedNode | VariableTerm, {isAlone}: UpdateScope): NamedNode | Variable {
  if (isAlone) throw alone('GRAPH is')
  return name
}

/** DELETE WHERE uses its template as the pattern. */
function asPattern({graph, triples}: SyntaxQuads): SyntaxPattern {
  const bgp = {type: 'bgp', triples} as const
  return graph === undefined ? bgp : {type: 'graph', name: graph, patterns: [bgp]}
}

function rangeOf(reference: GraphRef | 'named' | 'all', scope: UpdateScope): GraphRange {
  if (reference === 'named' || reference === 'all') return {kind: reference, besides: scope.document}
  return {kind: 'one', ...placeOf(reference, scope)}
}

function placeOf(reference: GraphRef, scope: UpdateScope): GraphPlace {
  return reference === 'default'
    ? {graph: defaultGraph(scope), isDefault: true}
    : {graph: reference.value, isDefault: false}
}

function defaultGraph({document}: UpdateScope): Iri {
  if (document !== undefined) return document
  const message = 'Here no document is the default graph: name one by GRAPH or WITH, or send the update to its URL.'
  throw new Problem(422, 'update-graph', message)
}

/** Whether a pattern contains GRAPH, at any depth. */
function hasGraph(pattern: unknown): boolean {
  if (typeof pattern !== 'object' || pattern === null || 'termType' in pattern) return false
  return ('type' in pattern && pattern.type === 'graph') || Object.values(pattern).some(hasGraph)
}

function alone(what: string): Problem {
  const message = `A patch changes the document that it is sent to: ${what} not possible here. POST the update instead.`
  return new Problem(422, 'patch-graph', message)
}
