/** The types of LDP that a create asks for in Link (docs/interface.md, Creating; LDP 1.0 §5.2.3.4). */
import test from 'ava'
import {answerOf, c, create, ldp, refusal, turtle} from '../support/documents.ts'
import {ruleOf} from '../support/members.ts'
import {startService, type TestService} from '../support/service.ts'

let service: TestService

test.before(async () => {
  service = await startService()
})
test.after.always(() => service.stop())

const typeLink = (...names: readonly string[]) => names.map(name => `<${ldp}${name}>; rel="type"`).join(', ')
const point = `<> a <${c}AccessPoint> ; <${ldp}hasMemberRelation> <http://x.example/m> .`
let made = 0

async function createAs(names: readonly string[], body = '', method = 'POST') {
  made += 1
  const slug = `made-${made}`
  const ways: Readonly<Record<string, object>> = {
    POST: {path: '/', headers: {...turtle, Slug: slug, Link: typeLink(...names)}},
    PUT: {path: `/${slug}/`, headers: {...turtle, 'If-None-Match': '*', Link: typeLink(...names)}},
  }
  const answer = await service.send({method, body, ...ways[method]})
  const {status} = await service.send({path: `/${slug}/`})
  return {answer, slug, told: answer.status === 201 ? '201' : `${answer.status} ${ruleOf(answer)}`, status}
}

test('a plain RDF source is a 422 with constrainedBy, and nothing is created', async t => {
  const {answer, status} = await createAs(['RDFSource'])

  t.deepEqual(
    answerOf(t, answer),
    refusal(service, {
      status: 422,
      rule: 'interaction-model-available',
      detail: `A document is an <${ldp}BasicContainer>, so it cannot be created as <${ldp}RDFSource>, which Link asks for.`,
    }),
  )
  t.is(status, 404)
})

const refused = '422 interaction-model-available'
const cases: readonly [names: readonly string[], document: string, accessPoint: string][] = [
  [['Resource'], '201', '201'],
  [['Container'], '201', '201'],
  [['BasicContainer'], '201', refused],
  [['DirectContainer'], refused, '201'],
  [['IndirectContainer'], refused, refused],
  [['NonRDFSource'], refused, refused],
  [['RDFSource'], refused, refused],
  [['Resource', 'RDFSource'], refused, refused],
  [['RDFSource', 'Container'], '201', '201'],
  [['RDFSource', 'BasicContainer'], '201', refused],
  [['Resource', 'RDFSource', 'DirectContainer'], refused, '201'],
  [['BasicContainer', 'NonRDFSource'], refused, refused],
  [['Other'], '201', '201'],
]

for (const [names, document, accessPoint] of cases)
  test(`Link with ${names.join(', ')}: a document is a ${document}, an access point a ${accessPoint}`, async t => {
    for (const method of ['POST', 'PUT']) {
      for (const [body, told] of [
        ['', document],
        [point, accessPoint],
      ] as const) {
        const result = await createAs(names, body, method)
        t.is(result.told, told, method)
        t.is(result.status, told === '201' ? 200 : 404)
      }
    }
  })

test('a link with another relation or anchor, and a write of an existing document, ask for nothing', async t => {
  const {path, etag} = await create(t, service, {slug: 'linked', headers: {Link: `<${ldp}RDFSource>; rel="up"`}})
  const anchored = `<${ldp}RDFSource>; rel="type"; anchor="#it"`
  t.is((await service.send({method: 'POST', headers: {...turtle, Link: anchored}, body: ''})).status, 201)
  const patch = {'Content-Type': 'text/ldpatch', 'If-Match': etag, Link: typeLink('RDFSource')}
  t.is((await service.send({method: 'PATCH', path, headers: patch, body: 'Add { <> <a:b> 1 } .'})).status, 204)
})

test('a tag with blanks does not match: a 412, which shows the current one', async t => {
  const {path, etag} = await create(t, service, {slug: 'blanks'})
  const headers = {...turtle, 'If-Match': `"This is not the ETag you're looking for"`}

  const answer = await service.send({method: 'PUT', path, headers, body: '<> <a:b> 1 .'})

  t.is(`${answer.status} ${ruleOf(answer)} ${answer.headers.etag}`, `412 etag-mismatch ${etag}`)
  const read = await service.send({path, headers: {'If-None-Match': `"a b", ${etag}`}})
  t.is(read.status, 304)
  t.is((await service.send({path, headers: {'If-None-Match': '"a b"'}})).status, 200)
})
