/**
 * Evaluates the algebra as the specification is written: bags of solutions, bottom up, without a plan or an index.
 *
 * It is slow and simple, so that the compiler can be compared with it. Source: SPARQL 1.1 §18.5, §18.6. EXISTS works by
 * substitution: a substituted variable is not in the solutions and is not free any more. Through a sub-select,
 * substitution reaches only projected variables.
 */
import {type Iri, namedNode, type Quad, sameTerm, type Term, type Triple} from '../../src/rdf/term.ts'
import {termKey} from '../../src/rdf/term-key.ts'
import type {
  Algebra,
  DatasetClause,
  Expression,
  PatternTerm,
  TriplePattern,
  Variable,
} from '../../src/sparql/algebra.ts'
import {evaluateAggregate} from './aggregate.ts'
import {type ExpressionScope, evaluateExpression, isTrue} from './expression.ts'
import {stayTheSame} from './functions.ts'
import {sortSolutions} from './order.ts'
import {evaluatePath} from './path.ts'
import {
  areCompatible,
  emptySolution,
  merge,
  restrict,
  type Solution,
  sharesVariable,
  solutionKey,
  withoutDuplicates,
} from './solution.ts'

export type Store = {readonly default: readonly Triple[]; readonly named: ReadonlyMap<Iri, readonly Triple[]>}

export type Scope = {
  readonly store: Store
  readonly triples: readonly Triple[] // of the active graph
  readonly outer: Solution
  readonly base: Iri
  readonly now: string
}

/**
 * §13.2: the graphs that a query sees. Default graphs are merged, as a set.
 *
 * @param dataset  undefined: all graphs, with their union as default graph
 */
export function storeOf(quads: readonly Quad[], dataset: DatasetClause | undefined): Store {
  const names = [...new Set(quads.filter(({graph}) => graph.termType === 'NamedNode').map(({graph}) => graph.value))]
  const inGraphs = (wanted: readonly Iri[]) => mergeTriples(quads.filter(({graph}) => wanted.includes(graph.value)))
  const named = dataset === undefined || dataset.named === 'all' ? names : dataset.named
  return {
    default: dataset === undefined ? mergeTriples(quads) : inGraphs(dataset.default),
    named: new Map(named.map(name => [name, inGraphs([name])])),
  }
}

function mergeTriples(quads: readonly Quad[]): readonly Triple[] {
  const key = ({subject, predicate, object}: Triple) =>
    JSON.stringify([termKey(subject), predicate.value, termKey(object)])
  return [...new Map(quads.map(quad => [key(quad), quad])).values()]
}

export function evaluate(node: Algebra, scope: Scope): readonly Solution[] {
  switch (node.type) {
    case 'bgp':
      return node.patterns.reduce<readonly Solution[]>(
        (solutions, pattern) => solutions.flatMap(solution => extendByPattern(solution, pattern, scope)),
        [emptySolution],
      )
    case 'path':
      return evaluatePathPattern(node, scope)
    case 'join':
      return join(evaluate(node.left, scope), evaluate(node.right, scope))
    case 'leftJoin':
      return leftJoin(node, scope)
    case 'filter':
      return evaluate(node.input, scope).filter(solution => isTrue(node.condition, expressionScope(solution, scope)))
    case 'union':
      return node.inputs.flatMap(input => evaluate(input, scope))
    case 'graph':
      return evaluateGraph(node, scope)
    case 'minus':
      return minus(evaluate(node.left, scope), evaluate(node.right, scope))
    case 'extend':
      return evaluate(node.input, scope).flatMap(solution =>
        extend(solution, node.variable, valueIn(solution, node.expression, scope), scope),
      )
    case 'values':
      return evaluateValues(node, scope)
    case 'group':
      return evaluateGroup(node, scope)
    case 'orderBy':
      return sortSolutions(evaluate(node.input, scope), node.keys, (solution, key) => valueIn(solution, key, scope))
    case 'project': {
      const inner = {...scope, outer: restrict(scope.outer, node.variables)}
      return evaluate(node.input, inner).map(solution => restrict(solution, node.variables))
    }
    case 'distinct':
      return withoutDuplicates(evaluate(node.input, scope))
    case 'reduced':
      return evaluate(node.input, scope)
    case 'slice': {
      const end = node.limit === undefined ? undefined : node.offset + node.limit
      return evaluate(node.input, scope).slice(node.offset, end)
    }
    case 'service':
    case 'table':
    case 'search':
      throw new Error('the oracle knows no other services')
  }
}

function expressionScope(solution: Solution, scope: Scope): ExpressionScope {
  const exists = (pattern: Algebra, outer: Solution) =>
    evaluate(pattern, {...scope, outer: merge(scope.outer, outer)}).length > 0
  return {solution, outer: scope.outer, base: scope.base, now: scope.now, exists}
}

function valueIn(solution: Solution, expression: Expression, scope: Scope): Term | undefined {
  return evaluateExpression(expression, expressionScope(solution, scope))
}

/** The term at a position of a pattern, or the name of a free variable. */
function position(term: PatternTerm, scope: Scope): Term | Variable {
  return term.termType === 'Variable' ? (scope.outer.get(term.value) ?? term) : term
}

