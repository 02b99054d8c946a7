/** Random graphs and random sequences of operations, compared with a model of a set of triples and arrays for lists. */
import test from 'ava'
import fc from 'fast-check'
import {Problem} from '../../../src/base/problem.ts'
import {applyPatch} from '../../../src/ldpatch/apply.ts'
import {groundChanges} from '../../../src/ldpatch/ground.ts'
import type {Changes} from '../../../src/ldpatch/patch.ts'
import {parsePatch} from '../../../src/ldpatch/syntax.ts'
import {
  blankNode,
  defaultGraph,
  langLiteral,
  literal,
  namedNode,
  type Quad,
  type Resource,
  type Term,
  type Triple,
  triple,
} from '../../../src/rdf/term.ts'
import {rdf, xsd} from '../../../src/rdf/vocabulary.ts'
import {isIsomorphic} from '../../support/isomorphism.ts'

const base = 'http://e/doc/'
const list = namedNode('http://e/list')
const listSubjects = [namedNode(base), namedNode('http://e/b'), blankNode('qs3')]
const subjects: readonly Resource[] = [...listSubjects, blankNode('qs7'), blankNode('new')]
const predicates = [namedNode('http://e/p'), namedNode(rdf.type)]

const values = fc.oneof(
  fc.constantFrom<Term>(literal('1', xsd.integer), literal('01', xsd.integer), literal('1'), langLiteral('1', 'En')),
  fc.string({unit: 'binary'}).map(text => literal(text)),
  fc.webUrl().map(url => namedNode(url)),
)
const objects = fc.oneof(fc.constantFrom<Term>(...subjects), values)
const triples = fc
  .tuple(fc.constantFrom(...subjects), fc.constantFrom(...predicates), objects)
  .map(([subject, predicate, object]) => triple(subject, predicate, object))

type Edit =
  | {readonly kind: 'Add' | 'Delete'; readonly triples: readonly Triple[]}
  | {
      readonly kind: 'UpdateList'
      readonly at: number
      readonly from: number
      readonly to: number
      readonly items: readonly Term[]
    }

const changingTriples = fc.record({
  kind: fc.constantFrom('Add', 'Delete'),
  triples: fc.array(triples, {minLength: 1, maxLength: 4}),
})
const indexes = fc.oneof(fc.integer({min: -7, max: 7}), fc.constant(Number.POSITIVE_INFINITY)) // infinity: omitted
const updates = fc
  .record({
    kind: fc.constant('UpdateList' as const),
    at: fc.nat(listSubjects.length - 1),
    from: indexes,
    to: indexes,
    items: fc.array(values, {maxLength: 4}),
  })
  .filter(({from, to}) => from < 0 !== to < 0 || from <= to) // others are invalid

/** A graph of triples, with a list for each of the subjects. */
type Model = {readonly triples: Map<string, Triple>; readonly lists: (readonly Term[])[]}

const graphs = fc
  .tuple(fc.array(triples, {maxLength: 12}), fc.tuple(...listSubjects.map(() => fc.array(values, {maxLength: 6}))))
  .map(([all, lists]): Model => ({triples: new Map(all.map(each => [keyOf(each), each])), lists: [...lists]}))

function keyOf({subject, predicate, object}: Triple): string {
  return JSON.stringify([subject, predicate, object])
}

/** Applies an edit to the model. Returns false if it must be refused. */
function perform({triples: held, lists}: Model, edit: Edit): boolean {
  if (edit.kind !== 'UpdateList') {
    for (const each of edit.triples) edit.kind === 'Add' ? held.set(keyOf(each), each) : held.delete(keyOf(each))
    return true
  }
  const items = lists[edit.at] ?? []
  const isEnd = edit.from === Number.POSITIVE_INFINITY && edit.to === Number.POSITIVE_INFINITY
  const from = isEnd ? items.length : edit.from === Number.POSITIVE_INFINITY ? 0 : edit.from
  const to = Math.min(edit.to, edit.to === Number.POSITIVE_INFINITY ? items.length : edit.to)
  const [first, last] = [from < 0 ? from + items.length : from, to < 0 ? to + items.length : to]
  if (first < 0 || last < first || last > items.length) return false
  lists[edit.at] = items.toSpliced(first, last - first, ...edit.items)
  return true
}

