/**
 * Rows of documents become terms: entries of the first row serve all, and predicates and classes are remembered.
 */
import test from 'ava'
import {type DocumentRow, documentsOf, triplesOf} from '../../../src/db/store/graph-codec.ts'
import {createTermMemory, recallOnly} from '../../../src/db/store/term-memory.ts'
import {packLiteral} from '../../../src/rdf/inline.ts'
import {langLiteral, literal, namedNode, type Triple} from '../../../src/rdf/term.ts'
import {rdf, xsd} from '../../../src/rdf/vocabulary.ts'

const five = literal('5', xsd.integer)
const inline = String(packLiteral(five))
const hello = '5000000000000000000' // a literal of the dictionary

const row: DocumentRow = {
  id: '1000',
  etag: '12',
  created: new Date(0),
  modified: new Date(1),
  is_access_point: false,
  subjects: ['1000', '1000', '1000'],
  predicates: ['1', '1001', '1001'],
  objects: ['1002', inline, hello],
  term_ids: ['1000', '1001', '1002', hello],
  term_texts: ['http://test/a/', 'http://e/p', 'http://e/Class', ['hello', null, 'en']],
  children: [['1003', 'http://test/a/b/', true, null]],
  members: null,
  own_modes: null,
  public_modes: null,
}
const none: DocumentRow = {...row, id: null, subjects: null, predicates: null, objects: null, children: null}
const known: DocumentRow = {...none, id: '1004', own_modes: ['read'], public_modes: []}

const createMemory = () => createTermMemory(new Map([['1', rdf.type]]))

const a = namedNode('http://test/a/')
const p = namedNode('http://e/p')
const triples: readonly Triple[] = [
  {subject: a, predicate: namedNode(rdf.type), object: namedNode('http://e/Class')},
  {subject: a, predicate: p, object: five},
  {subject: a, predicate: p, object: langLiteral('hello', 'en')},
]

test('each row becomes a state or null; the first row has the dictionary entries of all', t => {
  const {term_ids, term_texts} = row
  const later: DocumentRow = {...row, term_ids: null, term_texts: null}

  const [first, ...others] = documentsOf([{...none, term_ids, term_texts}, later, known], createMemory())

  const dates = {created: new Date(0), modified: new Date(1)}
  const child = {id: '1003', iri: 'http://test/a/b/', isAccessPoint: true, memberBy: undefined}
  const common = {etag: '12', ...dates, isAccessPoint: false, members: undefined}
  t.is(first, null)
  t.deepEqual(others, [
    {...common, id: '1000', triples: [...triples], children: [child], allowed: undefined},
    {...common, id: '1004', triples: undefined, children: [], allowed: {own: ['read'], everybody: []}},
  ])
})

test('predicates and classes are remembered, other terms are not', t => {
  const memory = createMemory()

  documentsOf([row], memory)

  t.deepEqual(
    ['1000', '1001', '1002', inline, hello].map(id => memory.recall(id)?.value),
    [undefined, 'http://e/p', 'http://e/Class', undefined, undefined],
  )
})

test('nothing is remembered of terms that are not committed', t => {
  const memory = createMemory()

  documentsOf([row], recallOnly(memory))

  t.deepEqual(
    ['1', '1001', '1002'].map(id => memory.recall(id)?.value),
    [rdf.type, undefined, undefined],
  )
})

test('an id without an entry is an error', t => {
  const graph = {subjects: ['1000'], predicates: ['1001'], objects: ['1002'], term_ids: null, term_texts: null}

  t.throws(() => triplesOf(graph, createMemory()), {message: 'term 1000 is not in the dictionary'})
})
