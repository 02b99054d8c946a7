/** Statistics with which the compiler uses the text index wherever it can, even for little data. */
import type {Frequencies} from '../../src/sparql/compile.ts'

const counts: Frequencies = {
  triples: 1000,
  predicates: new Map(),
  values: new Map(),
  texts: {literals: 0.001, hasLetters: true, texts: []},
}

export const searchedFrequencies = async (): Promise<Frequencies> => counts
