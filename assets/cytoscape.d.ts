/** The parts of cytoscape that graph.js uses. The file is served under the name cytoscape.js. */
export type Box = {readonly x1: number; readonly y1: number; readonly x2: number; readonly y2: number}
type Elements = {
  readonly addClass: (names: string) => Elements
  readonly removeClass: (names: string) => Elements
  readonly style: (style: object) => Elements
  readonly closedNeighborhood: () => Elements
  readonly data: (name: string) => unknown
  readonly degree: (hasLoops: boolean) => number // of the first element
  readonly boundingBox: (options: Readonly<Record<string, boolean>>) => Box
  readonly sort: (compare: (a: Elements, b: Elements) => number) => Elements
  readonly toArray: () => readonly Elements[]
}
type Tapped = {readonly target: Elements}
type Drawing = {
  readonly on: {
    (event: string, selector: string, listener: (event: Tapped) => void): void
    (event: string, listener: (event: {readonly target: unknown}) => void): void
  }
  readonly elements: () => Elements
  readonly nodes: () => Elements
  readonly edges: () => Elements
  readonly zoom: () => number
}

// biome-ignore lint/style/noDefaultExport: the package exports nothing else
export default function cytoscape(options: object): Drawing
