/** The examples of the README and of the tour have the printed output. */
import {spawnSync} from 'node:child_process'
import {readFileSync} from 'node:fs'
import test from 'ava'
import {areDistributed} from '../support/postgres.ts'
import {differing, exampleFiles, rewriteReadme, rewriteTour} from '../support/readme.ts'
import {useService} from '../support/service.ts'
import {type Declare, testWhen} from '../support/test-when.ts'

const version = spawnSync('curl', ['--version'], {encoding: 'utf8'}).stdout ?? ''
const [, major = 0, minor = 0] = /^curl (\d+)\.(\d+)/.exec(version)?.map(Number) ?? []
const hasCurl = major > 7 || (major === 7 && minor >= 84) // the first version with %header{…}

const pages = [
  {name: 'README.md', file: exampleFiles.readme, rewrite: rewriteReadme},
  {name: 'docs/tour.md', file: exampleFiles.tour, rewrite: rewriteTour},
]

for (const {name, file, rewrite} of pages) {
  const isOther = areDistributed && name === 'docs/tour.md'
  const testPage: Declare = isOther ? testWhen(false, 'entity tags have other numbers in a Citus cluster') : test
  testPage(`every example in ${name} has the printed output`, async t => {
    if (!hasCurl) {
      t.log('skipped: no curl of version 7.84 or newer here')
      return t.pass()
    }
    const service = await useService(t)
    const text = readFileSync(file, 'utf8')

    t.deepEqual(differing(await rewrite(text, service.base), text), [])
  })
}

test('the examples of README.md have the same output when they are repeated', async t => {
  if (!hasCurl) {
    t.log('skipped: no curl of version 7.84 or newer here')
    return t.pass()
  }
  const service = await useService(t)
  const text = readFileSync(exampleFiles.readme, 'utf8')

  await rewriteReadme(text, service.base)

  t.deepEqual(differing(await rewriteReadme(text, service.base), text), [])
})
