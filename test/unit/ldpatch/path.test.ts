/** Path expressions and the nodes that they select. */
import test from 'ava'
import {changesOf, refusalOf} from '../../support/patching.ts'

const graph = `
  :s :p :a, :b ; :one :a ; :l ( "x" "y" "z" ) .
  :t :p :b ; :q "v" .
  :a :q "v", "w" .
  :b :q "v"@en .
  _:qs1 :p :s ; :q 1 .
  :broken rdf:first "x" ; rdf:rest :t .
  :two rdf:first "x", "y" ; rdf:rest () .
  :circle rdf:first "x" ; rdf:rest :circle .
`

const paths: readonly (readonly [path: string, node: string])[] = [
  [':s / :one', ':a'],
  [':a / ^:one', ':s'],
  [':s / ^:p', '_:qs1'],
  ['"v"@en / ^:q', ':b'],
  ['"w" / ^:q / ^:one', ':s'],
  [':s / :p / :q [ = "w" ]', '"w"'],
  [':s / :p [ / :q = "w" ]', ':a'],
  [':s / :p [ / :q = "v"@en ]', ':b'],
  [':s / :p [ / ^:one ]', ':a'],
  [':s / :p [ / ^:p [ / :q = "v" ] ]', ':b'],
  [':s / :p [ / :q ! ]', ':b'],
  [':s / :p [ / :q ] [ / ^:one ] !', ':a'],
  [':s ! / :one !', ':a'],
  [':s / :l / 0', '"x"'],
  [':s / :l / 2', '"z"'],
  [':s / :l / -1', '"z"'],
  [':s / :l / -3', '"x"'],
  [':s / :p / ^:one / :one', ':a'],
  ['_:qs1 / :p / :one', ':a'],
  [':broken / 0', '"x"'],
  [':circle / 7', '"x"'],
  [':s []', ':s'],
  [':s [ = :s ]', ':s'],
]
for (const [path, node] of paths) {
  test(`${path} leads to ${node}`, async t => {
    t.deepEqual(await changesOf(graph, `Bind ?x ${path} . Add { :found :is ?x } .`), {
      removed: [],
      added: [`:found :is ${node}`],
    })
  })
}

const nowhere = [
  ':s / :p',
  ':s / :none',
  ':s / :p ! / :q',
  ':none ! / :p',
  '"v" / :p',
  ':s / :l / 3',
  ':s / :l / -4',
  ':two / 0',
  ':two / -1',
  ':broken / -1',
  ':circle / -1',
  ':s / :p [ / :q = "none" ]',
  ':s [ = :t ]',
  ':s / :p [ ! / :q ! ] [ / :none ]',
]
for (const path of nowhere) {
  test(`${path} does not lead to exactly one node`, async t => {
    t.deepEqual(await refusalOf(graph, `Bind ?x ${path} .`), [422, 'path-unique', 1, 1])
  })
}

test('a filter compares with a variable’s node', async t => {
  const patch = 'Bind ?v "w" . Bind ?x :s / :p [ / :q = ?v ] . Add { :found :is ?x } .'

  t.deepEqual((await changesOf(graph, patch)).added, [':found :is :a'])
})

test('a path that visits too many triples is refused', async t => {
  t.deepEqual(await refusalOf(graph, 'Bind ?x :circle / 999999999999 .'), [422, 'patch-effort', 1, 1])
})

test('filters count as work too', async t => {
  const many = `Add { ${Array.from({length: 1000}, (_, index) => `:n${index} :r :hub .`).join(' ')} } .`

  t.deepEqual(await refusalOf(graph, `${many} \nBind ?x :hub / ^:r ${'[]'.repeat(10_000)} .`), [
    422,
    'patch-effort',
    2,
    1,
  ])
})
