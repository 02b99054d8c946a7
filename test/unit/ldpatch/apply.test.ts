/** Applies patches to graphs: removed and added triples, and errors. */
import test from 'ava'
import {applyPatch} from '../../../src/ldpatch/apply.ts'
import {parsePatch} from '../../../src/ldpatch/syntax.ts'
import {base, changesOf, graphOf, linesOf, patched, prefixes, refusalOf} from '../../support/patching.ts'

type Case = readonly [title: string, graph: string, patch: string, removed: readonly string[], added: readonly string[]]

const changes: readonly Case[] = [
  ['Add adds', ':s :p 1 .', 'Add { :s :p 2 } .', [], [':s :p "2"^^integer']],
  ['Add of a present triple does nothing', ':s :p 1 .', 'Add { :s :p 1 } .', [], []],
  ['AddNew adds what is absent', ':s :p 1 .', 'AddNew { :s :p 2 . :s :p 2 } .', [], [':s :p "2"^^integer']],
  ['Delete deletes', ':s :p 1, 2 .', 'Delete { :s :p 1 } .', [':s :p "1"^^integer'], []],
  ['Delete of an absent triple does nothing', ':s :p 1 .', 'Delete { :s :p 2 } .', [], []],
  ['DeleteExisting deletes', ':s :p 1 .', 'DeleteExisting { :s :p 1 . :s :p 1 } .', [':s :p "1"^^integer'], []],
  ['literals match by form', ':s :p 1, "cat"@en .', 'Delete { :s :p 01, 1.0, "1", "cat"@EN, "cat" } .', [], []],
  ['added, then deleted, is nothing', '', 'Add { :s :p 1, 2 } . Delete { :s :p 1 } .', [], [':s :p "2"^^integer']],
  ['deleted, then added, is nothing', ':s :p 1 .', 'Delete { :s :p 1 } . Add { :s :p 1 } .', [], []],
  ['operations see earlier ones', ':s :p :a .', 'Delete { :s :p :a } . AddNew { :s :p :a, :b } .', [], [':s :p :b']],
  [
    'Bind is of its moment',
    ':s :p :a .',
    'Bind ?x :s / :p . Delete { :s :p ?x } . Add { :s :q ?x } .',
    [':s :p :a'],
    [':s :q :a'],
  ],
  ['a variable can be bound again', '', 'Bind ?x :a . Bind ?x :b . Add { :s :p ?x } .', [], [':s :p :b']],
  ['a variable may hold a literal', ':s :p "a"@en .', 'Bind ?x :s / :p . Add { :s :q ?x } .', [], [':s :q "a"@en']],

  [
    'a held label names its node',
    ':s :p _:qs1 .',
    'Add { _:qs1 :q 1 } . Delete { :s :p _:qs1 } .',
    [':s :p _:qs1'],
    ['_:qs1 :q "1"^^integer'],
  ],
  [
    'an unknown label is a new node, one in the patch',
    ':s :p _:qs1 .',
    'Add { :s :p _:a } . Add { _:a :q _:a } .',
    [],
    [':s :p _:a', '_:a :q _:a'],
  ],
  ['an unknown label matches nothing', ':s :p _:qs1 .', 'Delete { :s :p _:qs2 } . Delete { :s :p [] } .', [], []],
  [
    'a node without label is new each time',
    '',
    'Add { :s :p [] } . Add { :s :p [] } .',
    [],
    [':s :p _:!1', ':s :p _:!2'],
  ],
  ['a held label starts a path', '_:qs1 :p :a .', 'Bind ?x _:qs1 / :p . Add { ?x :q 1 } .', [], [':a :q "1"^^integer']],

  [
    'Cut takes the node, what hangs on it, and what leads to it',
    ':s :p _:a . :t :p _:a . _:a :q _:b, :u . _:b :q 1 . :u :q 2 .',
    'Bind ?x :s / :p . Cut ?x .',
    [':s :p _:a', ':t :p _:a', '_:a :q :u', '_:a :q _:b', '_:b :q "1"^^integer'],
    [],
  ],
  [
    'Cut leaves what leads to the nodes that hang on it',
    ':s :p _:a . _:a :q _:b . :t :p _:b . _:b :q 1 .',
    'Cut _:a .',
    [':s :p _:a', '_:a :q _:b', '_:b :q "1"^^integer'],
    [],
  ],
  [
    'Cut follows circles once',
    ':s :p _:a . _:a :q _:b . _:b :q _:a .',
    'Cut _:a .',
    [':s :p _:a', '_:a :q _:b', '_:b :q _:a'],
    [],
  ],
  ['Cut takes a node that only something leads to', ':s :p _:a .', 'Cut _:a .', [':s :p _:a'], []],
  ['Cut takes what the patch added', ':s :p _:a .', 'Add { _:a :q :b } . Cut _:a .', [':s :p _:a'], []],
]
for (const [title, graph, patch, removed, added] of changes) {
  test(title, async t => {
    t.deepEqual(await changesOf(graph, patch), {removed, added})
  })
}

