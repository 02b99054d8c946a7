/** Spooled answers: the bytes come out unchanged, within limits, and no file remains. */
import {randomFillSync} from 'node:crypto'
import {once} from 'node:events'
import {mkdtemp, readdir, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import type {Duplex} from 'node:stream'
import {text} from 'node:stream/consumers'
import {setImmediate as turn} from 'node:timers/promises'
import test, {type ExecutionContext} from 'ava'
import fc from 'fast-check'
import {type Observation, subscribe} from '../../../src/base/observation.ts'
import {createSpoolSpace, type SpoolSpace, type SpoolSpaceOptions} from '../../../src/base/spool-space.ts'
import {fillUp, mountDisk, whyNoDisk} from '../../support/disk.ts'
import {until} from '../../support/machine.ts'
import {testWhen} from '../../support/test-when.ts'

const nothing = {memoryBytes: 0, fileBytes: 0, files: 0}
const kilobyte = 'x'.repeat(1000)
const forever = Number.POSITIVE_INFINITY
const plenty = {answerBytes: 2 ** 30, callerBytes: 2 ** 30, totalBytes: 2 ** 30, graceMs: 0}

async function folder(t: ExecutionContext): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'quadstead-spool-test-'))
  t.teardown(() => rm(directory, {recursive: true, force: true}))
  return directory
}

async function space(t: ExecutionContext, options: Partial<SpoolSpaceOptions> = {}): Promise<SpoolSpace> {
  const memory = {answerMemoryBytes: 1000, memoryBytes: 2000}
  return createSpoolSpace({directory: await folder(t), ...plenty, ...memory, ...options})
}

function hear<Kind extends Observation['kind']>(t: ExecutionContext, kind: Kind) {
  const heard: Extract<Observation, {kind: Kind}>[] = []
  t.teardown(
    subscribe(observation => {
      if (observation.kind === kind) heard.push(observation as (typeof heard)[number])
    }),
  )
  return heard
}

/** Writes and waits until the bytes are accepted. */
function put(stream: Duplex, bytes: string | Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(bytes, error => (error ? reject(error) : resolve()))
  })
}

/** Resolves to 'waits' if the work is not done after a while. */
function isDone(work: Promise<void>): Promise<'done' | 'waits'> {
  return Promise.race([
    work.then(() => 'done' as const),
    new Promise<'waits'>(resolve => setTimeout(() => resolve('waits'), 100)),
  ])
}

test('bytes come out in order, however they are written and read, with room and without', async t => {
  const directory = await folder(t)
  const sizes = fc.array(fc.oneof(fc.nat(300), fc.nat(200_000)), {maxLength: 12})
  const rooms = fc.record({
    directory: fc.constantFrom(directory, join(directory, 'absent')),
    answerBytes: fc.constantFrom(0, 40_000, 2 ** 30),
    fileBytes: fc.constantFrom(1, 10_000, 2 ** 30),
    memory: fc.constantFrom(1, 30_000, 2 ** 30),
    graceMs: fc.constantFrom(0, 1),
  })
  const pace = fc.infiniteStream(fc.nat(4))
  await fc.assert(
    fc.asyncProperty(sizes, rooms, pace, pace, async (lengths, {memory, ...room}, writing, reading) => {
      const spools = createSpoolSpace({...plenty, ...room, answerMemoryBytes: memory, memoryBytes: memory})
      const {stream} = spools.open('a', forever)
      const sent = lengths.map(length => randomFillSync(Buffer.alloc(length)))
      const write = async () => {
        for (const bytes of sent) {
          for (let turns = writing.next().value ?? 0; turns > 0; turns -= 1) await turn()
          if (!stream.write(bytes)) await once(stream, 'drain')
        }
        stream.end()
      }
      const read = async () => {
        const received: Buffer[] = []
        for await (const bytes of stream) {
          received.push(bytes)
          for (let turns = reading.next().value ?? 0; turns > 0; turns -= 1) await turn()
        }
        return Buffer.concat(received)
      }
      const [received] = await Promise.all([read(), write()])

      t.true(received.equals(Buffer.concat(sent)))
      await until(() => stream.closed)
      t.deepEqual(spools.load(), nothing)
    }),
    {numRuns: Number(process.env.SPOOL_RUNS ?? 60)},
  )
  t.deepEqual(await readdir(directory), [])
})

test('a writer does not wait for the reader: bytes beyond the memory go to files that no other process sees', async t => {
  const directory = await folder(t)
  const spools = await space(t, {directory, fileBytes: 2000})
  const {stream} = spools.open('a', forever)

  for (let n = 0; n < 200; n += 1) await put(stream, kilobyte)
  stream.end()
  t.deepEqual(await readdir(directory), [])
  t.deepEqual(spools.load(), {memoryBytes: 1000, fileBytes: 199_000, files: 100})

  t.is(await text(stream), kilobyte.repeat(200))
  await until(() => stream.closed)
  t.deepEqual(spools.load(), nothing)
})

test('disk space is freed as the reader reads, while the answer continues', async t => {
  const spools = await space(t, {fileBytes: 2000, answerBytes: 100_000})
  const {stream} = spools.open('a', 10_000)
  let [read, most] = [0, 0]
  stream.on('data', (bytes: Buffer) => {
    read += bytes.length
  })
  for (let n = 0; n < 100; n += 1) {
    stream.pause()
    for (let m = 0; m < 10; m += 1) await put(stream, kilobyte)
    most = Math.max(most, spools.load().fileBytes)
    stream.resume()
    await until(() => read > 1000 * (10 * n - 20))
  }
  t.true(most > 1000 && most <= 100_000, String(most))
  stream.destroy()
})

