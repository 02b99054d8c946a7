import {growingQueries} from '/work/wt/sparql/test/support/growing-queries.ts'
import {compileQuery, prepareQuery} from '/work/wt/sparql/src/sparql/compile.ts'
const frequencies = {triples: 1e6, predicates: new Map(), values: new Map()}
const facts = {hasDocuments: true, memberRelations: ['500'], extents: new Map(), frequencies}
const [,, name, n] = process.argv
const p = prepareQuery(growingQueries[name](Number(n)), 'http://e/sparql')
const c0 = process.cpuUsage()
try { compileQuery(p, {schema:'"q"', facts, stored: new Map(), now:'2020-01-01T00:00:00Z'}) } catch (e) {console.log(e.rule)}
console.log(name, n, process.cpuUsage(c0).user/1000)
