/** Arguments that a function of `language sql` uses several times are computed once. */
import {readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import test from 'ava'
import {usingSeveralTimes, withBoundArguments} from '../../../src/sparql/plan/expression/bind-arguments.ts'
import {call, column, number, type Scalar} from '../../../src/sparql/plan/relation.ts'
import {projectDirectory as root} from '../../support/program.ts'

test('the functions are those of language sql that use an argument several times', t => {
  const folder = join(root, 'sql/functions')
  const files = [...readdirSync(`${folder}/sparql`).map(name => `sparql/${name}`), 'term/inline.sql']
  const source = files.map(name => readFileSync(`${folder}/${name}`, 'utf8'))
  const compiler = sourceIn(join(root, 'src/sparql/plan'))
  const declaration = /^create or replace function (\w+)\s*\(([^)]*)\)\s*returns [^;$]*?\nlanguage sql [\s\S]*?;$/gm
  const functions = Array.from(source.join('\n').matchAll(declaration), ([body, name = '', parameters = '']) => {
    return {body, name, uses: parameters.split(',').map(parameter => `${name}.${parameter.trim().split(' ')[0]}`)}
  })
  const several = new Set<string>()
  const usesOften = ({body, uses}: (typeof functions)[number]) =>
    uses.some(use => body.split(new RegExp(`\\b${use.replace('.', '\\.')}\\b`)).length > 2)
  const passesOn = ({body, uses}: (typeof functions)[number]) =>
    [...several].some(name =>
      uses.some(use => new RegExp(`\\b${name}\\([^()]*${use.replace('.', '\\.')}\\b`).test(body)),
    )
  for (const one of functions) if (usesOften(one)) several.add(one.name)
  for (let size = 0; size < several.size; ) {
    size = several.size
    for (const one of functions) if (passesOn(one)) several.add(one.name)
  }
  const isCalled = (name: string) => new RegExp(`'${name}'`).test(compiler)

  t.deepEqual([...several].filter(isCalled).sort(), [...usingSeveralTimes].sort())
})

function sourceIn(folder: string): string {
  return readdirSync(folder, {recursive: true, encoding: 'utf8'})
    .filter(name => name.endsWith('.ts') && !name.endsWith('bind-arguments.ts'))
    .map(name => readFileSync(`${folder}/${name}`, 'utf8'))
    .join('\n')
}

const id = column('t0', 'c0')

test('an argument that is a call becomes a column of a sub-select', t => {
  const inner = call('sparql_inline_lex', id)
  const made = withBoundArguments(call('sparql_substr', inner, number(1), number(4)))

  const query = made.kind === 'subquery' && made.query.kind === 'select' ? made.query : undefined
  t.deepEqual(query?.columns, [{name: 'c0', scalar: call('sparql_substr', column('b0', 'c0'), number(1), number(4))}])
  t.like(query?.from, {kind: 'query', query: {columns: [{name: 'c0', scalar: inner}], isFenced: true}, alias: 'b0'})
})

for (const [what, unchanged] of Object.entries({
  'a column': call('sparql_substr', id, number(1)),
  'a constant, which PostgreSQL would compute once': call('sparql_substr', call('sparql_uuid'), number(1)),
  'of a function that uses it once': call('sparql_length', call('sparql_inline_lex', id)),
  'of a group': call(
    'sparql_lex',
    call('sparql_typed', {kind: 'aggregate', name: 'min', isDistinct: false, arguments: [id]}),
  ),
} satisfies Record<string, Scalar>)) {
  test(`an argument stays where it is: ${what}`, t => {
    t.is(withBoundArguments(unchanged), unchanged)
  })
}
