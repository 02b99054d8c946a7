/** Updates to their operations: each form of the grammar, and what its notes forbid. */
import test from 'ava'
import {parseUpdate} from '../../../src/sparql/parse/parse.ts'

const base = 'http://e/'
const iri = (name: string) => ({termType: 'NamedNode', value: `http://e/${name}`})
const variable = (value: string) => ({termType: 'Variable', value})
const triple = (subject: object, predicate: object, object: object) => ({subject, predicate, object})
const spo = triple(iri('s'), iri('p'), iri('o'))
const pattern = triple(variable('s'), iri('p'), variable('o'))

/** As plain data, without members that are undefined. */
const read = (text: string): unknown => JSON.parse(JSON.stringify(parseUpdate(text, base)))

function refusal(text: string): unknown {
  try {
    parseUpdate(text, base)
    return 'accepted'
  } catch (error) {
    const {rule, message, members} = error as {rule: string; message: string; members: object}
    return {rule, message, ...members}
  }
}

test('operations on whole graphs', t => {
  t.deepEqual(read('LOAD <a>'), [{type: 'load', silent: false, source: iri('a'), target: 'default'}])
  t.deepEqual(read('load silent <a> into graph <g>'), [
    {type: 'load', silent: true, source: iri('a'), target: iri('g')},
  ])
  t.deepEqual(read('CLEAR DEFAULT ; CLEAR NAMED ; DROP SILENT ALL ; DROP GRAPH <g>'), [
    {type: 'clear', silent: false, graph: 'default'},
    {type: 'clear', silent: false, graph: 'named'},
    {type: 'drop', silent: true, graph: 'all'},
    {type: 'drop', silent: false, graph: iri('g')},
  ])
  t.deepEqual(read('CREATE SILENT GRAPH <g>'), [{type: 'create', silent: true, graph: iri('g')}])
  t.deepEqual(read('ADD <a> TO DEFAULT ; MOVE SILENT GRAPH <a> TO <b> ; COPY DEFAULT TO GRAPH <b>'), [
    {type: 'add', silent: false, source: iri('a'), target: 'default'},
    {type: 'move', silent: true, source: iri('a'), target: iri('b')},
    {type: 'copy', silent: false, source: 'default', target: iri('b')},
  ])
})

test('data, in graphs and outside', t => {
  const quads = [
    {triples: [spo]},
    {graph: iri('g'), triples: [spo, triple(iri('s'), iri('p'), iri('q'))]},
    {triples: [spo]},
    {graph: iri('h'), triples: []},
  ]
  const text = '{ <s> <p> <o> . GRAPH <g> { <s> <p> <o>, <q> } . <s> <p> <o> GRAPH <h> {} }'

  t.deepEqual(read(`INSERT DATA ${text}`), [{type: 'insertdata', quads}])
  t.deepEqual(read(`DELETE # a comment\n DATA ${text}`), [{type: 'deletedata', quads}])
  t.deepEqual(read('DELETE WHERE { ?s <p> ?o GRAPH ?g { ?s <p> ?o } }'), [
    {type: 'deletewhere', quads: [{triples: [pattern]}, {graph: variable('g'), triples: [pattern]}]},
  ])
  t.deepEqual(read('INSERT DATA {}'), [{type: 'insertdata', quads: []}])
})

test('templates over the solutions of a pattern', t => {
  const where = [{type: 'bgp', triples: [pattern]}]
  const quads = [{triples: [pattern]}]

  t.deepEqual(read('INSERT { ?s <p> ?o } WHERE { ?s <p> ?o }'), [
    {type: 'modify', delete: [], insert: quads, where, base},
  ])
  t.deepEqual(read('DELETE { ?s <p> ?o } WHERE { ?s <p> ?o }'), [
    {type: 'modify', delete: quads, insert: [], where, base},
  ])
  t.deepEqual(
    read('WITH <g> DELETE { ?s <p> ?o } INSERT { ?s <p> ?o } USING <a> USING NAMED <b> WHERE { ?s <p> ?o }'),
    [
      {
        type: 'modify',
        with: iri('g'),
        delete: quads,
        insert: quads,
        using: {default: [iri('a')], named: [iri('b')]},
        where,
        base,
      },
    ],
  )
})

