/** Counts with which the compiler begins with the text index wherever it can, however little there is. */
import type {Frequencies} from '../../src/sparql/compile.ts'

const counts: Frequencies = {
  triples: 1000,
  predicates: new Map(),
  values: new Map(),
  texts: {literals: 0.001, hasLetters: true, texts: []},
}

export const searchedFrequencies = async (): Promise<Frequencies> => counts
