/**
 * The LDP types that a create asks for by `Link: <type>; rel="type"`: the interaction model of the new resource.
 *
 * Pure. LDP 1.0 §5.2.3.4: a server honours the model or fails the request. Every document is a container, so a plain
 * ldp:RDFSource, which takes no children, is refused.
 */
import {Problem} from '../base/problem.ts'
import type {Link} from '../http/link.ts'
import type {Iri} from '../rdf/term.ts'
import {ldp} from '../rdf/vocabulary.ts'

/** The targets of the links with the relation `type`. */
export function requestedTypes(links: readonly Link[]): readonly Iri[] {
  return links.filter(({relation}) => relation.toLowerCase() === 'type').map(({target}) => target)
}

/**
 * Checks that a new document has the requested types. Types that are not of LDP are ignored.
 *
 * @throws  Problem 422 `interaction-model-available`
 */
export function checkRequestedTypes(types: readonly Iri[], isAccessPoint: boolean): void {
  const given: Iri = isAccessPoint ? ldp.DirectContainer : ldp.BasicContainer
  const isContainer = types.includes(given) || types.includes(ldp.Container)
  const others = [ldp.NonRDFSource, ldp.IndirectContainer, isAccessPoint ? ldp.BasicContainer : ldp.DirectContainer]
  const refused = types.find(type => others.some(other => other === type) || (type === ldp.RDFSource && !isContainer))
  if (refused === undefined) return
  const kind = isAccessPoint ? 'An access point' : 'A document'
  const message = `${kind} is an <${given}>, so it cannot be created as <${refused}>, which Link asks for.`
  throw new Problem(422, 'interaction-model-available', message)
}
