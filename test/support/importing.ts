/** Imports and exports a dataset in this process. The dataset is empty at first, or has other content. */
import {mkdtemp, rm, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {Writable} from 'node:stream'
import type {ExecutionContext} from 'ava'
import {createChecksumPool} from '../../src/checksum/pool.ts'
import {createPool} from '../../src/db/connection/pool.ts'
import {openDataset, readVocabulary} from '../../src/db/store/dataset.ts'
import {exportGraphs} from '../../src/transfer/export.ts'
import {outputFormats} from '../../src/transfer/export-text.ts'
import type {Fault} from '../../src/transfer/file-loader.ts'
import {createGraphChecksums} from '../../src/transfer/graph-checksums.ts'
import {type ImportOptions, importFiles, type Summary} from '../../src/transfer/import.ts'
import {writeExport} from '../../src/transfer/write-export.ts'
import {createTestDatabase, type TestDatabase, testSchema} from './postgres.ts'

export const base = 'http://localhost:8080/'
export const platform = 'https://carbonldp.com/ns/v1/platform#'

export type Input = {readonly name: string; readonly content: string | Uint8Array}

type Given = Pick<
  ImportOptions,
  'format' | 'graph' | 'isRaw' | 'existing' | 'skipsBad' | 'onProgress' | 'replaceWithinMs'
>

export type TestDataset = {
  readonly database: TestDatabase
  readonly load: (
    inputs: readonly Input[],
    options?: Partial<Given>,
  ) => Promise<Summary & {readonly told: readonly Fault[]}>
  /** The text of the export, and the lines of the manifest without entity tags and without the last line. */
  readonly write: (options?: {
    readonly format?: string // as for --format
    readonly subtree?: string
    readonly kind?: 'documents' | 'raw'
  }) => Promise<{readonly text: string; readonly checksums: readonly string[]}>
  /** The result of check_store, as text. */
  readonly faults: () => Promise<readonly string[]>
}

/** @param isMerged  whether the dataset contains more than its root: a graph without statements */
export async function useDataset(t: ExecutionContext, {isMerged}: {readonly isMerged: boolean}): Promise<TestDataset> {
  const database = await createTestDatabase()
  const folder = await mkdtemp(join(tmpdir(), 'quadstead-import-'))
  const options = {connectionMax: 1, isPooled: false, prepare: true, statementTimeoutMs: 0, keepsSessions: true}
  // The test server commits asynchronously, and VACUUM does not mark pages whose commits are not on disk.
  const parameters = {...database.address.parameters, application_name: 'test of import', synchronous_commit: 'on'}
  const alone = createPool({...database.address, parameters}, options)
  t.teardown(async () => {
    await alone.end(1000)
    await database.drop()
    await rm(folder, {recursive: true, force: true})
  })
  await openDataset(alone, {schema: testSchema, base, defaultBase: base, platformNamespace: platform})
  if (isMerged) {
    await alone.query(`insert into ${testSchema}.raw_graph select (${testSchema}.intern_terms(array['Iurn:held']))[1]`)
  }
  return {
    database,
    async load(inputs, given = {}) {
      const files: string[] = []
      for (const {name, content} of inputs) {
        const directory = await mkdtemp(join(folder, 'input-'))
        files.push(join(directory, name))
        await writeFile(join(directory, name), content)
      }
      const told: Fault[] = []
      const summary = await importFiles(alone, {
        schema: testSchema,
        base,
        files,
        format: undefined,
        graph: undefined,
        isRaw: false,
        skipsBad: false,
        onProgress: () => undefined,
        ...given,
        onFault: fault => told.push({...fault, file: fault.file.slice(fault.file.lastIndexOf('/') + 1)}),
        signal: new AbortController().signal,
      })
      return {...summary, told}
    },
    write: ({format = 'nquads', subtree, kind = 'documents'} = {}) => writeOut(alone, {format, subtree, kind}),
    async faults() {
      const rows = await alone.query<{rule: string; detail: string}>(`select * from ${testSchema}.check_store()`)
      return rows.map(({rule, detail}) => `${rule}: ${detail}`)
    },
  }
}

async function writeOut(
  database: ReturnType<typeof createPool>,
  {
    format,
    subtree,
    kind,
  }: {
    readonly format: string
    readonly subtree: string | undefined
    readonly kind: 'documents' | 'raw'
  },
): Promise<{text: string; checksums: readonly string[]}> {
  const pool = createChecksumPool()
  const vocabulary = await readVocabulary(database, testSchema)
  const [output, manifest] = [collector(), collector()]
  const readable = outputFormats.get(format)
  if (readable === undefined) throw new Error(`no format ${format}`)
  await database.begin('repeatable read read only', async transaction => {
    const checksums = createGraphChecksums(pool)
    const graphs = exportGraphs(transaction, {schema: testSchema, kind, subtree, vocabulary, checksums})
    await writeExport(graphs, {
      format: readable,
      isPacked: false,
      output: output.stream,
      manifest: manifest.stream,
      onProgress: () => undefined,
    })
  })
  await pool.close()
  const lines = manifest.text().split('\n').slice(0, -2)
  return {text: output.text(), checksums: lines.map(line => line.replace(/ \d+ /, ' '))}
}

function collector() {
  const chunks: Buffer[] = []
  const stream = new Writable({
    write(chunk: Buffer | string, _encoding, done) {
      chunks.push(Buffer.from(chunk))
      done()
    },
  })
  return {stream, text: () => Buffer.concat(chunks).toString()}
}

/** A document as in an export, with further statements in its graph. */
export function exported(path: string, more: readonly string[] = [], {at = '2024-05-06T07:08:09.123Z'} = {}): string {
  const iri = `<${base}${path}>`
  const ldp = 'http://www.w3.org/ns/ldp#'
  const type = '<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>'
  const time = `"${at}"^^<http://www.w3.org/2001/XMLSchema#dateTime>`
  const lines = [
    `${iri} ${type} <${platform}Document>`,
    `${iri} ${type} <${ldp}RDFSource>`,
    `${iri} ${type} <${ldp}BasicContainer>`,
    `${iri} <${platform}created> ${time}`,
    `${iri} <${platform}modified> ${time}`,
    `${iri} <${ldp}membershipResource> ${iri}`,
    `${iri} <${ldp}hasMemberRelation> <${ldp}member>`,
    `${iri} <${ldp}insertedContentRelation> <${ldp}MemberSubject>`,
    ...more,
  ]
  return lines.map(line => `${line} ${iri} .\n`).join('')
}
