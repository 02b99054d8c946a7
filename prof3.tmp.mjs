import {growingQueries} from '/work/wt/sparql/test/support/growing-queries.ts'
import {compileQuery, prepareQuery} from '/work/wt/sparql/src/sparql/compile.ts'
const frequencies = {triples: 1e6, predicates: new Map(), values: new Map()}
const facts = {hasDocuments: true, memberRelations: ['500'], extents: new Map(), frequencies}
const rows=[]
const only=process.argv[2]
for (const [name, q] of Object.entries(growingQueries)) {
  if (only && name!==only) continue
  for (const n of [100, 190, 330, 490, 990, 1900, 4900,9900,12400,16000,24900,49000]) {
    const text = q(n); if (text.length > 1e6) continue
    const t0 = performance.now(); let rule='ok', t1, size=0
    try { const p = prepareQuery(text, 'http://e/sparql'); t1=performance.now()
      const c = compileQuery(p, {schema:'"q"', facts, stored: new Map(), now:'2020-01-01T00:00:00Z'}); size=c.text.length
    } catch(e) { rule = e.rule ?? String(e).slice(0,200)+e.stack?.split('\n')[1] }
    const t2 = performance.now(); t1 ??= t2
    rows.push([name, n, text.length, Math.round(t2-t0), Math.round(t1-t0), Math.round(t2-t1), rule, size])
    if (rule !=='ok' && t2-t0 > 5000) break
  }
}
rows.sort((a,b)=>b[3]-a[3])
const seen=new Map()
for (const r of rows) { const k=r[0]; if ((seen.get(k)??0) < 2 || only) { seen.set(k,(seen.get(k)??0)+1); console.log(r.join('\t')) } if (seen.size>70) break }
