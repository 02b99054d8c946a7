/** Misspelt searches where the server has pg_trgm: words with two mistakes, few results, grants, and without it. */
import test from 'ava'
import {dropSearchIndex, gatherSearchWords} from '../../src/db/store/search-index.ts'
import {simpleKeyStart} from '../../src/rdf/term-key.ts'
import {startGuarded} from '../support/access.ts'
import {turtle} from '../support/documents.ts'
import {testSchema as schema} from '../support/postgres.ts'
import {startService, type TestService} from '../support/service.ts'
import {gatherAllWords} from '../support/similar-words.ts'

let service: TestService

const title = (text: string) => `<> <http://purl.org/dc/terms/title> "${text}" .`

const shelf: Readonly<Record<string, string>> = {
  persuasion: title('Persuasion'),
  sanditon: title('Sanditon, an unfinished novel'),
  highbury: title('Marriages in Highbury'),
  highburn: title('A walk to Highburn'),
  zurich: title('Kaffeehäuser in Zürich'),
}

test.before(async t => {
  service = await startService()
  for (const [slug, body] of Object.entries(shelf)) {
    const {status} = await service.send({method: 'POST', path: '/', headers: {...turtle, Slug: slug}, body})
    t.is(status, 201)
  }
  t.true(await gatherAllWords(service.database.database, schema))
})
test.after.always(() => service.stop())

type Answer = {
  readonly total?: number
  readonly isCorrected: boolean
  readonly results: readonly {readonly document: string}[]
}

async function search(parameters: Readonly<Record<string, string>>): Promise<Answer> {
  const {status, text} = await service.send({path: `/search?${new URLSearchParams(parameters)}`})
  if (status !== 200) throw new Error(`${status} ${text}`)
  return JSON.parse(text)
}

async function found(q: string): Promise<readonly string[]> {
  const {results} = await search({q})
  return results.map(({document}) => document.slice(service.base.length, -1))
}

test('two mistakes in a word are forgiven', async t => {
  for (const q of ['Prxsuasion', 'Pursuason', 'persuasionxx', 'persausiom', 'presuaison'])
    t.deepEqual(await found(q), ['persuasion'], q)
  t.deepEqual(await found('Samdison novle'), ['sanditon'], 'in each of two words')
  t.deepEqual(await found('kaffehauserr'), ['zurich'], 'without accents')
  t.true((await search({q: 'Prxsuasion'})).isCorrected)
  t.deepEqual(await found('Prxsxasion'), [], 'three mistakes')
  t.deepEqual(await found('"Prxsuasion sanditon"'), [], 'phrases stay as they are')
})

test('documents with similar words follow if few have the words as written', async t => {
  const {total, isCorrected, results} = await search({q: 'highbury'})

  t.deepEqual([total, isCorrected], [2, true])
  t.deepEqual(
    results.map(({document}) => document.slice(service.base.length)),
    ['highbury/', 'highburn/'],
  )
  t.deepEqual(await search({q: 'highbury', page: '2'}).then(({total, results}) => [total, results.length]), [2, 0])
  t.false((await search({q: 'persuasion'})).isCorrected, 'there are no similar words')
})

test('words of new literals are gathered once, after those who write have ended', async t => {
  const {database} = service.database
  const words = async () => {
    const rows = await database.query<{word: string}>(
      `select word from ${schema}.search_word where word like 'quixot%' order by word`,
    )
    return rows.map(({word}) => word)
  }
  const intern = (text: string) => `select ${schema}.intern_terms(array['${simpleKeyStart}${text}'])`

  await database.begin('read committed', async transaction => {
    await transaction.query(intern('quixotic'))
    await service.send({method: 'POST', path: '/', headers: {...turtle, Slug: 'later'}, body: title('quixotism')})
    await gatherSearchWords(database, schema)
    await gatherSearchWords(database, schema)
    t.deepEqual(await words(), [], 'a term with a lower number may still come')
  })
  await gatherAllWords(database, schema)

  t.deepEqual(await words(), ['quixotic', 'quixotism'])

  // As after a move to a server whose transactions have lower numbers.
  await database.query(`update ${schema}.search_gathering set next = next + 1, next_xid = '9000000000000'`)
  await service.send({method: 'POST', path: '/', headers: {...turtle, Slug: 'moved'}, body: title('quixotry')})
  await gatherAllWords(database, schema)
  t.deepEqual(await words(), ['quixotic', 'quixotism', 'quixotry'])
})

test('words of hidden documents do not matter', async t => {
  const guarded = await startGuarded()
  t.teardown(guarded.stop)
  const add = (slug: string, body: string) =>
    guarded.sendAs('root', {method: 'POST', path: '/', headers: {...turtle, Slug: slug}, body})
  await add('open', title('An open xylophagous text'))
  await add('closed', title('Closed xylophones'))
  await guarded.grant('/open/', {public: ['read']})
  t.true(await gatherAllWords(guarded.database.database, schema))
  const asked = async (name: string | undefined, q: string) => {
    const {text} = await guarded.sendAs(name, {path: `/search?q=${q}`})
    const {total, isCorrected, results} = JSON.parse(text) as Answer
    return [total, isCorrected, results.map(({document}) => document.slice(guarded.base.length))]
  }

  t.deepEqual(await asked('root', 'xilophonez'), [1, true, ['closed/']])
  t.deepEqual(await asked(undefined, 'xilophonez'), [0, false, []])
  t.deepEqual(await asked(undefined, 'xylophones'), [0, false, []])
  t.deepEqual(await asked(undefined, 'xilophagouz'), [1, true, ['open/']])
})

test('without pg_trgm one mistake is forgiven, and only if nothing is found', async t => {
  const own = await startService()
  t.teardown(own.stop)
  for (const slug of ['persuasion', 'highbury', 'highburn'])
    await own.send({method: 'POST', path: '/', headers: {...turtle, Slug: slug}, body: shelf[slug] ?? ''})
  const {database} = own.database
  await gatherAllWords(database, schema)
  await database.query('drop extension pg_trgm cascade')
  const total = async (q: string) => (JSON.parse((await own.send({path: `/search?q=${q}`})).text) as Answer).total

  t.deepEqual(await Promise.all(['persuasiom', 'persuadiom', 'highbury'].map(total)), [1, 0, 1])
  await dropSearchIndex(database, schema)
  t.deepEqual(await database.query(`select from ${schema}.search_word limit 1`), [])
})
