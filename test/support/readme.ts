/**
 * The examples of the README and of the tour: reads them, runs them, and writes them with the actual output (`npm run
 * docs:readme`).
 *
 * README.md has `sh` blocks of commands, with their output as comments at the end. One shell runs all of them, so that
 * variables are kept. docs/tour.md has `console` blocks: commands after `$ `, each followed by its output.
 */
import {spawn} from 'node:child_process'
import {readFileSync, writeFileSync} from 'node:fs'
import {fileURLToPath} from 'node:url'

const fileAt = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))

export const exampleFiles = {readme: fileAt('README.md'), tour: fileAt('docs/tour.md')}
export const exampleBase = 'http://localhost:8080/'

const shellBlock = /```sh\n(.*?)```/gs
const consoleBlock = /```console\n(.*?)```/gs
type Environment = Readonly<Record<string, string>>

const separator = '\u001e'

/** The text with all output replaced by that of the service at `base`. */
export async function rewriteReadme(text: string, base: string): Promise<string> {
  const blocks = Array.from(text.matchAll(shellBlock), ([, block = '']) => block.replace(/^#.*\n/gm, ''))
  const outputs = await outputOf(blocks.map(block => `${block}printf '${separator}'\n`).join(''), base)
  const answers = outputs.split(separator).map(commented)
  return text.replace(shellBlock, () => `\`\`\`sh\n${blocks.shift()}${answers.shift()}\`\`\``)
}

function commented(output: string): string {
  const lines = output.split('\n').slice(0, -1)
  return lines.map(line => `${`# ${line}`.trimEnd()}\n`).join('')
}

/** The same for the tour, and for the `console` blocks of other pages. */
export async function rewriteTour(text: string, base: string, environment: Environment = {}): Promise<string> {
  let rewritten = ''
  let end = 0
  for (const found of text.matchAll(consoleBlock)) {
    rewritten += `${text.slice(end, found.index)}\`\`\`console\n`
    for (const command of commandsOf(found[1] ?? ''))
      rewritten += `$ ${command}\n${await outputOf(command, base, environment)}`
    rewritten += '```'
    end = found.index + found[0].length
  }
  return rewritten + text.slice(end)
}

function commandsOf(text: string): string[] {
  return Array.from(text.matchAll(/^\$ ((?:.*\\\n)*.*)$/gm), ([, command = '']) => command)
}

/** The output of a script, with fixed text for everything that differs between runs. */
async function outputOf(script: string, base: string, environment: Environment = {}): Promise<string> {
  const child = spawn('sh', ['-c', script.replaceAll(exampleBase, base)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {...process.env, ...environment},
  })
  const chunks: Buffer[] = []
  for await (const chunk of child.stdout) chunks.push(chunk)
  return Buffer.concat(chunks)
    .toString('utf8')
    .replaceAll(base, exampleBase)
    .replace(/(http:\/\/localhost:8080\/)\d+\//g, '$12718281828/')
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, '2026-11-21T09:30:00.000Z')
    .replace(/"requestId":"[^"]+"/, '"requestId":"6e8bc430-9c3a-4d12-8f69-0800200c9a66"')
    .replace(/checksum "[0-9a-f]{64}"/g, 'checksum "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"')
}

/** The lines from the first to the last that differ, as in a diff. A report of two whole pages would hide them. */
export function differing(actual: string, expected: string): readonly string[] {
  const found = actual.split('\n')
  const wanted = expected.split('\n')
  while (found.length > 0 && found[0] === wanted[0]) {
    found.shift()
    wanted.shift()
  }
  while (found.length > 0 && found.at(-1) === wanted.at(-1)) {
    found.pop()
    wanted.pop()
  }
  return [...wanted.map(line => `-${line}`), ...found.map(line => `+${line}`)]
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const base = process.argv[2] ?? exampleBase
  await fetch(`${base}ready`) // throws if no service is running; it must have no documents
  const {readme, tour} = exampleFiles
  writeFileSync(tour, await rewriteTour(readFileSync(tour, 'utf8'), base)) // first, because it shows entity tags
  writeFileSync(readme, await rewriteReadme(readFileSync(readme, 'utf8'), base))
}
