/**
 * The faults below the service, and how the tests cause them.
 *
 * Each fault ends before its function returns. Then the service can work again.
 */
import {setTimeout as delay} from 'node:timers/promises'
import {isProcessAlive} from '../../src/base/process-identity.ts'
import type {Random} from '../fuzz/random.ts'
import {send} from '../support/client.ts'
import {until} from '../support/machine.ts'
import {schemaIdentifier} from '../support/postgres.ts'
import {haltWorker, killWorker} from '../support/workers.ts'
import type {DatabaseProxy} from './proxy.ts'
import type {Scene} from './scene.ts'

export type Fault = {
  readonly name: string
  readonly isServiceDown?: boolean // clients may get no connection
  readonly strike: (scene: Scene, dice: Random) => Promise<void>
}

/** Faults that need no proxy between the service and its PostgreSQL. */

export const faults: readonly Fault[] = [
  {
    name: 'the service is killed (kill -9)',
    isServiceDown: true,
    async strike({service, restart}) {
      service().child.kill('SIGKILL')
      await service().exit
      await restart()
    },
  },
  {name: 'PostgreSQL is killed (kill -9)', strike: scene => signalPostgres(scene, 'SIGKILL')},
  {name: 'PostgreSQL is restarted (fast)', strike: scene => signalPostgres(scene, 'SIGINT')},
  {name: 'PostgreSQL is restarted (immediate)', strike: scene => signalPostgres(scene, 'SIGQUIT')},
  {
    name: 'a backend of PostgreSQL is killed (kill -9)',
    async strike(scene) {
      const [some] = await backends(scene, "state <> 'idle'")
      const [any] = await backends(scene, 'true')
      const victim = some ?? any
      if (victim !== undefined) process.kill(victim, 'SIGKILL')
    },
  },
  {
    name: 'all sessions are ended by an operator',
    strike: async ({ask}) =>
      void (await ask(`select pg_terminate_backend(pid) from pg_stat_activity where ${ofService}`)),
  },
  {
    name: 'PostgreSQL stands still',
    async strike(scene, dice) {
      const found = await backends(scene, 'true')
      for (const backend of found) process.kill(backend, 'SIGSTOP')
      await delay(1500 + dice.below(1000))
      for (const backend of found) if (isProcessAlive(backend)) process.kill(backend, 'SIGCONT')
    },
  },
  {
    name: 'every connection waits for a lock',
    async strike(scene, dice) {
      const lock = scene.ask(`
        do $$ begin
          lock table ${document} in access exclusive mode;
          perform pg_sleep(${3 + dice.below(10) / 10}); -- a read may wait for one under way first: twice its limit
        end $$`)
      await untilRefused(scene)
      await lock
    },
  },
  {
    name: 'the clock is set back',
    async strike({service, ask}) {
      await ask(replaceInFunctions(now, later))
      await delay(500)
      await ask(replaceInFunctions(later, now))
      service().child.kill('SIGUSR2') // for the clock of the service
    },
  },
]

/** Faults of a service with workers. */
export const workerFaults: readonly Fault[] = [
  {
    name: 'a worker is killed (kill -9)',
    isServiceDown: true, // for clients with connections to the worker
    strike: ({service}, dice) => killWorker(service(), 1 + dice.below(2)),
  },
  {
    name: 'all workers are killed (kill -9)',
    isServiceDown: true,
    strike: async ({service}) => void (await Promise.all([killWorker(service(), 1), killWorker(service(), 2)])),
  },
  {
    name: 'a worker stands still',
    strike: ({service}, dice) => haltWorker(service(), 1 + dice.below(2), 1500 + dice.below(1000)),
  },
]

/** Faults of the network between service and PostgreSQL. */
export const networkFaults: readonly Fault[] = [
  {
    name: 'connections to PostgreSQL are cut',
    async strike(scene, dice) {
      const proxy = proxyOf(scene)
      for (let times = 3 + dice.below(5); times > 0; times--) {
        proxy.cut()
        await delay(dice.below(200))
      }
    },
  },
  {
    name: 'answers of PostgreSQL are lost, then their connections',
    async strike(scene, dice) {
      const proxy = proxyOf(scene)
      for (let times = 2 + dice.below(3); times > 0; times--) {
        proxy.become({kind: 'mute'})
        await delay(50 + dice.below(100))
        proxy.cut()
        proxy.become({kind: 'flowing'})
        await delay(dice.below(200))
      }
    },
  },
  {
    name: 'nobody listens at the address of PostgreSQL',
    async strike(scene, dice) {
      proxyOf(scene).become({kind: 'closed'})
      proxyOf(scene).cut()
      await untilRefused(scene)
      await delay(dice.below(500))
      proxyOf(scene).become({kind: 'flowing'})
    },
  },
  {
    name: 'the network to PostgreSQL goes silent',
    async strike(scene) {
      proxyOf(scene).become({kind: 'stalled'})
      await untilRefused(scene)
      proxyOf(scene).become({kind: 'flowing'})
    },
  },
  {
    name: 'the network to PostgreSQL is slow',
    async strike(scene, dice) {
      const proxy = proxyOf(scene)
      proxy.become({kind: 'flowing', delayMs: 100 + dice.below(150)})
      await delay(1500)
      proxy.become({kind: 'flowing'})
    },
  },
]

const document = `${schemaIdentifier}.document`
const ofService = `backend_type = 'client backend' and application_name like 'quadstead%' and pid <> pg_backend_pid()`

const now = 'clock_timestamp()'
const later = `(${now} + interval '1 day')`

/** Changes the current time of the store's functions. */
function replaceInFunctions(from: string, to: string): string {
  const quoted = (text: string) => `$text$${text}$text$`
  return `
    do $$ declare v_definition text;
    begin
      for v_definition in
        select pg_get_functiondef(p.oid) from pg_proc as p
         where p.pronamespace = '${schemaIdentifier}'::regnamespace and position(${quoted(from)} in p.prosrc) > 0
      loop
        execute replace(v_definition, ${quoted(from)}, ${quoted(to)});
      end loop;
    end $$`
}

/** Ends PostgreSQL, which is then started again. Returns when it runs. */
async function signalPostgres({postmaster, ask}: Scene, signal: NodeJS.Signals): Promise<void> {
  const before = await postmaster()
  if (before === undefined) throw new Error('no PostgreSQL runs')
  process.kill(before, signal)
  await until(async () => ![undefined, before].includes(await postmaster()), 60_000)
  await ask('select')
}

function proxyOf({proxy}: Scene): DatabaseProxy {
  if (proxy === undefined) throw new Error('this fault needs a proxy')
  return proxy
}

async function backends({ask}: Scene, condition: string): Promise<readonly number[]> {
  const rows = await ask<{pid: number}>(`select pid from pg_stat_activity where ${ofService} and ${condition}`)
  return rows.map(({pid}) => pid)
}

/** Waits until the service answers a client that the database is unavailable. */
async function untilRefused({base}: Scene): Promise<void> {
  await until(async () => (await send(base)).status === 503)
}
