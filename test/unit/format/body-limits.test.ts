/** Limits of a body that are checked while it is read: triples, JSON values, contexts. */
import test from 'ava'
import {Problem} from '../../../src/base/problem.ts'
import {parsePatch} from '../../../src/ldpatch/syntax.ts'
import {readBody} from '../../support/read-body.ts'

const rdfXml = (inside: string) =>
  `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="http://e/">${inside}</rdf:RDF>`
const items = (n: number) => Array.from({length: n}, (_, at) => at)

/** Bodies of n triples. */
const bodies: Readonly<Record<string, (n: number) => string>> = {
  'text/turtle': n => `<> <http://e/p> ${items(n).join(', ')} .`,
  'application/trig': n => `{ <> <http://e/p> ${items(n).join(', ')} }`,
  'application/n-triples': n => '<http://e/s> <http://e/p> "1" .\n'.repeat(n),
  'application/n-quads': n => '<http://e/s> <http://e/p> "1" <http://e/g> .\n'.repeat(n),
  'application/ld+json': n => `{"@id":"","http://e/p":[${items(n).join()}]}`,
  'application/rdf+xml': n => rdfXml(`<rdf:Description rdf:about="">${'<e:p>1</e:p>'.repeat(n)}</rdf:Description>`),
}

for (const [type, body] of Object.entries(bodies)) {
  test(`${type}: as many triples as allowed are read, one more is a 422`, async t => {
    t.is((await readBody(type, body(10), {tripleLimit: 10})).length, 10)

    const problem = await t.throwsAsync(readBody(type, body(11), {tripleLimit: 10}), {instanceOf: Problem})

    t.like(problem, {status: 422, rule: 'body-triples', members: {limit: 10}})
    t.is(problem.message, 'The body has more than 10 triples.')
  })
}

test('JSON with more than four values for each allowed triple is refused before jsonld reads it', async t => {
  const empty = (n: number) => `[${Array(n).fill('{}').join()}]`

  t.deepEqual(await readBody('application/ld+json', empty(39), {tripleLimit: 10}), [])
  const problem = await t.throwsAsync(readBody('application/ld+json', empty(40), {tripleLimit: 10}))
  t.like(problem, {status: 422, rule: 'body-triples'})
})

/** n contexts in a body, in each possible place. */
const contexts: Readonly<Record<string, (n: number) => string>> = {
  'in one array': n => `{"@context":[${Array(n).fill('{}').join()}]}`,
  'nulls in one array': n => `{"@context":[${Array(n).fill('null').join()}]}`,
  'in arrays of arrays': n => `{"@context":[${Array(n).fill('[{}]').join()}]}`,
  'one a node': n => `[${Array(n).fill('{"@context":{}}').join()}]`,
  'by their URL': n => `[${Array(n).fill('{"@context":"https://carbonldp.com/ns/v1/platform"}').join()}]`,
  'with an escape in the name': n => `[${Array(n).fill('{"@\\u0063ontext":{}}').join()}]`,
  'of terms': n => `{"@context":{${items(n - 1).map(at => `"t${at}":{"@id":"http://e/","@context":{}}`)}}}`,
}

for (const [where, body] of Object.entries(contexts)) {
  test(`10,000 contexts ${where} are read, one more is a 400`, async t => {
    t.timeout(120_000)
    const isOtherwiseRefused = ['in arrays of arrays', 'of terms'].includes(where) // for another reason
    if (!isOtherwiseRefused) t.deepEqual(await readBody('application/ld+json', body(10_000), {loss: 'ignored'}), [])

    const problem = await t.throwsAsync(readBody('application/ld+json', body(10_001)), {instanceOf: Problem})

    t.like(problem, {status: 400, rule: 'context-size', message: 'The body has more than 10000 contexts.'})
  })
}

test('only contexts are counted', async t => {
  const many = Array(10_001).fill('{}').join()

  t.deepEqual(await readBody('application/ld+json', `{"@context":{},"@graph":[${many}]}`), [])
  t.deepEqual(await readBody('application/ld+json', `[{"@context":[{},{}]},${many}]`), [])
})

test('a patch of more triples than allowed is a 422, nested lists included', t => {
  const options = {base: 'http://h/doc/', tripleLimit: 10}
  const refused = ['Add { <> <http://e/p> 1,2,3,4,5,6,7,8,9,10,11 . } .', 'Add { <> <http://e/p> (1 2 (3 4) 5) . } .']
  const taken = ['Add { <> <http://e/p> 1,2,3,4,5,6,7,8,9,10 . } .', 'UpdateList <> <http://e/l> 0.. (1 2 3 4 5) .']

  for (const text of taken) t.is(parsePatch(text, options).operations.length, 1)
  for (const text of refused)
    t.like(
      t.throws(() => parsePatch(text, options)),
      {status: 422, rule: 'body-triples'},
    )
})

test('a long namespace in very many names of a patch is refused before it uses much memory', t => {
  const namespace = `http://e/${'x'.repeat(1_000_000)}#`
  const text = `@prefix p: <${namespace}> . Add { <> p:p ${Array(1_000).fill('p:a').join(', ')} . } .`

  t.like(
    t.throws(() => parsePatch(text, {base: 'http://h/doc/'})),
    {status: 400, rule: 'iri-size'},
  )
})
