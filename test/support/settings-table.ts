/**
 * Writes docs/settings.md from the list of settings: `npm run docs:settings`.
 */
import {writeFileSync} from 'node:fs'
import {fileURLToPath} from 'node:url'
import {settings} from '../../src/settings/config.ts'

export const settingsFile = fileURLToPath(new URL('../../docs/settings.md', import.meta.url))

/** The text of docs/settings.md. */
export function settingsPage(): string {
  const rows = Object.entries(settings).map(([name, {initial, about, expected}]) => {
    const shown = initial === '' ? '—' : `\`${initial}\``
    return `| \`${name}\` | ${shown} | ${about} | ${expected} |`
  })
  return `# Settings

Settings are environment variables. An empty variable counts as not given. If variables are invalid, the program lists
all of them and ends with code 78. \`npm run docs:settings\` writes this page from \`src/settings/config.ts\`.

| variable | default | meaning | value |
|---|---|---|---|
${rows.join('\n')}
`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(settingsFile, settingsPage())
