/** The parts of cytoscape that graph.js uses. The file is served under the name cytoscape.js. */
type Elements = {
  readonly addClass: (names: string) => Elements
  readonly removeClass: (names: string) => Elements
  readonly style: (style: object) => Elements
  readonly closedNeighborhood: () => Elements
  readonly data: (name: string) => unknown
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
