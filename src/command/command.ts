/**
 * What a command of the program is: a row of the table in `table.ts`.
 *
 * A command says what it takes and what it does; reading the line, errors and exit codes are
 * cli.ts's.
 */
import type {ParseArgsConfig} from 'node:util'
import type {Config} from '../settings/config.ts'

export type CommandOptions = NonNullable<ParseArgsConfig['options']>

/** What was typed after the command's name, as node:util reads it. */
export type Arguments = {
  readonly values: Readonly<Record<string, string | boolean | readonly (string | boolean)[] | undefined>>
  readonly operands: readonly string[]
}

export type Command = {
  readonly name: string
  readonly summary: string // one line, for the list of commands
  readonly usage: string // what follows the name: '[--raw] FILE…'
  readonly options: CommandOptions // --help is understood by all
  readonly operands: {readonly least: number; readonly most: number}
  readonly help: string // options, examples and exit codes beyond those of all commands; ends without a line end
  readonly hasLog?: boolean // runs for long: it writes the log that the settings ask for
  /** @returns the exit code; throws a Refusal for what the operator must hear */
  readonly run: (config: Config, parameters: Arguments) => Promise<number>
}

/** A command without options and operands. */
export const noParameters = {usage: '', options: {}, operands: {least: 0, most: 0}} as const

/** A line on stdout: answers. */
export function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

/** A line on stderr: whatever else is to be told. */
export function complain(line: string): void {
  process.stderr.write(`${line}\n`)
}

/** The value of an option that takes text; undefined when it was not given. */
export function textOption({values}: Arguments, name: string): string | undefined {
  const value = values[name]
  return typeof value === 'string' ? value : undefined
}

/** Whether an option without a value was given. */
export function isOptionGiven({values}: Arguments, name: string): boolean {
  return values[name] === true
}

/** `1 quad`, `2,000 quads` */
export function count(number: number, what: string): string {
  return `${number.toLocaleString('en')} ${what}${number === 1 ? '' : 's'}`
}
