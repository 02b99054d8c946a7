/**
 * Checksums for a manifest, out of the lines that are written anyway.
 *
 * A graph without blank nodes has its canonical form in its sorted lines; one with blank nodes is given to
 * RDFC-1.0. What is too large or too hard for that has the SHA-256 of its lines as exported, and says so in front:
 * `lines-…`.
 */
import {createHash, hash} from 'node:crypto'
import {Problem} from '../base/problem.ts'
import type {ChecksumPool} from '../checksum/pool.ts'
import {statement, termOf} from '../format/nquads-statement.ts'
import {namedNode, type Resource, type Triple} from '../rdf/term.ts'

export type GraphChecksums = {
  /** @param lines  `<s> <p> <o>`, sorted: all of the stored graph */
  readonly ofGraph: (lines: readonly string[]) => Promise<string>
  /** For lines that come in portions. */
  readonly ofLines: () => {readonly add: (lines: readonly string[]) => void; readonly done: () => Promise<string>}
}

const prefix = 'lines-'

export function createGraphChecksums(pool: ChecksumPool): GraphChecksums {
  return {
    async ofGraph(lines) {
      const text = textOf(lines)
      if (!hasBlankNodes(lines)) return hash('sha256', text)
      try {
        return await pool.checksum(triplesOf(text))
      } catch (error) {
        if (error instanceof Problem) return prefix + hash('sha256', text)
        throw error
      }
    },
    ofLines() {
      const digest = createHash('sha256')
      return {
        add: lines => {
          digest.update(textOf(lines))
        },
        done: async () => prefix + digest.digest('hex'),
      }
    },
  }
}

function textOf(lines: readonly string[]): string {
  return lines.length === 0 ? '' : `${lines.join(' .\n')} .\n`
}

/** Tokens never hold a space but within quotes, and there they are not the first or last of the line. */
function hasBlankNodes(lines: readonly string[]): boolean {
  return lines.some(line => line.startsWith('_:') || /^[^"]* _:\S+$/.test(line))
}

function triplesOf(text: string): readonly Triple[] {
  const triples: Triple[] = []
  statement.lastIndex = 0
  for (let found = statement.exec(text); found !== null; found = statement.exec(text)) {
    const [, subject = '', predicate = '', object = ''] = found
    const [s, o] = [termOf(subject), termOf(object)]
    if (s === undefined || o === undefined) throw new Error(`a line that cannot be read: ${found[0]}`)
    triples.push({subject: s as Resource, predicate: namedNode(predicate.slice(1, -1)), object: o})
  }
  return triples
}
