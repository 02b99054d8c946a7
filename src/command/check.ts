/**
 * `quadstead check`: checks that the stored data are consistent, or equal a manifest. Gives advice for the server.
 */
import {createHash} from 'node:crypto'
import {createReadStream} from 'node:fs'
import {createInterface} from 'node:readline'
import {Refusal} from '../base/refusal.ts'
import {createChecksumPool} from '../checksum/pool.ts'
import {unlimited} from '../db/bulk/import-store.ts'
import {quoteIdentifier} from '../db/connection/identifier.ts'
import type {Database} from '../db/connection/pool.ts'
import {readServerState} from '../db/connection/server-settings.ts'
import {openSession} from '../db/store/create-session.ts'
import {readVocabulary} from '../db/store/dataset.ts'
import {readTextIndexState} from '../db/store/text-index.ts'
import {listWebhooks} from '../db/store/webhooks.ts'
import type {Config} from '../settings/config.ts'
import {openStorage, type Storage} from '../storage.ts'
import {exportGraphs} from '../transfer/export.ts'
import {createGraphChecksums} from '../transfer/graph-checksums.ts'
import {readInput} from '../transfer/input.ts'
import {compareManifests, entriesOf, type ManifestEnd, type ManifestEntry, readManifest} from '../transfer/manifest.ts'
import {type Advice, adviceFor, adviceForWebhooks, advisedSettings} from './advice.ts'
import {type Arguments, type Command, count, isOptionGiven, print, textOption} from './command.ts'
import {createProgressLine, readShare} from './progress.ts'
import {requireSchema} from './schema.ts'

export const checkCommand: Command = {
  name: 'check',
  summary: 'look whether the stored data are whole; exit code 1 when they are not',
  usage: '[--json] [--manifest FILE [EXPORT]] [--subtree IRI]',
  options: {json: {type: 'boolean'}, manifest: {type: 'string'}, subtree: {type: 'string'}},
  operands: {least: 0, most: 1},
  help: `Prints a line for each broken invariant of the store, for each place where the change log does not lead to the
present state, or for each difference. Then what could be set better on
the server, and the SQL for it; that alone is no fault. On a managed server settings are changed in its parameter group.

  --json            one JSON object; not with --manifest
  --manifest FILE   compare the dataset with a manifest of "quadstead export": document by document, by c:checksum;
                    entity tags do not count, as a restored document has a new one
  EXPORT            compare this file of an export with the manifest instead, byte by byte
  --subtree IRI     the document whose subtree the manifest is of

Examples:
  DATABASE_URL=postgres://reader:secret@db/ldp quadstead check
  quadstead check --manifest backup.txt
  quadstead check --manifest backup.txt backup.nq.gz

Exit codes: 0 nothing is wrong; 1 something is, or it cannot be looked at.`,
  run: check,
}

async function check(config: Config, parameters: Arguments): Promise<number> {
  const manifest = textOption(parameters, 'manifest')
  const [file] = parameters.operands
  if (file !== undefined) return checkFile(manifest, file)
  const {schema} = config.database
  const storage = await openStorage(config, 'command')
  try {
    await requireSchema(storage.database, schema)
    if (manifest === undefined) {
      const connections = config.database.connectionMax
      const hasTexts = config.textIndex !== 'off'
      const isJson = isOptionGiven(parameters, 'json')
      return await checkStore(storage, {schema, connections, isJson, hasTexts})
    }
    return await checkDataset(storage.database, {schema, manifest, subtree: textOption(parameters, 'subtree')})
  } finally {
    await storage.close()
  }
}

type Store = {
  readonly schema: string
  readonly connections: number
  readonly isJson: boolean
  readonly hasTexts: boolean
}

