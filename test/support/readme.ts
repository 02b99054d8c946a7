/**
 * The README's examples: read, run, and written back with their real answers (`npm run docs:readme`).
 *
 * A `console` block holds commands after `$ `, continued by a backslash at a line's end, each followed by its output.
 */
import {spawn} from 'node:child_process'
import {readFileSync, writeFileSync} from 'node:fs'
import {fileURLToPath} from 'node:url'
import {settings} from '../../src/config.ts'

export const readmeFile = fileURLToPath(new URL('../../README.md', import.meta.url))
export const readmeBase = 'http://localhost:8080/'

const block = /```console\n(.*?)```/gs

/** The README with every answer replaced by what the service at `base` answers now. */
export async function rewriteReadme(text: string, base: string): Promise<string> {
  let rewritten = ''
  let end = 0
  for (const found of text.matchAll(block)) {
    rewritten += `${text.slice(end, found.index)}\`\`\`console\n`
    for (const command of commandsOf(found[1] ?? '')) rewritten += `$ ${command}\n${await answerOf(command, base)}`
    rewritten += '```'
    end = found.index + found[0].length
  }
  return withSettings(rewritten + text.slice(end))
}

function commandsOf(text: string): string[] {
  return Array.from(text.matchAll(/^\$ ((?:.*\\\n)*.*)$/gm), ([, command = '']) => command)
}

async function answerOf(command: string, base: string): Promise<string> {
  const child = spawn('sh', ['-c', command.replaceAll(readmeBase, base)], {stdio: ['ignore', 'pipe', 'inherit']})
  const chunks: Buffer[] = []
  for await (const chunk of child.stdout) chunks.push(chunk)
  return Buffer.concat(chunks)
    .toString('utf8')
    .replaceAll(base, readmeBase)
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, '2026-11-21T09:30:00.000Z')
    .replace(/"requestId":"[^"]+"/, '"requestId":"6e8bc430-9c3a-4d12-8f69-0800200c9a66"')
    .replace(/checksum "[0-9a-f]{64}"/g, 'checksum "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"')
}

/** The table of settings, short: what each takes is in docs/settings.md. */
function withSettings(text: string): string {
  const rows = Object.entries(settings).map(([name, {initial, about}]) => {
    return `| \`${name}\` | ${initial === '' ? '—' : `\`${initial}\``} | ${about} |`
  })
  const table = ['| variable | default | what it is for |', '|---|---|---|', ...rows].join('\n')
  return text.replace(/SETTINGS|\| variable \| default \| what it is for \|\n(?:\|.*\n)*\|.*/, () => table)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const base = process.argv[2] ?? readmeBase
  await fetch(`${base}ready`) // throws unless a service is there, one without documents
  writeFileSync(readmeFile, await rewriteReadme(readFileSync(readmeFile, 'utf8'), base))
}
