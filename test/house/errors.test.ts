/**
 * docs/errors.md lists exactly the rules of src and sql, with their statuses.
 *
 * In src a rule is the second argument of `new Problem(status, 'rule', …)`. In sql it is raised with `using errcode =
 * 'QS<status>', constraint = 'rule'`.
 */
import test from 'ava'
import {readSource, readSources, withoutComments} from './sources.ts'

/** Files that create a Problem with a status or rule from elsewhere, and where these come from. */
const indirect: Readonly<Record<string, string>> = {
  'src/db/connection/problem-of.ts': 'passes on status and rule that a SQL function raised',
  'src/base/worker-pool.ts': 'passes on the Problem of a worker thread',
}

type Rule = {readonly rule: string; readonly status: string; readonly path: string}

const sources = readSources('src', '.ts').map(source => ({...source, text: withoutComments(source.text)}))
const scripts = readSources('sql', '.sql').map(source => ({...source, text: source.text.replace(/--[^\n]*/g, '')}))
const documented = documentedRules(readSource('docs/errors.md').text)
const used = [
  ...sources.flatMap(({path, text}) => thrownRules(text).map(rule => ({...rule, path}))),
  ...scripts.flatMap(({path, text}) => raisedRules(text).map(rule => ({...rule, path}))),
]

function thrownRules(text: string): readonly Omit<Rule, 'path'>[] {
  const thrown = text.matchAll(/new Problem\(\s*(\d{3}),\s*'([a-z0-9-]+)'/g)
  return Array.from(thrown, ([, status = '', rule = '']) => ({rule, status}))
}

function raisedRules(text: string): readonly Omit<Rule, 'path'>[] {
  return Array.from(text.matchAll(/\busing\b[^;]*?errcode[^;]*;/gi), ([raised]) => ({
    rule: /constraint\s*=\s*'([^']*)'/i.exec(raised)?.[1] ?? '',
    status: /errcode\s*=\s*'QS(\d{3})'/i.exec(raised)?.[1] ?? '',
  })).filter(({rule, status}) => rule !== '' || status !== '')
}

/** Rule → statuses: the first two cells of each table row that starts with a rule in backquotes. */
function documentedRules(text: string): ReadonlyMap<string, readonly string[]> {
  const rows = Array.from(text.matchAll(/^\| `([a-z0-9-]+)` \| ([0-9, ]+) \|/gm))
  return new Map(rows.map(([, rule = '', statuses = '']) => [rule, statuses.split(',').map(status => status.trim())]))
}

test('every rule in use is documented with its status', t => {
  const missing = used.filter(({rule, status}) => !documented.get(rule)?.includes(status))

  t.deepEqual(
    missing.map(({rule, status, path}) => `${rule} ${status} (${path})`),
    [],
  )
})

test('every documented rule is in use', t => {
  const everything = [...sources, ...scripts].map(({text}) => text).join('\n')
  const isNamed = (rule: string): boolean => everything.includes(`'${rule}'`) || everything.includes(`"${rule}"`)

  t.deepEqual(
    [...documented.keys()].filter(rule => !isNamed(rule)),
    [],
  )
})

test('every documented status is in use, if the source has it next to the rule', t => {
  const pairs = new Set(used.map(({rule, status}) => `${rule} ${status}`))
  const rules = new Set(used.map(({rule}) => rule))
  const listed = [...documented].flatMap(([rule, statuses]) => statuses.map(status => ({rule, status})))

  t.deepEqual(
    listed.filter(({rule, status}) => rules.has(rule) && !pairs.has(`${rule} ${status}`)),
    [],
  )
})

test('the source has status and rule where it creates a Problem', t => {
  const opaque = sources.filter(({text}) => (text.match(/new Problem\(/g)?.length ?? 0) > thrownRules(text).length)

  t.deepEqual(
    opaque.map(({path}) => path).filter(path => indirect[path] === undefined),
    [],
  )
})

test('no rule is documented twice', t => {
  const rows = Array.from(readSource('docs/errors.md').text.matchAll(/^\| `([a-z0-9-]+)` \|/gm), ([, rule]) => rule)

  t.deepEqual(
    rows.filter((row, index) => rows.indexOf(row) !== index),
    [],
  )
})

test('rules are found in both languages', t => {
  const sql = "raise exception 'no; %', iri\n  using errcode = 'QS404', constraint = 'document-exists', detail = f(a);"

  t.deepEqual(raisedRules(sql), [{rule: 'document-exists', status: '404'}])
  t.deepEqual(thrownRules("throw new Problem(\n  409,\n  'document-iri-free',\n  'x')"), [
    {rule: 'document-iri-free', status: '409'},
  ])
})