function extendByPattern(solution: Solution, pattern: TriplePattern, scope: Scope): readonly Solution[] {
  const [start, verb, end] = [pattern.subject, pattern.predicate, pattern.object].map(term => position(term, scope))
  if (start === undefined || verb === undefined || end === undefined) return []
  return scope.triples.flatMap(({subject, predicate, object}) => {
    const wanted = isSpelledOtherwise(pattern.object, object) ? object : end
    return bind(solution, [start, verb, wanted], [subject, predicate, object])
  })
}

/** docs/sparql.md: the tag of a constant matches as it is written, in lower case, and in the case of BCP 47. */
function isSpelledOtherwise(constant: PatternTerm, term: Term): boolean {
  if (constant.termType !== 'Literal' || constant.language === '' || term.termType !== 'Literal') return false
  const spellings = [constant.language.toLowerCase(), Intl.getCanonicalLocales(constant.language)[0]]
  return term.value === constant.value && spellings.includes(term.language)
}

/** The solution that binds the positions' variables to the terms; undefined if a term does not match. */
function bind(solution: Solution, wanted: readonly (Term | Variable)[], terms: readonly Term[]): readonly Solution[] {
  const bound = new Map(solution)
  for (const [index, place] of wanted.entries()) {
    const term = terms[index]
    if (term === undefined) return []
    const known = place.termType === 'Variable' ? bound.get(place.value) : place
    if (known !== undefined && !sameTerm(known, term)) return []
    if (place.termType === 'Variable') bound.set(place.value, term)
  }
  return [bound]
}

function evaluatePathPattern(node: Extract<Algebra, {type: 'path'}>, scope: Scope): readonly Solution[] {
  const wanted = [position(node.subject, scope), position(node.object, scope)]
  const [start, end] = wanted.map(place => (place.termType === 'Variable' ? undefined : place))
  return evaluatePath(scope.triples, start, node.path, end).flatMap(pair => bind(emptySolution, wanted, pair))
}

function join(left: readonly Solution[], right: readonly Solution[]): readonly Solution[] {
  return left.flatMap(one => right.filter(other => areCompatible(one, other)).map(other => merge(one, other)))
}

function leftJoin(node: Extract<Algebra, {type: 'leftJoin'}>, scope: Scope): readonly Solution[] {
  const right = evaluate(node.right, scope)
  const {condition} = node
  return evaluate(node.left, scope).flatMap(one => {
    const both = join([one], right)
    const kept =
      condition === undefined ? both : both.filter(solution => isTrue(condition, expressionScope(solution, scope)))
    return kept.length === 0 ? [one] : kept
  })
}

function minus(left: readonly Solution[], right: readonly Solution[]): readonly Solution[] {
  return left.filter(one => !right.some(other => areCompatible(one, other) && sharesVariable(one, other)))
}

/** §18.6: the variable is bound after the pattern, so the pattern does not see it. */
function evaluateGraph(node: Extract<Algebra, {type: 'graph'}>, scope: Scope): readonly Solution[] {
  const wanted = position(node.name, scope)
  return [...scope.store.named].flatMap(([iri, triples]) => {
    const named = bind(emptySolution, [wanted], [namedNode(iri)])
    return named.length === 0 ? [] : join(evaluate(node.input, {...scope, triples}), named)
  })
}

/** A substituted variable keeps its value, and stays out of the solution. */
function extend(solution: Solution, name: string, term: Term | undefined, scope: Scope): readonly Solution[] {
  const substituted = scope.outer.get(name)
  if (term === undefined) return [solution]
  if (substituted !== undefined) return sameTerm(substituted, term) ? [solution] : []
  const extended = new Map(solution).set(name, term)
  stayTheSame(solution, extended)
  return [extended]
}

function evaluateValues({variables, rows}: Extract<Algebra, {type: 'values'}>, scope: Scope): readonly Solution[] {
  return rows.flatMap(row => {
    const solution = new Map(
      variables.flatMap((name, index): [string, Term][] => {
        const term = row[index]
        return term === undefined ? [] : [[name, term]]
      }),
    )
    if (!areCompatible(solution, scope.outer)) return []
    return [new Map([...solution].filter(([name]) => !scope.outer.has(name)))]
  })
}

/** §18.5.1.1. Without keys there is one group, even if it is empty. */
function evaluateGroup(
  {input, keys, aggregates}: Extract<Algebra, {type: 'group'}>,
  scope: Scope,
): readonly Solution[] {
  const groups = new Map<string, {readonly key: Solution; readonly members: Solution[]}>()
  if (keys.length === 0) groups.set('', {key: emptySolution, members: []})
  for (const solution of evaluate(input, scope)) {
    const key = new Map(
      keys.flatMap(({variable, expression}): [string, Term][] => {
        const term = valueIn(solution, expression, scope)
        return term === undefined ? [] : [[variable, term]]
      }),
    )
    const text = solutionKey(key)
    const group = groups.get(text) ?? {key, members: []}
    groups.set(text, group)
    group.members.push(solution)
  }
  return [...groups.values()].map(({key, members}) => {
    const result = new Map(key)
    for (const {variable, aggregate} of aggregates) {
      const evaluateMember = (member: Solution) =>
        aggregate.argument === undefined ? undefined : valueIn(member, aggregate.argument, scope)
      const term = evaluateAggregate(aggregate, members, evaluateMember)
      if (term !== undefined) result.set(variable, term)
    }
    return result
  })
}
