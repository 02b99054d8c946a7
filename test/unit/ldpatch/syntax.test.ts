/** Parses LD Patch: operations, and the places of errors. */
import test from 'ava'
import type {PatchOperation} from '../../../src/ldpatch/patch.ts'
import {parsePatch} from '../../../src/ldpatch/syntax.ts'
import {blankNode, langLiteral, literal, namedNode, type Triple} from '../../../src/rdf/term.ts'
import {rdf, xsd} from '../../../src/rdf/vocabulary.ts'
import {base, linesOf, prefixes, refusalOf} from '../../support/patching.ts'

const e = (name: string) => namedNode(`http://e/${name}`)
const x = {termType: 'Variable', value: 'x'} as const

/** The only operation of a patch, without its offset. */
function operationOf(text: string): Omit<PatchOperation, 'offset'> | undefined {
  const {offset: _, ...operation} = parsePatch(prefixes + text, {base}).operations.at(-1) ?? {offset: 0}
  return operation as Omit<PatchOperation, 'offset'>
}

function triplesOf(block: string): readonly string[] {
  const operation = parsePatch(`${prefixes}Add {${block}} .`, {base}).operations[0]
  return operation?.type === 'add' ? linesOf(operation.triples as readonly Triple[]) : []
}

const keywords = [
  ['Add', 'A', 'add'],
  ['AddNew', 'AN', 'addNew'],
  ['Delete', 'D', 'delete'],
  ['DeleteExisting', 'DE', 'deleteExisting'],
] as const

for (const [long, short, type] of keywords) {
  test(`${long} and ${short} have triples`, t => {
    const expected = {type, triples: [{subject: e('s'), predicate: e('p'), object: e('o')}]}

    t.deepEqual(operationOf(`${long} { :s :p :o } .`), expected)
    t.deepEqual(operationOf(`${short}{:s :p :o.}.`), expected)
  })
}

test('Bind has a value and a path of steps, indexes, filters and uniqueness', t => {
  const text = 'Bind ?x :s / :p / ^<q> / 2 / -1 ! [ / :r ] [ / :r [ ] = "v"@en-GB ] [ = ?y ] .'

  t.deepEqual(operationOf(`B ?y 1 . ${text}`), {
    type: 'bind',
    variable: 'x',
    value: e('s'),
    path: [
      {type: 'forward', predicate: e('p')},
      {type: 'backward', predicate: e('doc/q')},
      {type: 'item', index: 2},
      {type: 'item', index: -1},
      {type: 'unique'},
      {type: 'filter', path: [{type: 'forward', predicate: e('r')}], value: undefined},
      {
        type: 'filter',
        path: [
          {type: 'forward', predicate: e('r')},
          {type: 'filter', path: [], value: undefined},
        ],
        value: langLiteral('v', 'en-GB'),
      },
      {type: 'filter', path: [], value: {termType: 'Variable', value: 'y'}},
    ],
  })
})

test('Bind accepts literals, variables, labels and no path', t => {
  t.deepEqual(operationOf('Bind ?x 01 .'), {type: 'bind', variable: 'x', value: literal('01', xsd.integer), path: []})
  t.deepEqual(operationOf('Bind ?y :a . Bind ?x ?y.'), {
    type: 'bind',
    variable: 'x',
    value: {termType: 'Variable', value: 'y'},
    path: [],
  })
  t.deepEqual(operationOf('Bind ?é1_ _:qs1 .'), {type: 'bind', variable: 'é1_', value: blankNode('qs1'), path: []})
})

test('Cut accepts a variable or a label', t => {
  t.deepEqual(operationOf('Bind ?x :a . Cut ?x .'), {type: 'cut', node: x})
  t.deepEqual(operationOf('C _:qs1.'), {type: 'cut', node: blankNode('qs1')})
})

const slices: readonly (readonly [string, number | 'end', number | 'end'])[] = [
  ['1..3', 1, 3],
  ['0..0', 0, 0],
  ['2..', 2, 'end'],
  ['..', 'end', 'end'],
  ['..3', 0, 3],
  ['-3..', -3, 'end'],
  ['-3..-1', -3, -1],
  ['3..-1', 3, -1],
  ['-1..3', -1, 3],
  ['1 .. 2', 1, 2],
]
for (const [slice, from, to] of slices) {
  test(`UpdateList accepts the slice ${slice}`, t => {
    t.deepEqual(operationOf(`UpdateList :s :p ${slice} () .`), {
      type: 'updateList',
      subject: e('s'),
      predicate: e('p'),
      slice: {from, to},
      items: [],
      triples: [],
    })
  })
}

