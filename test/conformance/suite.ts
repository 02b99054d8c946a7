/**
 * Reads the W3C syntax suites from the folder beside the project: manifests to test cases.
 *
 * Nothing is copied. If the folder does not exist, the suites are skipped with a message.
 */
import {existsSync, readFileSync} from 'node:fs'
import {fileURLToPath, pathToFileURL} from 'node:url'
import {projectDirectory} from '../support/program.ts'
import {type Parse, parseOf} from './reader.ts'

export const suiteData = new URL('../shared/conformance/data/', pathToFileURL(projectDirectory))

export const isSuiteHere = existsSync(fileURLToPath(suiteData))

export type SyntaxTest = {
  readonly id: string // the test's fragment
  readonly type: string // local name of its class: TestTurtleEval, TestTrigNegativeSyntax …
  readonly base: string // IRI of the test's input
  readonly input: URL
  readonly result: URL | undefined
}

export function readSuiteFile(url: URL): Uint8Array {
  return readFileSync(fileURLToPath(url))
}

const rdfSuite = new URL('w3c-rdf-tests/rdf/rdf11/', suiteData)
const w3cBase = 'https://w3c.github.io/rdf-tests/rdf/rdf11/'

/** The tests of one folder of rdf-tests, from its manifest.ttl. */
export async function rdfTests(folder: string): Promise<readonly SyntaxTest[]> {
  const base = `${w3cBase}${folder}/`
  const parse: Parse = parseOf('text/turtle')
  const quads = await parse(readSuiteFile(new URL(`${folder}/manifest.ttl`, rdfSuite)), {base: `${base}manifest.ttl`})
  const value = (subject: string, name: string) =>
    quads.find(quad => quad.subject.value === subject && quad.predicate.value.endsWith(name))?.object.value
  return quads
    .filter(quad => quad.predicate.value.endsWith('manifest#name'))
    .map(({subject}) => {
      const action = value(subject.value, 'manifest#action') ?? ''
      const result = value(subject.value, 'manifest#result')
      return {
        id: subject.value.slice(subject.value.indexOf('#') + 1),
        type: (value(subject.value, '22-rdf-syntax-ns#type') ?? '').replace(/^.*#/, ''),
        base: action,
        input: new URL(action.slice(w3cBase.length), rdfSuite),
        result: result === undefined ? undefined : new URL(result.slice(w3cBase.length), rdfSuite),
      }
    })
}

type RdfXmlRow = {readonly id: string; readonly type: string; readonly input: string; readonly result?: string}

/** The RDF/XML tests, from the flat index beside the suites. */
export function rdfXmlTests(): readonly SyntaxTest[] {
  const rows = JSON.parse(
    new TextDecoder().decode(readSuiteFile(new URL('index/rdfxml.json', suiteData))),
  ) as RdfXmlRow[]
  return rows.map(row => ({
    id: row.id.slice(row.id.indexOf('#') + 1),
    type: row.type,
    base: `https://w3c.github.io/rdf-tests/${row.input}`,
    input: new URL(`w3c-rdf-tests/${row.input}`, suiteData),
    result: row.result === undefined ? undefined : new URL(`w3c-rdf-tests/${row.result}`, suiteData),
  }))
}

export type JsonLdTest = {
  readonly '@id': string
  readonly '@type': readonly string[]
  readonly input: string
  readonly expect?: string
  readonly expectErrorCode?: string
  readonly option?: {readonly [name: string]: unknown}
}

export const jsonLdFolder = new URL('w3c-json-ld-api/tests/', suiteData)
export const jsonLdBase = 'https://w3c.github.io/json-ld-api/tests/'

export function jsonLdTests(): readonly JsonLdTest[] {
  const manifest = JSON.parse(new TextDecoder().decode(readSuiteFile(new URL('toRdf-manifest.jsonld', jsonLdFolder))))
  return manifest.sequence
}
