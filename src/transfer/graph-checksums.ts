/**
 * Computes checksums for a manifest from the exported lines.
 *
 * The sorted lines of a graph without blank nodes are its canonical form. A graph with blank nodes is canonicalised
 * with RDFC-1.0. If it is too large or too complex for that, its checksum is the SHA-256 of the exported lines with the
 * prefix `lines-`.
 */
import {createHash, hash} from 'node:crypto'
import {Problem} from '../base/problem.ts'
import type {ChecksumPool} from '../checksum/pool.ts'
import {statement, termOf} from '../format/nquads-statement.ts'
import {namedNode, type Resource, type Triple} from '../rdf/term.ts'

export type GraphChecksums = {
  /** @param lines  all statements of the stored graph, `<s> <p> <o>`, sorted */
  readonly ofGraph: (lines: readonly string[]) => Promise<string>
  /** The checksum of a graph whose lines come in portions. */
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

/** Tests whether a subject or object is a blank node. Tokens contain spaces only within the quotes of a literal. */
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
