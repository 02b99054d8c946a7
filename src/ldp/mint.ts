/**
 * A parent and a hint to the IRI of a new document.
 *
 * Floor 4. Proposes only; whether the IRI is free, the store's constraint `document-iri-free` says.
 * Source: interface, endpoint 1 ("URI minting").
 */
import {randomInt} from 'node:crypto'
import type {Iri} from '../rdf/term.ts'

const randomLimit = 2 ** 48 - 1 // the greatest range that randomInt takes

/**
 * @param slug    one clean path segment (http/slug.ts); undefined asks for a random number
 * @returns       `<parent><slug>/`
 */
export function mintChild(parent: Iri, slug: string | undefined): Iri {
  return `${parent}${slug ?? randomInt(randomLimit)}/`
}
