/** The commands that talk to a running service, in pipes and in a terminal, and the completion of a real bash. */
import {execFile} from 'node:child_process'
import {chmod, readFile, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {promisify} from 'node:util'
import test, {type ExecutionContext} from 'ava'
import {send} from '../support/client.ts'
import {areDistributed} from '../support/postgres.ts'
import {type ProgramSettings, runProgram, temporaryFolder, watch} from '../support/process.ts'
import {programParameters} from '../support/program.ts'
import {differing, rewriteTour} from '../support/readme.ts'
import {useService} from '../support/service.ts'
import {type Declare, testWhen} from '../support/test-when.ts'

const run = promisify(execFile)
const testTags: Declare = areDistributed ? testWhen(false, 'entity tags have other numbers in a Citus cluster') : test

type Outcome = {readonly code: number | string | null; readonly output: string; readonly complaints: string}
type Invocation = {readonly words: readonly string[]; readonly input?: string; readonly settings?: ProgramSettings}

/** Runs a command to its end. */
async function quadstead(t: ExecutionContext, {words, input = '', settings = {}}: Invocation): Promise<Outcome> {
  const program = runProgram(t, settings, words)
  program.child.stdin?.end(input)
  return {code: await program.exit, output: program.output(), complaints: program.complaints()}
}

/** Runs a command in a pseudoterminal of 60 columns. The output has its line ends as the terminal gets them. */
async function inTerminal(t: ExecutionContext, words: readonly string[], settings: ProgramSettings = {}) {
  const shellWords = [process.execPath, ...programParameters(), ...words].map(word => `'${word}'`).join(' ')
  const typescript = ['-qec', `stty cols 60; ${shellWords}`, '/dev/null']
  const program = watch(t, 'script', typescript, {TERM: 'xterm', ...settings}, await temporaryFolder(t))
  t.is(await program.exit, 0, program.output())
  return program.output().replaceAll('\r\n', '\n')
}

const emma = '<> <http://e/title> "Emma" ; <http://e/year> 1815 .\n'

test('put creates a document, get shows it, and put replaces it if its entity tag is the one given', async t => {
  const {base} = await useService(t)
  const folder = await temporaryFolder(t)
  const file = join(folder, 'emma.ttl')
  await writeFile(file, emma)

  const missing = await quadstead(t, {words: ['put', '--url', base, '/emma/', file]})
  t.is(missing.code, 1)
  t.regex(
    missing.complaints,
    /^quadstead: There is no document <.*>\. \(document-exists, 404\) --create creates it\.\n$/,
  )
  const created = await quadstead(t, {words: ['put', '--url', base, '--create', '/emma/', file]})
  const [, tag = ''] = /^created\thttp:\/\/localhost:\d+\/emma\/\t("\d+")\n$/.exec(created.output) ?? []
  t.deepEqual({...created, output: tag !== ''}, {code: 0, output: true, complaints: ''})

  const shown = await quadstead(t, {words: ['get', '-i', '/emma/'], settings: {BASE_URL: base}})
  t.is(shown.code, 0)
  t.is(shown.output, (await send(`${base}emma/`)).text)
  t.true(shown.complaints.includes(`etag: ${tag}\n`))

  const unsure = await quadstead(t, {words: ['put', '--url', base, '/emma/', file]})
  t.regex(unsure.complaints, /\(precondition-required, 428\) Say which one with --if-match\.\n$/)

  const input = shown.output.replace('1815', '1816')
  const put = (match: string) =>
    quadstead(t, {words: ['put', '--url', base, ...['--if-match', match], '--format', 'turtle', 'emma/', '-'], input})
  t.regex((await put(tag)).output, /^replaced\thttp:.*\/emma\/\t"\d+"\n$/)
  const second = await put(tag.slice(1, -1))
  t.deepEqual([second.code, second.output], [1, ''])
  t.regex(
    second.complaints,
    /^quadstead: The document has changed: its entity tag is "\d+", not "\d+"\. \(etag-mismatch, 412\)\n$/,
  )
  const json = await quadstead(t, {words: ['get', '--url', base, '--format', 'json-ld', `${base}emma/`]})
  t.true(JSON.stringify(JSON.parse(json.output)).includes('1816'))
})

test('query writes TSV or Turtle into a pipe, and other formats on request', async t => {
  const {base} = await useService(t)
  await send(base, {method: 'POST', headers: {'Content-Type': 'text/turtle', Slug: 'emma'}, body: emma})
  const query = async (text: string, ...words: readonly string[]) => {
    const {code, output, complaints} = await quadstead(t, {words: ['query', '--url', base, ...words, '-'], input: text})
    t.is(code, 0, complaints)
    return output
  }
  const select = 'SELECT ?title ?year { <emma/> <http://e/title> ?title ; <http://e/year> ?year }'

  t.is(await query(select), '?title\t?year\n"Emma"\t1815\n')
  t.is(await query(select, '--format', 'csv'), 'title,year\r\nEmma,1815\r\n')
  t.is(await query(select, '--format', 'table'), 'title   year\n──────  ────\n"Emma"  1815\n(1 row)\n')
  t.is(await query('ASK { ?s ?p 1815 }'), 'true\n')
  t.is(await query('ASK { ?s ?p 1815 }', '--format', 'table'), 'true\n')
  t.is(
    await query('CONSTRUCT { ?s ?p 1815 } { ?s ?p 1815 }', '--format', 'n-triples'),
    `<${base}emma/> <http://e/year> "1815"^^<http://www.w3.org/2001/XMLSchema#integer> .\n`,
  )
  const {output} = await quadstead(t, {words: ['query', '--url', base, '-t', 'ASK {}', '--format', 'json']})
  t.deepEqual(JSON.parse(output), {head: {}, boolean: true})
})

test('a terminal shows tables and colours, cuts long values, and does not obey stored text', async t => {
  const {base} = await useService(t)
  const body =
    '<> <http://e/title> "Emma \\u001b[31mred" ; <http://e/text> "A text that is longer than the terminal is wide." ; <http://e/year> 1815 .'
  await send(base, {method: 'POST', headers: {'Content-Type': 'text/turtle', Slug: 'emma'}, body})
  const select =
    'SELECT ?title ?text ?year { <emma/> <http://e/title> ?title ; <http://e/text> ?text ; <http://e/year> ?year }'

  const table = await inTerminal(t, ['query', '--url', base, '-t', select])
  t.deepEqual(table.split('\n'), [
    '\u001b[1mtitle\u001b[0m                 \u001b[1mtext\u001b[0m                              \u001b[1myear\u001b[0m',
    '\u001b[2m────────────────────  ────────────────────────────────  ────\u001b[0m',
    '\u001b[32m"Emma \\u001B[31mred"\u001b[0m  \u001b[32m"A text that is longer than the…\u001b[0m  \u001b[33m1815\u001b[0m',
    '\u001b[2m(1 row)\u001b[0m',
    '',
  ])
  const plain = await inTerminal(t, ['query', '--url', base, '-t', select], {NO_COLOR: '1'})
  t.is(plain.split('\n')[2], '"Emma \\u001B[31mred"  "A text that is longer than the…  1815')
  const document = await inTerminal(t, ['get', '--url', base, 'emma/'])
  t.true(document.includes('\u001b[36m<http://e/year>\u001b[0m \u001b[33m1815\u001b[0m'), document)
  t.false(document.includes('\u001b[31m'))
})

test('search prints a line for each document, in a terminal with the words marked', async t => {
  const {base} = await useService(t)
  for (const title of ['Emma', 'Persuasion'])
    await send(base, {
      method: 'POST',
      headers: {'Content-Type': 'text/turtle', Slug: title.toLowerCase()},
      body: `<> <http://purl.org/dc/terms/title> "${title} \\u001b[31m by Jane Austen" .`,
    })

  const lines = await quadstead(t, {words: ['search', '--url', base, 'austen', 'persuasion']})
  t.deepEqual([lines.code, lines.complaints], [0, ''])
  const [document, label, snippet, score] = lines.output.trimEnd().split('\t')
  t.deepEqual([document, label], [`${base}persuasion/`, 'Persuasion \u001b[31m by Jane Austen'])
  t.true(snippet?.includes('Austen') && Number(score) > 0)
  const json = await quadstead(t, {words: ['search', '--url', base, '--format', 'json', '"jane austen"']})
  t.is(JSON.parse(json.output).total, 2)
  const shown = await inTerminal(t, ['search', '--url', base, 'emma'])
  t.deepEqual(shown.trimEnd().split('\n'), [
    '\u001b[1mEmma \\u001B[31m by Jane Austen\u001b[0m',
    `  \u001b[36m${base}emma/\u001b[0m`,
    '  \u001b[35mEmma\u001b[0m \\u001B[31m by Jane Austen',
    '',
    '1 document',
  ])
  const bad = await quadstead(t, {words: ['search', '--url', base, '--sort', 'size', 'emma']})
  t.is(bad.code, 1)
  t.regex(bad.complaints, /^quadstead: .*\(\S+, 400\)\n$/)
})

test('errors are the sentences of the service, or say that there is none', async t => {
  const {base} = await useService(t)
  const fail = async (...words: readonly string[]) => {
    const {code, output, complaints} = await quadstead(t, {words})
    t.is(output, '')
    return [code, complaints.trimEnd()]
  }

  t.deepEqual(await fail('get', '--url', base, '/nothing/'), [
    1,
    `quadstead: ${JSON.parse((await send(`${base}nothing/`)).text).detail} (document-exists, 404)`,
  ])
  const [code, complaint] = await fail('query', '--url', base, '-t', 'SELECT * {\n ?s ?p }')
  t.is(code, 1)
  t.regex(String(complaint), /^quadstead: .*line 2.* \(query-syntax, 400\)$/i)
  t.deepEqual(await fail('get', '--url', base, 'http://other.example/'), [
    2,
    `quadstead: http://other.example/ is not a document of ${base}. Name its service with --url.`,
  ])
  t.regex(
    String((await fail('get', '--url', 'http://127.0.0.1:9/', '/'))[1]),
    /^quadstead: No answer from http:\/\/127\.0\.0\.1:9\/: /,
  )
  t.deepEqual(await fail('get', '--url', base, '--format', 'tutle', '/'), [
    2,
    'quadstead: --format must be one of turtle, jsonld, trig, rdfxml, ntriples, nquads, binary, trix, rdfjson, n3, or a media type, got "tutle".',
  ])
  t.deepEqual(await fail('query', '--url', base), [2, 'quadstead: Expected a FILE with the query, or --text QUERY.'])
})

test('a key comes from a file or the environment', async t => {
  const {base, database} = await useService(t, {ACCESS: 'grants'})
  const folder = await temporaryFolder(t)
  const settings = {DATABASE_URL: database.url, BASE_URL: base}
  const key = (await quadstead(t, {words: ['keys', 'add', '--agent', 'http://e/ada'], settings})).output
  await quadstead(t, {words: ['grants', 'add', '/', 'agent http://e/ada', 'read'], settings})
  const file = join(folder, 'key.txt')
  await writeFile(file, key)

  const anonymous = await quadstead(t, {words: ['get', '/'], settings: {BASE_URL: base}})
  t.is(anonymous.code, 1)
  t.regex(anonymous.complaints, /\(\S+, 40[134]\)\n$/)
  for (const [words, more] of [
    [['get', '--key-file', file, '/'], {}],
    [['get', '/'], {QUADSTEAD_KEY: key.trim()}],
  ] as const)
    t.is((await quadstead(t, {words, settings: {BASE_URL: base, ...more}})).code, 0)
  const strange = await quadstead(t, {words: ['get', '/'], settings: {QUADSTEAD_KEY: 'no key'}})
  t.deepEqual(strange, {code: 1, output: '', complaints: 'quadstead: QUADSTEAD_KEY does not contain a key.\n'})
})

testTags('the examples of docs/operations.md have the printed output', async t => {
  const {base} = await useService(t)
  const folder = await temporaryFolder(t)
  const program = [process.execPath, ...programParameters()].map(word => `'${word}'`).join(' ')
  await writeFile(join(folder, 'quadstead'), `#!/bin/sh\nexec ${program} "$@"\n`)
  await chmod(join(folder, 'quadstead'), 0o755)
  const page = await readFile(new URL('../../docs/operations.md', import.meta.url), 'utf8')
  const environment = {BASE_URL: base, PATH: `${folder}:${process.env.PATH}`}
  t.true(page.includes('```console\n'))

  t.deepEqual(differing(await rewriteTour(page, base, environment), page), [])
})

/** What bash proposes for the last word of a command line. */
async function proposals(script: string, ...words: readonly string[]): Promise<readonly string[]> {
  const program = `source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _quadstead; printf '%s\\n' "\${COMPREPLY[@]}"`
  const {stdout} = await run('bash', ['--norc', '-c', program, 'bash', script, 'quadstead', ...words])
  return stdout.split('\n').filter(word => word !== '')
}

test('bash completes commands, actions, options and formats', async t => {
  const {output} = await quadstead(t, {words: ['completion', 'bash']})
  const script = join(await temporaryFolder(t), 'quadstead.bash')
  await writeFile(script, output)

  t.deepEqual(await proposals(script, 'gr'), ['graphs', 'grants'])
  t.deepEqual(await proposals(script, 'keys', ''), ['add', 'list', 'remove'])
  t.deepEqual(await proposals(script, 'put', '--i'), ['--if-match'])
  t.deepEqual(await proposals(script, 'query', '--format', 't'), ['table', 'tsv', 'turtle', 'trig', 'trix'])
  t.deepEqual(await proposals(script, 'help', 'comp'), ['completion'])
  t.deepEqual(await proposals(script, 'import', ''), []) // bash itself proposes files
  const {stdout} = await run('bash', ['--norc', '-c', `source "${script}"; complete -p quadstead`])
  t.is(stdout, 'complete -o default -F _quadstead quadstead\n')
})

test('the scripts of other shells have every command; an unknown shell is refused', async t => {
  for (const shell of ['zsh', 'fish']) {
    const {code, output} = await quadstead(t, {words: ['completion', shell]})
    t.is(code, 0)
    for (const word of ['text-index', 'query', 'completion', '--if-match', 'nquads', 'prune'])
      t.true(
        output.includes(word) || (shell === 'fish' && output.includes(`-l ${word.slice(2)} `)),
        `${shell}: ${word}`,
      )
  }
  const {code, complaints} = await quadstead(t, {words: ['completion', 'bahs']})
  t.deepEqual([code, complaints], [2, 'quadstead: SHELL must be bash, zsh or fish, got "bahs". Did you mean "bash"?\n'])
})
