/**
 * How large a query may be.
 *
 * Floor 2. Pure. The length is that of the text, the depth that of the syntax tree; patterns, values and the template
 * are counted in the tree. What a query comes to in SQL is counted by print.ts.
 */
import {Problem} from '../base/problem.ts'
import type {QuerySyntax} from './syntax.ts'

export type QueryLimits = {
  readonly length: number // UTF-16 units of the text
  readonly patterns: number // triple patterns, paths, groups and other patterns; as many triples of the template
  readonly values: number // terms of VALUES, and of lists after IN
}

export const defaultLimits: QueryLimits = {length: 1_000_000, patterns: 1000, values: 50_000}

export const queryDepthLimit = 400 // nested brackets of the text, nested nodes of the syntax tree

/** Problem 400 `query-depth`. */
export function tooDeep(): Problem {
  return new Problem(400, 'query-depth', `The query nests deeper than ${queryDepthLimit} levels.`, {
    members: {limit: queryDepthLimit},
  })
}

/** @throws  Problem 400 `query-length` */
export function checkLength(text: string, {length: limit}: QueryLimits): void {
  if (text.length <= limit) return
  throw new Problem(400, 'query-length', `The query has ${text.length} characters, more than ${limit}.`, {
    members: {limit},
  })
}

/** @throws  Problem 400 `query-patterns`, `query-values` */
export function checkLimits(query: QuerySyntax, limits: QueryLimits): void {
  const template = query.queryType === 'CONSTRUCT' ? (query.template?.length ?? 0) : 0
  const {patterns, values} = countIn({...query, type: 'whole', template: []})
  if (Math.max(patterns, template) > limits.patterns) {
    const what = patterns > limits.patterns ? `${patterns} patterns` : `${template} triples in its template`
    const limit = limits.patterns
    throw new Problem(400, 'query-patterns', `The query has ${what}, more than ${limit}.`, {members: {limit}})
  }
  if (values > limits.values) {
    const limit = limits.values
    const message = `The query has ${values} values in VALUES and IN, more than ${limit}.`
    throw new Problem(400, 'query-values', message, {members: {limit}})
  }
}

type Counts = {patterns: number; values: number}

const patternTypes = new Set(['group', 'union', 'optional', 'minus', 'graph', 'service', 'filter', 'bind', 'query'])

/** What a syntax tree holds, whatever the place: patterns stand in expressions, too. */
function countIn(tree: unknown): Counts {
  const counts: Counts = {patterns: 0, values: 0}
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) {
      for (const item of value) visit(item)
      return
    }
    if (typeof value !== 'object' || value === null || 'termType' in value) return
    const node = value as Readonly<Record<string, unknown>>
    if (patternTypes.has(String(node.type))) counts.patterns += 1
    if (node.type === 'bgp' && Array.isArray(node.triples)) counts.patterns += node.triples.length
    if (node.type === 'path' && Array.isArray(node.items)) counts.patterns += node.items.length
    if (Array.isArray(node.values)) counts.values += cellsOf(node.values)
    if ((node.operator === 'in' || node.operator === 'notin') && Array.isArray(node.args)) {
      const [, list] = node.args as readonly unknown[]
      if (Array.isArray(list)) counts.values += list.length
    }
    for (const [name, item] of Object.entries(node)) if (name !== 'values') visit(item)
  }
  visit(tree)
  return counts
}

function cellsOf(rows: readonly object[]): number {
  return rows.reduce((sum, row) => sum + Math.max(1, Object.keys(row).length), 0)
}
