/**
 * The type of a command, and functions that commands share. `table.ts` lists the commands.
 *
 * A command declares its options and operands and has a function that runs it. cli.ts parses the command line and
 * handles errors and exit codes.
 */
import type {ParseArgsConfig} from 'node:util'
import type {Config} from '../settings/config.ts'

export type CommandOptions = NonNullable<ParseArgsConfig['options']>

/** The arguments after the command's name, as `parseArgs` of node:util returns them. */
export type Arguments = {
  readonly values: Readonly<Record<string, string | boolean | readonly (string | boolean)[] | undefined>>
  readonly operands: readonly string[]
}

export type Command = {
  readonly name: string
  readonly summary: string // one line, for the list of commands
  readonly usage: string // the arguments after the name: '[--raw] FILE…'
  readonly options: CommandOptions // without those that `optionsOf` adds
  readonly operands: {readonly least: number; readonly most: number}
  readonly help: string // options, examples and further exit codes; no newline at its end
  readonly formats?: readonly string[] // values of --format, for the completion of shells
  readonly isOfDataset?: boolean // takes --dataset NAME, which selects a dataset of the registry; by default true
  readonly hasLog?: boolean // runs long, so it writes the log of the settings
  /** @returns the exit code @throws Refusal: an error to show to the operator */
  readonly run: (config: Config, parameters: Arguments) => Promise<number>
}

/** A command without options and operands. */
export const noParameters = {usage: '', options: {}, operands: {least: 0, most: 0}} as const

/** The options of a command, with those that every command has. */
export function optionsOf({options, isOfDataset = true}: Command): CommandOptions {
  return {...options, ...(isOfDataset ? {dataset: {type: 'string'}} : {}), help: {type: 'boolean', short: 'h'}}
}

/** Writes a line of results to stdout. */
export function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

/** Writes a line that is not a result to stderr. */
export function complain(line: string): void {
  process.stderr.write(`${line}\n`)
}

/** The value of an option that takes text; undefined if the option is absent. */
export function textOption({values}: Arguments, name: string): string | undefined {
  const value = values[name]
  return typeof value === 'string' ? value : undefined
}

/** Whether an option without a value is present. */
export function isOptionGiven({values}: Arguments, name: string): boolean {
  return values[name] === true
}

/** `1 quad`, `2,000 quads` */
export function count(number: number, what: string): string {
  return `${number.toLocaleString('en')} ${what}${number === 1 ? '' : 's'}`
}
