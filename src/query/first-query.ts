/**
 * Does what the first query of a process would wait for: statistics are read, a connection is open, and the code that
 * answers queries is compiled.
 *
 * Reads a few triples. No observation tells of these queries, so logs and metrics show only those of callers.
 */
import type {QueryAnswer, QueryRequest} from './answer.ts'

/** They are cheap in every store: no triple has the predicate, and the others need their first triples only. */
const texts: readonly string[] = [
  'SELECT ?s ?c { ?s a ?c } LIMIT 5',
  'SELECT ?s (COUNT(?o) AS ?n) { ?s <urn:absent> ?o ; a ?c } GROUP BY ?s',
  `SELECT * { ?s <urn:absent> ?o ; a ?c OPTIONAL { ?s <urn:absent> ?l } FILTER(?o > 1 && CONTAINS(?l, "a")) }
     ORDER BY ?o ?s LIMIT 5`,
]

type Answer = (request: QueryRequest, write: (answer: QueryAnswer) => Promise<void>) => Promise<void>

/** A failure is not reported: a query of a caller would fail for the same reason, and say so. */
export async function prepareForFirst(answer: Answer, base: string, signal: AbortSignal): Promise<void> {
  const preferences = {contexts: false, checksums: false}
  for (const text of texts) {
    if (signal.aborted) return
    await answer({text, base, preferences, signal}, readAll).catch(() => undefined)
  }
}

async function readAll(answer: QueryAnswer): Promise<void> {
  if (answer.form === 'select') for await (const _ of answer.rows);
}
