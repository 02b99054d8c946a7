/**
 * Queries Virtuoso with its own client, `isql-vt`, which uses the native protocol and prints answers as text.
 *
 * One process with one connection. An answer ends with the client's line about the number of rows.
 */
import {spawn} from 'node:child_process'
import {createInterface} from 'node:readline'

export const isqlPath = '/usr/bin/isql-vt'

export type NativeClient = {
  /**
   * Sends a SPARQL query and reads its whole answer.
   *
   * @returns the number of rows; for a CONSTRUCT, of triples
   * @throws Error with the client's message
   */
  readonly ask: (query: string) => Promise<number>
  readonly close: () => void
}

type Waiting = {readonly resolve: (rows: number) => void; readonly reject: (error: Error) => void}

export function openIsql(port: number): NativeClient {
  const options = ['PROMPT=OFF', 'BANNER=OFF', 'ECHO=OFF', 'VERBOSE=ON', 'BLOBS=ON']
  const child = spawn(isqlPath, [`127.0.0.1:${port}`, 'dba', 'dba', ...options], {stdio: ['pipe', 'pipe', 'pipe']})
  let waiting: Waiting | undefined
  const settle = (act: (waiting: Waiting) => void) => {
    if (waiting !== undefined) act(waiting)
    waiting = undefined
  }
  const fail = (text: string) => settle(({reject}) => reject(new Error(text)))
  createInterface({input: child.stdout}).on('line', line => {
    const rows = /^(\d+) Rows\. -- \d+ msec\.$/.exec(line)?.[1]
    if (rows !== undefined) settle(({resolve}) => resolve(Number(rows)))
  })
  createInterface({input: child.stderr}).on('line', fail)
  child.on('exit', code => fail(`isql ended with ${code}`))
  return {
    ask(query) {
      return new Promise((resolve, reject) => {
        waiting = {resolve, reject}
        child.stdin.write(`SPARQL ${inOneLine(query)}\n;\n`)
      })
    },
    close: () => child.stdin.end(),
  }
}

/** A semicolon at the end of a line would end the statement. Lines that contain only a comment are omitted. */
function inOneLine(query: string): string {
  return query
    .split('\n')
    .filter(line => !/^\s*#/.test(line))
    .join(' ')
}
