/**
 * Advice for the configuration of a PostgreSQL server: rules over its settings and the statistics of our tables.
 *
 * Pure. A rule for a setting that the server does not show gives no advice.
 * Sources: PostgreSQL manual, §20 (server configuration), §25.1 (routine vacuuming).
 */
import type {ServerState, TableHealth} from '../db/connection/server-settings.ts'
import type {TextIndexState} from '../db/store/text-index.ts'
import type {ListedWebhook} from '../db/store/webhooks.ts'

export type Advice = {
  readonly subject: string // the name of a setting or of a table
  readonly value: string // the current value
  readonly better: string // the recommended value
  readonly reason: string
  readonly command: string // SQL or a shell command
}

type Circumstances = {
  readonly state: ServerState
  readonly schema: string // quoted
  readonly connections: number // size of this service's pool
  readonly textIndex?: TextIndexState | undefined // undefined: the settings ask for none
}

type Rule = {
  readonly name: string // of a setting
  readonly reason: string
  /** The recommended value in SQL syntax; undefined if the current value is fine. */
  readonly better: (value: string | number, circumstances: Circumstances) => string | undefined
}

const mebibyte = 2 ** 20
const gibibyte = 2 ** 30

/** A rule for a setting that has one good value. */
const unless =
  (good: string) =>
  (value: string | number): string | undefined =>
    value === good ? undefined : good

const below =
  (least: number, better: string) =>
  (value: string | number): string | undefined =>
    typeof value === 'number' && value < least ? better : undefined

const rules: readonly Rule[] = [
  {
    name: 'fsync',
    reason: 'A crash of the machine can destroy the whole cluster.',
    better: unless('on'),
  },
  {
    name: 'full_page_writes',
    reason: 'A page that a crash left half written cannot be repaired.',
    better: unless('on'),
  },
  {
    name: 'synchronous_commit',
    reason: 'Writes that clients were told of can be lost in a crash.',
    better: value => (value === 'off' ? 'on' : undefined),
  },
  {
    name: 'autovacuum',
    reason: 'Dead rows are never removed, and statistics are never renewed.',
    better: unless('on'),
  },
  {name: 'track_counts', reason: 'Without counts autovacuum does not know where to go.', better: unless('on')},
  {
    name: 'shared_buffers',
    reason: 'The dataset is larger; a quarter of the memory is usual.',
    better: (value, {state}) =>
      typeof value === 'number' && value < gibibyte && state.bytes > value
        ? sizeOf(Math.min(gibibyte, powerOfTwo(state.bytes)))
        : undefined,
  },
  {
    name: 'effective_cache_size',
    reason: 'PostgreSQL thinks that less is cached than its own buffers hold, and avoids indexes; it reserves nothing.',
    better: (value, {state}) => {
      const buffers = state.settings.get('shared_buffers')
      if (typeof value !== 'number' || typeof buffers !== 'number' || value >= 2 * buffers) return undefined
      return sizeOf(3 * buffers)
    },
  },
  {
    name: 'random_page_cost',
    reason: 'That is the cost of a disk with a moving head; on an SSD indexes cost less than PostgreSQL thinks.',
    better: value => (typeof value === 'number' && value > 2 ? '1.1' : undefined),
  },
  {
    name: 'work_mem',
    reason: 'Large sorts and groups of queries go to disk.',
    better: below(4 * mebibyte, '16MB'),
  },
  {
    name: 'max_wal_size',
    reason: 'Imports and many writes force checkpoints, each of which makes the log larger.',
    better: (value, {state}) => (state.bytes > gibibyte ? below(4 * gibibyte, '4GB')(value) : undefined),
  },
  {
    name: 'checkpoint_completion_target',
    reason: 'Checkpoints write in bursts, which delay requests.',
    better: below(0.7, '0.9'),
  },
  {
    name: 'track_io_timing',
    reason: 'Measured explanations do not tell what waited for the disk.',
    better: unless('on'),
  },
  {
    name: 'default_statistics_target',
    reason: 'Estimates are made from few rows, so plans are poor.',
    better: below(100, '100'),
  },
  {
    name: 'max_connections',
    reason: 'It leaves too few beside what this service may open (DATABASE_POOL_MAX) for a second instance.',
    better: (value, {connections}) =>
      typeof value === 'number' && value < 2 * connections + 10 ? String(2 * connections + 10) : undefined,
  },
]

