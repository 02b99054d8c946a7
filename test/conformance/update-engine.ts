/**
 * Runs W3C Update tests in this process, over PostgreSQL.
 *
 * Tests count and copy all triples of a graph. The triples of the service would count as well, so they are removed from
 * the documents of a test before its request. Documents of graphs that a request writes triples to exist before it.
 */
import {Problem} from '../../src/base/problem.ts'
import {deleteChildren} from '../../src/db/store/document-writes.ts'
import {createPlanCache} from '../../src/query/plan-cache.ts'
import {update} from '../../src/query/update.ts'
import {type Quad, quad} from '../../src/rdf/term.ts'
import {parseUpdate} from '../../src/sparql/parse/parse.ts'
import {isIsomorphic} from '../support/isomorphism.ts'
import {schemaIdentifier, testSchema} from '../support/postgres.ts'
import {base, noConditions, ownTriples, readState, type TestStore} from '../support/store.ts'
import {readText} from './sparql-tests.ts'
import {readCase, type State, type UpdateCase, type UpdateTest} from './update-tests.ts'
import {show} from './verdict.ts'

/** The document of the default graph, and that of a name. */
function documentOf(name: string): string {
  return `${base}${name === '' ? 'default' : encodeURIComponent(name).replace(/[^A-Za-z0-9]+/g, '-')}/`
}

export function createUpdateEngine(store: TestStore) {
  const process = {database: store.made.database, schema: testSchema, timeoutMs: 30_000, cache: createPlanCache()}

  async function load({before, written}: UpdateCase): Promise<void> {
    await deleteChildren(store.session, base, noConditions)
    const empty = [documentOf(''), ...written].map((iri): [string, readonly Quad[]] => [iri, []])
    for (const [iri, quads] of new Map([...empty, ...before])) await store.create(iri, quads)
    await store.made.database.query(`delete from ${schemaIdentifier}.quad as q using ${schemaIdentifier}.document as d
      where q.g = d.id and q.s = d.id and ${schemaIdentifier}.is_reserved(d.is_access_point, q.p, q.o)`)
  }

  async function run({text, base: ownBase, named}: UpdateCase): Promise<void> {
    const document = documentOf('')
    const hasOwn = /\b(?:USING|WITH)\b/i.test(text)
    const scope = {document, ...(hasOwn ? {} : {using: {default: [document], named}})}
    await update(process, {text, base: ownBase, scope, session: store.session, conditions: noConditions})
  }

  async function difference(expected: State): Promise<string | undefined> {
    const actual = new Map<string, readonly Quad[]>()
    const rows = await store.made.database.query<{iri: string}>(`select iri from ${schemaIdentifier}.documents`)
    for (const {iri} of rows) {
      const triples = ownTriples(iri, await readState(store, iri))
      actual.set(
        iri,
        triples.map(({subject, predicate, object}) => quad(subject, predicate, object)),
      )
    }
    for (const iri of new Set([...actual.keys(), ...expected.keys()])) {
      const [found, wanted] = [actual.get(iri) ?? [], expected.get(iri) ?? []]
      if (!isIsomorphic(found, wanted)) return `<${iri}>: ${show(found)} instead of ${show(wanted)}`
    }
    const broken = (await store.broken()).filter(row => !('rule' in row) || row.rule !== 'service-triples-kept')
    return broken.length === 0 ? undefined : JSON.stringify(broken)
  }

  return {
    /** @returns  undefined if the test passes */
    async failureOf(test: UpdateTest): Promise<string | undefined> {
      if (test.type.includes('Syntax')) return syntaxFailure(test)
      const one = await readCase(test, documentOf)
      await load(one)
      await run(one)
      return difference(one.after)
    },
  }
}

function syntaxFailure({request, type}: UpdateTest): string | undefined {
  const isPositive = type.startsWith('Positive')
  try {
    parseUpdate(readText(request), base)
    return isPositive ? undefined : 'accepted'
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return isPositive ? error.message : undefined
  }
}
