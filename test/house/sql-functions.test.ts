/** The planner calls SQL functions by name; each of them is in sql/functions, and each of those has a use. */
import test from 'ava'
import {readSource, readSources} from './sources.ts'

const defined = new Set(
  Array.from(
    readSource('sql/schema.sql').text.matchAll(/^create (?:function|aggregate) (\w+)\(/gm),
    ([, name]) => name,
  ),
)
const sql = readSources('sql/functions', '.sql')
const program = readSources('src', '.ts')
const ownName = /\b(?:sparql|inline)_\w+/g

test('the program names no SQL function that does not exist', t => {
  const missing = program.flatMap(({path, text}) =>
    Array.from(text.matchAll(/'((?:sparql|inline)_\w*[a-z0-9])'/g), ([, name]) => name)
      .filter(name => !defined.has(name))
      .map(name => `${path}: ${name}`),
  )

  t.deepEqual(missing, [])
})

test('every SQL function for expressions is called, by the program or by another', t => {
  const uses = new Map<string, number>()
  const count = (text: string) => {
    for (const [name] of text.matchAll(ownName)) uses.set(name, (uses.get(name) ?? 0) + 1)
  }
  for (const {text} of program) count(text)
  for (const {text} of sql) count(text.replace(/^--.*|^comment on .*(?:\n .*)*/gm, ''))
  const unused = [...defined].filter(name => name?.match(ownName) && (uses.get(name) ?? 0) < 2)

  t.deepEqual(unused, [])
})

test('functions that serve requests do not read sequences as tables', t => {
  // Sequences have no index. Where sequential scans are disabled, PostgreSQL takes such a scan for very expensive, and
  // compiles it with LLVM, which costs some ten milliseconds.
  const others = /\/(bulk\/import_tables|document\/check)\.sql$/
  const reading = sql.filter(({path, text}) => !others.test(path) && /\bfrom \w+_seq\b/.test(text))

  t.deepEqual(
    reading.map(({path}) => path),
    [],
  )
})
