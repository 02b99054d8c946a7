/**
 * `quadstead completion`: prints a script for a shell.
 */
import {nearestWord} from '../base/nearest.ts'
import {Refusal} from '../base/refusal.ts'
import {type Command, print} from './command.ts'
import {scriptWriters} from './completion-scripts.ts'

/** @param commands  returns all commands, among them this one */
export function createCompletionCommand(commands: () => readonly Command[]): Command {
  return {
    name: 'completion',
    summary: 'print a script that completes command lines of a shell',
    usage: 'bash | zsh | fish',
    options: {},
    operands: {least: 1, most: 1},
    isOfDataset: false,
    help: `The script completes commands, options and formats. It has the commands of this version.

Examples:
  source <(quadstead completion bash)      in ~/.bashrc
  source <(quadstead completion zsh)       in ~/.zshrc, after compinit
  quadstead completion fish > ~/.config/fish/completions/quadstead.fish`,
    run: async (_, {operands}) => {
      const [shell = ''] = operands
      const write = scriptWriters.get(shell)
      if (write === undefined) {
        const nearest = nearestWord(shell, scriptWriters.keys())
        const guess = nearest === undefined ? '' : ` Did you mean "${nearest}"?`
        throw new Refusal(`SHELL must be bash, zsh or fish, got "${shell}".${guess}`, {exitCode: 2})
      }
      print(write(commands()))
      return 0
    },
  }
}
