/**
 * The settings of replicas: their addresses, and how far they may lag behind.
 *
 * Part of the list in config.ts.
 */
import {type DatabaseAddress, parseDatabaseUrl} from '../db/connection/address.ts'
import {setting, wholeNumber} from './setting.ts'

export const replicaSettings = {
  DATABASE_READ_URL: setting({
    initial: '',
    about:
      'Replicas of the PostgreSQL of DATABASE_URL (streaming replication) for GETs and queries: URLs in the same ' +
      'form, separated by blanks or commas.',
    expected: 'postgres://user:password@host:port/database, several separated by blanks or commas',
    read: readAddresses,
    isSecret: true,
  }),
  DATABASE_READ_LAG_MS: setting({
    initial: '5000',
    about: 'Largest lag of a replica that may be used, in milliseconds.',
    expected: 'a whole number of milliseconds from 1000 to 3600000',
    read: wholeNumber(1000, 3_600_000),
  }),
} as const

/**
 * Reads a list of addresses. Splits it before each scheme, because a URL may contain commas between its hosts.
 *
 * @throws  Refusal: one of them is no address
 */
export function readAddresses(text: string): readonly DatabaseAddress[] {
  return text
    .trim()
    .split(/[\s,]+(?=postgres(?:ql)?:\/\/)/)
    .map(url => parseDatabaseUrl(url.replace(/[\s,]+$/, '')))
}
