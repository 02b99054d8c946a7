/**
 * Compiles each construct of SPARQL's grammar, grown to the longest text and beyond the limits. Compiling or refusing
 * it takes time proportional to its length.
 */
import test from 'ava'
import {Problem} from '../../src/base/problem.ts'
import {compileQuery, prepareQuery} from '../../src/sparql/compile.ts'
import {defaultLimits} from '../../src/sparql/parse/limits.ts'
import {emptyStore} from '../support/facts.ts'
import {growingQueries, grownTo} from '../support/growing-queries.ts'

const factor = 4 // from one length to the next
const mostGrowth = 10 // of the time from one length to the next; quadratic work takes 16 times as long
const leastMs = 25 // shorter times are noise
const lengths = [2, 1, 0].map(power => defaultLimits.length / factor ** power)

const frequencies = {triples: 1_000_000, predicates: new Map(), values: new Map()}
const facts = {...emptyStore, hasDocuments: true, memberRelations: ['500'], frequencies}
const options = {schema: '"q"', facts, stored: new Map<string, string>(), now: '2020-01-01T00:00:00Z'}

/** Processor time in ms: the minimum of several runs. */
function costOf(text: string, runs: number): number {
  const once = () => {
    const before = process.cpuUsage()
    try {
      compileQuery(prepareQuery(text, 'http://e/sparql'), options)
    } catch (error) {
      if (!(error instanceof Problem) || error.status >= 500) throw error
    }
    const {user, system} = process.cpuUsage(before)
    return (user + system) / 1000
  }
  return Math.min(...Array.from({length: runs}, once))
}

for (const [name, query] of Object.entries(growingQueries)) {
  test(`a query takes time proportional to its length: ${name}`, t => {
    const texts = lengths.map(length => grownTo(query, length))
    const grows = (runs: number) => {
      const costs = texts.map(text => Math.max(leastMs, costOf(text, runs)))
      return {costs, isSteep: costs.some((cost, index) => cost > mostGrowth * (costs[index - 1] ?? cost))}
    }
    const {isSteep} = grows(1)
    const {isSteep: isSteepAgain, costs} = isSteep ? grows(3) : {isSteep, costs: []}
    t.false(isSteepAgain, `${costs.map(Math.round).join(', ')} ms at ${lengths.join(', ')} characters`)
  })
}
