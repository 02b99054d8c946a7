/**
 * `npm test`: starts temporary PostgreSQL servers, runs AVA, and prints a line with the counts at the end.
 *
 *   npm test                                the tests that a change needs, on the embedded server
 *   npm run test:all                        everything; what may depend on the version also on the machine's server
 *   npm test -- test/db/migrate.test.ts     these files (and options of AVA such as --match)
 *   npm test -- --one-server …              only the embedded server
 *   npm test -- --both-servers              everything that needs a database on both
 *   TEST_CITUS=coordinator npm test -- --one-server …   on a Citus cluster, or TEST_CITUS=worker; TEST_CITUS_URL
 *                                           names the coordinator of one that runs: postgres://user@host:port/database
 *   npm test -- --slowest …                 also print the processor time of the files, the most expensive first
 */
import {spawn} from 'node:child_process'
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {dirname, join} from 'node:path'
import {createInterface} from 'node:readline'
import {fileURLToPath} from 'node:url'
import {costReport, readCosts} from './costs.ts'
import {compile, compiledPath} from './program.ts'
import {findOlderBinaries, startCitusServer, startTestServer, type TestServer} from './servers.ts'
import {createTapReader, type TapCounts} from './tap.ts'

const databaseSuites = [
  'test/sql',
  'test/db',
  'test/http',
  'test/model',
  'test/history',
  'test/faults',
  'test/plans',
  'test/queries',
]

/**
 * The store, races, all endpoints and queries. Omits code above SQL, and tests with the same statements on more data.
 */
const versionSuites = [
  ...['test/sql', 'test/db', 'test/model', 'test/history'].map(suite => `${suite}/**/*.test.ts`),
  'test/http/{0?,10,11,13}-*.test.ts',
  'test/http/12-!(service).test.ts',
  'test/plans/random.test.ts',
]
const print = (text: string) => process.stdout.write(`${text}\n`)
const stops = new Set<() => Promise<void>>()
/** Twice AVA's own limit (ava.config.js), in case AVA itself stands still. Long runs of a single test need more. */
const standstillMs = 2 * Number(process.env.TEST_STANDSTILL_MS ?? 180_000)
const costs = process.argv.includes('--slowest') ? join(mkdtempSync(join(tmpdir(), 'quadstead-costs-')), 'costs') : ''
const interruption = new AbortController()

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => interruption.abort())

process.exitCode = await main(process.argv.slice(2))

async function main(given: readonly string[]): Promise<number> {
  const parameters = given.filter(parameter => !/^--(all|one-server|both-servers|slowest)$/.test(parameter))
  const isWhole = given.includes('--both-servers')
  const isQuick = !isWhole && !given.includes('--all') && parameters.every(isOption)
  const isOneServer = isQuick || given.includes('--one-server')
  if (isQuick) process.env.TEST_QUICK = '1' // for AVA's configuration
  const counts: TapCounts[] = []
  try {
    compile()
    counts.push(await pass(undefined, parameters))
    if (!isOneServer) counts.push(...(await secondPass(parameters, isWhole)))
  } catch (error) {
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error)
    counts.push({passed: 0, failures: [message], skipped: 0})
  } finally {
    for (const stop of stops) await stop()
    if (costs !== '') rmSync(dirname(costs), {recursive: true})
  }
  return report(counts)
}

/** Runs the database suites again, on the oldest PostgreSQL of this machine. */
async function secondPass(parameters: readonly string[], isWhole: boolean): Promise<readonly TapCounts[]> {
  const files = parameters.filter(parameter => !isOption(parameter))
  const options = parameters.filter(isOption)
  const all = isWhole ? databaseSuites.map(suite => `${suite}/**/*.test.ts`) : versionSuites
  const chosen = files.length === 0 ? all : files.filter(isDatabaseSuite)
  if (chosen.length === 0 || interruption.signal.aborted) return []
  const binaries = await findOlderBinaries()
  if (binaries === undefined) {
    print('no second PostgreSQL on this machine: the database tests ran on the embedded one only')
    return []
  }
  return [await pass(binaries, [...chosen, ...options])]
}

/** Whether a parameter is a file, folder or pattern of tests and not the value of an option. */
function isTest(parameter: string): boolean {
  return /^(\.\/)?test\//.test(parameter)
}

function isOption(parameter: string): boolean {
  return parameter.startsWith('-')
}

function isDatabaseSuite(file: string): boolean {
  return databaseSuites.some(suite => file.replace(/^\.\//, '').startsWith(suite))
}

async function pass(binaries: string | undefined, parameters: readonly string[]): Promise<TapCounts> {
  const {TEST_CITUS: entry = ''} = process.env
  const server = entry === '' ? await startTestServer(binaries) : await startCitusServer(entry)
  stops.add(server.stop)
  if (costs !== '') writeFileSync(costs, '')
  print(`PostgreSQL ${server.version}${parameters.length === 0 ? '' : `: ${parameters.join(' ')}`}`)
  try {
    const counts = await runAva(server, binaries, parameters)
    if (costs !== '') for (const line of costReport(readCosts(costs), server.processorSeconds())) print(line)
    return counts
  } finally {
    stops.delete(server.stop)
    await server.stop()
  }
}

/**
 * Runs AVA once. Counts a further failure if AVA itself failed: it ended before its plan, ended with an error although
 * no test failed, or stalled.
 */
function runAva(server: TestServer, binaries: string | undefined, parameters: readonly string[]): Promise<TapCounts> {
  const ava = fileURLToPath(new URL('../../node_modules/ava/entrypoints/cli.mjs', import.meta.url))
  const words = parameters.map(parameter => (isTest(parameter) ? compiledPath(parameter) : parameter))
  const child = spawn(process.execPath, [ava, '--tap', ...words], {
    env: {
      ...process.env,
      TEST_DATABASE_URL: server.url,
      ...server.environment,
      ...(costs === '' ? {} : {TEST_COSTS: costs}),
      ...(binaries === undefined ? {} : {TEST_POSTGRES_BINARIES: binaries}),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const end = () => child.kill('SIGTERM') // lets AVA stop its own children
  const watchdog = setTimeout(() => {
    print(`no test ended within ${standstillMs / 1000} seconds`)
    end()
  }, standstillMs)
  interruption.signal.addEventListener('abort', end)
  const reader = createTapReader(print)
  createInterface({input: child.stdout}).on('line', line => {
    watchdog.refresh()
    reader.read(line)
  })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => {
      clearTimeout(watchdog)
      interruption.signal.removeEventListener('abort', end)
      const counts = reader.counts()
      const isSound = reader.isComplete() && (code === 0 || counts.failures.length > 0)
      const failure = `AVA broke off (${signal ?? `code ${code}`})`
      resolve(isSound ? counts : {...counts, failures: [...counts.failures, failure]})
    })
  })
}

/** Prints the failures once more, because their details are far above, and the counts. */
function report(all: readonly TapCounts[]): number {
  const sum = (name: 'passed' | 'skipped') => all.reduce((total, counts) => total + counts[name], 0)
  const failures = all.flatMap(counts => counts.failures)
  const skipped = sum('skipped')
  for (const failure of failures) print(`failed: ${failure}`)
  print(`${sum('passed')} passed, ${failures.length} failed${skipped === 0 ? '' : `, ${skipped} skipped`}`)
  return failures.length === 0 ? 0 : 1
}
