/**
 * Reads a command line: finds the command, its options and its operands. A mistake is explained in at most three lines:
 * what is wrong, what was probably meant, and where the help is.
 *
 * Pure.
 */
import {parseArgs} from 'node:util'
import {nearestWord} from '../base/nearest.ts'
import {type Arguments, type Command, optionsOf} from './command.ts'
import {commands} from './table.ts'

const generalWords = ['help', '--help', '--version', '-h', '-v']

/** Says that there is no such command, and which one is similar. */
export function unknownCommand(word: string): string {
  const what = word.startsWith('-') ? 'option' : 'command'
  const names = [...commands.map(({name}) => name), ...generalWords]
  return linesOf(
    `quadstead: no such ${what}: ${word}`,
    nearestWord(word, names),
    '"quadstead help" lists all commands.',
  )
}

/** The arguments of a command, or the lines that say why they are not valid. */
export function readArguments(command: Command, words: readonly string[]): Arguments | string {
  const {name, operands, usage} = command
  const refuse = (reason: string, nearest?: string) => {
    const second = nearest === undefined ? `Usage: quadstead ${name}${usage === '' ? '' : ` ${usage}`}\n` : ''
    return linesOf(`quadstead ${name}: ${reason}`, nearest, `${second}"quadstead help ${name}" tells more.`)
  }
  try {
    const {values, positionals} = parseArgs({
      args: [...words],
      options: optionsOf(command),
      allowPositionals: true,
      strict: true,
    })
    const {least, most} = operands
    const count = positionals.length
    if (values.help !== true && count < least)
      return refuse(`it takes at least ${least} operand${least === 1 ? '' : 's'}, got ${count}`)
    if (count > most) return refuse(`it does not take "${positionals[most]}"`)
    return {values, operands: positionals}
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    const [, option] = /^Unknown option '([^']*)'/.exec(message) ?? []
    if (option === undefined) return refuse(message.split('\n')[0] ?? '')
    const known = Object.keys(optionsOf(command)).map(key => `--${key}`)
    return refuse(`no such option: ${option}`, nearestWord(option, known))
  }
}

function linesOf(fault: string, nearest: string | undefined, advice: string): string {
  return [fault, ...(nearest === undefined ? [] : [`Did you mean "${nearest}"?`]), advice].join('\n')
}
