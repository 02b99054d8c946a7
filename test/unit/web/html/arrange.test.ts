/** Arranges triples for a page: every triple is shown once. */
import test from 'ava'
import fc from 'fast-check'
import {blankNode, literal, namedNode, type Resource, type Term, type Triple} from '../../../../src/rdf/term.ts'
import {termKey} from '../../../../src/rdf/term-key.ts'
import {rdf} from '../../../../src/rdf/vocabulary.ts'
import {type Arrangement, arrange} from '../../../../src/web/pages/arrange.ts'

const document = namedNode('http://e/')
const p = namedNode('http://e/p')

function triple(subject: Resource, predicate: string, object: Term): Triple {
  return {subject, predicate: namedNode(predicate), object}
}

/** The content of a page as keys: sections, with their nested nodes and lists. */
function told({sections, propertiesOf, isNested, itemsOf}: Arrangement): readonly string[] {
  const tell = (subject: Resource): readonly string[] =>
    [...propertiesOf(subject)].flatMap(([property, values]) =>
      values.flatMap(value => [`${termKey(subject)} ${property} ${termKey(value)}`, ...inside(value)]),
    )
  const inside = (value: Term): readonly string[] => {
    if (value.termType !== 'BlankNode' || !isNested(value)) return []
    const items = itemsOf(value)
    return items === undefined ? tell(value) : listed(value, items.length).concat(items.flatMap(inside))
  }
  const listed = (head: Resource, length: number): string[] => {
    let cell: Term = head
    return Array.from({length}, () => {
      const [first] = propertiesOf(cell as Resource).get(rdf.first) ?? []
      const [rest] = propertiesOf(cell as Resource).get(rdf.rest) ?? []
      const keys = [
        `${termKey(cell)} ${rdf.first} ${first && termKey(first)}`,
        `${termKey(cell)} ${rdf.rest} ${rest && termKey(rest)}`,
      ]
      cell = rest ?? head
      return keys
    }).flat()
  }
  return sections.flatMap(tell)
}

const nodes = fc.constantFrom<Resource>(document, namedNode('http://e/#a'), ...['a', 'b', 'c', 'd'].map(blankNode))
const triples = fc.uniqueArray(
  fc.record({
    subject: nodes,
    predicate: fc.constantFrom(p, namedNode('http://e/q'), namedNode(rdf.first), namedNode(rdf.rest)),
    object: fc.oneof(nodes, fc.constantFrom<Term>(literal('x'), namedNode(rdf.nil))),
  }),
  {selector: ({subject, predicate, object}) => [subject, predicate, object].map(termKey).join(' '), maxLength: 25},
)

test('every triple is shown once, for any references', t => {
  fc.assert(
    fc.property(triples, graph => {
      const keys = graph.map(one => `${termKey(one.subject)} ${one.predicate.value} ${termKey(one.object)}`)

      t.deepEqual([...told(arrange(document, graph))].sort(), keys.sort())
    }),
    {numRuns: 500},
  )
})

test('the document comes first, then named subjects, and a node with one reference is nested', t => {
  const [a, b] = [blankNode('a'), blankNode('b')]
  const fragment = namedNode('http://e/#f')
  const {sections, isNested} = arrange(document, [
    triple(a, p.value, literal('1')),
    triple(fragment, p.value, b),
    triple(b, p.value, literal('2')),
    triple(document, p.value, a),
    triple(document, p.value, fragment),
  ])

  t.deepEqual(sections, [document, fragment])
  t.deepEqual([a, b].map(isNested), [true, true])
})

test('a list of any length is read to its end; other nodes are not lists', t => {
  const cells = Array.from({length: 5000}, (_, index) => blankNode(`c${index}`))
  const list = cells.flatMap((cell, index) => [
    triple(cell, rdf.first, literal(String(index))),
    triple(cell, rdf.rest, cells[index + 1] ?? namedNode(rdf.nil)),
  ])
  const [head = blankNode('none')] = cells
  const {itemsOf} = arrange(document, [triple(document, p.value, head), ...list])

  t.is(itemsOf(head)?.length, 5000)
  t.deepEqual(itemsOf(namedNode(rdf.nil)), [])
  t.is(itemsOf(literal(rdf.nil)), undefined)
  t.is(arrange(document, [triple(document, p.value, head), ...list.slice(1)]).itemsOf(head), undefined)
})

test('deeply nested nodes get sections of their own', t => {
  const chain = Array.from({length: 30}, (_, index) => blankNode(`n${index}`))
  const [first = document] = chain
  const graph = [
    triple(document, p.value, first),
    ...chain.slice(1).map((node, index) => triple(chain[index] ?? first, p.value, node)),
    triple(chain.at(-1) ?? first, p.value, literal('end')),
  ]

  t.is(arrange(document, graph).sections.length, 5)
})
