/**
 * What texts hold: pieces, and all or any of several needs.
 *
 * Pure.
 */
/** Pieces that a text holds one after the other, in any case. */
export type Needle = {
  readonly type: 'needle'
  readonly pieces: readonly string[] // none is empty
  readonly isStart: boolean // the text begins with the first piece
  readonly isEnd: boolean // the text ends with the last piece
}

export type TextNeed<Leaf = Needle> = Leaf | {readonly type: 'all' | 'any'; readonly needs: readonly TextNeed<Leaf>[]}

/** All that are needed; undefined: nothing is. */
export function allOf<Leaf>(needs: readonly (TextNeed<Leaf> | undefined)[]): TextNeed<Leaf> | undefined {
  const known = needs.filter(need => need !== undefined)
  return known.length > 1 ? {type: 'all', needs: known} : known[0]
}

/** One of some; undefined: one of them is always there. */
export function anyOf<Leaf>(needs: readonly (TextNeed<Leaf> | undefined)[]): TextNeed<Leaf> | undefined {
  const known = needs.filter(need => need !== undefined)
  if (known.length < needs.length) return undefined
  return known.length > 1 ? {type: 'any', needs: known} : known[0]
}

const needleMax = 100 // of one need that are looked for

/** Whether a need is not so large that to look for it takes long. */
export function isShort<Leaf extends Needle>(need: TextNeed<Leaf>): boolean {
  return countNeedles(need) <= needleMax
}

function countNeedles<Leaf extends Needle>(need: TextNeed<Leaf>): number {
  return need.type === 'needle' ? 1 : need.needs.reduce((sum, one) => sum + countNeedles(one), 0)
}

/**
 * @param texts  of the pieces; U+0000 and U+0001, which are stored in another form, and where parts are missing part
 *               them further
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
