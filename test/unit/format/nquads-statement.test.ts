/** The fast parser of canonical lines: everything that it accepts, the strict reader reads the same. */
import test from 'ava'
import fc from 'fast-check'
import {statement, termOf} from '../../../src/format/nquads-statement.ts'
import {formats, serialise} from '../../../src/format/registry.ts'
import {type Graph, type Quad, quad, type Resource, type Term} from '../../../src/rdf/term.ts'
import {datasets} from '../../support/arbitrary-rdf.ts'

const nquads = formats.find(({id}) => id === 'n-quads')
if (nquads?.parse === undefined) throw new Error('no N-Quads')
const {parse} = nquads
const strict = (line: string) => parse(Buffer.from(line), {base: 'http://base/'})

/** The quad of a line, or undefined if the fast parser leaves it to the strict reader. */
function quick(line: string): Quad | undefined {
  statement.lastIndex = 0
  const found = statement.exec(line)
  if (found === null) return undefined
  const [, ...tokens] = found
  const terms: (Term | undefined)[] = tokens.map(token => (token === undefined ? undefined : termOf(token)))
  const [subject, predicate, object, graph] = terms
  if (tokens.some((token, index) => token !== undefined && terms[index] === undefined)) return undefined
  return quad(subject as Resource, predicate as Quad['predicate'], object as Term, graph as Graph | undefined)
}

test('an accepted line has the same quad in the strict reader', async t => {
  let taken = 0
  await fc.assert(
    fc.asyncProperty(datasets({graphs: 'several'}), async quads => {
      for (const line of String(serialise(nquads, quads)).split(/(?<=\n)/)) {
        if (line === '') continue
        const found = quick(line)
        if (found === undefined) continue
        taken++
        t.deepEqual(found, (await strict(line))[0])
      }
    }),
  )
  t.true(taken > 100)
})

test('a mutated line is not accepted unless it is valid', async t => {
  const change = fc.tuple(
    fc.nat(),
    fc.constantFrom('', '"', '<', '>', '\\', ' ', '.', '@', '^', '_', ':', '\\u', '\\uD800', '\u0000', '\t', '\r', '-'),
    fc.nat({max: 2}),
  )
  await fc.assert(
    fc.asyncProperty(datasets({graphs: 'several'}), change, async (quads, [at, text, cut]) => {
      for (const line of String(serialise(nquads, quads)).split(/(?<=\n)/)) {
        const place = at % Math.max(1, line.length - 1)
        const changed = `${line.slice(0, place)}${text}${line.slice(place + cut).replace(/\n*$/, '\n')}`
        // well-formed, as in UTF-8
        const isText = changed.indexOf('\n') === changed.length - 1 && !/\p{Surrogate}/u.test(changed)
        const found = isText ? quick(changed) : undefined
        if (found !== undefined) t.deepEqual(await strict(changed), [found])
      }
    }),
    {numRuns: 500},
  )
})

test('lines with other white space are left to the strict reader', t => {
  const lines = [
    '\n',
    '# comment\n',
    ' <http://a> <http://b> <http://c> .\n',
    '<http://a>\t<http://b> <http://c> .\n',
    '<http://a> <http://b> <http://c> . # comment\n',
    '<a> <http://b> <http://c> .\n',
    '<http://a> <http://b> "\\x" .\n',
    '<http://a> <http://b> "\\uD83D" .\n',
    '<http://a> <http://b> "x"@toolonglanguage .\n',
    '<http://a> <http://b> "x"^^<http://www.w3.org/1999/02/22-rdf-syntax-ns#langString> .\n',
    '<http://a> <http://b> "x"^^<d> .\n',
    '_:a. <http://b> <http://c> .\n',
    '<http://a> <http://b> <http://c>',
  ]

  t.deepEqual(
    lines.filter(line => quick(line) !== undefined),
    [],
  )
})
