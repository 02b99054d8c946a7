/** What docs/sparql.md says of its example and of limits is what the compiler does. */
import {readFileSync} from 'node:fs'
import test from 'ava'
import {queryDepthLimit, queryLengthLimit} from '../../../src/sparql/parse.ts'
import {rewriteSparqlDocs, sparqlDocsFile} from '../../support/sparql-docs.ts'

const page = readFileSync(sparqlDocsFile, 'utf8')

test('the worked example is compiled as printed (npm run docs:sparql makes it anew)', t => {
  t.is(rewriteSparqlDocs(page), page)
  t.regex(page, /```sql compiled\nselect /)
})

test('the limits are those of the parser', t => {
  t.true(page.includes(`| length of the text | ${queryLengthLimit.toLocaleString('en')} characters |`))
  t.true(page.includes(`| nesting | ${queryDepthLimit} levels |`))
})
