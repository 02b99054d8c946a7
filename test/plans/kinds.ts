/**
 * The kinds of data for random queries: each is a generator of N-Quads, which gives the same data for the same number
 * of quads.
 *
 * All have correlated predicates, and ends that a large part of the triples share.
 */
import {papers} from './papers.ts'
import {series} from './series.ts'
import {social} from './social.ts'
import {taxonomy} from './taxonomy.ts'

export type Kind = {
  readonly name: string
  readonly write: (quads: number) => Iterable<string> // lines of N-Quads, approximately this many
  readonly isRaw: boolean // raw graphs; otherwise documents below the base
  readonly transitive: readonly string[] // predicates whose closure from one end is small
}

export const base = 'http://localhost:8080/'
export const platform = 'https://carbonldp.com/ns/v1/platform#'
export const ldp = 'http://www.w3.org/ns/ldp#'

export const kinds: readonly Kind[] = [
  {
    name: 'taxonomy',
    write: taxonomy,
    isRaw: true,
    transitive: [
      'http://www.w3.org/2000/01/rdf-schema#subClassOf',
      'http://www.w3.org/1999/02/22-rdf-syntax-ns#rest',
      'http://example.org/taxonomy#partOf',
    ],
  },
  {name: 'social', write: social, isRaw: true, transitive: ['http://example.org/social#invitedBy']},
  {name: 'series', write: series, isRaw: true, transitive: ['http://example.org/series#within']},
  {
    name: 'papers',
    write: papers,
    isRaw: false,
    transitive: [`${ldp}contains`, 'http://example.org/papers#replaces', 'http://example.org/papers#part'],
  },
]
