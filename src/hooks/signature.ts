/**
 * Signatures of webhooks.
 *
 * Pure. Source: Standard Webhooks 1.0, "Webhook metadata", "Signature scheme".
 */
import {createHmac, randomBytes} from 'node:crypto'

const prefix = 'whsec_'
const secretBytes = 32

export function makeSecret(): Buffer {
  return randomBytes(secretBytes)
}

/** The secret as receivers need it: `whsec_…` */
export function showSecret(secret: Uint8Array): string {
  return prefix + Buffer.from(secret).toString('base64')
}

export type SignedMessage = {
  readonly id: string
  readonly body: string
}

/** The header fields of a message that is sent at a time. */
export function signMessage(
  {id, body}: SignedMessage,
  secret: Uint8Array,
  time: Date,
): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(time.getTime() / 1000))
  const signature = createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64')
  return {'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}`}
}