test('the prologue of an operation holds for those after it', t => {
  const text = 'BASE <http://x/> PREFIX p: <y#> CLEAR GRAPH p:a ; BASE <z/> CLEAR GRAPH <b> ; INSERT {} WHERE {} ;'

  t.deepEqual(read(text), [
    {type: 'clear', silent: false, graph: {termType: 'NamedNode', value: 'http://x/y#a'}},
    {type: 'clear', silent: false, graph: {termType: 'NamedNode', value: 'http://x/z/b'}},
    {type: 'modify', delete: [], insert: [], where: [], base: 'http://x/z/'},
  ])
  t.deepEqual(read(''), [])
  t.deepEqual(read('PREFIX p: <y#> # no operation'), [])
})

test('what the notes of the grammar forbid is refused', t => {
  const forbidden: readonly (readonly [text: string, column: number, sentence: string])[] = [
    ['INSERT DATA { ?s <p> <o> }', 15, 'The variable ?s cannot stand in INSERT DATA'],
    ['INSERT DATA { GRAPH ?g { <s> <p> <o> } }', 21, 'The variable ?g cannot stand in INSERT DATA'],
    ['DELETE DATA { <s> <p> ?o }', 23, 'The variable ?o cannot stand in DELETE DATA'],
    ['DELETE DATA { GRAPH <g> { <s> <p> [] } }', 35, 'A blank node cannot stand in DELETE DATA'],
    ['DELETE DATA { <s> <p> [ <q> 1 ] }', 23, 'A blank node cannot stand in DELETE DATA'],
    ['DELETE DATA { <s> <p> (1 2) }', 23, 'A blank node cannot stand in DELETE DATA'],
    ['DELETE WHERE { ?s <p> _:o }', 23, 'A blank node cannot stand in DELETE WHERE'],
    ['DELETE { GRAPH <g> { ?s <p> _:o } } WHERE { ?s <p> ?o }', 29, 'A blank node cannot stand in DELETE'],
    ['INSERT DATA { _:b <p> 1 } ; INSERT DATA { _:b <p> 2 }', 43, 'The blank node _:b stands in two INSERT DATA'],
    [
      'INSERT {} WHERE { _:b <p> 1 } ; INSERT {} WHERE { _:b <p> 1 }',
      51,
      'The blank node _:b stands in two basic graph patterns',
    ],
    ['INSERT {} WHERE { ?s <p> ?o BIND(1 AS ?o) }', 39, 'The variable ?o is assigned, but it is already in scope'],
  ]

  for (const [text, column, sentence] of forbidden) {
    const message = `${sentence}, at line 1, column ${column}.`
    t.deepEqual(refusal(text), {rule: 'query-syntax', message, line: 1, column}, text)
  }
  t.is(refusal('INSERT DATA { _:b <p> _:b } ; INSERT { _:b <p> ?o } WHERE { _:b <p> ?o }'), 'accepted')
  t.is(refusal('INSERT DATA { [] <p> [] } ; INSERT DATA { [] <p> (1 2) }'), 'accepted')
})

test('an error names its place, and limits hold', t => {
  t.like(refusal('CLEAR ALL ;\nDROP <g>'), {rule: 'query-syntax', line: 2, column: 6})
  t.like(refusal('INSERT DATA { <s> <p>/<q> <o> }'), {rule: 'query-syntax', line: 1, column: 22})
  t.like(refusal('SELECT * {}'), {rule: 'query-syntax', message: 'There is no update, at line 1, column 1.'})
  t.like(refusal('CLEAR ALL CLEAR ALL'), {rule: 'query-syntax', line: 1, column: 11})
  t.like(refusal(`INSERT {} WHERE ${'{'.repeat(401)}`), {rule: 'query-depth', line: 1, column: 417})
  t.like(refusal(`DELETE WHERE { ${'?s <p> ?o .'.repeat(1001)} }`), {rule: 'query-patterns'})
  t.like(refusal(`INSERT { ${'?s <p> ?o .'.repeat(1001)} } WHERE {}`), {rule: 'query-patterns'})
  t.is(refusal(`INSERT DATA { ${'<s> <p> 1 .'.repeat(10_000)} }`), 'accepted')
})
