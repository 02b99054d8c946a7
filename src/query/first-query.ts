/**
 * Does what the first query of a process would wait for: statistics are read, a connection is open, and the code that
 * answers queries is compiled.
 */

/** They are cheap in every store: no triple has the predicate, and the first one needs the first triples only. */
const texts: readonly string[] = [
  'SELECT ?s ?c { ?s a ?c } LIMIT 5',
  'SELECT ?s (COUNT(?o) AS ?n) { ?s <urn:absent> ?o ; a ?c } GROUP BY ?s',
  `SELECT * { ?s <urn:absent> ?o ; a ?c OPTIONAL { ?s <urn:absent> ?l } FILTER(?o > 1 && CONTAINS(?l, "a")) }
     ORDER BY ?o ?s LIMIT 5`,
]

/**
 * A failure is not reported: a query of a caller would fail for the same reason, and say so.
 *
 * @param ask     answers a query, which no log and no metric tells of
 * @param signal  ends the preparation after the query that runs, and does not cancel it
 */
export async function prepareForFirst(ask: (text: string) => Promise<unknown>, signal: AbortSignal): Promise<void> {
  for (const text of texts) if (!signal.aborted) await ask(text).catch(() => undefined)
}