test('UpdateList accepts items of every kind, and variables and labels as subjects', t => {
  t.deepEqual(operationOf('Bind ?x :s . UL ?x :p 0..1 ( "a" ?x _:b (:c) [ :q 1 ] ).'), {
    type: 'updateList',
    subject: x,
    predicate: e('p'),
    slice: {from: 0, to: 1},
    items: [
      {cell: blankNode('!1'), value: literal('a')},
      {cell: blankNode('!2'), value: x},
      {cell: blankNode('!3'), value: blankNode('b')},
      {cell: blankNode('!4'), value: blankNode('!5')},
      {cell: blankNode('!6'), value: blankNode('!7')},
    ],
    triples: [
      {subject: blankNode('!5'), predicate: namedNode(rdf.first), object: e('c')},
      {subject: blankNode('!5'), predicate: namedNode(rdf.rest), object: namedNode(rdf.nil)},
      {subject: blankNode('!7'), predicate: e('q'), object: literal('1', xsd.integer)},
    ],
  })
  t.like(operationOf('UL _:qs1 :p .. () .'), {subject: blankNode('qs1')})
})

const blocks: readonly (readonly [string, readonly string[]])[] = [
  [':s a :c', [':s rdf:type :c']],
  [':s :p :o ; :q "x" , "y" ;; :r true ; .', [':s :p :o', ':s :q "x"', ':s :q "y"', ':s :r "true"^^boolean']],
  [
    ':s :p 1, -1.5, .5, 1e3, 1.E-3 .',
    [
      ':s :p "-1.5"^^decimal',
      ':s :p ".5"^^decimal',
      ':s :p "1"^^integer',
      ':s :p "1.E-3"^^double',
      ':s :p "1e3"^^double',
    ],
  ],
  [
    ':s :p "4"^^xsd:integer, "4"^^<http://e/t>, "cat"@en, "Cat"@en-GB',
    [':s :p "4"^^http://e/t', ':s :p "4"^^integer', ':s :p "Cat"@en-GB', ':s :p "cat"@en'],
  ],
  [
    `:s :p "a\\"}.", '}.', """x"y""", '''y''z''', ''`,
    [':s :p ""', ':s :p "a\\"}."', ':s :p "x\\"y"', ':s :p "y\'\'z"', ':s :p "}."'],
  ],
  [':s :p "\\t\\u00e9\\U0001F600"', [':s :p "\\té😀"']],
  [':s :p ()', [':s :p rdf:nil']],
  [
    ':s :p ( 1 :b )',
    [':s :p _:!1', '_:!1 rdf:first "1"^^integer', '_:!1 rdf:rest _:!2', '_:!2 rdf:first :b', '_:!2 rdf:rest rdf:nil'],
  ],
  ['() :p :o', ['rdf:nil :p :o']],
  ['[ :p :o ]', ['_:!1 :p :o']],
  ['[ :p :o ] :q [] . [] :r _:a', ['_:!1 :p :o', '_:!1 :q _:!2', '_:!3 :r _:a']],
  ['<> <#p> <../x?y> . <http://e/a/../b> :p <\\u0061>', [':a/../b :p :doc/a', ':doc/ :doc/#p :x?y']],
  [':a.b :c-d :%20x\\,y , :', [':a.b :c-d :', ':a.b :c-d :%20x,y']],
  ['# {\n:s # .\n :p :o # }\n', [':s :p :o']],
  ['_:a.b :p _:0 .', ['_:a.b :p _:0']],
]
for (const [block, expected] of blocks) {
  test(`triples: ${block}`, t => {
    t.deepEqual(triplesOf(block), expected)
  })
}

test('clients write a prefix without a space, statements on one line', t => {
  const text =
    '@prefix ex:<http://e/>. @prefix xsd:<http://www.w3.org/2001/XMLSchema#>. UpdateList <http://e/s> ex:p 0.. (). ' +
    'Add { <http://e/s> a ex:T; ex:q "4"^^xsd:integer, _:new. _:new ex:r "x". }. ' +
    'Delete { <http://e/s> ex:p (); ex:q "cat"@en. }.'

  t.deepEqual(
    parsePatch(text, {base}).operations.map(({type}) => type),
    ['updateList', 'add', 'delete'],
  )
})

test('a later @prefix wins, @base changes relative IRIs, and labels are collected', t => {
  const patch = parsePatch('@prefix : <http://x/> . @prefix : <http://e/> . @base <http://e/f/> . A { :a <b> _:c } .', {
    base,
  })

  t.like(patch.operations[0], {triples: [{subject: e('a'), predicate: e('f/b'), object: blankNode('c')}]})
  t.deepEqual(patch.labels, new Set(['c']))
})

test('an empty text, blanks and comments are patches', t => {
  t.deepEqual(parsePatch('', {base}).operations, [])
  t.deepEqual(parsePatch(' \r\n\t# nothing', {base}).operations, [])
})

