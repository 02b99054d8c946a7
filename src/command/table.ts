/**
 * The table of commands, and the help texts made from it.
 *
 * A new command is a file beside this one and a row here. A command imports modules that load slowly when it runs, so
 * that the other commands start in a third of the time.
 */
import {type SettingName, settings} from '../settings/config.ts'
import {checkCommand} from './check.ts'
import type {Command} from './command.ts'
import {createCompletionCommand} from './completion.ts'
import {datasetsCommand} from './datasets.ts'
import {explainCommand} from './explain.ts'
import {exportCommand} from './export.ts'
import {followCommand} from './follow.ts'
import {getCommand} from './get.ts'
import {grantsCommand} from './grants.ts'
import {graphsCommand} from './graphs.ts'
import {hooksCommand} from './hooks.ts'
import {importCommand} from './import.ts'
import {searchIndexCommand, textIndexCommand} from './indexes.ts'
import {keysCommand} from './keys.ts'
import {migrateCommand} from './migrate.ts'
import {copyCommand, moveCommand} from './move.ts'
import {putCommand} from './put.ts'
import {queryCommand} from './query.ts'
import {rebaseCommand} from './rebase.ts'
import {searchCommand} from './search.ts'
import {serveCommand} from './serve.ts'
import {statsCommand} from './stats.ts'

export const commands: readonly Command[] = [
  serveCommand,
  getCommand,
  putCommand,
  queryCommand,
  searchCommand,
  migrateCommand,
  importCommand,
  exportCommand,
  graphsCommand,
  datasetsCommand,
  checkCommand,
  statsCommand,
  textIndexCommand,
  searchIndexCommand,
  explainCommand,
  grantsCommand,
  keysCommand,
  hooksCommand,
  followCommand,
  moveCommand,
  copyCommand,
  rebaseCommand,
  createCompletionCommand(() => commands),
]

export function findCommand(name: string): Command | undefined {
  return commands.find(command => command.name === name)
}

/** The text of --help. */
export function overview(version: string): string {
  const width = Math.max(...commands.map(({name}) => name.length), '--version'.length)
  const row = (name: string, text: string) => `  ${name.padEnd(width)}  ${text}`
  return `Usage: quadstead [command]

${commands.map(({name, summary}) => row(name, summary)).join('\n')}
${row('help', 'this text; "quadstead help COMMAND" tells more about one')}
${row('--help', 'this text; after a command, more about it')}
${row('--dataset', 'with a name: the dataset of the registry that a command is for ("quadstead datasets")')}
${row('--version', version)}

Examples:
  quadstead                                                   on a PostgreSQL of its own in ./data
  PORT=80 HOST=0.0.0.0 BASE_URL=https://example.org/ ACCESS=grants quadstead serve
  DATABASE_URL=postgres://user:secret@db/ldp quadstead migrate

Exit codes: 0 done; 1 cannot, or something was found; 2 the line cannot be read; 78 a setting is wrong.

Settings, from the environment:
${(Object.keys(settings) as SettingName[]).map(describeSetting).join('\n')}`
}

/** The text of `quadstead help COMMAND`. */
export function explanation({name, usage, summary, help, isOfDataset = true}: Command): string {
  const sentence = `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`
  const selection = isOfDataset ? ' [--dataset NAME]' : ''
  return `Usage: quadstead ${name}${usage === '' ? '' : ` ${usage}`}${selection}\n\n${sentence}\n\n${help}`
}

function describeSetting(name: SettingName): string {
  const {initial, about} = settings[name]
  return `  ${name.padEnd(21)} ${initial === '' ? '' : `[${initial}] `}${about}`
}
