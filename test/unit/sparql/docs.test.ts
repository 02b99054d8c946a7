/** The example and the limits in docs/sparql.md are those of the compiler. */
import {readFileSync} from 'node:fs'
import test from 'ava'
import {defaultLimits, queryDepthLimit} from '../../../src/sparql/parse/limits.ts'
import {statementLimit} from '../../../src/sparql/print/print.ts'
import {rewriteSparqlDocs, sparqlDocsFile} from '../../support/sparql-docs.ts'

const page = readFileSync(sparqlDocsFile, 'utf8')

test('the worked example is compiled as printed (npm run docs:sparql updates it)', t => {
  t.is(rewriteSparqlDocs(page), page)
  t.regex(page, /```sql compiled\nselect /)
})

test('the limits are the defaults', t => {
  const {length, patterns, values} = defaultLimits
  const shown = (count: number) => count.toLocaleString('en')
  t.true(page.includes(`| length of the text | ${shown(length)} characters |`))
  t.true(page.includes(`| nesting | ${queryDepthLimit} levels |`))
  const counted = 'triple patterns, path steps, computed columns and other patterns; triples of the template'
  t.true(page.includes(`| ${counted} | ${shown(patterns)} |`))
  t.true(page.includes(`| terms in \`VALUES\` and after \`IN\` | ${shown(values)} |`))
  t.true(page.includes(`| size of the SQL | ${shown(statementLimit)} parts |`))
})
