/**
 * Sizes: a file of src has at most 25 functions and 32 exports. A function has at most 60 lines, a SQL function 90.
 *
 * The lines of a file are not limited: a limit makes people cut a file where it has no joint.
 *
 * The code is formatted. A function therefore begins at the line of its head and ends at the next line that closes a
 * brace at the same indentation. Arrow functions without braces are part of the surrounding code.
 */
import test from 'ava'
import {readSource, readSources, type Source} from './sources.ts'

const functionsLimit = 25 // of a file, at its top level
const exportsLimit = 32
const functionLimit = 60 // lines
const sqlFunctionLimit = 90

/** Exceptions with their reasons: `path: head of the function`. */
const exceptions: Readonly<Record<string, string>> = {}

type Size = {readonly name: string; readonly lines: number}

const topFunction = /^(?:export )?(?:async )?function\b/
const exported = /^export (?!\*|\{)/

const head =
  /(?:\bfunction\b.*|=>) \(?\{$|^\s+(?!(?:if|for|while|switch|catch|with|else|do|return)\b)[\w#* ]*[\w#]+\(.*\).* \{$/
const lastLineOfHead = /^\s*\)(?::.*)?(?: =>)? \(?\{$/

function functionSizes({path, lines}: Source): readonly Size[] {
  return lines.flatMap((line, index) => {
    const first = lastLineOfHead.test(line) ? openingLine(lines, index) : head.test(line) ? index : undefined
    if (first === undefined) return []
    const closing = `${indentation(line)}}`
    const last = lines.findIndex((other, position) => position > index && other.startsWith(closing))
    return [{name: `${path}: ${(lines[first] ?? '').trim()}`, lines: last - first + 1}]
  })
}

/** The line where a head that ends on this one begins: the last line before it with the same indentation. */
function openingLine(lines: readonly string[], index: number): number {
  const indent = indentation(lines[index] ?? '')
  return lines.findLastIndex((line, position) => position < index && line !== '' && indentation(line) === indent)
}

function indentation(line: string): string {
  return /^\s*/.exec(line)?.[0] ?? ''
}

/**
 * A SQL function ends with its body: at the closing dollar quote, at the `end;` of an atomic body, or at the first
 * semicolon after `return`.
 */
function sqlFunctionSizes({path, text}: Source): readonly Size[] {
  return text.split(/^(?=create )/im).flatMap(statement => {
    const name = /^create (?:or replace )?(?:function|procedure) ([^\s(]+)/i.exec(statement)?.[1]
    return name === undefined ? [] : [{name: `${path}: ${name}`, lines: sqlBody(statement).split('\n').length}]
  })
}

function sqlBody(statement: string): string {
  const toFirstSemicolon = /^[^;]*;/.exec(statement)?.[0] ?? statement
  if (/\$\w*\$/.test(toFirstSemicolon)) return /^.*?(\$\w*\$).*?\1/s.exec(statement)?.[0] ?? statement
  if (/^begin atomic\b/im.test(toFirstSemicolon)) return /^.*?^end;/ims.exec(statement)?.[0] ?? statement
  return toFirstSemicolon
}

/** The functions above their limit, without exceptions. */
function violations(sizes: readonly Size[], limit: number): readonly string[] {
  return sizes
    .filter(({name, lines}) => lines > limit && exceptions[name] === undefined)
    .map(({name, lines}) => `${name} has ${lines} lines`)
}

const files = readSources('src', '.ts')
const functions = files.flatMap(functionSizes)
const sqlFunctions = readSources('sql', '.sql').flatMap(sqlFunctionSizes)

/** The files with more lines of a kind than the limit. */
function crowded(kind: RegExp, limit: number): readonly string[] {
  return files.filter(({lines}) => lines.filter(line => kind.test(line)).length > limit).map(({path}) => path)
}

test('files have few functions', t => {
  t.deepEqual(crowded(topFunction, functionsLimit), [])
})

test('files have few exports', t => {
  t.deepEqual(crowded(exported, exportsLimit), [])
})

test('functions are short', t => {
  t.deepEqual(violations(functions, functionLimit), [])
})

test('SQL functions are short', t => {
  t.deepEqual(violations(sqlFunctions, sqlFunctionLimit), [])
})

test('every exception is needed', t => {
  const long = [
    ...functions.filter(({lines}) => lines > functionLimit),
    ...sqlFunctions.filter(({lines}) => lines > sqlFunctionLimit),
  ].map(({name}) => name)

  t.deepEqual(
    Object.keys(exceptions).filter(name => !long.includes(name)),
    [],
  )
})

test('functions, methods and arrows are found, with heads over several lines', t => {
  const text = [
    'export function one(a: string): void {',
    '  if (a === "") {',
    '    return',
    '  }',
    '}',
    'async function two(',
    '  a: string,',
    '): Promise<void> {',
    '  await a',
    '}',
    'const three = memoize(value => {',
    '  return value',
    '})',
    'class Four {',
    '  get five(): number {',
    '    return 5',
    '  }',
    '  async *six(a: string, b = (1)) {',
    '    for (const c of a) {',
    '    }',
    '  }',
    '}',
  ]

  t.deepEqual(functionSizes({path: 'x', text: '', lines: text}), [
    {name: 'x: export function one(a: string): void {', lines: 5},
    {name: 'x: async function two(', lines: 5},
    {name: 'x: const three = memoize(value => {', lines: 3},
    {name: 'x: get five(): number {', lines: 3},
    {name: 'x: async *six(a: string, b = (1)) {', lines: 4},
  ])
})

test('SQL functions of all kinds are found', t => {
  const text = [
    'create or replace function one(a int) returns int',
    'language plpgsql as $$',
    'begin',
    '  return 1;',
    'end',
    '$$;',
    '',
    'create function two() returns int language sql',
    'return 1;',
    '',
    'comment on function two() is $$a comment$$;',
    '',
    'create function three() returns int language sql',
    'begin atomic',
    '  select 1;',
    'end;',
    'create index on four (five);',
  ].join('\n')

  t.deepEqual(sqlFunctionSizes({path: 'x', text, lines: []}), [
    {name: 'x: one', lines: 6},
    {name: 'x: two', lines: 2},
    {name: 'x: three', lines: 4},
  ])
})

test('the functions of a known file are found', t => {
  const names = functionSizes(readSource('src/http/body.ts')).map(({name}) => name)

  t.true(
    names.includes(
      'src/http/body.ts: export async function readBody(stream: Readable, options: BodyOptions): Promise<Uint8Array> {',
    ),
  )
})
