/**
 * Makes the IRI of a new document from its parent and an optional slug.
 *
 * The IRI is a proposal. The store's constraint `document-iri-free` rejects one that is taken.
 * Source: docs/interface.md, Creating.
 */
import {randomInt} from 'node:crypto'
import type {Iri} from '../rdf/term.ts'

const randomLimit = 2 ** 48 - 1 // the largest range that randomInt accepts

/**
 * @param slug    one valid path segment (http/slug.ts); undefined: a random number
 * @returns       `<parent><slug>/`
 */
export function mintChild(parent: Iri, slug: string | undefined): Iri {
  return `${parent}${slug ?? randomInt(randomLimit)}/`
}
