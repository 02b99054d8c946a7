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
  const [response, metadata, map] = ['metadata-response', 'metadata-document', 'metadata-labels'].map(blankNode)
  if (response === undefined || metadata === undefined || map === undefined) return []
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
      const entry = blankNode(`metadata-entry-${index + 1}`)
      return [
        say(map, platform.entry, entry),
        say(entry, platform.entryKey, blankNode(sent)),
        say(entry, platform.entryValue, blankNode(stored)),
      ]
    }),
  ]
}
