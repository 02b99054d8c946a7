/** Answers of a followed store that are not as they should be: no failures of this service. */
import test from 'ava'
import {readSourcePage, SourceFailure} from '../../../src/follow/source.ts'
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
