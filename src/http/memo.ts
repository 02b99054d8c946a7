/**
 * A bounded cache for functions of header values, because clients send the same values again and again.
 *
 * Long values are not cached, and a full cache is cleared.
 */

const valueLimit = 512 // characters: browsers and libraries send shorter values
const entryLimit = 256 // values cached for each function

/** The same function with a cache. Results are shared between calls, so they must be immutable. */
export function memoize<Answer>(read: (value: string) => Answer): (value: string) => Answer {
  const answers = new Map<string, {readonly answer: Answer}>()
  return value => {
    const known = answers.get(value)
    if (known !== undefined) return known.answer
    const answer = read(value)
    if (value.length > valueLimit) return answer
    if (answers.size >= entryLimit) answers.clear()
    answers.set(value, {answer})
    return answer
  }
}
