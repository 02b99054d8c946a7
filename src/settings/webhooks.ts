/**
 * The settings of webhooks.
 *
 * Part of the list in config.ts.
 */
import type {BlockList} from 'node:net'
import type {Backoff} from '../base/backoff.ts'
import {readNetworks} from '../http/forwarded.ts'
import {setting, type ValuesOf, wholeNumber} from './setting.ts'

export const webhookSettings = {
  WEBHOOK_NETWORKS: setting({
    initial: '',
    about:
      'Networks that webhooks may reach although they are not public: addresses and networks, loopback, private, ' +
      'separated by blanks or commas.',
    expected: 'addresses such as 192.0.2.1, networks such as 10.0.0.0/8, loopback or private',
    read: readNetworks,
  }),
  WEBHOOK_TIMEOUT_MS: setting({
    initial: '15000',
    about: 'Maximum time for a receiver of webhooks to answer, in milliseconds.',
    expected: 'a whole number of milliseconds from 100 to 30000',
    read: wholeNumber(100, 30_000),
  }),
  WEBHOOK_RETRY_MS: setting({
    initial: '5000',
    about:
      'Time until a failed webhook is tried again, in milliseconds. It doubles with each further failure, up to 6 ' +
      'hours.',
    expected: 'a whole number of milliseconds from 10 to 3600000',
    read: wholeNumber(10, 3_600_000),
  }),
  WEBHOOK_ATTEMPTS: setting({
    initial: '20',
    about: 'Number of failed attempts in a row after which a webhook is dead: no more are made.',
    expected: 'a whole number from 1 to 1000',
    read: wholeNumber(1, 1000),
  }),
} as const

export type WebhookConfig = {
  readonly networks: BlockList | undefined // undefined: only public addresses
  readonly timeoutMs: number
  readonly backoff: Backoff & {readonly attempts: number} // so many failures in a row are the last
}

type Values = ValuesOf<typeof webhookSettings>

export function readWebhooks(values: Values): WebhookConfig {
  return {
    networks: values.WEBHOOK_NETWORKS,
    timeoutMs: values.WEBHOOK_TIMEOUT_MS,
    backoff: {firstMs: values.WEBHOOK_RETRY_MS, attempts: values.WEBHOOK_ATTEMPTS},
  }
}
