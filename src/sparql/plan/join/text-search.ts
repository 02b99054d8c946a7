/**
 * Lets a conjunction begin with a search of the text index, followed by the triples that have the literals it finds.
 *
 *   filter(contains(?l, "word"), triples of <p> by ?s, ?l)
 *     =>  filter(contains(?l, "word"), join(literals that hold "word", triples of <p> by ?l))
 *
 * This is correct if the text index contains every term for which the filter can be true. The filter stays, because the
 * index ignores case and language. The search comes first only if that is cheaper, that is, if few literals match.
 */
import {firstLiteralId, lastId} from '../../../rdf/id-layout.ts'
import type {Expression} from '../../algebra.ts'
import {allOf, anyOf, isShort, type Needle, type TextNeed} from '../../analyse/needle.ts'
import {type Sought, textNeed} from '../../analyse/text-need.ts'
import {type Block, type Column, idColumn, type Planner} from '../block.ts'
import type {Extent} from '../extent.ts'
import {all, any, call, column, number, operator, type Scalar, type SqlQuery, text} from '../relation.ts'
import {canBeDerived} from './derived.ts'
import {chooseOrder, type JoinContext, type JoinOrder, orderFrom} from './estimate.ts'
import type {Operand, Texts} from './operand.ts'
import {folded, shareOfNeed} from './text-share.ts'

/** The cheapest order of a conjunction, with or without a search of the text index as its first step. */
export function searchedOrder(operands: readonly Operand[], context: JoinContext): JoinOrder {
  const {isSearched} = context.planner.forced ?? {}
  const plain = chooseOrder(operands, context)
  if (isSearched === false) return plain
  const orders = searches(operands, context).map(texts => orderFrom(texts, [texts, ...operands], context))
  const best = orders.reduce<JoinOrder | undefined>(
    (one, other) => (one && one.cost <= other.cost ? one : other),
    undefined,
  )
  return best !== undefined && (isSearched === true || best.cost < plain.cost) ? best : plain
}

/** The possible searches: one for each object variable that the text index can find completely. */
function searches(operands: readonly Operand[], {planner, tests, bound}: JoinContext): readonly Texts[] {
  const sample = planner.facts.frequencies.texts
  if (sample === undefined || tests.length === 0) return []
  const patterns = operands.flatMap(operand => (operand.type === 'triple' ? [operand.pattern] : []))
  const names = patterns.flatMap(({object}) => (object.termType === 'Variable' ? [object.value] : []))
  return [...new Set(names)].flatMap((variable): Texts[] => {
    if (bound.has(variable)) return []
    const own = patterns.filter(({object}) => object.termType === 'Variable' && object.value === variable)
    const isOpen = own.some(({predicate}) => predicate.termType === 'Variable')
    if (isOpen && planner.facts.realms !== undefined) return [] // no index on objects respects access
    const range = own.map(({predicate}) => extentOf(planner, predicate)).find(extent => extent !== undefined)
    const reach = {
      hasNodes: (range === undefined || range.low < firstLiteralId) && !tests.some(test => isOfLiteral(test, variable)),
      hasInline: range === undefined || range.low < 0n,
      hasLetters: sample.hasLetters,
    }
    const need = allOf(tests.map(test => findable(textNeed(test, variable), reach)))
    return need === undefined || !isShort(need)
      ? []
      : [{type: 'texts', variable, need, rows: sample.literals * shareOfNeed(sample, need)}]
  })
}

function extentOf(planner: Planner, predicate: Parameters<Planner['patternIdsOf']>[0] | {termType: 'Variable'}) {
  if (predicate.termType === 'Variable') return undefined
  const [id] = planner.patternIdsOf(predicate)
  return canBeDerived(planner, id) ? undefined : planner.facts.extents.get(id)
}

