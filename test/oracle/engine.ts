/** What is compared with the oracle: anything that holds quads and answers queries over their union. */
import type {Quad} from '../../src/rdf/term.ts'
import type {Dataset} from '../../src/sparql/algebra.ts'
import type {Answer} from './answer.ts'
import type {RandomDocument} from './random-data.ts'

export type Engine = {
  /** Forgets what it held. Blank nodes must come back under the labels they have here. */
  readonly load: (quads: readonly Quad[], documents: readonly RandomDocument[]) => Promise<void>
  readonly answer: (text: string, dataset?: Dataset) => Promise<Answer>
  /** CONSTRUCT, each triple in the graphs that hold it; in the default graph when none does. */
  readonly construct: (text: string) => Promise<readonly Quad[]>
  readonly close: () => Promise<void>
}
