/**
 * Translates the syntax tree of an update to operations.
 *
 * Pure. A template without GRAPH writes to the graph of WITH, otherwise to the default graph: the document of the
 * request. WHERE reads the union of all graphs, unless WITH, USING or the protocol's parameters say otherwise.
 * Sources: SPARQL 1.1 Update §3.1, §3.2; SPARQL 1.1 Protocol §2.2.3 (using-graph-uri); decision 0006.
 */
import {Problem} from '../../base/problem.ts'
import {type Iri, type NamedNode, namedNode} from '../../rdf/term.ts'
import type {Dataset, Variable} from '../algebra.ts'
import type {GraphPlace, GraphRange, ModifyOperation, Operation, TemplateQuad} from '../operation.ts'
import type {SyntaxPattern, VariableTerm} from '../parse/syntax.ts'
import type {
  OperationSyntax,
  ParsedUpdate,
  SyntaxGraphRef,
  SyntaxGraphRefAll,
  SyntaxQuads,
} from '../parse/update-syntax.ts'
import {templateTriple, translateQuery} from './translate.ts'

export type UpdateScope = {
  readonly document: Iri | undefined // the default graph of templates; undefined: there is none
  readonly using?: Dataset | undefined // of the protocol's parameters
  readonly isAlone?: boolean // the update may name no other graph, and WHERE reads the document alone
}

/**
 * Translates an update.
 *
 * @throws  Problem 422 `update-graph`: a graph is not named, and there is no default; 422 `patch-graph`: a graph is
 *          named, and `isAlone`; 400 `update-dataset`: USING or WITH beside the protocol's parameters
 */
export function translateUpdate(update: ParsedUpdate, scope: UpdateScope): readonly Operation[] {
  return update.map(({operation, base}) => translateOperation(operation, base, scope))
}

function translateOperation(operation: OperationSyntax, base: Iri, scope: UpdateScope): Operation {
  if ('updateType' in operation) return translateGraphUpdate(operation, base, scope)
  if (scope.isAlone) throw alone(`${operation.type.toUpperCase()} is`)
  const isSilent = operation.silent
  switch (operation.type) {
    case 'load': {
      const into = operation.destination?.value ?? defaultGraph(scope)
      return {type: 'load', source: operation.source.value, into, isSilent}
    }
    case 'create':
      return {type: 'create', graph: operation.graph.name.value, isSilent}
    case 'clear':
    case 'drop':
      return {type: operation.type, range: rangeOf(operation.graph, scope), isSilent}
    default: {
      const {type, source, destination} = operation
      return {type, from: placeOf(source, scope), to: placeOf(destination, scope), isSilent}
    }
  }
}

type GraphUpdate = Extract<OperationSyntax, {updateType: string}>

function translateGraphUpdate(operation: GraphUpdate, base: Iri, scope: UpdateScope): Operation {
  switch (operation.updateType) {
    case 'insert':
      return {type: 'insertData', quads: quadsOf(operation.insert, undefined, scope)}
    case 'delete':
      return {type: 'deleteData', quads: quadsOf(operation.delete, undefined, scope)}
    case 'deletewhere': {
      const deleted = quadsOf(operation.delete, undefined, scope)
      return modify({deleted, inserted: [], where: operation.delete.map(asPattern), dataset: using({}, scope), base})
    }
    case 'insertdelete': {
      const {graph, where} = operation
      if (scope.isAlone && (graph !== undefined || operation.using !== undefined || where.some(hasGraph)))
        throw alone('WITH, USING and GRAPH are')
      const [deleted, inserted] = [operation.delete, operation.insert].map(quads => quadsOf(quads, graph, scope))
      return modify({deleted, inserted, where, dataset: using(operation, scope), base})
    }
  }
}

type Modification = {
  readonly deleted: readonly TemplateQuad[] | undefined
  readonly inserted: readonly TemplateQuad[] | undefined
  readonly where: readonly SyntaxPattern[]
  readonly dataset: Dataset | undefined
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
function using(
  {graph, using: own}: Pick<Extract<OperationSyntax, {updateType: 'insertdelete'}>, 'graph' | 'using'>,
  {document, using: asked, isAlone}: UpdateScope,
): Dataset | undefined {
  if (asked !== undefined && (graph ?? own) !== undefined) {
    const message = 'The parameters using-graph-uri and using-named-graph-uri cannot stand beside USING or WITH.'
    throw new Problem(400, 'update-dataset', message)
  }
  if (isAlone && document !== undefined) return {default: [document], named: []}
  if (own !== undefined) return {default: own.default.map(({value}) => value), named: own.named.map(({value}) => value)}
  return graph === undefined ? asked : {default: [graph.value], named: 'all'}
}

function quadsOf(
  quads: readonly SyntaxQuads[],
  graph: NamedNode | undefined,
  scope: UpdateScope,
): readonly TemplateQuad[] {
  return quads.flatMap(group => {
    if (group.triples.length === 0) return []
    const place = group.type === 'graph' ? graphTerm(group.name, scope) : (graph ?? namedNode(defaultGraph(scope)))
    return group.triples.map(triple => ({...templateTriple(triple), graph: place}))
  })
}

function graphTerm(name: NamedNode | VariableTerm, {isAlone}: UpdateScope): NamedNode | Variable {
  if (isAlone) throw alone('GRAPH is')
  return name
}

/** DELETE WHERE uses its template as the pattern. */
function asPattern(group: SyntaxQuads): SyntaxPattern {
  const bgp = {type: 'bgp', triples: group.triples} as const
  return group.type === 'bgp' ? bgp : {type: 'graph', name: group.name, patterns: [bgp]}
}

function rangeOf(reference: SyntaxGraphRefAll, scope: UpdateScope): GraphRange {
  if ('named' in reference) return {kind: 'named', besides: scope.document}
  if ('all' in reference) return {kind: 'all', besides: scope.document}
  if ('default' in reference) return {kind: 'one', graph: defaultGraph(scope), isDefault: true}
  return {kind: 'one', graph: reference.name.value, isDefault: false}
}

function placeOf(reference: SyntaxGraphRef, scope: UpdateScope): GraphPlace {
  return 'name' in reference
    ? {graph: reference.name.value, isDefault: false}
    : {graph: defaultGraph(scope), isDefault: true}
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
