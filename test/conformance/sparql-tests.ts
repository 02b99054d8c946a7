/**
 * Reads the W3C SPARQL tests from the folder beside the project: data, query and expected result of each.
 *
 *   dataset  each data file is a graph of its own, and the test names its dataset
 *   union    each default graph is split into two graphs and no dataset is named: the default graph is their union
 *   overlap  the same, and every third triple is in both
 */
import type {Quad, Term} from '../../src/rdf/term.ts'
import type {DatasetClause} from '../../src/sparql/algebra.ts'
import {parseOf} from './reader.ts'
import {readSuiteFile, suiteData} from './suite.ts'

export type Mode = 'dataset' | 'union' | 'overlap'

export type SparqlTest = {
  readonly id: string
  readonly group: string
  readonly type: string
  readonly query: string // paths relative to the folder of the suite
  readonly data: readonly string[]
  readonly graphData: readonly string[]
  readonly from: readonly string[]
  readonly result?: string
  readonly byValue?: boolean // the expected result has other lexical forms
}

export type NamedGraph = {readonly name: string; readonly quads: readonly Quad[]}
export type Load = {readonly graphs: readonly NamedGraph[]; readonly dataset: DatasetClause | undefined}

const suite = new URL('w3c-rdf-tests/', suiteData)
const suiteIri = 'https://w3c.github.io/rdf-tests/'

export function sparqlTests(): readonly SparqlTest[] {
  return JSON.parse(textOf(new URL('index/sparql-query.json', suiteData))) as readonly SparqlTest[]
}

export type UpdateTest = Pick<SparqlTest, 'id' | 'type'> & {readonly request: string}

export function updateTests(): readonly UpdateTest[] {
  return JSON.parse(textOf(new URL('index/sparql-update.json', suiteData))) as readonly UpdateTest[]
}

export const iriOf = (path: string) => suiteIri + path
export const readText = (path: string) => textOf(new URL(path, suite))

function textOf(url: URL): string {
  return new TextDecoder().decode(readSuiteFile(url))
}

const mediaTypes: Readonly<Record<string, string>> = {
  ttl: 'text/turtle',
  nt: 'application/n-triples',
  rdf: 'application/rdf+xml',
}

export const extensionOf = (path: string) => path.slice(path.lastIndexOf('.') + 1)

const paths: string[] = []

/** Blank nodes of one file are the same each time, and differ from those of other files. */
export async function readQuads(path: string): Promise<readonly Quad[]> {
  const parse = parseOf(mediaTypes[extensionOf(path)] ?? '')
  const quads = await parse(readSuiteFile(new URL(path, suite)), {base: iriOf(path)})
  if (!paths.includes(path)) paths.push(path)
  const own = <Any extends Term>(term: Any) =>
    term.termType === 'BlankNode' ? {...term, value: `f${paths.indexOf(path)}x${term.value}`} : term
  return quads.map(quad => ({...quad, subject: own(quad.subject), object: own(quad.object)}) as Quad)
}

/** The data that a mode loads for a test; undefined if the mode does not apply (the test has named graphs). */
export async function loadOf(test: SparqlTest, mode: Mode): Promise<Load | undefined> {
  const {data, graphData, from} = test
  if (mode === 'dataset') {
    const defaults = data.map(path => ({name: `urn:x-default:${path}`, path}))
    const named = [...graphData, ...from].map(path => ({name: iriOf(path), path}))
    const all = new Map([...defaults, ...named].map(({name, path}) => [name, path]))
    return {
      graphs: await Promise.all([...all].map(async ([name, path]) => ({name, quads: await readQuads(path)}))),
      dataset: from.length > 0 ? undefined : {default: defaults.map(({name}) => name), named: graphData.map(iriOf)},
    }
  }
  if (graphData.length + from.length > 0 || /\bgraph\b/i.test(readText(test.query))) return undefined
  const graphs = await Promise.all(data.map(path => spread(path, mode)))
  return {graphs: graphs.flat(), dataset: undefined}
}

async function spread(path: string, mode: 'union' | 'overlap'): Promise<readonly NamedGraph[]> {
  const quads = await readQuads(path)
  const isLeftOut = (part: number, index: number) =>
    mode === 'union' ? index % 2 !== part : index % 3 === (part === 0 ? 1 : 0)
  return [0, 1].map(part => ({
    name: `urn:x-default:${path}?part=${part}`,
    quads: quads.filter((_, index) => !isLeftOut(part, index)),
  }))
}
