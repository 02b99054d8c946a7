/**
 * Counts the results in AVA's TAP stream, and prints failures.
 *
 * Source: TAP 13: `ok`, `not ok`, an indented YAML block below, directives `# SKIP` and `# TODO`.
 */
export type TapCounts = {
  readonly passed: number
  readonly failures: readonly string[] // the titles of the failed tests
  readonly skipped: number
}

export type TapReader = {
  /** Takes one line of the stream. */
  readonly read: (line: string) => void
  readonly counts: () => TapCounts
  readonly isComplete: () => boolean // the plan (`1..n`) was read, which AVA writes last
}

/**
 * Reads a stream.
 *
 * @param print  gets each failure in full, and a line for every hundred tests
 */
export function createTapReader(print: (text: string) => void): TapReader {
  let passed = 0
  const failures: string[] = []
  let skipped = 0
  let isFailing = false
  let isComplete = false

  function count(line: string): void {
    const [, isNot, directive] = /^(not )?ok\b[^#]*(?:#\s*(SKIP|TODO)\b)?/i.exec(line) ?? []
    isFailing = isNot !== undefined && directive === undefined
    if (directive !== undefined) skipped += 1
    else if (isFailing) failures.push(line.replace(/^not ok \d+ - /, ''))
    else passed += 1
    if (isFailing) print(`\n${line}`)
    else if (directive !== undefined) print(line)
    else if (passed % 100 === 0) print(`… ${passed} passed`)
  }

  return {
    read(line) {
      if (/^\d+\.\.\d+/.test(line)) isComplete = true
      if (/^(not )?ok\b/.test(line)) count(line)
      else if (/^(TAP version|\d+\.\.\d+|# \S)/.test(line))
        isFailing = false // a log line is "#   …"
      else if (isFailing) print(line)
    },
    counts: () => ({passed, failures, skipped}),
    isComplete: () => isComplete,
  }
}
