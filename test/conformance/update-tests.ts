/**
 * Reads the W3C Update tests from an index: the request, and the graphs before and after it.
 *
 * Our graphs are documents, so each graph name of a test becomes the IRI of a document, in the request as well as in
 * the data. The suite's default graph is a document too.
 */
import type {Quad, Term} from '../../src/rdf/term.ts'
import {iriOf, readQuads, readText} from './sparql-tests.ts'
import {readSuiteFile, suiteData} from './suite.ts'

type IndexedState = {
  readonly data: readonly string[]
  readonly graphData: readonly {readonly graph: string; readonly name: string}[]
}

export type UpdateTest = {
  readonly id: string
  readonly type: string
  readonly request: string // paths relative to the folder of the suite
  readonly before?: IndexedState
  readonly after?: IndexedState
}

export const updateIndex = new URL('index/sparql-update.json', suiteData)

export function updateTests(index: URL): readonly UpdateTest[] {
  return JSON.parse(new TextDecoder().decode(readSuiteFile(index))) as readonly UpdateTest[]
}

/** Graphs by the IRIs of their documents. */
export type State = ReadonlyMap<string, readonly Quad[]>

export type UpdateCase = {
  readonly text: string
  readonly base: string
  readonly named: readonly string[] // documents of all named graphs
  readonly written: readonly string[] // documents of graphs that hold triples in the request
  readonly before: State
  readonly after: State
}

/** @param documentOf  the document for a graph name; '' is the default graph */
export async function readCase(test: UpdateTest, documentOf: (name: string) => string): Promise<UpdateCase> {
  const text = readText(test.request)
  const stated = [test.before, test.after].flatMap(state => (state?.graphData ?? []).map(({name}) => name))
  const names = new Set([...stated, ...namesIn(text)])
  const renamed = new Map(Array.from(names, name => [name, documentOf(name)]))
  const stateOf = async ({data, graphData}: IndexedState = {data: [], graphData: []}): Promise<State> => {
    const files = [...data.map(path => ({name: '', path})), ...graphData.map(({graph: path, name}) => ({name, path}))]
    const state = new Map<string, readonly Quad[]>()
    for (const {name, path} of files) {
      const graph = documentOf(name)
      const quads = (await readQuads(path)).map(quad => renameIn(quad, renamed))
      state.set(graph, [...(state.get(graph) ?? []), ...quads])
    }
    return state
  }
  return {
    text: renameText(text, renamed),
    base: iriOf(test.request),
    named: [...renamed.values()],
    written: namesIn(text, beforeTriples).flatMap(name => renamed.get(name) ?? []),
    before: await stateOf(test.before),
    after: await stateOf(test.after),
  }
}

const place = /\b(?:GRAPH|WITH|USING(?:\s+NAMED)?|TO|INTO|COPY|MOVE|ADD|SILENT)\s+(<[^>]*>|[\w-]*:[\w.-]*[\w-])/gi
const term = /<[^>\s]*>|(?<![\w:<])[\w-]*:[\w.-]*[\w-](?![^<\n]*>\s*$)/gm

function prefixesOf(text: string): ReadonlyMap<string, string> {
  return new Map([...text.matchAll(/PREFIX\s+([\w-]*:)\s*<([^>]*)>/gi)].map(([, name = '', iri = '']) => [name, iri]))
}

const beforeTriples = /\b(?:GRAPH|WITH)\s+(<[^>]*>|[\w-]*:[\w.-]*[\w-])\s*(?:\{|INSERT|DELETE)/gi

function namesIn(text: string, pattern = place): readonly string[] {
  const prefixes = prefixesOf(text)
  return [...text.matchAll(pattern)].flatMap(([, name = '']) => expand(name, prefixes) ?? [])
}

function expand(written: string, prefixes: ReadonlyMap<string, string>): string | undefined {
  if (written.startsWith('<')) return written.slice(1, -1)
  const colon = written.indexOf(':') + 1
  const namespace = prefixes.get(written.slice(0, colon))
  return namespace === undefined ? undefined : namespace + written.slice(colon)
}

function renameText(text: string, renamed: ReadonlyMap<string, string>): string {
  const prefixes = prefixesOf(text)
  return text.replace(term, written => {
    const document = renamed.get(expand(written, prefixes) ?? '')
    return document === undefined ? written : `<${document}>`
  })
}

function renameIn(quad: Quad, renamed: ReadonlyMap<string, string>): Quad {
  const own = <Any extends Term>(one: Any): Any =>
    one.termType === 'NamedNode' ? {...one, value: renamed.get(one.value) ?? one.value} : one
  return {...quad, subject: own(quad.subject), predicate: own(quad.predicate), object: own(quad.object)}
}