export const advisedSettings: readonly string[] = rules.map(({name}) => name)

export function adviceFor(circumstances: Circumstances): readonly Advice[] {
  const {state, schema, textIndex} = circumstances
  const {settings, tables} = state
  const ofSettings = rules.flatMap(({name, reason, better}): readonly Advice[] => {
    const value = settings.get(name)
    const wanted = value === undefined ? undefined : better(value, circumstances)
    if (value === undefined || wanted === undefined) return []
    const command = `alter system set ${name} = '${wanted}'`
    return [{subject: name, value: shown(name, value), better: wanted, reason, command}]
  })
  const ofTables = tables.flatMap(table => adviceForTable(table, schema))
  return [...ofSettings, ...ofTables, ...(textIndex === undefined ? [] : adviceForTexts(textIndex))]
}

const fewRows = 10_000
const share = 0.2

function adviceForTable(
  {table, shard, rows, deadRows, changedRows, isAnalyzed}: TableHealth,
  schema: string,
): readonly Advice[] {
  const name = shard ?? `${schema}.${table}`
  if (deadRows > fewRows && deadRows > share * rows) {
    const reason = 'They take place, and queries read over them; autovacuum is behind.'
    const value = `${deadRows} of ${rows + deadRows} rows are dead`
    return [{subject: table, value, better: 'vacuum', reason, command: `vacuum (analyze) ${name}`}]
  }
  const isStale = changedRows > fewRows && changedRows > share * rows
  if (rows < fewRows || (isAnalyzed && !isStale)) return []
  const reason = 'PostgreSQL estimates by what it counted last, so plans are poor.'
  const value = isAnalyzed ? `${changedRows} rows changed since the last ANALYZE` : 'never analyzed'
  return [{subject: table, value, better: 'analyze', reason, command: `analyze ${name}`}]
}

/** Advice on a text index whose creation was interrupted, or that is available and does not exist. */
function adviceForTexts({isOffered, isThere, isUsable, terms}: TextIndexState): readonly Advice[] {
  if (isUsable || !(isThere || (isOffered && terms > fewRows))) return []
  const reason = 'CONTAINS, REGEX and their like read every value of their predicate.'
  const value = isThere ? 'not complete' : 'missing'
  return [{subject: 'text index', value, better: 'make it', reason, command: 'quadstead text-index'}]
}

/** Advice on webhooks that post nothing any more. */
export function adviceForWebhooks(webhooks: readonly ListedWebhook[]): readonly Advice[] {
  return webhooks
    .filter(({state}) => state !== 'active')
    .map(({id, url, state, last_reason}) => ({
      subject: `webhook ${id}`,
      value: state,
      better: 'retry',
      reason: `It posts nothing to ${url} any more: ${last_reason}.`,
      command: `quadstead hooks retry ${id}`,
    }))
}

const sizes = new Set(['shared_buffers', 'effective_cache_size', 'work_mem', 'max_wal_size'])

function shown(name: string, value: string | number): string {
  return typeof value === 'number' && sizes.has(name) ? sizeOf(value) : String(value)
}

/** A size in bytes in the units of PostgreSQL's settings. */
function sizeOf(bytes: number): string {
  return bytes % gibibyte === 0 ? `${bytes / gibibyte}GB` : `${Math.ceil(bytes / mebibyte)}MB`
}

function powerOfTwo(bytes: number): number {
  return 2 ** Math.ceil(Math.log2(bytes))
}
