/** Corner cases of LD Patch, in process; test/http/04-patch-corners.test.ts sends the same over HTTP. */
import test from 'ava'
import {applyPatch} from '../../../src/ldpatch/apply.ts'
import {parsePatch} from '../../../src/ldpatch/syntax.ts'
import {defaultGraph, type Triple} from '../../../src/rdf/term.ts'
import {TripleSet} from '../../../src/rdf/triple-set.ts'
import {isIsomorphic} from '../../support/isomorphism.ts'
import {corners, refusedCorners} from '../../support/patch-corners.ts'
import {base, graphOf, linesOf, prefixes, refusalOf} from '../../support/patching.ts'

const quadsOf = (triples: Iterable<Triple>) => Array.from(triples, each => ({...each, graph: defaultGraph}))

for (const {title, graph, patch, result} of corners) {
  test(title, async t => {
    const before = await graphOf(graph)
    const {removed, added} = applyPatch(before, parsePatch(prefixes + patch, {base}))
    const after = new TripleSet(before)
    for (const each of removed) after.delete(each)
    for (const each of added) after.add(each)

    const expected = await graphOf(result)

    t.true(isIsomorphic(quadsOf(after), quadsOf(expected)), linesOf(after).join('\n'))
  })
}

for (const [title, patch, status] of refusedCorners) {
  test(`refused: ${title}`, async t => {
    const [refused] = await refusalOf(':s :l ( "a" "b" "c" "d" ) .', patch)

    t.is(refused, status)
  })
}
