/** Corner cases of LD Patch over HTTP, each on a document of its own (docs/interface.md, Patching). */
import test from 'ava'
import {defaultGraph} from '../../src/rdf/term.ts'
import {create, quadsOf, turtle} from '../support/documents.ts'
import {isIsomorphic} from '../support/isomorphism.ts'
import {patch as send} from '../support/members.ts'
import {corners, refusedCorners} from '../support/patch-corners.ts'
import {prefixes} from '../support/patching.ts'
import {startService, type TestService} from '../support/service.ts'

let service: TestService

test.before(async () => {
  service = await startService()
})
test.after.always(() => service.stop())

/** The triples of a document about other subjects. */
async function othersIn(path: string) {
  const answer = await service.send({path, headers: {Accept: 'application/n-quads'}})
  const iri = service.base + path.slice(1)
  return (await quadsOf(answer))
    .filter(({subject}) => subject.value !== iri)
    .map(quad => ({...quad, graph: defaultGraph}))
}

for (const {title, graph, patch, result} of corners) {
  test(title, async t => {
    const {path} = await create(t, service, {body: prefixes + graph})
    const other = await create(t, service, {body: prefixes + result, headers: turtle})

    const answer = await send(service, path, prefixes + patch)

    t.is(answer.status, 204, answer.text)
    const [actual, expected] = [await othersIn(path), await othersIn(other.path)]
    t.true(isIsomorphic(actual, expected), JSON.stringify(actual))
  })
}

for (const [title, patch, status] of refusedCorners) {
  test(`refused: ${title}`, async t => {
    const {path, etag} = await create(t, service, {body: `${prefixes}:s :l ( "a" "b" "c" "d" ) .`})

    const answer = await send(service, path, prefixes + patch)

    t.is(answer.status, status, answer.text)
    const {line, column} = JSON.parse(answer.text)
    t.true(line >= 1 && column >= 1, answer.text)
    t.is((await service.send({path})).headers.etag, etag)
  })
}
