/**
 * Limits on what the service holds in memory for one query: terms, resources, documents with checksums, graphs of a
 * triple.
 */
import test from 'ava'
import {c, create} from '../support/documents.ts'
import {type TestService, useService} from '../support/service.ts'

const e = 'http://e/'
const all = [`include="${c}PreferResultsContexts"`, `include="${c}PreferDocumentChecksums"`]
const contexts = [`include="${c}PreferResultsContexts"`]

function ask(service: TestService, body: string, accept: string, prefer: readonly string[] = []) {
  const headers = {'Content-Type': 'application/sparql-query', Accept: accept, Prefer: prefer}
  return service.send({method: 'POST', headers, body})
}

test('long values are sent in pieces, complete; a value that is too long for a piece is a 422', async t => {
  const service = await useService(t, {RESULT_LIMIT_BYTES: '100000'})
  const texts = Array.from({length: 6}, (_, index) => `${index}${'x'.repeat(60_000)}`)
  const {iri} = await create(t, service, {slug: 'long'})
  for (const [index, text] of texts.entries())
    await create(t, service, {slug: `d${index}`, body: `<${iri}> <${e}p${index}> "${text}" .`})

  const rows = await ask(service, `SELECT ?o { <${iri}> ?p ?o FILTER(STRSTARTS(STR(?p), "${e}")) }`, 'text/csv')
  t.is(rows.status, 200)
  t.deepEqual(rows.text.trim().split('\r\n').slice(1).sort(), texts)
  const graph = await ask(service, `CONSTRUCT { <${iri}> ?p ?o } { <${iri}> ?p ?o }`, 'application/n-quads', all)
  t.is(graph.status, 200)
  for (const text of texts) t.true(graph.text.includes(`"${text}"`))
  const one = await ask(service, `SELECT * { <${iri}> <${e}p0> ?a ; <${e}p1> ?b ; <${e}p2> ?c }`, 'text/csv')
  t.like(JSON.parse(one.text), {status: 422, title: 'result-size', limitBytes: 100_000})
})

test('any number of long computed values is sent in pieces; too long ones are a 422', async t => {
  const service = await useService(t, {RESULT_LIMIT_BYTES: '1000000'})
  const numbers = Array.from({length: 300}, (_, n) => n)
  const long = 'x'.repeat(20_000)
  const even = `SELECT ?y { VALUES ?i { ${numbers.join(' ')} } BIND(CONCAT("${long}", STR(?i)) AS ?y) } ORDER BY ?i`
  const jump = `SELECT ?y { VALUES ?i { ${numbers.join(' ')} }
    BIND(IF(?i < 90, STR(?i), CONCAT("${long}", STR(?i))) AS ?y) } ORDER BY ?i`
  for (let time = 0; time < 3; time += 1) {
    const rows = await ask(service, even, 'text/csv')
    t.is(rows.status, 200)
    t.deepEqual(
      rows.text.trim().split('\r\n').slice(1),
      numbers.map(number => `${long}${number}`),
    )
  }
  const refused = await ask(service, jump, 'text/csv')
  t.like(JSON.parse(refused.text), {status: 422, title: 'result-size', limitBytes: 1_000_000})
  t.is((await ask(service, 'SELECT ?x { BIND(1 AS ?x) }', 'text/csv')).text, 'x\r\n1\r\n')
})

test('more resources or documents than the limit are a 422', async t => {
  const service = await useService(t, {RESULT_LIMIT_ITEMS: '3'})
  for (let n = 0; n < 4; n++) await create(t, service, {slug: `d${n}`, body: `<> <${e}p> <${e}x> .`})
  const some = (limit: number) => `{ SELECT ?d { ?d <${e}p> <${e}x> } LIMIT ${limit} }`

  t.is((await ask(service, `DESCRIBE ?d { ${some(3)} }`, 'application/n-triples')).status, 200)
  t.regex((await ask(service, `DESCRIBE ?d { ${some(4)} }`, 'application/n-triples')).text, /"result-size"/)
  const construct = (limit: number) => `CONSTRUCT { ?d <${e}p> <${e}x> } { ${some(limit)} }`
  t.is((await ask(service, construct(3), 'application/trig', all)).status, 200)
  const refused = await ask(service, construct(4), 'application/trig', all)
  t.is(refused.status, 422)
  t.regex(refused.text, /"result-size"/)
  t.is((await ask(service, construct(4), 'application/trig', contexts)).status, 200)
})

test('graphs of many terms are complete with their contexts', async t => {
  const service = await useService(t)
  const expected: string[] = []
  for (let n = 0; n < 6; n++) {
    const lines = Array.from({length: 2000}, (_, index) => `<> <${e}p> <${e}${n}-${index}> .`)
    const {iri} = await create(t, service, {slug: `many${n}`, body: lines.join('\n')})
    expected.push(...lines.map(line => `${line.replace('<>', `<${iri}>`).replace(/\.$/, `<${iri}> .`)}`))
  }

  const {status, text} = await ask(
    service,
    `CONSTRUCT { ?s <${e}p> ?o } { ?s <${e}p> ?o }`,
    'application/n-quads',
    contexts,
  )

  t.is(status, 200)
  t.deepEqual(text.trim().split('\n').sort(), expected.sort())
})

test('a resource with many triples is described in batches', async t => {
  const service = await useService(t)
  const lines = Array.from({length: 3500}, (_, index) => `<${e}hub> <${e}p> ${index} .`)
  await create(t, service, {slug: 'hub', body: lines.join('\n')})

  const {status, text} = await ask(service, `DESCRIBE <${e}hub>`, 'application/n-triples')

  t.is(status, 200)
  t.is(text.trim().split('\n').length, 3500)
})
