/** `quadstead move`, `copy` and `rebase`. */
import test, {type ExecutionContext} from 'ava'
import {create, saidOf} from '../support/documents.ts'
import {runProgram} from '../support/process.ts'
import {useService} from '../support/service.ts'

async function run(t: ExecutionContext, url: string, words: readonly string[]) {
  const program = runProgram(t, {DATABASE_URL: url}, words)
  program.child.stdin?.end()
  const code = await program.exit
  return {code, output: program.output(), complaints: program.complaints()}
}

test('documents are moved and copied beside the service, and replace others only on request', async t => {
  const service = await useService(t)
  const {base, database} = service
  await create(t, service, {slug: 'a', body: '<> <http://x/p> <in/> .'})
  await create(t, service, {parent: '/a/', slug: 'in'})
  await create(t, service, {slug: 'other', body: '<> <http://x/p> </a/in/> .'})
  const command = (...words: readonly string[]) => run(t, database.url, words)

  t.deepEqual(await command('move', '/a/', `${base}b/`), {code: 0, output: `${base}b/\n`, complaints: ''})
  t.deepEqual(await saidOf(service, '/other/'), [`<> <http://x/p> <${base}b/in/>`])
  t.deepEqual(await command('copy', '/b/', '/c/', '--alone'), {code: 0, output: `${base}c/\n`, complaints: ''})
  t.is((await service.send({path: '/c/in/'})).status, 404)
  t.deepEqual(await command('copy', '/b/', '/c/'), {
    code: 1,
    output: '',
    complaints: `quadstead: There is already a document <${base}c/>.\n`,
  })
  t.deepEqual(await command('copy', '/b/', '/c/', '--overwrite'), {
    code: 0,
    output: `${base}c/, in place of another document\n`,
    complaints: '',
  })
  t.is((await service.send({path: '/c/in/'})).status, 200)
  t.is((await command('move', '/', '/x/')).code, 1)
  t.is((await command('move', '/b/', 'elsewhere')).code, 1)
})

test('a dataset gets another base, under which the service starts', async t => {
  const service = await useService(t)
  const {base, database} = service
  await create(t, service, {slug: 'a', body: '<> <http://x/p> <#it> .'})
  const {etag} = (await service.send({path: '/a/'})).headers

  const {code, output} = await run(t, database.url, ['rebase', 'http://data.example/x'])

  t.is(code, 0)
  t.regex(output, new RegExp(`^\\d+ IRIs renamed from ${base} to http://data\\.example/x/\\n$`))
  const wrong = await run(t, database.url, ['rebase', 'data.example'])
  t.is(wrong.code, 1)
  const checked = await run(t, database.url, ['check'])
  t.is(checked.code, 0, checked.output)
  const rows = await database.database.query<{revision: string}>(
    'select d.revision::text from quadstead.document as d join quadstead.term as t using (id) where lex = $1',
    ['http://data.example/x/a/'],
  )
  t.deepEqual(rows, [{revision: String(etag).replaceAll('"', '')}])
})
