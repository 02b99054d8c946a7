#!/usr/bin/env node
/**
 * The program: a command and the environment to a running service, or to a report and an exit code.
 *
 * Floor 6. Exit codes: 0 done; 1 cannot, or `check` found something; 2 no such command; 78 a setting is wrong;
 * 128 + signal when a second signal cut a shutdown short.
 */
import {type Observation, subscribe} from './base/observation.ts'
import {Refusal} from './base/refusal.ts'
import {version} from './build.ts'
import {type Config, readConfig, type SettingName, settings} from './config.ts'
import {quoteIdentifier} from './db/identifier.ts'
import {migrate} from './db/migrate.ts'
import {databaseCodeOf} from './db/problem-of.ts'
import {describe} from './report.ts'
import {type Service, sqlDirectory, start} from './serve.ts'
import {openStorage} from './storage.ts'

const repeatMs = 5000
const signals = {SIGINT: 2, SIGTERM: 15} as const

const print = (line: string) => process.stdout.write(`${line}\n`)
const complain = (line: string) => process.stderr.write(`${line}\n`)

const commands: Readonly<Record<string, (config: Config) => Promise<number>>> = {serve, migrate: migrateSchema, check}

subscribe(quietly(complain))

process.exit(await main(process.argv.slice(2)))

async function main([name = 'serve', ...rest]: readonly string[]): Promise<number> {
  if (name === '--help' || name === '-h' || name === 'help') return say(usage())
  if (name === '--version' || name === '-v') return say(version)
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (command === undefined || rest.length > 0) {
    complain(`quadstead: no such command: ${[name, ...rest].join(' ')}\n\n${usage()}`)
    return 2
  }
  try {
    return await command(readConfig(process.env))
  } catch (error) {
    complain(error instanceof Refusal ? `quadstead: ${error.message}` : `quadstead: ${errorText(error)}`)
    return error instanceof Refusal ? error.exitCode : 1
  }
}

/** Serves until a signal comes; a second one cuts off what the first let finish. */
async function serve(config: Config): Promise<number> {
  const first = nextSignal()
  const starting = start(config)
  const service = await Promise.race([starting, first.then(() => undefined)])
  if (service === undefined) return abandon(starting)
  print(service.readyLine)
  const fault = new Promise<unknown>(resolve => {
    process.once('uncaughtException', resolve)
  })
  const cause = await Promise.race([first.then(() => undefined), fault.then(error => ({error}))])
  const hurry = new AbortController()
  if (cause !== undefined) {
    complain(`quadstead: ${errorText(cause.error)}`)
    hurry.abort()
  }
  let code = cause === undefined ? 0 : 1
  nextSignal().then(signal => {
    code = 128 + signals[signal]
    hurry.abort()
    nextSignal().then(third => process.exit(128 + signals[third]))
  })
  await service.stop(hurry.signal)
  return code
}

/** A signal while starting: let it come up, then down again, so that nothing is left running. */
async function abandon(starting: Promise<Service>): Promise<number> {
  const service = await starting.catch(() => undefined)
  await service?.stop(AbortSignal.abort())
  return 0
}

async function migrateSchema(config: Config): Promise<number> {
  const {schema} = config.database
  const storage = await openStorage(config, 'command')
  try {
    const applied = await migrate(storage.database, {schema, directory: sqlDirectory})
    return say(
      applied.length === 0 ? `Schema ${schema} is up to date.` : `Schema ${schema} took ${applied.join(', ')}.`,
    )
  } finally {
    await storage.close()
  }
}

/** Asks the store whether it is whole; a line for each thing that is not. */
async function check(config: Config): Promise<number> {
  const {schema} = config.database
  const storage = await openStorage(config, 'command')
  try {
    const rows = await storage.database.query<{rule: string; detail: string}>(
      `select rule, detail from ${quoteIdentifier(schema)}.check_store()`,
    )
    for (const {rule, detail} of rows) print(`${rule}: ${detail}`)
    print(rows.length === 0 ? `Schema ${schema}: nothing is wrong.` : `Schema ${schema}: ${rows.length} found.`)
    return rows.length === 0 ? 0 : 1
  } catch (error) {
    const code = databaseCodeOf(error)
    if (code !== '42883' && code !== '3F000') throw error // no such function, no such schema
    throw new Refusal(`Schema ${schema} is not there or not up to date. Run "quadstead migrate" first.`, {cause: error})
  } finally {
    await storage.close()
  }
}

/**
 * Observations as lines; while the database is away every request would say so, so that is told every few seconds
 * only.
 */
function quietly(tell: (line: string) => void): (observation: Observation) => void {
  let quietUntil = 0
  return observation => {
    const line = describe(observation)
    const isRepeated = observation.kind === 'database-unavailable' && performance.now() < quietUntil
    if (line === undefined || isRepeated) return
    if (observation.kind === 'database-unavailable') quietUntil = performance.now() + repeatMs
    tell(line)
  }
}

function nextSignal(): Promise<keyof typeof signals> {
  return new Promise(resolve => {
    const listeners = (Object.keys(signals) as (keyof typeof signals)[]).map(signal => {
      const listener = () => {
        for (const [name, other] of listeners) process.off(name, other)
        resolve(signal)
      }
      process.on(signal, listener)
      return [signal, listener] as const
    })
  })
}

function usage(): string {
  return `Usage: quadstead [command]

  serve      serve the dataset over HTTP (the default); the first start makes it
  migrate    bring the database schema up to date, and no more
  check      look whether the stored data are whole; exit code 1 when they are not
  --help     this text
  --version  ${version}

Examples:
  quadstead                                                   on a PostgreSQL of its own in ./data
  PORT=80 HOST=0.0.0.0 BASE_URL=https://example.org/ quadstead serve
  DATABASE_URL=postgres://user:secret@db/ldp quadstead migrate

Settings, from the environment:
${(Object.keys(settings) as SettingName[]).map(describeSetting).join('\n')}`
}

function describeSetting(name: SettingName): string {
  const {initial, about} = settings[name]
  return `  ${name.padEnd(21)} ${initial === '' ? '' : `[${initial}] `}${about}`
}

function say(text: string): number {
  print(text)
  return 0
}

function errorText(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
