/**
 * Compiles the example of docs/sparql.md and writes the results into the page (`npm run docs:sparql`).
 *
 * The second word after the fence names a block: `example` contains the query, the others the results of its
 * compilation.
 */
import {readFileSync, writeFileSync} from 'node:fs'
import {fileURLToPath} from 'node:url'
import {inlineConstantsOf} from '../../src/sparql/analyse/constants.ts'
import {compileQuery, prepareQuery} from '../../src/sparql/compile.ts'
import {layoutSql} from '../../src/sparql/print/layout.ts'
import {showAlgebra, showTerm} from '../../src/sparql/print/show.ts'
import {emptyStore} from './facts.ts'

export const sparqlDocsFile = fileURLToPath(new URL('../../docs/sparql.md', import.meta.url))

/** The page with the example compiled again. */
export function rewriteSparqlDocs(page: string): string {
  const [, query = ''] = /```sparql example\n(.*?)```/s.exec(page) ?? []
  const blocks = compileExample(query)
  return page.replace(/(```\w+ (\w+)\n)(.*?)```/gs, (whole, fence, name: string) =>
    Object.hasOwn(blocks, name) ? `${fence}${blocks[name]}\n\`\`\`` : whole,
  )
}

/** A store that has all constants, with ids from 1000 for IRIs and from 2^62 for literals, and many books. */
function compileExample(text: string): Readonly<Record<string, string>> {
  const passes: string[] = []
  const prepared = prepareQuery(text, 'http://localhost:8080/', undefined, {
    observe: (_, tree) => passes.push(showAlgebra(tree)),
  })
  const stored = new Map(
    Array.from(prepared.constants, ([key, {termType}], index) => {
      const id = (termType === 'Literal' ? 2n ** 62n : 0n) + BigInt(1000 + index)
      return [key, String(id)] as const
    }),
  )
  const counts = {triples: 50_000, subjects: 40_000, objects: 45_000, quantiles: []}
  const predicates = new Map(Array.from(stored.values(), id => [id, counts]))
  const frequencies = {triples: 300_000, predicates, values: new Map()}
  const facts = {...emptyStore, hasDocuments: true, frequencies}
  const options = {schema: 'quadstead', stored, facts, now: '2026-11-21T09:30:00.000Z'}
  const {text: sql, parameters, query} = compileQuery(prepared, options)
  const looked = Array.from(prepared.constants, ([key, term]) => `${stored.get(key)}  ${showTerm(term)}`)
  const inline = Array.from(inlineConstantsOf(query), ([id, term]) => `${id}  ${showTerm(term)}`)
  const values = parameters.map((value, index) => `-- $1[${index + 1}]: ${JSON.stringify(value)}`)
  return {
    translate: passes[0] ?? '',
    rewritten: passes.at(-1) ?? '',
    constants: [...looked, ...inline].join('\n'),
    compiled: [layoutSql(sql), ...values].join('\n'),
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(sparqlDocsFile, rewriteSparqlDocs(readFileSync(sparqlDocsFile, 'utf8')))
}
