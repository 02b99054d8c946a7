/**
 * docs/settings.md, written from the one list of settings: `node --import tsx test/support/settings-table.ts`.
 */
import {writeFileSync} from 'node:fs'
import {fileURLToPath} from 'node:url'
import {settings} from '../../src/settings/config.ts'

export const settingsFile = fileURLToPath(new URL('../../docs/settings.md', import.meta.url))

/** The page as it must be. */
export function settingsPage(): string {
  const rows = Object.entries(settings).map(([name, {initial, about, expected}]) => {
    const shown = initial === '' ? '—' : `\`${initial}\``
    return `| \`${name}\` | ${shown} | ${about} | ${expected} |`
  })
  return `# Settings

From the environment; an empty variable counts as not given. All bad ones are told at once, and the program ends with
code 78.
This page is written from \`src/settings/config.ts\` by \`npm run docs:settings\`.

| variable | default | what it is for | what it takes |
|---|---|---|---|
${rows.join('\n')}
`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(settingsFile, settingsPage())
