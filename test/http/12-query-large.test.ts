/** Large queries, as programs write them, have complete answers. */
import test from 'ava'
import {useService} from '../support/service.ts'

const list = (count: number, make: (index: number) => string) =>
  Array.from({length: count}, (_, i) => make(i)).join(' ')
const iri = (index: number) => `<http://example.org/absent/${index}>`

test('20,000 IRIs that are not stored, used as text, and 300 patterns of one subject', async t => {
  const service = await useService(t)
  const ask = async (body: string) => {
    const headers = {'Content-Type': 'application/sparql-query', Accept: 'text/csv'}
    const {status, text} = await service.send({method: 'POST', headers, body})
    return [status, text]
  }
  const values = `VALUES ?x { ${list(20_000, iri)} }`

  t.deepEqual(await ask(`SELECT (COUNT(*) AS ?n) { ${values} FILTER(CONTAINS(STR(?x), "99")) }`), [200, 'n\r\n560\r\n'])
  t.deepEqual(await ask(`SELECT (MAX(STR(?x)) AS ?m) { ${values} }`), [200, 'm\r\nhttp://example.org/absent/9999\r\n'])
  const computed = `SELECT ?x { BIND(IRI(CONCAT("http://example.org/absent/", "123")) AS ?x) ${values} }`
  t.deepEqual(await ask(computed), [200, 'x\r\nhttp://example.org/absent/123\r\n'])

  const triples = list(300, index => `<> <http://e/p${index}> ${index} .`)
  await service.send({method: 'POST', headers: {'Content-Type': 'text/turtle', Slug: 'star'}, body: triples})
  const star = list(300, index => `?s <http://e/p${index}> ?o${index} .`)
  const [status, text] = await ask(`SELECT ?s ?o299 { ${star} }`)
  t.deepEqual([status, text], [200, `s,o299\r\n${service.base}star/,299\r\n`])
})
