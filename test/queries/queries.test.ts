/**
 * Queries, the SQL that they become, and what that SQL returns: *.rq with *.sql and *.tsv beside them.
 *
 * The data is data.trig, and a document with a child. The SQL is compiled without statistics, so it is the same on
 * every server. After a wanted change, GOLDEN=write writes the files again; read the difference before you commit it.
 */
import {readdirSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {pathToFileURL} from 'node:url'
import test from 'ava'
import {findIds} from '../../src/db/query/rows.ts'
import {readTrig} from '../../src/format/n3-read.ts'
import {createTsvResultsWriter, termTsv} from '../../src/format/results-tsv.ts'
import {unpackLiteral} from '../../src/rdf/inline.ts'
import {literal, namedNode, type Term} from '../../src/rdf/term.ts'
import {termOfKey} from '../../src/rdf/term-key.ts'
import {xsd} from '../../src/rdf/vocabulary.ts'
import {type CompiledQuery, compileQuery, prepareQuery} from '../../src/sparql/compile.ts'
import {layoutSql} from '../../src/sparql/print/layout.ts'
import {storedPart} from '../../src/sparql/print/term.ts'
import {createPostgresEngine} from '../oracle/postgres-engine.ts'
import {emptyStore} from '../support/facts.ts'
import {createTestDatabase, schemaIdentifier, type TestDatabase, testSchema} from '../support/postgres.ts'
import {projectDirectory} from '../support/program.ts'

type Cell = string | boolean | null

const folder = pathToFileURL(join(projectDirectory, 'test/queries/'))
const names = readdirSync(folder).filter(name => name.endsWith('.rq'))

let made: TestDatabase

test.before(async () => {
  made = await createTestDatabase()
  const quads = await readTrig(readFileSync(new URL('data.trig', folder)), {base: 'http://e/'})
  const [root, child] = [namedNode('http://e/a'), namedNode('http://e/a/child')]
  const engine = await createPostgresEngine(made.database)
  await engine.load(quads, [
    {iri: root, parent: undefined, memberBy: undefined},
    {iri: child, parent: root, memberBy: namedNode('http://e/member')},
  ])
  await engine.close()
})

test.after.always(() => made.drop())

async function compile(text: string): Promise<CompiledQuery> {
  const prepared = prepareQuery(text, 'http://e/')
  const stored = await findIds(made.database, testSchema, [...prepared.constants.keys(), 'Ihttp://e/member'])
  const facts = {
    ...emptyStore,
    hasDocuments: true,
    memberRelations: [stored.get('Ihttp://e/member') ?? ''],
  }
  return compileQuery(prepared, {schema: schemaIdentifier, stored, facts, now: '2020-01-01T00:00:00.000Z'})
}

function show({text, parameters}: CompiledQuery): string {
  return [
    layoutSql(text),
    ...parameters.map((value, index) => `-- $1[${index + 1}] ${JSON.stringify(value)}`),
    '',
  ].join('\n')
}

/** The rows of the SQL as terms, in the format of SPARQL 1.1 TSV; sorted if the query has no order. */
async function answer(compiled: CompiledQuery, hasOrder: boolean): Promise<string> {
  const {text, parameters} = compiled
  const rows = await made.database.query<Record<string, Cell>>(text, text.includes('$1') ? [parameters] : [])
  const cells = rows.map(row => Object.values(row))
  const keys = await keysOf(compiled, cells.flat())
  const columns = compiled.columns.length === 0 ? ['ask'] : compiled.columns.map(({name}) => name)
  const writer = createTsvResultsWriter(columns)
  const [head = '', ...lines] = cells.map(row => writer.write(row.map(cell => textOf(cell, keys))))
  const [first = '', ...others] = [head, ...lines, writer.end()].join('').split('\n').slice(0, -1)
  return [first, ...(hasOrder ? others : others.sort()), ''].join('\n')
}

function textOf(cell: Cell, keys: ReadonlyMap<string, string>): string | undefined {
  const term = termOf(cell, keys)
  return term && termTsv(term)
}

function termOf(cell: Cell, keys: ReadonlyMap<string, string>): Term | undefined {
  if (cell === null) return undefined
  if (typeof cell === 'boolean') return literal(String(cell), xsd.boolean)
  if (cell.startsWith('-')) return unpackLiteral(BigInt(cell))
  return termOfKey(keys.get(cell) ?? cell)
}

/** Keys by id: of terms that are stored or constants of the query. */
async function keysOf({localKeys}: CompiledQuery, cells: readonly Cell[]): Promise<ReadonlyMap<string, string>> {
  const ids = cells.filter(cell => typeof cell === 'string' && /^\d+$/.test(cell))
  const found = await made.database.query<{id: string; key: string}>(
    `select t.id::text, ${storedPart('key', 't').shown} as key
       from ${schemaIdentifier}.term as t where t.id = any ($1::int8[])`,
    [ids],
  )
  return new Map([...localKeys, ...found.map(({id, key}): [string, string] => [id, key])])
}

for (const name of names) {
  test(name, async t => {
    const place = (ending: string) => new URL(name.replace(/rq$/, ending), folder)
    const query = readFileSync(place('rq'), 'utf8')
    const compiled = await compile(query)
    const hasOrder = /ORDER BY[^}]*$/.test(query)
    const written = {sql: show(compiled), tsv: await answer(compiled, hasOrder)}
    if (process.env.GOLDEN === 'write')
      for (const [ending, text] of Object.entries(written)) writeFileSync(place(ending), text)

    t.is(written.sql, readFileSync(place('sql'), 'utf8'))
    t.is(written.tsv, readFileSync(place('tsv'), 'utf8'))
  })
}