async function checkStore(storage: Storage, {schema, connections, isJson, hasTexts}: Store): Promise<number> {
  const {database, distributed} = storage
  const broken = await database.begin('repeatable read read only', async transaction => {
    await unlimited(transaction)
    const inSchema = quoteIdentifier(schema)
    return transaction.query<{rule: string; detail: string}>(
      `select rule, detail from ${inSchema}.check_store() union all select rule, detail from ${inSchema}.check_changes()`,
    )
  })
  const rows = [...broken, ...((await distributed?.check()) ?? [])]
  const state = await readServerState(database, schema, advisedSettings)
  const textIndex = hasTexts ? await readTextIndexState(database, schema) : undefined
  const ofServer = adviceFor({state, schema: quoteIdentifier(schema), connections, textIndex})
  const advice = [...ofServer, ...adviceForWebhooks(await listWebhooks(await openSession(database, schema)))]
  if (isJson) print(JSON.stringify({schema, found: rows, advice}))
  else {
    for (const {rule, detail} of rows) print(`${rule}: ${detail}`)
    print(rows.length === 0 ? `Schema ${schema}: nothing is wrong.` : `Schema ${schema}: ${rows.length} found.`)
    for (const line of advice.map(adviceLine)) print(line)
  }
  return rows.length === 0 ? 0 : 1
}

function adviceLine({subject, value, better, reason, command}: Advice): string {
  return `advice: ${subject} is ${value}; try ${better}. ${reason} (${command})`
}

type Comparison = {readonly schema: string; readonly manifest: string; readonly subtree: string | undefined}

async function checkDataset(database: Database, {schema, manifest, subtree}: Comparison): Promise<number> {
  const pool = createChecksumPool({queueLimit: Number.POSITIVE_INFINITY})
  const vocabulary = await readVocabulary(database, schema)
  const progress = createProgressLine()
  let found = 0
  let compared = 0
  try {
    await database.begin('repeatable read read only', async transaction => {
      await unlimited(transaction)
      const checksums = createGraphChecksums(pool)
      const graphs = exportGraphs(transaction, {schema, kind: 'documents', subtree, vocabulary, checksums})
      const expected = entriesIn(manifest, () => undefined)
      const shareOf = await readShare(transaction, {schema, subtree})
      const stored = passing(entriesOf(graphs), () => {
        compared++
        progress.show(`${count(compared, 'document')} compared`, shareOf(compared))
      })
      for await (const {kind, iri} of compareManifests(expected, stored)) {
        found++
        progress.clear()
        print(`${kind}: <${iri}>`)
      }
    })
  } finally {
    progress.clear()
    await pool.close()
  }
  print(found === 0 ? `Schema ${schema}: as ${manifest} says.` : `Schema ${schema}: ${count(found, 'difference')}.`)
  return found === 0 ? 0 : 1
}

async function* passing<Item>(items: AsyncIterable<Item>, onItem: () => void): AsyncGenerator<Item> {
  for await (const item of items) {
    onItem()
    yield item
  }
}

async function checkFile(manifest: string | undefined, file: string): Promise<number> {
  if (manifest === undefined) throw new Refusal(`With what shall ${file} be compared? Name its manifest: --manifest.`)
  let end: ManifestEnd | undefined
  for await (const _ of entriesIn(manifest, found => {
    end = found
  }));
  const digest = createHash('sha256')
  try {
    for await (const bytes of readInput(file, () => undefined)) digest.update(bytes)
  } catch (error) {
    throw unreadable(file, error)
  }
  const isSame = digest.digest('hex') === end?.sha256
  print(isSame ? `${file}: as ${manifest} says.` : `${file}: is not the file that ${manifest} was written with.`)
  return isSame ? 0 : 1
}

async function* entriesIn(manifest: string, onEnd: (end: ManifestEnd) => void): AsyncGenerator<ManifestEntry> {
  try {
    yield* readManifest(createInterface({input: createReadStream(manifest)}), onEnd)
  } catch (error) {
    throw unreadable(manifest, error)
  }
}

function unreadable(file: string, error: unknown): unknown {
  return error instanceof Error && 'syscall' in error ? new Refusal(`${file} cannot be read: ${error.message}.`) : error
}
