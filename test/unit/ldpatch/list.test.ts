/** UpdateList: every slice, removed nodes, and the sequences that clients write. */
import test from 'ava'
import {changesOf, patched, refusalOf} from '../../support/patching.ts'

/** The items of the list at `:s :p`, followed in the lines of a graph. */
function itemsIn(lines: readonly string[]): readonly string[] {
  const objectOf = (start: string) => lines.find(line => line.startsWith(`${start} `))?.slice(start.length + 1)
  const items: string[] = []
  for (let cell = objectOf(':s :p'); cell !== undefined && cell !== 'rdf:nil'; cell = objectOf(`${cell} rdf:rest`))
    items.push(objectOf(`${cell} rdf:first`) ?? '')
  return items.map(item => item.replaceAll('"', ''))
}

const slices: readonly (readonly [slice: string, items: string])[] = [
  ['1..2 ( "x" )', 'a x c d'],
  ['1..3 ( "x" )', 'a x d'],
  ['1..3 ()', 'a d'],
  ['0..0 ( "x" "y" )', 'x y a b c d'],
  ['2..2 ( "x" )', 'a b x c d'],
  ['4..4 ( "x" )', 'a b c d x'],
  ['.. ( "x" "y" )', 'a b c d x y'],
  ['.. ()', 'a b c d'],
  ['2.. ( "x" )', 'a b x'],
  ['4.. ( "x" )', 'a b c d x'],
  ['0.. ()', ''],
  ['..2 ( "x" )', 'x c d'],
  ['-1.. ( "x" )', 'a b c x'],
  ['-4.. ( "x" )', 'x'],
  ['-3..-1 ()', 'a d'],
  ['-3..3 ( "x" )', 'a x d'],
  ['1..-1 ()', 'a d'],
  ['0..1 ( "a" )', 'a b c d'],
]
for (const [update, items] of slices) {
  test(`UpdateList ${update} changes a b c d to ${items}`, async t => {
    const lines = await patched(':s :p ( "a" "b" "c" "d" ) .', `UpdateList :s :p ${update} .`)

    t.is(itemsIn(lines).join(' '), items)
    t.is(lines.length, 1 + 2 * itemsIn(lines).length, 'nothing else is left')
  })
}

test('a list that becomes empty is rdf:nil, and rdf:nil becomes a list', async t => {
  t.deepEqual(await patched(':s :p ( 1 ) .', 'UpdateList :s :p 0.. () .'), [':s :p rdf:nil'])
  t.deepEqual(await changesOf(':s :p () .', 'UpdateList :s :p .. ( "x" ) .'), {
    removed: [':s :p rdf:nil'],
    added: [':s :p _:!1', '_:!1 rdf:first "x"', '_:!1 rdf:rest rdf:nil'],
  })
})

test('only differences are written', async t => {
  const cells = '_:c1 rdf:first 1 ; rdf:rest _:c2 . _:c2 rdf:first 2 ; rdf:rest _:c3 . _:c3 rdf:first 3 ; rdf:rest () .'
  const graph = `:s :p _:c1 . ${cells}`

  t.deepEqual(await changesOf(graph, 'UpdateList :s :p 1..2 ( "x" ) .'), {
    removed: ['_:c1 rdf:rest _:c2', '_:c2 rdf:first "2"^^integer', '_:c2 rdf:rest _:c3'],
    added: ['_:!1 rdf:first "x"', '_:!1 rdf:rest _:c3', '_:c1 rdf:rest _:!1'],
  })
  t.deepEqual(await changesOf(graph, 'UpdateList :s :p 1..1 () .'), {removed: [], added: []})
})

test('each update sees the result of the one before', async t => {
  const updates = 'UL :s :p 1..2 () . UL :s :p 0..0 ( "zero" ) . UL :s :p 2..2 ( "x" "y" ) .'

  t.is(itemsIn(await patched(':s :p ( "a" "b" "c" ) .', updates)).join(' '), 'zero a x y c')
})

test('items may be nodes with triples, lists and variables', async t => {
  const lines = await patched(':s :p () ; :q :t .', 'Bind ?x :s / :q . UL :s :p .. ( [ :r 1 ] ( 2 ) ?x _:new ) .')

  t.is(itemsIn(lines).join(' '), '_:!2 _:!4 :t _:new')
  t.true(lines.includes('_:!2 :r 1'.replace('1', '"1"^^integer')))
  t.true(lines.includes('_:!4 rdf:first "2"^^integer'))
})

test('the subject may be a variable or a label', async t => {
  t.is((await patched('_:qs1 :p ( 1 ) . :s :q _:qs1 .', 'Bind ?x :s / :q . UL ?x :p 0.. () .')).length, 2)
  t.deepEqual(await patched('_:qs1 :p ( 1 ) .', 'UpdateList _:qs1 :p 0.. () .'), ['_:qs1 :p rdf:nil'])
})

