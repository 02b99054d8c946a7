/**
 * Needs of texts: substrings that a text must contain, combined by "all" and "any". The text index searches for them.
 *
 * Pure.
 */
/** Substrings that a text contains in this order, ignoring case. */
export type Needle = {
  readonly type: 'needle'
  readonly pieces: readonly string[] // none is empty
  readonly isStart: boolean // the text begins with the first piece
  readonly isEnd: boolean // the text ends with the last piece
}

export type TextNeed<Leaf = Needle> = Leaf | {readonly type: 'all' | 'any'; readonly needs: readonly TextNeed<Leaf>[]}

/** The need of a conjunction; undefined if nothing is needed. */
export function allOf<Leaf>(needs: readonly (TextNeed<Leaf> | undefined)[]): TextNeed<Leaf> | undefined {
  const known = needs.filter(need => need !== undefined)
  return known.length > 1 ? {type: 'all', needs: known} : known[0]
}

/** The need of a disjunction; undefined if one of the operands needs nothing. */
export function anyOf<Leaf>(needs: readonly (TextNeed<Leaf> | undefined)[]): TextNeed<Leaf> | undefined {
  const known = needs.filter(need => need !== undefined)
  if (known.length < needs.length) return undefined
  return known.length > 1 ? {type: 'any', needs: known} : known[0]
}

const needleMax = 100 // needles of one need

/** Whether a need has few enough needles for a fast search. */
export function isShort<Leaf extends Needle>(need: TextNeed<Leaf>): boolean {
  return countNeedles(need) <= needleMax
}

function countNeedles<Leaf extends Needle>(need: TextNeed<Leaf>): number {
  return need.type === 'needle' ? 1 : need.needs.reduce((sum, one) => sum + countNeedles(one), 0)
}

/**
 * @param texts  of the pieces. They are split further at U+0000 and U+0001, which are stored in another form, and at
 *               lone surrogates
 * @returns      undefined if a text is undefined or if no piece remains
 */
export function needle(
  texts: readonly (string | undefined)[],
  isStart: boolean,
  isEnd: boolean,
): TextNeed<Needle> | undefined {
  if (texts.includes(undefined)) return undefined
  const parts = texts.flatMap(text => text?.split(/[\0\x01\ud800-\udfff]/u) ?? [])
  const pieces = parts.filter(part => part !== '')
  if (pieces.length === 0) return undefined
  return {type: 'needle', pieces, isStart: isStart && parts[0] !== '', isEnd: isEnd && parts.at(-1) !== ''}
}
