/** Results of queries in each format, asked again and again: cached terms and texts change no answer. */
import test from 'ava'
import {useService} from '../support/service.ts'

const types = [
  'application/sparql-results+json',
  'application/sparql-results+xml',
  'text/csv',
  'text/tab-separated-values',
] as const

const text = 'SELECT ?s ?o { ?s <http://e/p> ?o } ORDER BY ?o'
const path = `/sparql?query=${encodeURIComponent(text)}`

test('a query has the same answer when its terms are cached, in each format, and other names after a move', async t => {
  const {send, base} = await useService(t)
  const body = '<> <http://e/p> "a \\"b\\" <c> & d", "été"@fr, 05, 1.50, "2024-05-01"^^<http://e/day>, <#it>, [] .'
  const headers = {'Content-Type': 'text/turtle', Slug: 'one'}
  t.is((await send({method: 'POST', headers, body})).status, 201)
  const ask = async (accept: string) => (await send({path, headers: {Accept: accept}})).text
  const askAll = async () => Object.fromEntries(await Promise.all(types.map(async type => [type, await ask(type)])))

  const [first, second] = [await askAll(), await askAll()]
  const reversed: Record<string, string> = {}
  for (const type of [...types].reverse()) reversed[type] = await ask(type)
  t.deepEqual([second, reversed], [first, first])
  const csv = first['text/csv'].split('\r\n').map((line: string) => line.replace(/_:.*/, '_:'))
  t.deepEqual(csv.sort(), [
    '',
    `${base}one/,"a ""b"" <c> & d"`,
    `${base}one/,05`,
    `${base}one/,1.50`,
    `${base}one/,2024-05-01`,
    `${base}one/,_:`,
    `${base}one/,${base}one/#it`,
    `${base}one/,été`,
    's,o',
  ])

  t.is((await send({method: 'MOVE', path: '/one/', headers: {Destination: `${base}two/`}})).status, 201)
  const moved = await askAll()
  for (const type of types) t.is(moved[type], first[type].replaceAll(`${base}one/`, `${base}two/`))
})
