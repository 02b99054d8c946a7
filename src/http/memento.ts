/**
 * The parts of a request that ask for a past state: the header Accept-Datetime, and the query of a document's URL.
 *
 *   ?state=TAG               a state, by its entity tag
 *   ?states&before=POSITION  the list of states, or its continuation
 *   ?difference=TAG&to=TAG   what leads from one state to another, or to the present one
 *   ?restore=TAG             (POST) makes a state the present one
 *
 * Pure. Source: RFC 7089 §2.1.1.
 */
import {excerpt} from '../base/excerpt.ts'
import {Problem} from '../base/problem.ts'
import {parseHttpDate} from './date.ts'

export type HistoryQuery =
  | {readonly kind: 'state'; readonly tag: string}
  | {readonly kind: 'states'; readonly under: string | undefined} // undefined: from the newest on
  | {readonly kind: 'difference'; readonly from: string; readonly to: string | undefined}
  | {readonly kind: 'restore'; readonly tag: string}

const names = ['state', 'states', 'difference', 'restore'] as const

/**
 * Reads what the query of a document's URL asks of its history.
 *
 * @returns  undefined: nothing
 * @throws   Problem 400 `history-query`: several of the parameters · 404 `state-exists`: not a tag · 400 `page-known`
 */
export function readHistoryQuery(query: string | undefined): HistoryQuery | undefined {
  if (query === undefined || !/state|difference|restore/.test(query)) return undefined
  const parameters = new URLSearchParams(query)
  const given = names.filter(name => parameters.has(name))
  const [kind] = given
  if (kind === undefined) return undefined
  if (given.length > 1)
    throw new Problem(400, 'history-query', `A URL has one of ${names.join(', ')}, not ${given.join(' and ')}.`)
  if (kind === 'states') return {kind, under: readPosition(parameters.get('before'))}
  const tag = readTag(parameters.get(kind) ?? '')
  if (kind !== 'difference') return {kind, tag}
  const to = parameters.get('to')
  return {kind, from: tag, to: to === null ? undefined : readTag(to)}
}

function readTag(text: string): string {
  if (/^[0-9]{1,18}$/.test(text)) return text
  throw new Problem(404, 'state-exists', `No state has the entity tag "${excerpt(text)}".`)
}

function readPosition(text: string | null): string | undefined {
  if (text === null) return undefined
  if (/^[0-9]{1,18}$/.test(text)) return text
  throw new Problem(400, 'page-known', `No page of states begins before "${excerpt(text)}".`)
}

const example = '"Tue, 17 Nov 2026 09:30:00 GMT"'

/**
 * Reads Accept-Datetime. HTTP dates have whole seconds: the state as of a second is the one at its end, so that the
 * Memento-Datetime of a state selects this state again.
 *
 * @param values  field values as received
 * @param nowMs   the current time
 * @returns       the end of the second; undefined: there is no such header
 * @throws        Problem 400 `datetime-syntax`
 */
export function readAcceptDatetime(values: readonly string[], nowMs: number): Date | undefined {
  const [value, ...others] = values
  if (value === undefined) return undefined
  const timeMs = others.length > 0 ? undefined : parseHttpDate(value.trim(), nowMs)
  if (timeMs === undefined)
    throw new Problem(
      400,
      'datetime-syntax',
      `Accept-Datetime must be one HTTP date such as ${example}, not "${excerpt(values.join(', '))}".`,
    )
  return new Date(timeMs + 999)
}
