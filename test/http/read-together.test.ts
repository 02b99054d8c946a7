/** Concurrent GETs share a statement. Each has its own response, whatever the others request. */
import test from 'ava'
import {startService, type TestService} from '../support/service.ts'

let service: TestService

test.before(async () => {
  service = await startService()
  for (let number = 0; number < 30; number += 1) {
    const lines = Array.from({length: number === 7 ? 700 : 3}, (_, n) => `<> <http://e.org/p> "${number}.${n}" .`)
    await service.send({
      method: 'POST',
      headers: {'Content-Type': 'text/turtle', Slug: `d${number}`},
      body: `<> a <http://e.org/C> ; <http://e.org/at> _:here , ${number} . ${lines.join('\n')}`,
    })
  }
})
test.after.always(() => service.stop())

test('each of many concurrent GETs has the same response as alone', async t => {
  const paths = Array.from({length: 60}, (_, number) => `/d${number % 32}/`) // two of them are missing
  const headers = {Accept: 'application/n-triples'}

  const together = await Promise.all(paths.map(path => service.send({path, headers})))

  for (const [index, path] of paths.entries()) {
    const alone = await service.send({path, headers})
    const answer = together[index]
    t.is(answer?.status, alone.status, path)
    if (alone.status === 200) t.is(answer?.text, alone.text)
    t.is(answer?.headers.etag, alone.headers.etag)
  }
})

test('a document of many triples is complete, together with others', async t => {
  const headers = {Accept: 'application/n-triples'}

  const [large, small] = await Promise.all([
    service.send({path: '/d7/', headers}),
    service.send({path: '/d8/', headers}),
  ])

  t.is(large.text.match(/<http:\/\/e\.org\/p>/g)?.length, 700)
  t.is(small.text.match(/<http:\/\/e\.org\/p>/g)?.length, 3)
})

test('304 and 200 together: an entity tag counts for its own request only', async t => {
  const tags = await Promise.all(
    Array.from({length: 10}, async (_, n) => (await service.send({path: `/d${n}/`})).headers.etag ?? ''),
  )

  const answers = await Promise.all(
    tags.map((_, n) => service.send({path: `/d${n}/`, headers: {'If-None-Match': tags[n - (n % 2)] ?? ''}})),
  )

  t.deepEqual(
    answers.map(({status}) => status),
    [304, 200, 304, 200, 304, 200, 304, 200, 304, 200],
  )
  t.deepEqual(
    answers.map(({headers}) => headers.etag),
    tags,
  )
})
