/** A text that a writer puts before its first chunk. */

/** A function that returns the text on the first call and '' on every later one. */
export function once(text: string): () => string {
  let left = text
  return () => {
    const answer = left
    left = ''
    return answer
  }
}
