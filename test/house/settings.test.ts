/** docs/settings.md is up to date. */
import {readFileSync} from 'node:fs'
import test from 'ava'
import {settingsFile, settingsPage} from '../support/settings-table.ts'

test('docs/settings.md has the settings of src/settings/config.ts', t => {
  t.is(readFileSync(settingsFile, 'utf8'), settingsPage())
})
