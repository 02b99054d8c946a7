/** Style that the linter does not check: headers, widths, and forbidden content of files. */
import {readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import test from 'ava'
import {projectDirectory as root} from '../support/program.ts'
import {readSources, type Source, withoutComments} from './sources.ts'

/** A TODO, FIXME or XXX at the start of a comment, or before a colon or bracket, without the number of an issue. */
const openMark = /(?:(?:\/\/|--|\*) *|\b(?=\w+[:(]))(?:TODO|FIXME|XXX)\b(?!.*#\d)/

const widthLimit = 120 // characters
const longText = /(['`])(?:(?!\1)[^\n\\]|\\.){40,}\1/g // a literal on one line, such as a title

/** Files that may write to the console. */
const talkative = ['src/cli.ts', 'src/serve.ts']

const code = ['src', 'test', 'bench'].flatMap(folder => readSources(folder, '.ts'))
const sql = readSources('sql', '.sql')
const prose = readSources('docs', '.md')

/** `path:line` of each line that the pattern finds. */
function places(files: readonly Source[], pattern: RegExp): readonly string[] {
  return files.flatMap(({path, lines}) =>
    lines.flatMap((line, index) => (pattern.test(line) ? [`${path}:${index + 1}`] : [])),
  )
}

function uncommented(file: Source): Source {
  return {...file, lines: withoutComments(file.text).split('\n')}
}

test('every file begins with a comment', t => {
  const headless = [
    ...code.filter(({text}) => !/^(?:#!.*\n)?\/\*\*[\s\S]*?\S[\s\S]*?\*\//.test(text)),
    ...sql.filter(({text}) => !/^--/.test(text)),
  ]

  t.deepEqual(
    headless.map(({path}) => path),
    [],
  )
})

test('no line is wider than 120 characters, except for long texts in tests', t => {
  const tests = code.filter(({path}) => path.startsWith('test/'))
  const shortened = tests.map(({path, text, lines}) => {
    return {path, text, lines: lines.map(line => line.replace(longText, '$1…$1'))}
  })
  const others = code.filter(({path}) => !path.startsWith('test/'))

  t.deepEqual(places([...others, ...shortened, ...sql], new RegExp(`^.{${widthLimit + 1}}`, 'u')), [])
})

test('the top folder contains only known files and no binaries', t => {
  const ignored = new Set(
    readFileSync(join(root, '.gitignore'), 'utf8')
      .split('\n')
      .map(line => line.replace('/', '')),
  )
  const isKnown = (name: string) => name.startsWith('.') || ignored.has(name) || name.endsWith('.log')
  const files = readdirSync(root).filter(name => !isKnown(name))

  t.deepEqual(files.filter(name => !/^[\w.-]+\.(?:json|md|js|yml)$|^(?:Dockerfile|LICENSE)$/.test(name)).sort(), [
    'assets',
    'bench',
    'deploy',
    'docs',
    'examples',
    'patches',
    'sql',
    'src',
    'test',
  ])
})

test('nothing is exported by default', t => {
  t.deepEqual(places(code.map(uncommented), /^export default\b|\bas default\b/), [])
})

test('a name that src exports means one thing', t => {
  const declaration = /^export (?:async )?(?:type|interface|function\*?|const|class) (\w+)/gm
  const paths = new Map<string, readonly string[]>()
  for (const {path, text} of code.filter(({path}) => path.startsWith('src/')))
    for (const name of new Set(Array.from(text.matchAll(declaration), ([, exported = '']) => exported)))
      paths.set(name, [...(paths.get(name) ?? []), path])

  t.deepEqual(
    [...paths].filter(([, where]) => where.length > 1),
    [],
  )
})

test('README.md has two screens: at most 160 lines', t => {
  t.true(readFileSync(join(root, 'README.md'), 'utf8').split('\n').length <= 161)
})

test('a TODO names an issue', t => {
  t.deepEqual(places([...code, ...sql], openMark).filter(isElsewhere), [])
})

test('only the commands write to the console', t => {
  const silent = code.filter(({path}) => path.startsWith('src/') && !talkative.includes(path))

  t.deepEqual(places(silent.map(uncommented), /\bconsole\./), [])
})

test('only one file contains the numbers of the layout of ids', t => {
  const others = code.filter(({path}) => path.startsWith('src/') && path !== 'src/rdf/id-layout.ts')

  t.deepEqual(places(others.map(uncommented), /\b\d{16,}\b|\*\* ?(?:5[3-9]|6[0-3])n/), [])
})

test('no file contains a path of a machine', t => {
  t.deepEqual(places([...code, ...sql, ...prose], /(?<![\w.:/-])\/(?:work|home|Users)\/\w/).filter(isElsewhere), [])
})

/** This file contains the patterns itself. */
function isElsewhere(place: string): boolean {
  return !place.startsWith('test/house/style.test.ts:')
}
