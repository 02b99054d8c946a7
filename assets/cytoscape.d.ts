/** As much of cytoscape as graph.js uses; its file is served under the name cytoscape.js. */
type Tapped = {readonly target: {readonly data: (name: string) => unknown}}

// biome-ignore lint/style/noDefaultExport: the package exports nothing else
export default function cytoscape(options: object): {
  readonly on: (event: string, selector: string, listener: (event: Tapped) => void) => void
}
