/**
 * Plans where patterns meet in a value that most items have, or that connects most of them: no step reads more rows
 * than it needs, and none is probed for many. Rows are counted, no time is measured.
 */
import test from 'ava'
import type {Database} from '../../src/db/connection/pool.ts'
import {explainQuery} from '../../src/query/explain.ts'
import {createTestDatabase} from '../support/postgres.ts'
import {fill, storeIn} from './fill.ts'
import {base} from './kinds.ts'

const items = 3000
const hubItems = 1500 // of maker 0; each of the others has 15
const own = 'http://example.org/items#'

/** Items with a kind, a number and a maker. Nearly all have the same kind. Each item is about the next one. */
function* lines(): Generator<string> {
  const term = (name: string | number) => `<${own}${name}>`
  for (let n = 0; n < items; n += 1) {
    const [item, next] = [term(`i${n}`), term(`i${(n + 1) % items}`)]
    const triples = [
      [item, 'kind', term(n % 50 === 0 ? 'Rare' : 'Common')],
      [item, 'number', `"${(n * 7919) % 100_003}"^^<http://www.w3.org/2001/XMLSchema#integer>`],
      [item, 'group', term(`g${n % 100}`)],
      [item, 'about', next],
      [next, 'inverse', item],
      [term(`m${n < hubItems ? 0 : 1 + (n % 100)}`), 'makes', item],
    ]
    for (const [s, p, o] of triples) yield `${s} <${own}${p}> ${o} <${own}all> .\n`
  }
  for (let n = 0; n <= 100; n += 1) yield `${term(`m${n}`)} <${own}city> ${term(`c${n % 7}`)} <${own}all> .\n`
}

type Node = {readonly 'Actual Rows': number; readonly 'Actual Loops': number; readonly Plans?: readonly Node[]}
type Measured = {readonly solutions: number; readonly most: number; readonly probes: number; readonly text: string}

let measure: (text: string) => Promise<Measured>
let close: () => Promise<void>

test.before(async () => {
  const {database, drop} = await createTestDatabase()
  close = drop
  await fill(database, {name: 'items', write: lines, isRaw: true, transitive: []}, [...lines()])
  measure = await measureIn(database)
})

test.after.always(() => close())

/** The number of solutions of a query, and the most rows and loops of a step of its plan. */
async function measureIn(database: Database): Promise<typeof measure> {
  const store = await storeIn(database)
  return async text => {
    const query = {text: `PREFIX : <${own}> ${text}`, base, isMeasured: true, planForm: 'json'} as const
    const {plan} = await explainQuery(store, query)
    const [{Plan: root}] = plan as [{Plan: Node}]
    const nodes = nodesOf(root)
    return {
      solutions: root['Actual Rows'],
      most: Math.max(...nodes.map(({'Actual Rows': rows, 'Actual Loops': loops}) => rows * loops)),
      probes: Math.max(...nodes.map(({'Actual Loops': loops}) => loops)),
      text: JSON.stringify(plan, undefined, 1),
    }
  }
}

function nodesOf(node: Node): readonly Node[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)]
}

test('a value that nearly all items have joins two parts after each of them is joined', async t => {
  const query = 'SELECT * { VALUES ?a { :i1 :i2 :i3 :i4 } ?a :kind ?k . ?b :kind ?k ; :group :g2 }'
  const {solutions, most, text} = await measure(query)

  t.is(solutions, 4 * 30)
  t.true(most <= 4 * 30, text)
})

test('the largest groups have more members than the average one', async t => {
  const largest =
    'SELECT ?m (COUNT(*) AS ?k) { ?m :makes ?i } GROUP BY ?m HAVING (COUNT(*) > 2) ORDER BY DESC(?k) LIMIT 1'
  const {solutions, probes, text} = await measure(`SELECT * { { ${largest} } ?m :makes ?x . ?x :number ?n }`)

  t.is(solutions, hubItems)
  t.true(probes <= 10, text)
})

test('a value of any predicate may be one that nearly all items have', async t => {
  const query = 'SELECT * { ?a :group :g2 ; ?p ?v . ?b :kind ?v ; :number 7919 }'
  const {solutions, most, text} = await measure(query)

  t.is(solutions, 30)
  t.true(most <= items, text)
})

test('the subject of one triple may be the one that has most of them', async t => {
  const query = 'SELECT * { ?m :makes :i5 ; :makes ?i ; :city ?c . ?i :number ?n ; :group ?g ; :about ?x }'
  const {solutions, probes, text} = await measure(query)

  t.is(solutions, hubItems)
  t.true(probes < 10, text)
})

test('a predicate and its inverse are expected to connect the same items', async t => {
  const query = 'SELECT * { ?a :about ?b . ?b :inverse ?a ; :number ?n } ORDER BY ?n LIMIT 10'
  const {solutions, most, text} = await measure(query)

  t.is(solutions, 10)
  t.true(most < 100, text)
})

test('an order is not walked in the hope of solutions that another order of the joins does not expect', async t => {
  const query = 'SELECT * { ?a :number ?n ; ?p ?v . ?b :kind ?v ; :about :i7 } ORDER BY DESC(?n) ?b LIMIT 10'
  const {solutions, most, text} = await measure(query)

  t.is(solutions, 10)
  t.true(most <= 2 * items, text)
})
