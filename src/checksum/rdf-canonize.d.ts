/** Types for rdf-canonize, which has none: what `canonical.ts` uses. */
declare module 'rdf-canonize' {
  import type {Quad} from '../rdf/term.ts'

  export function canonize(
    dataset: readonly Quad[],
    options: {
      readonly algorithm: 'RDFC-1.0'
      readonly format: 'application/n-quads'
      readonly messageDigestAlgorithm?: string
      readonly canonicalIdMap?: Map<string, string>
      readonly maxWorkFactor: number
    },
  ): Promise<string>
}