const refused: readonly (readonly [text: string, status: number, rule: string, line: number, column: number])[] = [
  ['Add { :s :p :o }', 400, 'patch-syntax', 1, 17],
  ['Add { } .', 400, 'patch-syntax', 1, 7],
  ['Add { . } .', 400, 'patch-syntax', 1, 7],
  ['Add { :s :p :o . . } .', 400, 'patch-syntax', 1, 18],
  ['Add { :s :p } .', 400, 'patch-syntax', 1, 13],
  ['Add { :s } .', 400, 'patch-syntax', 1, 10],
  ['Add { [] } .', 400, 'patch-syntax', 1, 10],
  ['Add {\n :s "p" :o } .', 400, 'patch-syntax', 2, 5],
  ['Add {\r\n\r\n"s" :p :o } .', 400, 'patch-syntax', 3, 1],
  ['Add { :s _:p :o } .', 400, 'patch-syntax', 1, 10],
  ['Add { :s [] :o } .', 400, 'patch-syntax', 1, 10],
  ['Add { :s a a } .', 400, 'patch-syntax', 1, 12],
  ['Add { :s :p ( :o } .', 400, 'patch-syntax', 1, 18],
  ['Add { :s :p [ :q :o } .', 400, 'patch-syntax', 1, 21],
  ['Add { :s :p "a\n" } .', 400, 'patch-syntax', 1, 15],
  ['Add { :s :p """a" } .', 400, 'patch-syntax', 1, 13],
  ['Add { :s :p "a\\x" } .', 400, 'patch-syntax', 1, 15],
  ['Add { :s :p "\\uD800" } .', 400, 'patch-syntax', 1, 14],
  ['Add { :s :p "\\U00110000" } .', 400, 'patch-syntax', 1, 14],
  ['Add { :s :p "a"@1 } .', 400, 'patch-syntax', 1, 17],
  ['Add { :s :p "a"@en- } .', 400, 'patch-syntax', 1, 17],
  ['Add { :s :p "a"^^"b" } .', 400, 'patch-syntax', 1, 18],
  ['Add { :s :p "a"^^rdf:langString } .', 400, 'language-tag', 1, 13],
  ['Add { :s :p 1a } .', 400, 'patch-syntax', 1, 14],
  ['Add { :s :p :o%2 } .', 400, 'patch-syntax', 1, 15],
  ['Add { :s :p <a b> } .', 400, 'patch-syntax', 1, 15],
  ['Add { :s :p <a', 400, 'patch-syntax', 1, 13],
  ['Add { :s :p <\\x> } .', 400, 'patch-syntax', 1, 14],
  ['Add { :s :p _: } .', 400, 'patch-syntax', 1, 15],
  ['Add { :s :p ? } .', 400, 'patch-syntax', 1, 14],
  ['Add :s :p :o .', 400, 'patch-syntax', 1, 5],
  ['add { :s :p :o } .', 400, 'patch-syntax', 1, 1],
  ['constructor { :s :p :o } .', 400, 'patch-syntax', 1, 1],
  ['Bind :x .', 400, 'patch-syntax', 1, 6],
  ['Bind ?x .', 400, 'patch-syntax', 1, 9],
  ['Bind ?x :s / .', 400, 'patch-syntax', 1, 14],
  ['Bind ?x :s :p .', 400, 'patch-syntax', 1, 12],
  ['Bind ?x :s [ / :p .', 400, 'patch-syntax', 1, 19],
  ['Bind ?x :s / a .', 400, 'patch-syntax', 1, 14],
  ['Cut :s .', 400, 'patch-syntax', 1, 5],
  ['UpdateList "s" :p 0..1 () .', 400, 'patch-syntax', 1, 12],
  ['UpdateList :s :p () .', 400, 'patch-syntax', 1, 18],
  ['UpdateList :s :p 1 () .', 400, 'patch-syntax', 1, 20],
  ['UpdateList :s :p 1..2 .', 400, 'patch-syntax', 1, 23],
  ['UpdateList :s :p 1..2 "x" .', 400, 'patch-syntax', 1, 23],
  ['UpdateList :s :p 1..2 () ', 400, 'patch-syntax', 1, 26],
  ['Add { :s :p :o } . @prefix q: <http://q/> .', 400, 'patch-syntax', 1, 20],
  ['UpdateList :s :p 2..1 () .', 400, 'patch-slice-order', 1, 18],
  ['UpdateList :s :p -1..-2 () .', 400, 'patch-slice-order', 1, 18],
  ['\nAdd { q:s :p :o } .', 400, 'patch-prefix-declared', 2, 7],
  ['Add { ?s :p :o } .', 400, 'patch-variable-bound', 1, 7],
  ['Bind ?x ?x / :p .', 400, 'patch-variable-bound', 1, 9],
  ['Cut ?x .', 400, 'patch-variable-bound', 1, 5],
  ['Add { :s :p <\\u0020> } .', 422, 'iri-valid', 1, 13],
  ['Add { :s :p <http://[a> } .', 422, 'iri-valid', 1, 13],
  [`Add { :s :p ${'('.repeat(101)}`, 400, 'patch-depth', 1, 114],
  [`Bind ?x :s ${'['.repeat(101)}`, 400, 'patch-depth', 1, 113],
]
for (const [text, ...expected] of refused) {
  test(`${expected[1]}: ${text.slice(0, 60)}`, async t => {
    t.deepEqual(await refusalOf('', text), expected)
  })
}

test('the message has the expected and the found token', t => {
  const error = t.throws(() => parsePatch('Add { <s> <p> } .', {base}))

  t.is(error?.message, 'Expected an object, found "}"')
})
