/**
 * Remembers the answers to header values that clients send again and again.
 *
 * Floor 2. Bounded twice: long values are not remembered, and a full memo starts afresh.
 */

const valueLimit = 512 // characters: what browsers and libraries send is shorter
const entryLimit = 256 // different values remembered for each function

/** The same function with a memory. What it returns is shared between calls, so it must be immutable. */
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