/** The model as a graph, with labels of its own for cells. */
function triplesOf({triples: held, lists}: Model): readonly Triple[] {
  const cells = lists.flatMap((items, at) => {
    const cell = (index: number) => (index === items.length ? namedNode(rdf.nil) : blankNode(`qs${at + 1}000${index}`))
    return [
      triple(listSubjects[at] ?? namedNode(base), list, cell(0)),
      ...items.flatMap((item, index) => [
        triple(cell(index), namedNode(rdf.first), item),
        triple(cell(index), namedNode(rdf.rest), cell(index + 1)),
      ]),
    ]
  })
  return [...held.values(), ...cells]
}

function write(term: Term): string {
  if (term.termType === 'NamedNode') return `<${term.value}>`
  if (term.termType === 'BlankNode') return `_:${term.value}`
  const text = JSON.stringify(term.value)
  return term.language === '' ? `${text}^^<${term.datatype.value}>` : `${text}@${term.language}`
}

function writeEdit(edit: Edit): string {
  if (edit.kind !== 'UpdateList') {
    const written = edit.triples.map(each => `${[each.subject, each.predicate, each.object].map(write).join(' ')}.`)
    return `${edit.kind} { ${written.join(' ')} }.`
  }
  const [from, to] = [edit.from, edit.to].map(index => (index === Number.POSITIVE_INFINITY ? '' : index))
  const subject = write(listSubjects[edit.at] ?? namedNode(base))
  return `UpdateList ${subject} ${write(list)} ${from}..${to} (${edit.items.map(write).join(' ')}).`
}

function applied(graph: readonly Triple[], {removed, added}: Changes): readonly Triple[] {
  const left = new Map(graph.map(each => [keyOf(each), each]))
  for (const each of removed) left.delete(keyOf(each))
  for (const each of added) left.set(keyOf(each), each)
  return [...left.values()]
}

function quadsOf(all: readonly Triple[]): readonly Quad[] {
  return all.map(each => ({...each, graph: defaultGraph}))
}

test('a sequence of Add, Delete and UpdateList has the effect of the model, or is refused', t => {
  fc.assert(
    fc.property(graphs, fc.array(fc.oneof(changingTriples, updates), {maxLength: 6}), (model, edits) => {
      const graph = triplesOf(model)
      const patch = parsePatch((edits as readonly Edit[]).map(writeEdit).join(' '), {base})
      if (!(edits as readonly Edit[]).every(edit => perform(model, edit))) {
        t.like(
          t.throws(() => applyPatch(graph, patch), {instanceOf: Problem}),
          {status: 422, rule: 'list-slice'},
        )
        return
      }

      const changes = applyPatch(graph, patch)

      t.true(isIsomorphic(quadsOf(applied(graph, changes)), quadsOf(triplesOf(model))))
      const before = new Set(graph.map(keyOf))
      t.true(changes.removed.every(each => before.has(keyOf(each))))
      t.false(changes.added.some(each => before.has(keyOf(each))))
    }),
    {numRuns: 300},
  )
})

test('ground changes give the same graph', t => {
  fc.assert(
    fc.property(graphs, fc.array(changingTriples, {maxLength: 6}), (model, edits) => {
      const graph = triplesOf(model)
      const patch = parsePatch((edits as readonly Edit[]).map(writeEdit).join(' '), {base})

      const changes = groundChanges(patch) ?? {removed: graph, added: []}

      const keys = (all: readonly Triple[]) => all.map(keyOf).sort()
      t.deepEqual(keys(applied(graph, changes)), keys(applied(graph, applyPatch(graph, patch))))
    }),
    {numRuns: 300},
  )
})
