/**
 * Checks whether requests on documents became slower: compares their ratios to the floors with those of
 * bench/baseline.json.
 *
 *   npm run bench:compare [-- --write]
 *
 * If a ratio is worse by more than a fifth, it is measured again, at most twice and for longer each time. The bench
 * fails if the ratio stays so. It compares ratios because numbers per second depend more on the machine than on the
 * service. --write makes the measured ratios the new baseline. A run takes about 90 seconds.
 */
import {execFileSync} from 'node:child_process'
import {readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {parseArgs} from 'node:util'
import {projectDirectory} from './support/program.ts'
import {printTable} from './support/report.ts'

const {values} = parseArgs({options: {write: {type: 'boolean', default: false}}})
const baselinePath = join(projectDirectory, 'bench/baseline.json')
const lossMax = 0.2
const triesMax = 3

/** The ratios to compare: an operation and its floor. */
const watched: readonly (readonly [operation: string, floor: string])[] = [
  ['GET', 'Koa + rows'],
  ['GET', 'Koa + function'],
  ['GET, 304', 'Koa + rows'],
  ['POST', 'pgbench create'],
  ['PATCH', 'pgbench create'],
  ['pgbench create', 'pgbench insert'],
]

type Ratios = Readonly<Record<string, number>>
type Results = {
  readonly results: readonly {
    readonly figures: readonly {readonly name: string; readonly ratios: Readonly<Record<string, number>>}[]
  }[]
}

const baseline = readBaseline()
const found = new Map<string, number>()
let suspects = new Set(watched.map(nameOf))
for (let attempt = 1; attempt <= triesMax && suspects.size > 0; attempt += 1) {
  const operations = new Set(watched.filter(pair => suspects.has(nameOf(pair))).map(([operation]) => operation))
  for (const [name, ratio] of Object.entries(measure([...operations], 3 * attempt)))
    found.set(name, Math.max(ratio, found.get(name) ?? 0))
  suspects = new Set([...found].filter(([name, ratio]) => isLost(name, ratio)).map(([name]) => name))
  if (values.write) break
}
printTable(
  'Ratios to their floors, 16 connections',
  ['ratio', 'baseline', 'now', 'change'],
  [...found].map(([name, ratio]) => {
    const before = baseline[name]
    const change = before === undefined ? 'new' : `${Math.round((ratio / before - 1) * 100)} %`
    return [name, before, ratio, change]
  }),
)
if (values.write) {
  const rounded = Object.fromEntries([...found].map(([name, ratio]) => [name, Number(ratio.toPrecision(3))]))
  writeFileSync(baselinePath, `${JSON.stringify(rounded, null, 2)}\n`)
} else if (suspects.size > 0) {
  process.stderr.write(`\nlost more than ${lossMax * 100} %: ${[...suspects].join('; ')}\n`)
  process.exitCode = 1
}

function nameOf([operation, floor]: readonly [string, string]): string {
  return `${operation} : ${floor}`
}

function isLost(name: string, ratio: number): boolean {
  const before = baseline[name]
  return before !== undefined && ratio < before * (1 - lossMax)
}

function readBaseline(): Ratios {
  return JSON.parse(readFileSync(baselinePath, 'utf8')) as Ratios
}

/** Runs the bench of documents. Omits ratios to a floor that the machine does not have (pgbench). */
function measure(operations: readonly string[], rounds: number): Ratios {
  const only = operations.map(name => name.replaceAll(',', ';')).join(',')
  const parameters = ['--connections', '16', '--rounds', String(rounds), '--quads', '50000', '--only', only, '--brief']
  execFileSync(process.execPath, ['--import=tsx', 'bench/documents.ts', ...parameters], {
    cwd: projectDirectory,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const {results} = JSON.parse(
    readFileSync(join(projectDirectory, 'bench/results/documents-brief.json'), 'utf8'),
  ) as Results
  const figures = new Map(results[0]?.figures.map(({name, ratios}) => [name, ratios]))
  return Object.fromEntries(
    watched.flatMap(([operation, floor]): [string, number][] => {
      const ratio = figures.get(operation)?.[floor]
      return ratio === undefined || !operations.includes(operation) ? [] : [[nameOf([operation, floor]), ratio]]
    }),
  )
}
