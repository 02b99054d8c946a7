/**
 * JSON-LD bodies to quads.
 *
 * Data that the JSON-LD algorithms would drop silently is a 400 `jsonld-lossless`. Contexts are never fetched.
 * Sources: JSON-LD 1.1; JSON-LD 1.1 API; decision 0013.
 */
import type {Quad} from '../rdf/term.ts'
import {BodyTerms} from './body-terms.ts'
import {decodeBody} from './body-text.ts'
import {parseJson} from './json-text.ts'
import {bundledContexts} from './jsonld-bundled.ts'
import {expandDocument} from './jsonld-expanded.ts'
import {expandedToQuads} from './jsonld-rdf.ts'
import {ignoreLoss, refuseLoss} from './jsonld-words.ts'
import {defaultDepthLimit, type ParseOptions} from './types.ts'

/** Inline contexts of one body. Each costs jsonld some kilobytes. Real bodies have one, or one for each node. */
const contextLimit = 10_000

/**
 * Reads a body.
 *
 * @throws  the Problems of `Parse` in types.ts; 400 `jsonld-invalid` (with the error code of the specification) |
 *          `jsonld-lossless` | `json-number` | `context-size`; 422 `remote-context-refused`
 */
export async function readJsonLd(body: Uint8Array, options: ParseOptions): Promise<readonly Quad[]> {
  const {depthLimit = defaultDepthLimit, tripleLimit} = options
  const document = parseJson(decodeBody(body), {depthLimit, tripleLimit, contextLimit})
  const isStrict = options.loss !== 'ignored'
  const loss = isStrict ? refuseLoss : ignoreLoss
  const contexts = options.contexts === undefined ? bundledContexts : new Map([...bundledContexts, ...options.contexts])
  const nodes = await expandDocument(document, {base: options.base, contexts, contextWork: options.contextWork, loss})
  return expandedToQuads(nodes, {
    terms: new BodyTerms(body.length, tripleLimit),
    loss,
    unfit: isStrict ? 'refused' : 'dropped',
  })
}
