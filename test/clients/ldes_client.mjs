/**
 * Copies documents with ldes-client: 10,000 that are there, then their changes while it follows. Then it compares each
 * graph of the copy with the document. Arguments: the URL of the service, and how many documents (at least 1000).
 */
import {createRequire} from 'node:module'
import {pathToFileURL} from 'node:url'

const require = createRequire(new URL('../../.clients/node/package.json', import.meta.url))
const {replicateLDES, intoConfig} = await import(
  pathToFileURL(require.resolve('ldes-client')).href.replace('.cjs', '.js')
)
const {Parser} = require('n3')

const base = process.argv[2]
const count = Number(process.argv[3] ?? 10_000)
const under = `${base}ldes-${process.pid}/`

async function send(method, url, headers, body) {
  const response = await fetch(url, {method, headers, body})
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${text}`)
  return text
}

async function inParallel(items, work, workers = 8) {
  const queue = items.values()
  await Promise.all(
    Array.from({length: workers}, async () => {
      for (const item of queue) await work(item)
    }),
  )
}

const numbers = Array.from({length: count}, (_, number) => number)
const create = (parent, slug, body) => send('POST', parent, {'Content-Type': 'text/turtle', Slug: slug}, body)
await create(base, new URL(under).pathname.slice(1, -1), '<> <http://e/p> 1 .')
await inParallel(numbers, number =>
  create(under, `d${number}`, `<> <http://e/number> ${number}; <http://e/part> [ <http://e/of> <#it> ] .`),
)

const copy = new Map() // document → lines of its graph
const latest = new Map() // document → position
const line = ({subject, predicate, object}) => [subject, predicate, object].map(textOf).join(' ')
const textOf = term =>
  term.termType === 'BlankNode' ? '_:' : `${term.termType} ${term.value} ${term.datatype?.value ?? ''}`

function take({id, quads}) {
  const one = name => quads.find(({subject, predicate}) => subject.equals(id) && predicate.value.endsWith(name))?.object
  const document = one('isVersionOf').value
  if (!document.startsWith(under) || document === under) return
  const position = BigInt(one('position').value)
  if (position < (latest.get(document) ?? 0n)) return
  latest.set(document, position)
  if (one('#type').value.endsWith('Delete')) copy.delete(document)
  else
    copy.set(
      document,
      quads
        .filter(({graph}) => graph.equals(id))
        .map(line)
        .sort()
        .join('\n'),
    )
}

const client = replicateLDES(intoConfig({url: `${base}changes`, polling: true, pollInterval: 500}), 'none')
const reader = client.stream({highWaterMark: 100}).getReader()
let failure
async function read() {
  for (let next = await reader.read(); !next.done; next = await reader.read()) take(next.value)
}
read().catch(error => {
  failure = error
})

async function until(isDone, what, seconds = 240) {
  for (const end = Date.now() + 1000 * seconds; !isDone(); ) {
    if (failure !== undefined) throw failure
    if (Date.now() > end) throw new Error(`${what}: the copy has ${copy.size} documents`)
    await new Promise(resolve => setTimeout(resolve, 50))
  }
}

await until(() => copy.size === count, 'replicate')
process.stdout.write(`replicated ${copy.size} documents\n`)

const named = number => `${under}d${number}/`
await inParallel(numbers.slice(0, 1000), number =>
  send('PATCH', named(number), {'Content-Type': 'text/ldpatch'}, `Add { <> <http://e/more> ${number} } .`),
)
await inParallel(numbers.slice(0, 50), number => send('DELETE', named(number), {}))
await inParallel(numbers.slice(50, 100), number =>
  send('MOVE', named(number), {Destination: `${under}moved${number}/`}),
)
await until(
  () =>
    copy.size === count - 50 &&
    copy.has(`${under}moved99/`) &&
    copy.get(named(999))?.includes('http://e/more') &&
    numbers.slice(0, 100).every(number => !copy.has(named(number))) &&
    numbers.slice(100, 1000).every(number => copy.get(named(number))?.includes('http://e/more')),
  'stay in sync',
)
process.stdout.write('in sync after 1100 changes\n')

let different = 0
await inParallel([...copy.keys()], async document => {
  const text = await send('GET', document, {Accept: 'application/n-quads'})
  const lines = new Parser({format: 'N-Quads'}).parse(text).map(line).sort().join('\n')
  if (copy.get(document) !== lines) {
    different++
    process.stderr.write(`${document}\n${copy.get(document)}\n---\n${lines}\n`)
  }
})
process.stdout.write(different === 0 ? 'equal graphs\n' : `${different} graphs differ\n`)
process.exit(different === 0 ? 0 : 1)
