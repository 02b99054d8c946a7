/**
 * Estimates, from a sample of texts, the share of the dictionary's literals that can satisfy a filter.
 *
 * Pure. Wrong numbers make slow plans, never wrong answers.
 */

import type {Expression} from '../../algebra.ts'
import {isShort, type Needle, type TextNeed} from '../../analyse/needle.ts'
import {textNeed} from '../../analyse/text-need.ts'
import type {Planner} from '../block.ts'
import type {TextSample} from '../frequencies.ts'

/** Folds case like the text index, except for letters that Node and PostgreSQL fold differently. */
export function folded(text: string): string {
  return text.toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ')
}

/** The share of the sample that satisfies the need. It is always above 0 and below 1. */
export function shareOfNeed({texts}: TextSample, need: TextNeed): number {
  const sought = foldedNeed(need)
  const found = texts.filter(text => holds(text, sought)).length
  return (found + 0.5) / (texts.length + 1)
}

function foldedNeed(need: TextNeed): TextNeed {
  if (need.type === 'needle') return {...need, pieces: need.pieces.map(folded)}
  return {...need, needs: need.needs.map(foldedNeed)}
}

function holds(text: string, need: TextNeed): boolean {
  switch (need.type) {
    case 'all':
      return need.needs.every(one => holds(text, one))
    case 'any':
      return need.needs.some(one => holds(text, one))
    case 'needle':
      return holdsPieces(text, need)
  }
}

function holdsPieces(text: string, {pieces, isStart, isEnd}: Needle): boolean {
  if (isStart && !text.startsWith(pieces[0] ?? '')) return false
  if (isEnd && !text.endsWith(pieces.at(-1) ?? '')) return false
  let from = 0
  for (const piece of pieces) {
    const at = text.indexOf(piece, from)
    if (at < 0) return false
    from = at + piece.length
  }
  return true
}

const testMax = 50 // tests of one query that are estimated by the sample
const shares = new WeakMap<Planner, Map<Expression, number | undefined>>()

/** The share of a variable's texts for which a test may be true; undefined if the sample cannot tell. */
export function textShare(planner: Planner, test: Expression, variable: string): number | undefined {
  const {texts} = planner.facts.frequencies
  if (texts === undefined || test.type !== 'call') return undefined
  const known = shares.get(planner) ?? new Map<Expression, number | undefined>()
  shares.set(planner, known)
  if (known.has(test)) return known.get(test)
  const need = known.size < testMax ? textNeed(test, variable) : undefined
  const share = need === undefined || !isShort(need) ? undefined : shareOfNeed(texts, need)
  known.set(test, share)
  return share
}
