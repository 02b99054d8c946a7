/** Text for terminals and tables of results, without a terminal. */
import {Readable} from 'node:stream'
import test from 'ava'
import {tableOf} from '../../../src/command/results-table.ts'
import {columnsOf, type Paint, paintFor, paintTurtle, withoutControls} from '../../../src/command/terminal.ts'

const mark: Paint = (colour, text) => `${colour}(${text})`
const plain: Paint = (_, text) => text

async function table(tsv: string, width = Number.POSITIVE_INFINITY, paint = plain): Promise<readonly string[]> {
  const lines: string[] = []
  for await (const line of tableOf(Readable.from(tsv.split('\n').slice(0, -1)), {width, paint})) lines.push(line)
  return lines
}

test('Turtle has a colour for each kind of token', t => {
  t.is(paintTurtle('@prefix c: <http://e/#> .', mark), 'keyword(@prefix) iri(c:) iri(<http://e/#>) .')
  t.is(
    paintTurtle('<http://e/#a> a c:B , _:b ; c:p "x # y"@en, 1.5, "1"^^xsd:int .', mark),
    'iri(<http://e/#a>) keyword(a) iri(c:B) , iri(_:b) ; iri(c:p) literal("x # y")faint(@en), number(1.5), literal("1")faint(^^)iri(xsd:int) .',
  )
})

test('control characters are escaped as in Turtle; tabs stay', t => {
  t.is(withoutControls('a\u001b[2J\tb\u009bc\u007f\r'), 'a\\u001B[2J\tb\\u009Bc\\u007F\\u000D')
})

test('wide characters take two columns, combining marks none', t => {
  t.deepEqual(['abc', 'é', 'e\u0301', '東京', '한글', '👍'].map(columnsOf), [3, 1, 1, 4, 4, 2])
})

test('colours are for terminals without NO_COLOR', t => {
  const stream = (isTTY: boolean) => ({isTTY}) as NodeJS.WriteStream
  const outcome = (isTTY: boolean, environment: Readonly<Record<string, string>>) =>
    paintFor(stream(isTTY), environment)('iri', 'x')

  t.is(outcome(true, {}), '\u001b[36mx\u001b[0m')
  t.is(outcome(true, {NO_COLOR: ''}), '\u001b[36mx\u001b[0m')
  for (const [isTTY, environment] of [
    [false, {}],
    [true, {NO_COLOR: '1'}],
    [true, {TERM: 'dumb'}],
  ] as const)
    t.is(outcome(isTTY, environment), 'x')
})

test('columns are as wide as their values; numbers stand on the right', async t => {
  t.deepEqual(await table('?city\t?n\n"東京"\t5\n\t-12.5\n'), [
    'city        n',
    '──────  ─────',
    '"東京"      5',
    '        -12.5',
    '(2 rows)',
  ])
  t.deepEqual(await table('?s\n'), ['s', '─', '(0 rows)'])
  t.deepEqual(await table('true\n'), ['true'])
  t.deepEqual(await table('?s\n_:b\n', 80, mark), ['strong(s)', 'faint(───)', 'iri(_:b)', 'faint((1 row))'])
})

test('in a narrow terminal the widest columns are cut', async t => {
  const [head, , row] = await table(`?a\t?b\t?c\n${'x'.repeat(30)}\tshort\t${'東'.repeat(30)}\n`, 29)

  t.is(row, 'xxxxxxxxx…  short  東東東東…')
  t.is(head, 'a           b      c')
})

test('rows after the first 500 keep the columns', async t => {
  const rows = Array.from({length: 1200}, (_, index) => (index === 1100 ? 'much-longer' : 'abc'))
  const tsv = `?x\t?y\n${rows.map(row => `${row}\t1\n`).join('')}`
  const lines = await table(tsv, 80)

  t.is(lines.length, 1203)
  t.is(lines[502], 'abc  1')
  t.is(lines[1102], 'mu…  1')
  t.is(lines.at(-1), '(1,200 rows)')
  t.is((await table(tsv))[1102], 'much-longer  1') // no terminal: nothing is cut
})
