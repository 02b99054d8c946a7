/** The interface of an engine that is compared with the oracle: it stores quads and answers queries on them. */
import type {Quad} from '../../src/rdf/term.ts'
import type {DatasetClause} from '../../src/sparql/algebra.ts'
import type {Answer} from './answer.ts'
import type {RandomDocument} from './random-data.ts'

export type Engine = {
  /** Replaces the stored quads. Answers must have the labels of blank nodes given here. */
  readonly load: (quads: readonly Quad[], documents: readonly RandomDocument[]) => Promise<void>
  readonly answer: (text: string, dataset?: DatasetClause) => Promise<Answer>
  /** CONSTRUCT: each triple in the graphs that store it, or in the default graph if none does. */
  readonly construct: (text: string) => Promise<readonly Quad[]>
  readonly close: () => Promise<void>
}