test('cells may be IRIs: they lose rdf:first and rdf:rest', async t => {
  const graph = ':s :p :c1 . :c1 rdf:first 1 ; rdf:rest () ; :note "mine" .'

  t.deepEqual(await patched(graph, 'UL :s :p 0.. () .'), [':c1 :note "mine"', ':s :p rdf:nil'])
})

test('a removed blank node is cut', async t => {
  t.deepEqual(await patched(':s :p ( _:a :b ) . _:a :q _:c . _:c :q 1 . :b :q 2 .', 'UL :s :p 0.. () .'), [
    ':b :q "2"^^integer',
    ':s :p rdf:nil',
  ])
})

test('a removed blank node stays if another triple refers to it', async t => {
  const graph = ':s :p ( _:a _:a ) . _:a :q 1 . '

  t.is((await patched(graph, 'UL :s :p 0..1 () .')).length, 4)
  t.deepEqual(await patched(`${graph} :t :q _:a .`, 'UL :s :p 0.. () .'), [
    ':s :p rdf:nil',
    ':t :q _:a',
    '_:a :q "1"^^integer',
  ])
  t.deepEqual(await patched(graph, 'UL :s :p 0.. () .'), [':s :p rdf:nil'])
})

test('a removed blank node stays if the patch names it, which is how clients move items', async t => {
  const lines = await patched(':s :p ( _:qs1 "b" ) . _:qs1 :q 1 .', 'UL :s :p 0..1 () . UL :s :p 1..1 ( _:qs1 ) .')

  t.is(itemsIn(lines).join(' '), 'b _:qs1')
  t.true(lines.includes('_:qs1 :q "1"^^integer'))
})

test('removed cells stay if another list contains them', async t => {
  const graph = ':s :p _:c1 . :t :p _:c1 . _:c1 rdf:first 1 ; rdf:rest _:c2 . _:c2 rdf:first 2 ; rdf:rest () .'

  t.deepEqual(await changesOf(graph, 'UL :s :p 0.. ( "x" ) .'), {
    removed: [':s :p _:c1'],
    added: [':s :p _:!1', '_:!1 rdf:first "x"', '_:!1 rdf:rest rdf:nil'],
  })
})

test('clients empty a list and delete the rest of it', async t => {
  const patch = 'UpdateList :s :p 0.. (). Add { :s :q ( "p" "q" ). }. Delete { :s :p (); :r "x". }.'

  t.deepEqual(await patched(':s :p ( "a" "b" ) ; :r "x" .', patch), [
    ':s :q _:!1',
    '_:!1 rdf:first "p"',
    '_:!1 rdf:rest _:!2',
    '_:!2 rdf:first "q"',
    '_:!2 rdf:rest rdf:nil',
  ])
})

const refusals: readonly (readonly [title: string, graph: string, update: string, rule: string, status?: number])[] = [
  ['no list', '', ':s :p .. ()', 'list-shape'],
  ['two objects', ':s :p (), ( 1 ) .', ':s :p .. ()', 'list-shape'],
  ['a literal', ':s :p "a" .', ':s :p .. ()', 'list-shape'],
  ['a node that is no list', ':s :p :o .', ':s :p .. ()', 'list-shape'],
  ['two items in one cell', ':s :p _:a . _:a rdf:first 1, 2 ; rdf:rest () .', ':s :p .. ()', 'list-shape'],
  ['two rests', ':s :p _:a . _:a rdf:first 1 ; rdf:rest (), ( 2 ) .', ':s :p .. ()', 'list-shape'],
  ['no rest', ':s :p _:a . _:a rdf:first 1 .', ':s :p 0..1 ()', 'list-shape'],
  ['no first', ':s :p _:a . _:a rdf:rest () .', ':s :p 0..1 ()', 'list-shape'],
  ['a circle', ':s :p _:a . _:a rdf:first 1 ; rdf:rest _:a .', ':s :p 0..1 ()', 'list-shape'],
  ['an end behind the list', ':s :p ( 1 2 ) .', ':s :p 0..3 ()', 'list-slice'],
  ['a start behind the list', ':s :p ( 1 2 ) .', ':s :p 3.. ()', 'list-slice'],
  ['a start before the list', ':s :p ( 1 2 ) .', ':s :p -3.. ()', 'list-slice'],
  ['a slice that turns out reversed', ':s :p ( 1 2 ) .', ':s :p 2..-1 ()', 'list-slice'],
  ['an enormous index', ':s :p ( 1 2 ) .', ':s :p 0..99999999999999999999 ()', 'list-slice'],
  ['a label that the graph does not hold', ':s :p ( 1 2 ) .', '_:b :p .. ()', 'patch-label', 400],
]
for (const [title, graph, update, rule, status = 422] of refusals) {
  test(`refused: ${title}`, async t => {
    t.deepEqual(await refusalOf(graph, `UpdateList ${update} .`), [status, rule, 1, 1])
  })
}