test('a fast reader causes no file', async t => {
  const spools = await space(t, {directory: '/nowhere', graceMs: 60_000})
  const failures = hear(t, 'spool-failed')
  const {stream} = spools.open('a', forever)
  const received = text(stream)
  for (let n = 0; n < 500; n += 1) await put(stream, kilobyte)
  stream.end()

  t.is((await received).length, 500_000)
  t.deepEqual(failures, [])
})

test('an answer that was made as a whole stays in memory if there is room', async t => {
  const spools = await space(t, {wholeMemoryBytes: 1500})
  const [first, tooLong] = [spools.hold(1500), spools.hold(1501)]
  t.deepEqual([tooLong, spools.hold(501)], [undefined, undefined])
  t.deepEqual(spools.load(), {memoryBytes: 1500, fileBytes: 0, files: 0})

  const second = spools.forDataset().hold(500)
  first?.()
  t.is(spools.load().memoryBytes, 500)
  second?.()
  t.deepEqual(spools.load(), nothing)
})

for (const [limit, options] of [
  ['answer', {answerBytes: 5000}],
  ['caller', {callerBytes: 7000}],
  ['total', {totalBytes: 7000}],
] as const)
  test.serial(`an answer that reaches the limit of ${limit} waits for its reader, and continues`, async t => {
    const spools = await space(t, options)
    const full = hear(t, 'spool-full')
    const [other, {stream}] = [spools.open(limit === 'total' ? 'b' : 'a', forever).stream, spools.open('a', forever)]
    for (let n = 0; n < 3; n += 1) await put(other, kilobyte) // one in memory, two in a file
    for (let n = 0; n < 6; n += 1) await put(stream, kilobyte)
    const more = put(stream, kilobyte.repeat(3)).then(() => void stream.end())

    t.is(await isDone(more), 'waits')
    t.deepEqual(full, [{kind: 'spool-full', limit}])
    t.deepEqual(spools.load(), {memoryBytes: 2000, fileBytes: 7000, files: 2})
    t.is(await text(stream), kilobyte.repeat(9))
    t.is(await isDone(more), 'done')
    other.destroy()
    await until(() => spools.load().files === 0)
    t.deepEqual(spools.load(), nothing)
  })

test.serial('an answer that waits too long in total fails; a settled one waits without limit', async t => {
  const spools = await space(t, {answerBytes: 0})
  const cut = hear(t, 'answer-cut')
  const start = async () => {
    const spool = spools.open('a', 200)
    await put(spool.stream, kilobyte)
    return spool
  }
  const [slow, settled] = [await start(), await start()]
  const failed = once(slow.stream, 'error')
  slow.stream.write(kilobyte)
  const last = put(settled.stream, kilobyte)
  settled.settle()

  t.regex(String(await failed), /its reader took longer than 200 ms/)
  t.true(slow.stream.destroyed)
  t.deepEqual(cut, [{kind: 'answer-cut', waitedMs: 200}])
  t.is(await isDone(last), 'waits')
  settled.stream.end()
  t.is(await text(settled.stream), kilobyte.repeat(2))
})

test.serial('without a folder the answer waits for its reader and is complete, and the log has the reason', async t => {
  const spools = await space(t, {directory: '/nowhere'})
  const [failures, full] = [hear(t, 'spool-failed'), hear(t, 'spool-full')]
  const {stream} = spools.open('a', forever)
  await put(stream, kilobyte)
  const more = put(stream, kilobyte).then(() => void stream.end())

  t.is(await isDone(more), 'waits')
  t.is(await text(stream), kilobyte.repeat(2))
  t.regex(failures[0]?.reason ?? '', /ENOENT/)
  t.deepEqual(full, [{kind: 'spool-full', limit: 'folder'}])
  t.is(failures.length, 1)
})

const noDisk = whyNoDisk()
testWhen(noDisk === undefined, noDisk ?? '')('on a full disk the answer waits for its reader, whole', async t => {
  const directory = mountDisk(t, 1)
  const spools = await space(t, {directory})
  const [failures, full] = [hear(t, 'spool-failed'), hear(t, 'spool-full')]
  const {stream} = spools.open('a', forever)
  const lines = Array.from({length: 100}, (_, n) => `${n} ${kilobyte}\n`)
  for (const line of lines.slice(0, 20)) await put(stream, line)
  fillUp(join(directory, 'filler'))
  const more = (async () => {
    for (const line of lines.slice(20)) await put(stream, line)
    stream.end()
  })()

  t.is(await isDone(more), 'waits')
  t.is(await text(stream), lines.join(''))
  t.regex(failures[0]?.reason ?? '', /ENOSPC/)
  t.deepEqual(full, [{kind: 'spool-full', limit: 'folder'}])
  t.deepEqual(spools.load(), nothing)
})

test('a reader that disconnects frees memory and files, and ends waiting writes', async t => {
  const directory = await folder(t)
  const spools = await space(t, {directory, fileBytes: 3000, answerBytes: 20_000})
  const {stream} = spools.open('a', forever)
  for (let n = 0; n < 21; n += 1) await put(stream, kilobyte)
  const waiting = put(stream, kilobyte)
  t.is(await isDone(waiting), 'waits')
  t.deepEqual(spools.load(), {memoryBytes: 1000, fileBytes: 20_000, files: 7})
  const refused = t.throwsAsync(waiting)

  stream.destroy()

  await refused
  await until(() => stream.closed)
  t.deepEqual(spools.load(), nothing)
  t.deepEqual(await readdir(directory), [])
})
