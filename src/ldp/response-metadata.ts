/**
 * What a write tells a client beside the document: which stored labels its blank nodes were given.
 *
 * Floor 4. Pure. Sources: decisions, 9; client-wire-facts, "JSON-LD the SDK reads: response metadata".
 */
import {blankNode, type Iri, namedNode, type Quad, quad, type Term} from '../rdf/term.ts'
import {type PlatformVocabulary, rdf} from '../rdf/vocabulary.ts'

/**
 * The metadata as free nodes, outside every graph.
 *
 * @param labels  only those the client wrote and the service changed; none gives no quads
 */
export function responseMetadata(
  document: Iri,
  labels: ReadonlyMap<string, string>,
  platform: PlatformVocabulary,
): readonly Quad[] {
  if (labels.size === 0) return []
  const prefix = freePrefix(labels.keys())
  const [response, metadata, map] = [
    blankNode(`${prefix}-response`),
    blankNode(`${prefix}-document`),
    blankNode(`${prefix}-labels`),
  ]
  const say = (subject: typeof response, property: Iri, object: Term) => quad(subject, namedNode(property), object)
  return [
    say(response, rdf.type, namedNode(platform.VolatileResource)),
    say(response, rdf.type, namedNode(platform.ResponseMetadata)),
    say(response, platform.documentMetadata, metadata),
    say(metadata, rdf.type, namedNode(platform.VolatileResource)),
    say(metadata, rdf.type, namedNode(platform.DocumentMetadata)),
    say(metadata, platform.relatedDocument, namedNode(document)),
    say(metadata, platform.bNodesMap, map),
    say(map, rdf.type, namedNode(platform.Map)),
    ...[...labels].flatMap(([sent, stored], index) => {
      const entry = blankNode(`${prefix}-entry-${index + 1}`)
      return [
        say(map, platform.entry, entry),
        say(entry, platform.entryKey, blankNode(sent)),
        say(entry, platform.entryValue, blankNode(stored)),
      ]
    }),
  ]
}

/** What no label of the client begins with: its nodes stand beside those of the metadata. */
function freePrefix(labels: Iterable<string>): string {
  let prefix = 'metadata'
  for (const label of [...labels].sort()) if (label.startsWith(prefix)) prefix = `${label}-metadata`
  return prefix
}
