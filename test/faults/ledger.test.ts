/** The ledger tells a lost write from a read that a busy service refused. */
import {createServer} from 'node:http'
import type {AddressInfo} from 'node:net'
import test from 'ava'
import {createRandom} from '../fuzz/random.ts'
import {openLedger} from './ledger.ts'
import {ledgerAgent} from './round.ts'

/** Answers each request with 503 first. A document that was created exists, with its triples. */
async function startBusy({isForgetful}: {readonly isForgetful: boolean}) {
  const documents = new Map<string, string>()
  const refused = new Set<string>()
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks).toString()
    const {method, url = '', headers} = request
    const key = `${method} ${url}`
    if (!refused.delete(key)) {
      refused.add(key)
      return response.writeHead(503, {'Retry-After': '1'}).end('"title":"busy"')
    }
    if (method === 'POST') {
      const path = `${url}${String(headers.slug)}/`
      if (!isForgetful || url === '/') documents.set(path, body)
      return response.writeHead(201, {ETag: '"1"'}).end()
    }
    const text = documents.get(url)
    if (text === undefined) return response.writeHead(404).end()
    const base = `http://${headers.host}`
    const children = [...documents.keys()].filter(path => path !== url && path.startsWith(url))
    const contains = children.map(path => `<${base}${url}> <http://www.w3.org/ns/ldp#contains> <${base}${path}> .`)
    response.writeHead(200, {ETag: '"1"', 'Content-Type': 'application/n-triples'}).end([text, ...contains].join('\n'))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {base: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, server}
}

for (const isForgetful of [false, true])
  test(`a busy service that ${isForgetful ? 'lost a write is found out' : 'lost nothing has no complaint'}`, async t => {
    const {base, server} = await startBusy({isForgetful})
    const agent = ledgerAgent()
    t.teardown(() => {
      agent.destroy()
      server.close()
    })
    const ledger = await openLedger({base, name: 'w', agent, dice: createRandom(1), inTrouble: async () => undefined})
    await ledger.write() // refused: it may have taken place
    await ledger.verify()
    while (ledger.counts.acknowledged === 0) await ledger.write()

    const complaints = await ledger.verify()

    t.is(complaints.length > 0, isForgetful, complaints.join('\n'))
  })
