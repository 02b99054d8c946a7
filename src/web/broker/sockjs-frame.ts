/**
 * The frames of SockJS: an array of texts, and a close with its reason.
 *
 * Pure. Source: SockJS protocol 0.3.3, "Framing and protocol".
 */

export function writeMessages(texts: readonly string[]): string {
  return `a${JSON.stringify(texts)}`
}

export function writeClose(code: number, reason: string): string {
  return `c${JSON.stringify([code, reason])}`
}

/**
 * Reads what a client has sent: an array of texts, or one text.
 *
 * @returns  undefined: it is neither
 */
export function readMessages(data: string): readonly string[] | undefined {
  if (data === '') return []
  try {
    const value: unknown = JSON.parse(data)
    const texts: readonly unknown[] = Array.isArray(value) ? value : [value]
    return texts.every(text => typeof text === 'string') ? texts : undefined
  } catch {
    return undefined // a SyntaxError
  }
}
