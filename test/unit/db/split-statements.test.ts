/** Scripts are split at the semicolons between statements only. */
import {readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import test from 'ava'
import {splitStatements} from '../../../src/db/store/split-statements.ts'
import {projectDirectory} from '../../support/program.ts'

const trimmed = (script: string) => splitStatements(script).map(statement => statement.trim())

test('semicolons in quotes, bodies and comments do not end a statement', t => {
  const statements = [
    `select ';', 'it''s;', E'\\';', "a;""b"`,
    'do $$ begin perform 1; end $$',
    'create function f() returns text language sql as $body$ select $$;$$; $body$',
    '-- a; b\nselect $1, a$b$c from t -- c;\n where true',
    "/* ; ' */ select 1",
  ]
  t.deepEqual(trimmed(statements.join(';\n')), statements)
})

test('empty statements and comments alone are left out', t => {
  t.deepEqual(trimmed(';; select 1;\n-- end;\n/* ; */ ;'), ['select 1'])
  t.deepEqual(trimmed(''), [])
})

test('positions stay as in the script', t => {
  const script = "select 'ä';\n\nselect nothing"
  const [, second = ''] = splitStatements(script)
  t.is(second.indexOf('nothing'), script.indexOf('nothing'))
  t.is(second.split('\n').length, 3)
})

test('each statement of the migrations is one command', t => {
  const folder = join(projectDirectory, 'sql/migrations')
  const first = new Set<string>()
  for (const file of readdirSync(folder)) {
    const statements = trimmed(readFileSync(join(folder, file), 'utf8'))
    for (const statement of statements) first.add(/^(?:\s|--.*\n)*(\w+)/.exec(statement)?.[1] ?? statement)
  }
  const known = ['alter', 'analyze', 'comment', 'create', 'delete', 'drop', 'insert', 'select', 'update', 'do', 'set']
  t.deepEqual(
    [...first].filter(word => !known.includes(word)),
    [],
  )
  t.true(first.has('create'))
})
