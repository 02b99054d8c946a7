/** The indexed graph: a set of triples, and every triple pattern. */
import test from 'ava'
import fc from 'fast-check'
import {blankNode, langLiteral, literal, namedNode, type Triple, triple} from '../../../src/rdf/term.ts'
import {TripleSet} from '../../../src/rdf/triple-set.ts'

const nodes = [namedNode('http://e/a'), namedNode('http://e/b'), blankNode('http://e/a'), blankNode('b')]
const predicates = [namedNode('http://e/p'), namedNode('http://e/q')]
const values = [literal('a'), literal('a', 'http://e/a'), langLiteral('a', 'en'), langLiteral('a', 'EN'), literal('b')]

const triples = fc
  .tuple(fc.constantFrom(...nodes), fc.constantFrom(...predicates), fc.constantFrom(...nodes, ...values))
  .map(([subject, predicate, object]) => triple(subject, predicate, object))
const changes = fc.array(fc.tuple(fc.constantFrom('add', 'delete', 'ask'), triples), {maxLength: 60})

const keyOf = (each: Triple) => JSON.stringify([each.subject, each.predicate, each.object])
const keysOf = (all: Iterable<Triple>) => Array.from(all, keyOf).sort()

test('it is a set of triples after random additions, deletions and queries', t => {
  fc.assert(
    fc.property(changes, steps => {
      const dataset = new TripleSet()
      const model = new Map<string, Triple>()
      for (const [kind, each] of steps) {
        const isNew = !model.has(keyOf(each))
        if (kind === 'add') {
          t.is(dataset.add(each), isNew)
          model.set(keyOf(each), each)
        } else if (kind === 'delete') {
          t.is(dataset.delete(each), !isNew)
          model.delete(keyOf(each))
        } else dataset.match(undefined, undefined, each.object)
        t.is(dataset.has(each), model.has(keyOf(each)))
      }
      t.is(dataset.size, model.size)
      t.deepEqual(keysOf(dataset), [...model.keys()].sort())
    }),
  )
})

test('each of the eight patterns finds the same as a scan', t => {
  fc.assert(
    fc.property(fc.array(triples, {maxLength: 40}), triples, fc.nat(7), (all, {subject, predicate, object}, bits) => {
      const [s, p, o] = [
        bits & 1 ? subject : undefined,
        bits & 2 ? predicate : undefined,
        bits & 4 ? object : undefined,
      ]
      const dataset = new TripleSet(all)

      const found = dataset.match(s, p, o)

      const sameAs = (wanted: object | undefined, term: object) =>
        wanted === undefined || JSON.stringify(wanted) === JSON.stringify(term)
      const expected = all.filter(
        each => sameAs(s, each.subject) && sameAs(p, each.predicate) && sameAs(o, each.object),
      )
      t.deepEqual(keysOf(found), [...new Set(expected.map(keyOf))].sort())
    }),
  )
})

test('a result does not change when the graph changes', t => {
  const [one] = fc.sample(triples, 1)
  const dataset = new TripleSet(one === undefined ? [] : [one])

  const found = dataset.match()
  for (const each of found) dataset.delete(each)

  t.is(found.length, 1)
  t.is(dataset.size, 0)
})
