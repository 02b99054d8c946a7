/**
 * Reads what the documents say about any IRI, and who mentions it, with labels for all IRIs shown.
 *
 * Takes two round trips of bounded cost.
 */
import {type IriFacts, readIri} from '../db/store/browse-reads.ts'
import type {Iri} from '../rdf/term.ts'
import {irisOf, labelsOf} from './browse.ts'
import type {Dataset} from './context.ts'

export type BrowsedIri = IriFacts & {
  readonly iri: Iri
  readonly isPart: boolean // more is said than `said` has
  readonly hasMoreMentions: boolean
  readonly labels: ReadonlyMap<Iri, string>
}

const shown = {triples: 200, mentions: 100}

export async function browseIri(
  {session}: Pick<Dataset, 'session'>,
  iri: Iri,
  languages: readonly string[],
): Promise<BrowsedIri> {
  const facts = await readIri(session, iri, {triples: shown.triples + 1, mentions: shown.mentions + 1})
  const said = facts.said.slice(0, shown.triples)
  const mentions = facts.mentions.slice(0, shown.mentions)
  const named = [iri, ...irisOf(said), ...mentions.flatMap(one => [one.document, one.subject, one.predicate])]
  return {
    iri,
    said,
    mentions,
    isPart: facts.said.length > said.length,
    hasMoreMentions: facts.mentions.length > mentions.length,
    labels: await labelsOf(session, named, languages),
  }
}
