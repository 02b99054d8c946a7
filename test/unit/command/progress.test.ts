/** Progress of long commands on stderr: a bar on a terminal, lines elsewhere. */
import {Writable} from 'node:stream'
import test from 'ava'
import {createProgressLine} from '../../../src/command/progress.ts'

/** A stream that stores its output. */
function keeper(given: {readonly isTTY: boolean; readonly columns: number}) {
  const chunks: string[] = []
  const stream = new Writable({
    write(chunk, _, done) {
      chunks.push(String(chunk))
      done()
    },
  })
  return {chunks, stream: Object.assign(stream, given) as unknown as NodeJS.WriteStream}
}

test('on a terminal there is one line, cut to its width, which is cleared at the end', t => {
  const {chunks, stream} = keeper({isTTY: true, columns: 41})
  const {show, clear} = createProgressLine(stream)

  show('12 quads', 0.5)
  show('too soon', 0.6)
  clear()
  clear()

  t.deepEqual(chunks, ['\r\u001b[K[############............]  50 % 12 quad', '\r\u001b[K'])
})

test('without a known total there is no bar', t => {
  const {chunks, stream} = keeper({isTTY: true, columns: 80})

  createProgressLine(stream).show('12 quads', undefined)

  t.deepEqual(chunks, ['\r\u001b[K12 quads'])
})

test('in a file there is no output in the first seconds, and nothing is cleared', t => {
  const {chunks, stream} = keeper({isTTY: false, columns: 80})
  const {show, clear} = createProgressLine(stream)

  show('12 quads', 0.5)
  clear()

  t.deepEqual(chunks, [])
})
