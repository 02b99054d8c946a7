/**
 * Limits on the size of a query, and the Problems for queries that exceed them.
 *
 * Pure. Checks the length of the text, and depth and patterns of its tree. counter.ts counts brackets, tokens and
 * values; print/print.ts limits the size of the SQL.
 */
import {Problem} from '../../base/problem.ts'
import {placed} from './placed.ts'
import type {QuerySyntax, UpdateSyntax} from './syntax.ts'

export type QueryLimits = {
  readonly length: number // UTF-16 units of the text
  readonly tokens: number // words and punctuation marks outside VALUES and lists after IN
  readonly patterns: number // triple patterns, paths, groups and other patterns; also the limit on template triples
  readonly values: number // terms of VALUES, and of lists after IN
}

export const defaultLimits: QueryLimits = {length: 1_000_000, tokens: 50_000, patterns: 1000, values: 50_000}

const dataFactor = 16

/** The limits of updates that go with those of queries. An update may be longer, because data are not compiled. */
export function updateLimits(limits: QueryLimits): QueryLimits {
  return {...limits, length: dataFactor * limits.length, tokens: dataFactor * limits.tokens}
}

export const queryDepthLimit = 400 // nested brackets of the text, nested nodes of the syntax tree

/** A text with all prefixed names and relative IRIs written out may be this many times as long as the limit. */
const expansionFactor = 10

/** @param at  offset where `text` exceeds the limit, if known */
export function tooDeep(text = '', at?: number): Problem {
  const sentence = `The query nests deeper than ${queryDepthLimit} levels`
  return new Problem(400, 'query-depth', ...placed(text, at, sentence, {limit: queryDepthLimit}))
}

/** @throws  Problem 400 `query-length` */
export function checkLength(text: string, {length: limit}: QueryLimits): void {
  if (text.length <= limit) return
  throw new Problem(400, 'query-length', `The query has ${text.length} characters, more than ${limit}.`, {
    members: {limit},
  })
}

/**
 * Limits the total length of IRIs: each prefixed name and relative IRI repeats its namespace or base.
 *
 * @param length  characters of all such repetitions so far
 * @throws        Problem 400 `query-length`
 */
export function checkExpansion(length: number, limits: QueryLimits): void {
  const limit = expansionFactor * limits.length
  if (length <= limit) return
  const message = `The query's prefixed names and relative IRIs come to more than ${limit} characters.`
  throw new Problem(400, 'query-length', message, {members: {limit}})
}

/** @throws  Problem 400 `query-depth`, `query-patterns` */
export function checkTree(tree: QuerySyntax | readonly UpdateSyntax[], limits: QueryLimits): void {
  const template = 'queryType' in tree && tree.queryType === 'CONSTRUCT' ? (tree.template?.length ?? 0) : 0
  const patterns = patternsOf('queryType' in tree ? {...tree, type: 'whole', template: []} : tree.filter(isMatched))
  if (Math.max(patterns, template) <= limits.patterns) return
  const what = patterns > limits.patterns ? `${patterns} patterns` : `${template} triples in its template`
  const limit = limits.patterns
  throw new Problem(400, 'query-patterns', `The query has ${what}, more than ${limit}.`, {members: {limit}})
}

/** Whether an operation has patterns or templates. Data have no limit but that on tokens. */
function isMatched({type}: UpdateSyntax): boolean {
  return type !== 'insertdata' && type !== 'deletedata'
}

const patternTypes = new Set('group union optional minus graph service filter bind query values'.split(' '))

/** The number of patterns in a syntax tree, including those in expressions. */
function patternsOf(tree: unknown): number {
  let patterns = 0
  const visit = (value: unknown, depth: number): void => {
    if (typeof value !== 'object' || value === null || 'termType' in value) return
    if (depth > queryDepthLimit) throw tooDeep()
    if (Array.isArray(value)) {
      for (const item of value) visit(item, depth + 1)
      return
    }
    const node = value as Readonly<Record<string, unknown>>
    const [first, second] = node.type === 'group' && Array.isArray(node.patterns) ? node.patterns : []
    if (first !== undefined && second === undefined) {
      visit(first, depth) // a group of one pattern is as that pattern
      return
    }
    if (patternTypes.has(String(node.type))) patterns += 1
    if (Array.isArray(node.triples)) patterns += node.triples.length
    if (node.type === 'path' && Array.isArray(node.items)) patterns += node.items.length
    if ('variable' in node && 'expression' in node && node.type === undefined) patterns += 1 // SELECT, GROUP BY: Extend
    for (const [name, item] of Object.entries(node)) if (name !== 'values') visit(item, depth + 1)
  }
  visit(tree, 0)
  return patterns
}
