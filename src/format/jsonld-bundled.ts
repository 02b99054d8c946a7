/**
 * The JSON-LD contexts that are part of the service. No context is fetched from the network.
 *
 * Source: docs/interface.md, Formats (a remote context is a 422).
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
