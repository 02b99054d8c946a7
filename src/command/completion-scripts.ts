/**
 * The table of commands to scripts that complete command lines of shells: commands, actions, options and formats.
 * Everything else is completed as a file.
 *
 * Pure. Sources: the GNU Bash manual, §8.6; zsh manual, §20; fish manual, "complete".
 */
import {type Command, type CommandOptions, optionsOf} from './command.ts'

type Facts = {
  readonly name: string
  readonly summary: string
  readonly actions: readonly string[] // possible first operands
  readonly options: CommandOptions
  readonly formats: readonly string[]
}

export const scriptWriters: ReadonlyMap<string, (commands: readonly Command[]) => string> = new Map([
  ['bash', commands => bashScript(factsOf(commands))],
  ['zsh', commands => zshScript(factsOf(commands))],
  ['fish', commands => fishScript(factsOf(commands))],
])

function factsOf(commands: readonly Command[]): readonly Facts[] {
  const facts = commands.map(command => {
    const {name, summary, usage, formats = []} = command
    const actions = usage.split(' | ').flatMap(alternative => /^\[?([a-z]+)\]?(?: |$)/.exec(alternative)?.[1] ?? [])
    return {name, summary, actions: [...new Set(actions)], options: optionsOf(command), formats}
  })
  const help = {name: 'help', summary: 'describe a command', options: {}, formats: []}
  return [...facts, {...help, actions: facts.map(({name}) => name)}]
}

function flagsOf({options}: Facts): readonly string[] {
  return Object.keys(options).map(name => `--${name}`)
}

/** Lines of a case statement for the commands that have such words. */
function cases(facts: readonly Facts[], wordsOf: (facts: Facts) => readonly string[], line: (words: string) => string) {
  return facts
    .filter(each => wordsOf(each).length > 0)
    .map(each => `      ${each.name}) ${line(wordsOf(each).join(' '))} ;;`)
    .join('\n')
}

function bashScript(facts: readonly Facts[]): string {
  const set = (words: string) => `words='${words}'`
  return `# In ~/.bashrc: source <(quadstead completion bash)
_quadstead() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD - 1]} words=
  if ((COMP_CWORD == 1)); then
    words='${facts.map(({name}) => name).join(' ')} --help --version'
  elif [[ $before == --format ]]; then
    case \${COMP_WORDS[1]} in
${cases(facts, ({formats}) => formats, set)}
    esac
  elif [[ $word == -* ]]; then
    case \${COMP_WORDS[1]} in
${cases(facts, flagsOf, set)}
    esac
  elif ((COMP_CWORD == 2)); then
    case \${COMP_WORDS[1]} in
${cases(facts, ({actions}) => actions, set)}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o default -F _quadstead quadstead`
}

function zshScript(facts: readonly Facts[]): string {
  const add = (words: string) => `compadd -- ${words}; return`
  return `#compdef quadstead
# In ~/.zshrc, after compinit: source <(quadstead completion zsh)
_quadstead() {
  if ((CURRENT == 2)); then
    local -a commands=(
${facts.map(({name, summary}) => `      ${quote(`${name}:${summary}`)}`).join('\n')}
    )
    _describe command commands
    return
  fi
  if [[ \${words[CURRENT - 1]} == --format ]]; then
    case \${words[2]} in
${cases(facts, ({formats}) => formats, add)}
    esac
  elif [[ \${words[CURRENT]} == -* ]]; then
    case \${words[2]} in
${cases(facts, flagsOf, add)}
    esac
  elif ((CURRENT == 3)); then
    case \${words[2]} in
${cases(facts, ({actions}) => actions, add)}
    esac
  fi
  _files
}
if [[ \${funcstack[1]} == _quadstead ]]; then _quadstead "$@"; else compdef _quadstead quadstead; fi`
}

function fishScript(facts: readonly Facts[]): string {
  const lines = facts.flatMap(({name, summary, actions, options, formats}) => {
    const after = `complete -c quadstead -n '__fish_seen_subcommand_from ${name}'`
    const values = (option: string) => (option === 'format' ? ` -f -a '${formats.join(' ')}'` : '')
    return [
      `complete -c quadstead -n __fish_use_subcommand -f -a ${name} -d ${quote(summary)}`,
      ...(actions.length === 0 ? [] : [`${after} -a '${actions.join(' ')}'`]),
      ...Object.entries(options).map(([option, {type, short}]) => {
        const letter = short === undefined ? '' : ` -s ${short}`
        return `${after} -l ${option}${letter}${type === 'string' ? ` -r${values(option)}` : ''}`
      }),
    ]
  })
  return ['# quadstead completion fish > ~/.config/fish/completions/quadstead.fish', ...lines].join('\n')
}

/** A word in single quotes, for zsh and fish. */
function quote(text: string): string {
  return `'${text.replaceAll("'", '’')}'`
}
