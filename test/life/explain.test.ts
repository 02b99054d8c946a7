/** `quadstead explain` as a process, while a service runs on the same database. */
import {writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import test, {type ExecutionContext} from 'ava'
import {createTestDatabase} from '../support/postgres.ts'
import {runProgram, temporaryFolder} from '../support/process.ts'
import {useService} from '../support/service.ts'

async function explain(t: ExecutionContext, databaseUrl: string, words: readonly string[], input?: string) {
  const program = runProgram(t, {DATABASE_URL: databaseUrl}, ['explain', ...words])
  program.child.stdin?.end(input ?? '')
  const code = await program.exit
  return {code, output: program.output(), complaints: program.complaints()}
}

test('explains a query from a file or from standard input: algebra, constants, SQL, plan and times', async t => {
  const {base, database} = await useService(t)
  const folder = await temporaryFolder(t)
  const file = join(folder, 'query.rq')
  await writeFile(file, 'SELECT ?o { <books/> ?p ?o . ?o ?q 5 }')

  const plain = await explain(t, database.url, [file])
  const measured = await explain(t, database.url, ['--measured', '-'], 'ASK { ?s ?p 5 }')
  const document = await explain(t, database.url, ['--json', '--base', 'http://e/', '-'], 'ASK { <x> ?p 5 }')

  t.is(plain.complaints, '')
  t.is(plain.code, 0)
  t.true(
    plain.output.startsWith(`Algebra of the SELECT
  (project (?o)
    (bgp
      (triple <${base}books/> ?p ?o)
      (triple ?o ?q 5)))
`),
  )
  t.regex(plain.output, /^SQL\n {2}select .*^Plan\n {2}\S.*^Times\n {2}parse +[\d.]+ ms$/ms)
  t.regex(measured.output, /^Plan, measured\n.*Execution Time: /ms)
  const {passes, plan} = JSON.parse(document.output)
  t.is(passes[0].algebra, '(bgp\n  (triple <http://e/x> ?p 5))')
  t.is(typeof plan.Plan, 'object')
})

test('an invalid query gives file, line, column and rule, and exit code 1', async t => {
  const {database} = await useService(t)
  const folder = await temporaryFolder(t)
  const file = join(folder, 'wrong.rq')
  await writeFile(file, 'SELECT *\n{ ?s ?p }\n')

  const {code, output, complaints} = await explain(t, database.url, [file])
  const absent = await explain(t, database.url, [join(folder, 'none.rq')])
  const relative = await explain(t, database.url, ['--base', 'x', file])

  t.is(code, 1)
  t.is(output, '')
  t.regex(complaints, /^quadstead: \S+wrong\.rq:2:9: Unexpected "}".* \(query-syntax\)\n$/)
  t.is(absent.code, 1)
  t.regex(absent.complaints, /^quadstead: \S+none\.rq cannot be read: ENOENT/)
  t.is(relative.complaints, 'quadstead: --base needs an absolute IRI, got "x"\n')
})

test('without a dataset the error says what to do', async t => {
  const database = await createTestDatabase()
  t.teardown(database.drop)

  const program = runProgram(t, {DATABASE_URL: database.url, DATABASE_SCHEMA: 'nothing'}, ['explain', '-'])
  program.child.stdin?.end('ASK {}')

  t.is(await program.exit, 1)
  t.is(
    program.complaints(),
    'quadstead: Schema nothing is not there or not up to date. Run "quadstead migrate" first.\n',
  )
})
