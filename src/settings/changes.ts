/**
 * The settings of the change log.
 *
 * Part of the list in config.ts.
 */
import type {ChangesKept} from '../db/store/changes.ts'
import {setting, wholeNumber} from './setting.ts'

const secondsOf: Readonly<Record<string, number>> = {s: 1, m: 60, h: 3600, d: 86_400}

export const changeSettings = {
  CHANGES: setting({
    initial: '30d',
    about:
      'How long the log of changes is kept, from which clients read what has changed: a period, forever, or off: no ' +
      'log. It is a property of the dataset: the service that starts last decides.',
    expected: 'a period such as 12h or 30d (s, m, h, d), forever or off',
    read: readKept,
  }),
  CHANGES_LISTENERS: setting({
    initial: '5000',
    about: 'Maximum number of clients that listen to changes at a time.',
    expected: 'a whole number from 0 to 1000000',
    read: wholeNumber(0, 1_000_000),
  }),
} as const

function readKept(text: string): ChangesKept | undefined {
  if (text === 'off' || text === 'forever') return text
  const [, count, unit = ''] = /^([1-9]\d{0,6})([smhd])$/.exec(text) ?? []
  const seconds = Number(count) * (secondsOf[unit] ?? Number.NaN)
  return seconds <= 3_153_600_000 ? seconds : undefined // a hundred years
}
