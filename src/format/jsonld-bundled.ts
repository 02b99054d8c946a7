/**
 * The JSON-LD contexts that come with the service; the network is never asked for one.
 *
 * Floor 2. Only contexts that are our own. Source: decisions, "remote @context".
 */
import type {Iri} from '../rdf/term.ts'
import {ldpNamespace, rdfNamespace, xsdNamespace} from '../rdf/vocabulary.ts'

export const bundledContexts: ReadonlyMap<Iri, unknown> = new Map([
  [
    'https://carbonldp.com/ns/v1/platform',
    {
      '@context': {
        '@version': 1.1,
        c: 'https://carbonldp.com/ns/v1/platform#',
        ldp: ldpNamespace,
        rdf: rdfNamespace,
        xsd: xsdNamespace,
      },
    },
  ],
])
