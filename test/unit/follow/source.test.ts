/** Answers of a followed store that are not as they should be: no failures of this service. */

import type {ServerResponse} from 'node:http'
import type {ExecutionContext} from 'ava'
import test from 'ava'
import {readSourcePage, readSourceState, SourceFailure} from '../../../src/follow/source.ts'
import {fakeEndpoint} from '../../support/endpoint.ts'

const change = {position: '7', action: 'patched', document: 'http://e/a/', before: '"1"', after: '"2"'}
const weak = JSON.stringify({...change, after: 'W/"2"'})

const broken: readonly (readonly [line: string, reason: string])[] = [
  ['{"position":', 'the source sent what is not a change: {"position":'],
  [weak, `the source sent what is not a change: ${weak}`],
  [JSON.stringify({...change, patch: 'A <a> .'}), 'the source sent what is not a triple: <a> .\n'],
]

const links = (base: string, last: string) => `<${base}changes?after=7>; rel="next", <${last}>; rel="last"`

test('a line that is no change is a failure of the source', async t => {
  for (const [line, reason] of broken) {
    const {url} = await fakeEndpoint(t, response => {
      response.setHeader('Link', links(base, `${base}changes?after=9`))
      response.end(`${line}\n`)
    })
    const base = new URL('/', url).href
    const source = {url: base, path: '', key: undefined, signal: new AbortController().signal}

    await t.throwsAsync(readSourcePage(source, 'documents', 0), {instanceOf: SourceFailure, message: reason})
  }
})

test('if the last position is no number, it is not known how far behind the copy is', async t => {
  for (const last of ['changes', 'http://e/?after=x']) {
    const {url} = await fakeEndpoint(t, response => {
      response.setHeader('Link', links(base, last))
      response.end()
    })
    const base = new URL('/', url).href
    const source = {url: base, path: '', key: undefined, signal: new AbortController().signal}

    t.deepEqual(await readSourcePage(source, '5', 0), {lines: [], next: '7', behind: undefined})
  }
})

const line = `${JSON.stringify({...change, after: undefined, before: undefined})}\n`

/** A source that answers each page as it likes. `asked` has the numbers of lines that it was asked for. */
async function useSource(t: ExecutionContext, answer: (response: ServerResponse, limit: number) => void) {
  const asked: number[] = []
  const {url} = await fakeEndpoint(t, (response, _, request) => {
    const limit = Number(new URL(request.url ?? '', 'http://e/').searchParams.get('limit'))
    asked.push(limit)
    response.setHeader('Link', links(base, `${base}changes?after=7`))
    answer(response, limit)
  })
  const base = new URL('/', url).href
  return {asked, source: {url: base, path: '', key: undefined, signal: new AbortController().signal}}
}

/** Sends a text again and again until the client closes the connection. */
function sendEndless(response: ServerResponse, text: string): void {
  const part = text.repeat(Math.ceil(1_000_000 / text.length))
  const more = () => {
    while (!response.destroyed && response.write(part)) {}
  }
  response.on('drain', more)
  more()
}

test('a line without end is a failure of the source, after pages of fewer lines were asked for', async t => {
  const {asked, source} = await useSource(t, response => sendEndless(response, 'x'))

  await t.throwsAsync(readSourcePage(source, '5', 0), {
    instanceOf: SourceFailure,
    message: 'an answer of the source has more than 134217728 bytes, or a line of more than 134217728',
  })
  t.deepEqual(asked, [200, 20, 1])
})

test('a page that is too large is asked for again with fewer lines', async t => {
  const {asked, source} = await useSource(t, (response, limit) =>
    limit === 200 ? sendEndless(response, ' '.repeat(1_000_000) + line) : response.end(line),
  )

  const {lines, next} = await readSourcePage(source, '5', 0)

  t.deepEqual([asked, lines.length, next], [[200, 20], 1, '7'])
})

test('more lines than were asked for are a failure of the source', async t => {
  const {source} = await useSource(t, response => sendEndless(response, line))

  await t.throwsAsync(readSourcePage(source, '5', 0), {
    instanceOf: SourceFailure,
    message: 'the source sent more lines than the 200 that it was asked for',
  })
})

test('a state without end is a failure of the source', async t => {
  const {source} = await useSource(t, response => sendEndless(response, '<a:> <a:> <a:> .\n'))

  await t.throwsAsync(readSourceState(source, source.url, '1'), {
    instanceOf: SourceFailure,
    message: 'an answer of the source has more than 2000000 triples',
  })
})

test('an error without end is read to its beginning', async t => {
  const {source} = await useSource(t, response => {
    response.writeHead(500)
    response.write('{"detail":"broken"}\n')
    sendEndless(response, 'x')
  })

  await t.throwsAsync(readSourcePage(source, '5', 0), {
    instanceOf: SourceFailure,
    message: 'the source answered 500: broken',
  })
})
