/** Runs faults one after the other on one scene, with the same ledgers throughout. */
import type {ExecutionContext} from 'ava'
import {createRandom} from '../fuzz/random.ts'
import {unexplained} from '../history/linearize.ts'
import {membershipModel} from '../history/membership.ts'
import {noRegister, registerModel} from '../history/register.ts'
import {withoutWrite, withStaleRead} from '../history/sabotage.ts'
import {startFeedReaders} from '../support/feed-ledger.ts'
import {runProgram} from '../support/process.ts'
import type {Fault} from './faults.ts'
import {type Counts, type Ledger, openLedger} from './ledger.ts'
import {ledgerAgent, type Report, runRound} from './round.ts'
import type {Scene} from './scene.ts'
import {createTrouble} from './trouble.ts'

export type CampaignOptions = {
  readonly scene: Scene
  readonly faults: readonly Fault[]
  readonly rounds: number
  readonly seed: number
}

const recoveryMs = 20_000 // a service that takes longer to recover has failed
const writers = ['w0', 'w1', 'w2', 'w3']

/** Runs every fault in every round, and asserts the results. */
export async function runFaults(t: ExecutionContext, {scene, faults, rounds, seed}: CampaignOptions): Promise<void> {
  const trouble = createTrouble(scene)
  const dice = createRandom(seed)
  const agent = ledgerAgent()
  t.teardown(() => agent.destroy())
  const {base} = scene
  const readers = await startFeedReaders(t, base)
  const ledgers: Ledger[] = []
  for (const name of writers) ledgers.push(await openLedger({base, name, agent, dice, inTrouble: trouble.meet}))
  const reports: Report[] = []

  for (let round = 0; round < rounds; round++) {
    for (const fault of faults) {
      const report = await runRound({scene, fault, number: reports.length, ledgers, trouble, dice})
      reports.push(report)
      t.deepEqual(report.wrong, [])
      t.true(report.recoveredMs < recoveryMs, `${fault.name}: ready after ${report.recoveredMs} ms`)
      const line = `${fault.name}: ready after ${Math.round(report.recoveredMs)} ms`
      tell(t, line)
    }
  }

  t.deepEqual(await readers.verify(), [])
  t.true(readers.counts().every(count => count > 0))
  tell(t, `readers of changes: ${readers.counts().join(' and ')} changes, each once and in order`)
  for (const line of summary(reports, ledgers, trouble.met)) tell(t, line)
  t.notRegex(scene.complaints(), /"kind":"failure"/)
  findSabotage(t, reports)
  const check = runProgram(t, scene.settings, ['check'])
  t.is(await check.exit, 0, check.output())
}

/** Prints the progress of long runs. */
function tell(t: ExecutionContext, line: string): void {
  t.log(line)
  if (process.env.FAULTS_ROUNDS !== undefined) process.stderr.write(`${line}\n`)
}

/** Checks the checker: it must reject the recorded histories after they were made wrong. */
function findSabotage(t: ExecutionContext, reports: readonly Report[]): void {
  const registers = reports.flatMap(({recorded}) => [...recorded.registers.values()])
  for (const wrong of [withStaleRead(registers), withoutWrite(registers)])
    if (wrong !== undefined) t.not(unexplained(wrong, noRegister, registerModel), undefined)
  for (const {recorded} of reports) {
    const {initial, operations} = recorded.membership
    const wrong = withStaleRead([operations])
    if (wrong !== undefined) t.not(unexplained(wrong, initial, membershipModel), undefined)
  }
}

function summary(
  reports: readonly Report[],
  ledgers: readonly Ledger[],
  met: ReadonlyMap<string, number>,
): readonly string[] {
  const sum = (count: (each: Report) => number) => reports.reduce((total, each) => total + count(each), 0)
  const counted = (name: keyof Counts) => ledgers.reduce((total, {counts}) => total + counts[name], 0)
  const slowest = Math.max(...reports.map(({recoveredMs}) => recoveredMs))
  return [
    `${reports.length} faults; the service was ready at most ${Math.round(slowest)} ms after their end`,
    `ledgers: ${counted('acknowledged')} writes acknowledged, none lost; ${counted('uncertain')} without an answer, ` +
      `of which ${counted('done')} were done`,
    `histories: ${sum(({histories}) => histories)} of ${sum(({operations}) => operations)} operations, of which ` +
      `${sum(({uncertain}) => uncertain)} writes without an answer`,
    `met: ${[...met]
      .map(([what, count]) => `${what}: ${count}`)
      .sort()
      .join(', ')}`,
  ]
}
