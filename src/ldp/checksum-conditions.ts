/**
 * Replaces checksums in preconditions by entity tags.
 *
 * A client that read a document by SPARQL has its c:checksum only and sends it as a tag. The document is read only if
 * a tag looks like a checksum. The write compares the entity tag of the state read here, so it notices a change in
 * between.
 * Sources: decision 0001; docs/interface.md, Entity tags and conditions.
 */
import {type EntityTag, type Preconditions, strongTag, type TagCondition} from '../http/conditional.ts'
import type {Iri} from '../rdf/term.ts'
import type {Dataset} from './context.ts'
import {readWhole} from './read-whole.ts'

const checksumForm = /^[0-9a-f]{64}$/

/** The preconditions, with the document's current checksum replaced by its current entity tag. */
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
