/** Closures of property paths: nested ones are merged, and match the same pairs. */
import test from 'ava'
import fc from 'fast-check'
import {blankNode, namedNode, type Term, type Triple, triple} from '../../../src/rdf/term.ts'
import {termKey} from '../../../src/rdf/term-key.ts'
import type {PropertyPath} from '../../../src/sparql/algebra.ts'
import {parseQuery} from '../../../src/sparql/parse/parse.ts'
import {translateQuery} from '../../../src/sparql/translate/translate.ts'
import {evaluatePath} from '../../oracle/path.ts'

function pathOf(text: string): PropertyPath | undefined {
  const {pattern} = translateQuery(parseQuery(`PREFIX : <http://e/> ASK { ?x ${text} ?y }`, 'http://e/'))
  return pattern.type === 'path' ? pattern.path : undefined
}

const laws: readonly (readonly [string, string])[] = [
  ['((:p)*)+', '(:p)*'],
  ['((:p)+)*', '(:p)*'],
  ['((:p)?)+', '(:p)*'],
  ['((:p)+)?', '(:p)*'],
  ['((:p)?)?', '(:p)?'],
  ['((:p)+)+', '(:p)+'],
  ['((:p)*|:q)+', '(:p|:q)*'],
  ['((:p)?|:q)?', '(:p|:q)?'],
  ['(^((:p)+))*', '(^:p)*'],
  ['(^(^:p))+', '(:p)+'],
  ['((((:p)?)*)?)+', '(:p)*'],
]

for (const [nested, single] of laws) {
  test(`${nested} is ${single}`, t => {
    t.deepEqual(pathOf(nested), pathOf(single))
  })
}

test('closures with a sequence inside stay nested', t => {
  t.like(pathOf('((:p)*/:q)+'), {type: 'oneOrMore', path: {type: 'sequence', left: {type: 'zeroOrMore'}}})
})

type Shape =
  | {readonly type: 'link'; readonly name: string}
  | {readonly type: '^' | '*' | '+' | '?'; readonly of: Shape}
  | {readonly type: '|'; readonly of: readonly [Shape, Shape]}

const {shape} = fc.letrec<{shape: Shape}>(tie => ({
  shape: fc.oneof(
    {maxDepth: 4, depthSize: 'small'},
    fc.constantFrom('p', 'q').map(name => ({type: 'link', name}) as const),
    fc.record({type: fc.constantFrom('^', '*', '+', '?'), of: tie('shape')}),
    fc.record({type: fc.constant('|'), of: fc.tuple(tie('shape'), tie('shape'))}),
  ),
}))

function textOf(of: Shape): string {
  switch (of.type) {
    case 'link':
      return `:${of.name}`
    case '|':
      return `(${of.of.map(textOf).join('|')})`
    case '^':
      return `^(${textOf(of.of)})`
    default:
      return `(${textOf(of.of)})${of.type}`
  }
}

/** The path as written, without merging. */
function literally(of: Shape): PropertyPath {
  switch (of.type) {
    case 'link':
      return {type: 'link', iri: `http://e/${of.name}`}
    case '|':
      return {type: 'alternative', paths: of.of.map(literally)}
    case '^':
      return {type: 'inverse', path: literally(of.of)}
    default: {
      const type = ({'*': 'zeroOrMore', '+': 'oneOrMore', '?': 'zeroOrOne'} as const)[of.type]
      return {type, path: literally(of.of)}
    }
  }
}

const node = fc.constantFrom(...['a', 'b', 'c'].map(name => namedNode(`http://e/${name}`)), blankNode('n'))
const edge: fc.Arbitrary<Triple> = fc
  .tuple(node, fc.constantFrom('p', 'q'), node)
  .map(([from, name, to]) => triple(from, namedNode(`http://e/${name}`), to))
const end: fc.Arbitrary<Term | undefined> = fc.constantFrom(
  undefined,
  namedNode('http://e/a'),
  namedNode('http://e/absent'),
)

test('the merged closure matches the same pairs as the nested ones', t => {
  fc.assert(
    fc.property(fc.array(edge, {maxLength: 6}), shape, end, end, (triples, of, start, stop) => {
      const collapsed = pathOf(`(${textOf(of)})+`)
      if (collapsed === undefined) throw new Error('a closure is a path')
      const show = (path: PropertyPath) =>
        evaluatePath(triples, start, path, stop)
          .map(pair => pair.map(termKey).join(' '))
          .sort()
      t.deepEqual(show(collapsed), show({type: 'oneOrMore', path: literally(of)}))
    }),
    {numRuns: 500},
  )
})
