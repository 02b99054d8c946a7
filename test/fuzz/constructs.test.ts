/** Reads every construct of every grammar in time proportional to its length, or refuses it. */
import test from 'ava'
import {Problem} from '../../src/base/problem.ts'
import {formatOfMediaType} from '../../src/format/registry.ts'
import {applyPatch} from '../../src/ldpatch/apply.ts'
import {parsePatch} from '../../src/ldpatch/syntax.ts'
import {type Construct, constructs, grownTo} from './document-constructs.ts'

const base = 'http://localhost/document/'
const length = 600_000 // characters; linear work takes about a hundred ms, quadratic work many seconds
const parts = 4
const ratioMost = 9 // ratio of the times for a text and for a quarter of it: 4 if linear, 16 if quadratic
const soonMs = 150 // of processor time; too short to measure
const tries = 4

async function read({type}: Construct, text: string): Promise<void> {
  try {
    if (type === 'text/ldpatch') applyPatch([], parsePatch(text, {base, tripleLimit: 500_000}))
    else await formatOfMediaType(type)?.parse?.(Buffer.from(text), {base, tripleLimit: 500_000})
  } catch (error) {
    if (!(error instanceof Problem)) throw error
  }
}

/** Processor time in ms, which does not depend on other load. */
async function costOf(construct: Construct, text: string): Promise<number> {
  const before = process.cpuUsage()
  await read(construct, text)
  const {user, system} = process.cpuUsage(before)
  return (user + system) / 1000
}

for (const construct of constructs) {
  test(`${construct.type}: ${construct.name}`, async t => {
    t.timeout(300_000)
    const [part, whole] = [grownTo(construct, length / parts).text, grownTo(construct, length).text]
    let [least, leastPart] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
    for (let attempt = 0; attempt < tries; attempt += 1) {
      leastPart = Math.min(leastPart, await costOf(construct, part))
      least = Math.min(least, await costOf(construct, whole))
      if (least < soonMs || least < ratioMost * leastPart) break
    }

    t.true(least < soonMs || least < ratioMost * leastPart, `${leastPart} ms for a fourth, ${least} ms for the whole`)
  })
}
