/** Several datasets in one service: which of them answers, and what they share. */
import test from 'ava'
import {useDatasetPlace, useDatasets} from '../support/datasets.ts'

const turtle = {'Content-Type': 'text/turtle', Link: '<http://www.w3.org/ns/ldp#BasicContainer>; rel="type"'}

test('datasets are selected by host and by the longest path', async t => {
  const place = await useDatasetPlace(t)
  await place.add({name: 'alpha'})
  await place.add({name: 'inner', base: 'http://localhost/alpha/inner/'})
  await place.add({name: 'hosted', base: 'https://data.example.org/'})
  const {send} = await useDatasets(t, place)
  const made = async (path: string, slug: string, headers = {}) =>
    (await send({path, method: 'POST', headers: {...turtle, ...headers, Slug: slug}, body: '<> <http://a/p> 1 .'}))
      .headers.location

  t.is(await made('/alpha/', 'one'), 'http://localhost/alpha/one/')
  t.is(await made('/alpha/inner/', 'two'), 'http://localhost/alpha/inner/two/')
  t.is(await made('/', 'three', {Host: 'data.example.org'}), 'https://data.example.org/three/')
  const statusOf = async (path: string, host?: string) =>
    (await send({path, headers: host === undefined ? {} : {Host: host}})).status
  t.is(await statusOf('/alpha/one/'), 200)
  t.is(await statusOf('/alpha/two/'), 404)
  t.is(await statusOf('/alpha/inner/two/'), 200)
  t.is(await statusOf('/three/', 'data.example.org'), 200)
  t.is(await statusOf('/three/', 'DATA.example.org:443'), 200)
  t.is(await statusOf('/alpha/one/', 'data.example.org'), 404)
  t.is(await statusOf('/alpha/one/', 'localhost'), 200)
  t.is(await statusOf('/alpha', 'localhost'), 308)

  const stranger = await send({path: '/alpha/one/', headers: {Host: 'evil.example'}})
  t.is(stranger.status, 421)
  t.like(JSON.parse(stranger.text), {title: 'host-known', status: 421})
  t.is(await statusOf('/ready', 'evil.example'), 200)
  const query = `query=${encodeURIComponent('select ?s { ?s <http://a/p> 1 }')}`
  t.regex((await send({path: `/alpha/sparql?${query}`})).text, /localhost\/alpha\/one\//)
  t.notRegex((await send({path: `/alpha/sparql?${query}`})).text, /inner/)
})
