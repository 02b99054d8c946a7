/**
 * Preconditions by checksum to preconditions by entity tag.
 *
 * Floor 4. A client that read a document by SPARQL holds only its c:checksum and sends it as a tag (decisions, 1;
 * client-wire-facts §1.5). Asks the store only when a tag looks like a checksum; the write compares the entity tag that
 * was read with the checksum, so nothing is lost in between.
 */
import {type EntityTag, type Preconditions, strongTag, type TagCondition} from '../http/conditional.ts'
import type {Iri} from '../rdf/term.ts'
import type {Dataset} from './dataset.ts'
import {readWhole} from './read-whole.ts'

const checksumForm = /^[0-9a-f]{64}$/

/** The same preconditions, the document's current checksum replaced by its current entity tag. */
export async function withStateTags(dataset: Dataset, iri: Iri, conditions: Preconditions): Promise<Preconditions> {
  const {ifMatch, ifNoneMatch} = conditions
  if (!namesChecksum(ifMatch) && !namesChecksum(ifNoneMatch)) return conditions
  const document = await readWhole(dataset, iri)
  if (document === undefined) return conditions
  const checksum = await dataset.checksum(document.triples)
  const translate = (condition: TagCondition | undefined) =>
    Array.isArray(condition)
      ? condition.map((tag: EntityTag) => (!tag.isWeak && tag.opaque === checksum ? strongTag(document.etag) : tag))
      : condition
  return {...conditions, ifMatch: translate(ifMatch), ifNoneMatch: translate(ifNoneMatch)}
}

function namesChecksum(condition: TagCondition | undefined): boolean {
  return Array.isArray(condition) && condition.some(({opaque}: EntityTag) => checksumForm.test(opaque))
}
