/** Compression of answers that are written piece by piece. */
import {PassThrough} from 'node:stream'
import test from 'ava'
import type {Context} from 'koa'
import {openSink} from '../../../src/web/server/compression.ts'

for (const coding of ['br', 'gzip'])
  test(`${coding}: the beginning of a long answer does not wait for its end`, async t => {
    const res = {hasHeader: () => false, getHeader: () => undefined}
    const context = {state: {coding}, res, set: () => undefined} as unknown as Context
    const target = new PassThrough()
    const begun = new Promise<number>(resolve => target.once('data', () => resolve(written)))
    const sink = openSink(context, target)
    const rows = `${'<http://localhost:8080/books/emma/>\t<http://purl.org/dc/terms/title>\t"Emma"@en\n'.repeat(800)}`
    let written = 0
    while (written < 1_000_000) {
      await new Promise(resolve => sink.write(`${written}${rows}`, resolve))
      written += rows.length
    }
    await new Promise(resolve => setImmediate(resolve))

    t.true((await Promise.race([begun, Number.POSITIVE_INFINITY])) < 1_000_000)
    sink.destroy()
  })
