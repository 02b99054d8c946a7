/** One fault under load: clients write and read during it. Afterwards all acknowledged writes must be there. */
import {Agent} from 'node:http'
import {setTimeout as delay} from 'node:timers/promises'
import type {Random} from '../fuzz/random.ts'
import {type Recorded, runClients} from '../history/clients.ts'
import {type Interval, unexplained} from '../history/linearize.ts'
import {membershipModel} from '../history/membership.ts'
import {noRegister, registerModel} from '../history/register.ts'
import {until} from '../support/machine.ts'
import type {Fault} from './faults.ts'
import {createPlace, type Ledger} from './ledger.ts'
import type {Scene} from './scene.ts'
import type {Trouble} from './trouble.ts'

/** What a round needs of a scene. */
export type RoundScene = Pick<Scene, 'base' | 'isReady' | 'calm' | 'check'>

export type RoundOptions<Setting extends RoundScene> = {
  readonly scene: Setting
  readonly fault: Pick<Fault, 'name' | 'isServiceDown'> & {
    readonly strike: (scene: Setting, dice: Random) => Promise<void>
  }
  readonly number: number
  readonly ledgers: readonly Ledger[]
  readonly trouble: Trouble
  readonly dice: Random
}

export type Report = {
  readonly wrong: readonly string[] // [] if everything is right
  readonly recoveredMs: number // from the end of the fault until the service was ready
  readonly histories: number
  readonly operations: number // of the histories
  readonly uncertain: number // operations with an unknown result
  readonly recorded: Recorded
}

const clients = process.env.FAULTS_ROUNDS === undefined ? 4 : 8 // half as many in the short run of `npm test`
const quietMs = 20 // between two writes of a ledger
const writesBefore = 30 // in all ledgers, at least and less than twice as many
const writesAfter = 10 // in each ledger

export async function runRound<Setting extends RoundScene>(options: RoundOptions<Setting>): Promise<Report> {
  const {scene, fault, number, ledgers, trouble, dice} = options
  await createPlace(scene.base, `round-${number}`)
  const url = `${scene.base}round-${number}/`
  const acknowledged = () => ledgers.reduce((sum, {counts}) => sum + counts.acknowledged, 0)
  let isOver = false
  let isHistoryOver = false
  let hasBegun = false // the documents of the history are there
  const writing = ledgers.map(async ({write}) => {
    for (; !isOver; await delay(quietMs)) await write()
  })
  trouble.expect(fault)
  const isDone = () => {
    hasBegun = true
    return isHistoryOver
  }
  const history = runClients({url, clients, isOver: isDone, inTrouble: trouble.meet})

  const goal = acknowledged() + writesBefore + dice.below(writesBefore)
  await until(() => hasBegun && acknowledged() >= goal, 60_000)
  await fault.strike(scene, dice)
  const ended = performance.now()
  await until(scene.isReady, 60_000)
  const recoveredMs = performance.now() - ended
  isOver = true
  await Promise.all(writing)
  await scene.calm()
  const calm = performance.now()
  const lost = (await Promise.all(ledgers.map(({verify}) => verify()))).flat()
  for (let count = 0; count < writesAfter; count++) await Promise.all(ledgers.map(({write}) => write()))
  isHistoryOver = true
  const recorded = settled(await history, calm)
  trouble.expect(undefined)

  const {registers, membership, complaints} = recorded
  const all = [...registers.values(), membership.operations].flat()
  const wrong = [
    ...lost,
    ...complaints,
    ...[...registers].flatMap(([path, operations]) =>
      toldOf(`register ${path}`, unexplained(operations, noRegister, registerModel)),
    ),
    ...toldOf('members', unexplained(membership.operations, membership.initial, membershipModel)),
    ...(await scene.check()).map(line => `check: ${JSON.stringify(line)}`),
    ...trouble.wrong.splice(0),
  ]
  return {
    wrong: wrong.map(each => `${fault.name}: ${each}`),
    recoveredMs,
    histories: registers.size + 1,
    operations: all.length,
    uncertain: all.filter(({isMaybe}) => isMaybe).length,
    recorded,
  }
}

/** Ends uncertain operations: nothing that was sent during the fault can take place after it. */
function settled({registers, membership, ...others}: Recorded, calm: number): Recorded {
  const end = <Operation extends Interval>(operations: readonly Operation[]) =>
    operations.map(each => (each.isMaybe && each.start < calm ? {...each, end: calm} : each))
  return {
    registers: new Map([...registers].map(([path, operations]) => [path, end(operations)])),
    membership: {...membership, operations: end(membership.operations)},
    ...others,
  }
}

function toldOf(what: string, operation: Interval | undefined): readonly string[] {
  return operation === undefined ? [] : [`no order explains ${what}: ${JSON.stringify(operation)}`]
}

/** Connections that all clients of the ledgers share. */
export function ledgerAgent(): Agent {
  return new Agent({keepAlive: true, maxSockets: 8})
}
