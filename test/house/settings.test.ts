/** The page of settings and the list of them are one. */
import {readFileSync} from 'node:fs'
import test from 'ava'
import {settingsFile, settingsPage} from '../support/settings-table.ts'

test('docs/settings.md says what src/settings/config.ts does', t => {
  t.is(readFileSync(settingsFile, 'utf8'), settingsPage())
})
