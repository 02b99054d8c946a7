/** The error of every request that needs a document that does not exist. */
import {Problem} from '../base/problem.ts'
import type {Iri} from '../rdf/term.ts'

export function noDocument(iri: Iri): Problem {
  return new Problem(404, 'document-exists', `There is no document <${iri}>.`)
}
