/**
 * What a writer says before its first chunk, and only there.
 *
 * Floor 2. Pure, but for the one thing it remembers.
 */

/** A function that answers with the text the first time, and with nothing after that. */
export function once(text: string): () => string {
  let left = text
  return () => {
    const answer = left
    left = ''
    return answer
  }
}
