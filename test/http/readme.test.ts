/**
 * The README's examples answer what the README says.
 */
import {spawnSync} from 'node:child_process'
import {readFileSync} from 'node:fs'
import test from 'ava'
import {readmeFile, rewriteReadme} from '../support/readme.ts'
import {useService} from '../support/service.ts'

const version = spawnSync('curl', ['--version'], {encoding: 'utf8'}).stdout ?? ''
const [, major = 0, minor = 0] = /^curl (\d+)\.(\d+)/.exec(version)?.map(Number) ?? []
const hasCurl = major > 7 || (major === 7 && minor >= 84) // the first that writes %header{…}

test('every example in README.md answers as printed', async t => {
  if (!hasCurl) {
    t.log('skipped: no curl of version 7.84 or newer here')
    return t.pass()
  }
  const service = await useService(t)
  const readme = readFileSync(readmeFile, 'utf8')

  t.is(await rewriteReadme(readme, service.base), readme)
})
