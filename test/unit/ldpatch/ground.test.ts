/** Changes that do not depend on the graph. */
import test from 'ava'
import {groundChanges} from '../../../src/ldpatch/ground.ts'
import {parsePatch} from '../../../src/ldpatch/syntax.ts'
import {base, linesOf, prefixes} from '../../support/patching.ts'

type Case = readonly [title: string, patch: string, removed: readonly string[], added: readonly string[]]

const cases: readonly Case[] = [
  ['nothing', '', [], []],
  ['Add and Delete', 'Delete { :s :p 1 } . Add { :s :p 2 } .', [':s :p "1"^^integer'], [':s :p "2"^^integer']],
  ['the last word counts: Delete', 'Add { :s :p 1 } . Delete { :s :p 1 } .', [':s :p "1"^^integer'], []],
  ['the last word counts: Add', 'Delete { :s :p 1 } . Add { :s :p 1 } .', [], [':s :p "1"^^integer']],
  ['twice is once', 'Add { :s :p 1, 1 } . Add { :s :p 1 } .', [], [':s :p "1"^^integer']],
  ['a bound term', 'Bind ?x :a . Bind ?y ?x . Bind ?x "v" . Add { ?y :p ?x } .', [], [':a :p "v"']],
  ['labels', 'Delete { :s :p _:qs1 } . Add { _:qs1 :q _:a } .', [':s :p _:qs1'], ['_:qs1 :q _:a']],
  ['a new list', 'Add { :s :p ( "p" ) } .', [], [':s :p _:!1', '_:!1 rdf:first "p"', '_:!1 rdf:rest rdf:nil']],
  ['an empty list', 'Delete { :s :p () } .', [':s :p rdf:nil'], []],
  ['nodes without label are never stored', 'Delete { :s :p [ :q 1 ], ( 2 ) ; :r 3 } .', [':s :r "3"^^integer'], []],
]
for (const [title, patch, removed, added] of cases) {
  test(`ground: ${title}`, t => {
    const changes = groundChanges(parsePatch(prefixes + patch, {base}))

    t.deepEqual(changes && {removed: linesOf(changes.removed), added: linesOf(changes.added)}, {removed, added})
  })
}

const others = [
  'AddNew { :s :p 1 } .',
  'DeleteExisting { :s :p 1 } .',
  'UpdateList :s :p .. () .',
  'Cut _:qs1 .',
  'Bind ?x :s / :p .',
  'Bind ?x :s ! .',
  'Bind ?x _:qs1 .',
  'Bind ?x "v" . Add { ?x :p 1 } .',
]
for (const patch of others) {
  test(`depends on the graph: ${patch}`, t => {
    t.is(groundChanges(parsePatch(`${prefixes}Add { :a :b :c } . ${patch}`, {base})), undefined)
  })
}