type Refusal = readonly [
  title: string,
  graph: string,
  patch: string,
  expected: readonly [number, string, number, number],
]

const refusals: readonly Refusal[] = [
  ['AddNew of a present triple', ':s :p 1 .', 'Add { :s :p 2 } .\n AddNew { :s :p 3, 1 } .', [422, 'add-new', 2, 2]],
  ['AddNew of what the patch added', '', 'Add { :s :p 2 } . AddNew { :s :p 2 } .', [422, 'add-new', 1, 19]],
  [
    'DeleteExisting of an absent triple',
    ':s :p 1 .',
    'DeleteExisting { :s :p 1, 2 } .',
    [422, 'delete-existing', 1, 1],
  ],
  ['DeleteExisting of a new node', ':s :p _:a .', 'DE { :s :p _:b } .', [422, 'delete-existing', 1, 1]],
  ['Cut of an IRI', ':s :p :o .', 'Bind ?x :s / :p . Cut ?x .', [422, 'cut-possible', 1, 19]],
  ['Cut of nothing', ':s :p _:a .', 'Bind ?x :s / :p . Delete { :s :p ?x } . C ?x .', [422, 'cut-possible', 1, 41]],
  ['Cut of a label that the graph does not hold', ':s :p _:a .', 'Cut _:b .', [400, 'patch-label', 1, 1]],
  ['Cut of a node that the patch made', ':s :p _:a .', 'Add { :s :p _:b } . Cut _:b .', [400, 'patch-label', 1, 21]],
  ['Bind of a label that the graph does not hold', '', 'Bind ?x _:b .', [400, 'patch-label', 1, 1]],
  ['Bind to nothing', ':s :p :o .', 'Bind ?x :s / :q .', [422, 'path-unique', 1, 1]],
  ['Bind to two', ':s :p :a, :b .', 'Bind ?x :s / :p .', [422, 'path-unique', 1, 1]],
  ['a literal as subject', ':s :p "a" .', 'Bind ?x :s / :p . Add { ?x :q 1 } .', [422, 'patch-subject', 1, 19]],
]
for (const [title, graph, patch, expected] of refusals) {
  test(`refused: ${title}`, async t => {
    t.deepEqual(await refusalOf(graph, patch), expected)
  })
}

test('the message of an error names the triple', async t => {
  const graph = await graphOf(':s :p "a" .')

  const error = t.throws(() => applyPatch(graph, parsePatch(`${prefixes}AddNew { :s :p "a" } .`, {base})))

  t.is(error?.message, 'Already in the document: <http://e/s> <http://e/p> "a"')
})

test('the given graph does not change', async t => {
  const graph = await graphOf(':s :p 1 . :s :q _:a . _:a :r 2 .')
  const before = linesOf(graph)

  applyPatch(graph, parsePatch(`${prefixes}Cut _:a . Delete { :s :p 1 } . Add { :s :p 3 } .`, {base}))

  t.deepEqual(linesOf(graph), before)
})

test('the interface’s own example changes a value and adds a type', async t => {
  const patch = [
    '@prefix rdf:<http://www.w3.org/1999/02/22-rdf-syntax-ns#> .',
    'Delete { <> :literal "Example" . } .',
    'Add { <> :literal "Modified" ; rdf:type :Example . } .',
  ].join('\n')

  t.deepEqual(await patched('<> :literal "Example" ; a :Document .', patch.replace(/^.*\n/, '')), [
    ':doc/ :literal "Modified"',
    ':doc/ rdf:type :Document',
    ':doc/ rdf:type :Example',
  ])
})