/** Whether a test can be true for literals only. LANG of another term is an error. */
function isOfLiteral(test: Expression, variable: string): boolean {
  if (test.type !== 'call') return false
  const isOf = (one: Expression | undefined, name: string) =>
    one?.type === 'call' &&
    one.name === name &&
    one.arguments.some(it => it.type === 'variable' && it.name === variable)
  const {name, arguments: args} = test
  if (name === 'langmatches') return isOf(args[0], 'lang')
  return isOf(test, 'isLiteral') || (name === '=' && args.some(argument => isOf(argument, 'lang')))
}

/** Which terms a variable may be apart from literals of the dictionary, and whether the index has non-ASCII letters. */
type Reach = {readonly hasNodes: boolean; readonly hasInline: boolean; readonly hasLetters: boolean}

/** The part of a need that the index finds completely and without a full scan; undefined if there is none. */
function findable(need: TextNeed<Sought> | undefined, reach: Reach): TextNeed | undefined {
  switch (need?.type) {
    case undefined:
      return undefined
    case 'all':
      return allOf(need.needs.map(one => findable(one, reach)))
    case 'any':
      return anyOf(need.needs.map(one => findable(one, reach)))
    case 'needle': {
      const isElsewhere = reach.hasNodes || (reach.hasInline && mayBeInline(need))
      return (need.isOfAnyTerm && isElsewhere) || !hasTrigram(need, reach.hasLetters) ? undefined : need
    }
  }
}

/** Whether the lexical form of an inline literal can contain the pieces (rdf/inline.ts). */
function mayBeInline({pieces}: Needle): boolean {
  return pieces
    .map(folded)
    .every(piece => /^[0-9+\-.:tz]*$/.test(piece) || 'true'.includes(piece) || 'false'.includes(piece))
}

/**
 * Whether pg_trgm can extract a trigram from a needle. It pads each word with two blanks before and one after it, but a
 * needle has these only if it contains that end of the word.
 */
function hasTrigram({pieces, isStart, isEnd}: Needle, hasLetters: boolean): boolean {
  const words = hasLetters ? /[\p{L}\p{N}]+/gu : /[a-z0-9]+/g
  return pieces.map(folded).some((piece, index) =>
    Array.from(piece.matchAll(words)).some(({0: word, index: at = 0}) => {
      const isLeftEnd = at > 0 || (isStart && index === 0)
      const isRightEnd = at + word.length < piece.length || (isEnd && index === pieces.length - 1)
      return Array.from(word).length + (isLeftEnd ? 2 : 0) + (isRightEnd ? 1 : 0) >= 3
    }),
  )
}

const literals: Extent = {low: firstLiteralId, high: lastId}

/** Plans the search of the text index. */
export function planTexts(planner: Planner, {variable, need, rows}: Texts): Block {
  const [term, alias] = [planner.fresh(), planner.fresh()]
  const id = column(term, 'id')
  const query: SqlQuery = {
    kind: 'select',
    columns: [{name: 'c0', scalar: id}],
    from: {kind: 'table', name: 'term', alias: term},
    where: [needed(call('sparql_folded', column(term, 'lex')), need), operator('>=', id, number(firstLiteralId))],
    isFenced: true,
  }
  const held: Column = {...idColumn(column(alias, 'c0'), false), extent: literals}
  const from = {kind: 'query', query, alias, isLateral: false} as const
  return {from, where: [], columns: new Map([[variable, held]]), order: undefined, rows}
}

/** The condition on a folded text. The pattern is a sub-select, so that PostgreSQL computes it once per query. */
function needed(subject: Scalar, need: TextNeed): Scalar {
  switch (need.type) {
    case 'all':
      return all(need.needs.map(one => needed(subject, one)))
    case 'any':
      return any(need.needs.map(one => needed(subject, one)))
    case 'needle': {
      const pieces: Scalar = {kind: 'array', items: need.pieces.map(text), type: 'text'}
      const ends = [need.isStart, need.isEnd].map((value): Scalar => ({kind: 'boolean', value}))
      const columns = [{name: 'c0', scalar: call('sparql_like', pieces, ...ends)}]
      const pattern: Scalar = {kind: 'subquery', query: {kind: 'select', columns, from: undefined, where: []}}
      return operator('~~', subject, pattern)
    }
  }
}
