/**
 * Parses the text of an update to a syntax tree. parse.ts does the same for queries.
 *
 * Pure. Data are not compiled, so an update may be longer than a query; the limit on patterns and templates counts for
 * each operation.
 * Source: SPARQL 1.1 §19.8, [29] Update; §19.6 (blank node labels).
 */
import {Problem} from '../../base/problem.ts'
import type {Iri} from '../../rdf/term.ts'
import {createContext} from './actions.ts'
import {checkQuery} from './check.ts'
import {createCounter} from './counter.ts'
import {readTree} from './grammar.ts'
import {checkLength, checkTree, defaultLimits, type QueryLimits} from './limits.ts'
import {placed} from './placed.ts'
import type {SyntaxTriple} from './syntax.ts'
import {symbolOf, type Token} from './tokens.ts'
import type {OperationSyntax, ParsedUpdate, SyntaxQuads} from './update-syntax.ts'

const [openBrace, closeBrace, semicolon] = ['{', '}', ';'].map(symbolOf)
const dataFactor = 16 // an update may be this many times as long as a query

/** The limits of updates that go with those of queries. */
export function updateLimits(limits: QueryLimits): QueryLimits {
  return {...limits, length: dataFactor * limits.length, tokens: dataFactor * limits.tokens}
}

/**
 * Parses an update.
 *
 * @param base    the base IRI: the URL of the request
 * @param limits  of queries
 * @throws        Problem 400 `query-syntax` with line and column, `query-depth`, those of limits.ts
 */
export function parseUpdate(text: string, base: Iri, limits: QueryLimits = defaultLimits): ParsedUpdate {
  const ownLimits = updateLimits(limits)
  checkLength(text, ownLimits)
  const context = createContext(base, ownLimits)
  const count = createCounter(text, ownLimits)
  const bases: Iri[] = [] // of the operations that a semicolon has ended
  let depth = 0
  const accept = (token: Token) => {
    count(token)
    if (token.symbol === openBrace) depth += 1
    if (token.symbol === closeBrace) depth -= 1
    if (token.symbol === semicolon && depth === 0) bases.push(context.base)
  }
  const tree = readTree(text, context, accept) as UpdateTree | undefined
  if (tree !== undefined && tree.type !== 'update')
    throw new Problem(400, 'query-syntax', ...placed(text, 0, 'This is a query; an update was expected'))
  const operations = tree?.updates ?? []
  checkDataLabels(operations)
  for (const operation of operations) checkOperation(operation, limits)
  return operations.map((operation, index) => ({operation, base: bases[index] ?? context.base}))
}

type UpdateTree = {readonly type: string; readonly updates?: readonly OperationSyntax[]}

function checkOperation(operation: OperationSyntax, limits: QueryLimits): void {
  if (!('updateType' in operation)) return
  switch (operation.updateType) {
    case 'insert':
    case 'delete':
      return // data
    case 'deletewhere':
      checkTree({type: 'query', queryType: 'CONSTRUCT', template: triplesOf(operation.delete)}, limits)
      return
    case 'insertdelete': {
      const {where} = operation
      const template = [...triplesOf(operation.delete), ...triplesOf(operation.insert)]
      checkTree({type: 'query', queryType: 'CONSTRUCT', template, where}, limits)
      checkQuery({type: 'query', queryType: 'ASK', where})
    }
  }
}

function triplesOf(quads: readonly SyntaxQuads[]): readonly SyntaxTriple[] {
  return quads.flatMap(({triples}) => triples)
}

/** A label of an INSERT DATA belongs to that operation alone. */
function checkDataLabels(operations: readonly OperationSyntax[]): void {
  const owners = new Map<string, OperationSyntax>()
  for (const operation of operations) {
    if (!('updateType' in operation) || operation.updateType !== 'insert') continue
    for (const {subject, object} of triplesOf(operation.insert)) {
      for (const {termType, value} of [subject, object]) {
        if (termType !== 'BlankNode') continue
        if ((owners.get(value) ?? operation) !== operation)
          throw new Problem(400, 'query-syntax', `The blank node _:${value} stands in two INSERT DATA operations.`)
        owners.set(value, operation)
      }
    }
  }
}
