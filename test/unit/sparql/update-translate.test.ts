/** Updates to operations: every graph gets its name, WHERE its dataset; errors say what to do. */
import test from 'ava'
import type {UpdateOperation} from '../../../src/sparql/operation.ts'
import {parseUpdate} from '../../../src/sparql/parse/parse.ts'
import {translateUpdate, type UpdateScope} from '../../../src/sparql/translate/update.ts'

const base = 'http://example.org/a/'
const here: UpdateScope = {document: base}
const named = (value: string) => ({termType: 'NamedNode', value})
const variable = (value: string) => ({termType: 'Variable', value})

function translate(text: string, scope = here): readonly UpdateOperation[] {
  return translateUpdate(parseUpdate(text, base), scope)
}

function refusal(text: string, scope = here): unknown {
  try {
    translate(text, scope)
    return 'accepted'
  } catch (error) {
    const {status, rule} = error as {status: number; rule: string}
    return {status, rule}
  }
}

test('a template without GRAPH writes to the graph of WITH, otherwise to the document', t => {
  const graphs = (text: string) =>
    translate(text).flatMap(operation =>
      operation.type === 'modify' ? operation.inserted.map(({graph}) => graph) : [],
    )
  t.deepEqual(graphs('INSERT { GRAPH ?g { <s> <p> 2 } <s> <p> 1 } WHERE { GRAPH ?g {} }'), [
    variable('g'),
    named(base),
  ] as never)
  t.deepEqual(graphs('WITH <b/> INSERT { GRAPH <c/> { <s> <p> 2 } <s> <p> 1 } WHERE {}'), [
    named(`${base}c/`),
    named(`${base}b/`),
  ] as never)
})

test('WHERE reads all graphs, that of WITH, those of USING, or those of the protocol', t => {
  const using = {default: ['urn:d'], named: ['urn:n']}
  const datasets = (text: string, scope = here) =>
    translate(text, scope).map(operation => (operation.type === 'modify' ? operation.where.dataset : 'none'))
  const insert = 'INSERT { <s> <p> 1 }'
  t.deepEqual(datasets(`${insert} WHERE {}`), [undefined])
  t.deepEqual(datasets(`WITH <urn:w> ${insert} WHERE {}`), [{default: ['urn:w'], named: 'all'}])
  t.deepEqual(datasets(`WITH <urn:w> ${insert} USING <urn:u> WHERE {}`), [{default: ['urn:u'], named: []}])
  t.deepEqual(datasets(`${insert} WHERE {}`, {...here, using}), [using])
  t.deepEqual(refusal(`${insert} USING <urn:u> WHERE {}`, {...here, using}), {status: 400, rule: 'update-dataset'})
  t.deepEqual(refusal(`WITH <urn:u> ${insert} WHERE {}`, {...here, using}), {status: 400, rule: 'update-dataset'})
})

test('graph management names its graphs, DEFAULT is the document', t => {
  t.deepEqual(translate('CLEAR SILENT DEFAULT; DROP NAMED; COPY DEFAULT TO <b/>; CREATE GRAPH <c/>; LOAD <urn:x>'), [
    {type: 'clear', range: {kind: 'one', graph: base, isDefault: true}, isSilent: true},
    {type: 'drop', range: {kind: 'named', besides: base}, isSilent: false},
    {
      type: 'copy',
      from: {graph: base, isDefault: true},
      to: {graph: `${base}b/`, isDefault: false},
      isSilent: false,
    },
    {type: 'create', graph: `${base}c/`, isSilent: false},
    {type: 'load', source: 'urn:x', into: base, isSilent: false},
  ])
})

test('each operation has the base that was declared before it', t => {
  const bases = translate(
    'INSERT { <x:s> <x:p> 1 } WHERE { ?s ?p 1 ; ?q 2 }; BASE <http://b/> INSERT { <x:s> <x:p> 2 } WHERE {}',
  ).map(operation => operation.type === 'modify' && operation.where.base)
  t.deepEqual(bases, [base, 'http://b/'])
})

test('without a document every graph needs a name', t => {
  const nowhere: UpdateScope = {document: undefined}
  const refused = {status: 422, rule: 'update-graph'}
  t.deepEqual(refusal('INSERT DATA { <s> <p> 1 }', nowhere), refused)
  t.deepEqual(refusal('CLEAR DEFAULT', nowhere), refused)
  t.deepEqual(refusal('LOAD <urn:x>', nowhere), refused)
  t.is(
    refusal('INSERT DATA { GRAPH <g> { <s> <p> 1 } }; CLEAR ALL; WITH <g> DELETE { ?s ?p ?o } WHERE {}', nowhere),
    'accepted',
  )
})

test('a patch names no graph', t => {
  const patch: UpdateScope = {document: base, isAlone: true}
  const refused = {status: 422, rule: 'patch-graph'}
  t.deepEqual(
    translate('DELETE WHERE { <s> <p> ?o }', patch).map(
      operation => operation.type === 'modify' && operation.where.dataset,
    ),
    [{default: [base], named: []}],
  )
  for (const text of [
    'INSERT DATA { GRAPH <g> { <s> <p> 1 } }',
    'WITH <g> DELETE { ?s ?p ?o } WHERE { ?s ?p ?o }',
    'DELETE { ?s ?p ?o } USING <g> WHERE { ?s ?p ?o }',
    'DELETE { ?s ?p ?o } WHERE { ?s ?p ?o FILTER EXISTS { GRAPH ?g { ?s ?p ?o } } }',
    'CLEAR DEFAULT',
  ])
    t.deepEqual(refusal(text, patch), refused, text)
})
