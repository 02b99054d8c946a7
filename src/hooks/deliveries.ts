/**
 * Delivers webhooks while the service runs. All processes of a dataset take part; each webhook is with one at a time.
 */
import {randomUUID} from 'node:crypto'
import {setTimeout as delay} from 'node:timers/promises'
import {observe, observeLasting} from '../base/observation.ts'
import {countWebhooks, takeWebhooks, webhookStates} from '../db/store/webhooks.ts'
import {type DeliveryOptions, deliverAll, holdMsOf} from './deliver.ts'

export type Deliveries = {
  /** Whether it delivers at present. */
  readonly isBusy: () => boolean
  /** Cuts running attempts off, which are made again later, and ends. */
  readonly stop: () => Promise<void>
}

const atOnce = 10 // webhooks of one process
const lookMs = 1000 // how often it looks for webhooks that are due
const looksOfCount = 15 // how often it counts them

export type DeliveriesOptions = Omit<DeliveryOptions, 'holder' | 'stopping'> & {
  readonly dataset: string | undefined // in metrics; undefined: the only one
  readonly isWanted?: () => boolean // false: it is known that there are no webhooks
}

export function startDeliveries(options: DeliveriesOptions): Deliveries {
  const {session, dataset, isWanted = () => true} = options
  const stopping = new AbortController()
  const {signal} = stopping
  const holder = randomUUID()
  const running = new Set<Promise<void>>()

  async function take(): Promise<void> {
    const most = atOnce - running.size
    if (most === 0) return
    for (const hook of await takeWebhooks(session, {holder, holdMs: holdMsOf(options), most})) {
      const done = deliverAll(hook, {...options, holder, stopping: signal})
        .catch(observeLasting)
        .finally(() => running.delete(done))
      running.add(done)
    }
  }

  async function count(): Promise<void> {
    observe({kind: 'webhooks-counted', dataset, counts: await countWebhooks(session)})
  }

  async function work(): Promise<void> {
    for (let looks = 0; !signal.aborted; looks += 1) {
      if (looks % looksOfCount === 0) await count().catch(observeLasting)
      if (isWanted()) await take().catch(observeLasting)
      await delay(lookMs, undefined, {signal}).catch(() => undefined) // it rejects when the signal aborts
    }
  }

  const worked = work()
  return {
    isBusy: () => running.size > 0,
    async stop() {
      stopping.abort()
      await worked
      await Promise.all(running)
      observe({kind: 'webhooks-counted', dataset, counts: Object.fromEntries(webhookStates.map(state => [state, 0]))})
    },
  }
}
