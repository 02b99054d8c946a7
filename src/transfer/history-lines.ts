/**
 * The lines of an export with history (docs/import-export.md, With history). Each line is a JSON object.
 *
 * Pure. Numbers of 64 bits are texts. Triples are N-Triples. A term that has left the dictionary, because another term
 * got its IRI, is written as `#` and a number. Its former IRIs are in lines of their own.
 */
import {Refusal} from '../base/refusal.ts'
import type {HistoryHead} from '../db/bulk/history-store.ts'

export const historyVersion = 1

export type HistoryLine =
  | ({readonly quadstead: 'history'; readonly version: number} & HistoryHead)
  | {readonly name: string; readonly of: string; readonly until: string} // until: the position of the rename
  | {
      readonly document: string
      readonly parent: string | null
      readonly tag: string
      readonly created: string
      readonly modified: string
      readonly isAccessPoint: boolean
      readonly memberRelation: string
      readonly memberBy: string | null
      readonly triples: string
    }
  | {readonly graph: string; readonly triples: string} // a raw graph
  | {readonly more: string; readonly triples: string} // of the document or raw graph of the line before
  | ({
      readonly change: string // its position
      readonly transaction: string
      readonly time: string
      readonly document: string
      readonly isAccessPoint: boolean | null
    } & {
      readonly [Name in 'parent' | 'memberBy' | 'realm' | 'before' | 'after' | 'action' | 'agent' | 'request']:
        | string
        | null
    } & ChangedTriples)
  | ({readonly moreOf: string} & ChangedTriples) // the position of the change of the line before
  | ({readonly end: true; readonly sha256: string} & HistoryCounts)

/** Triples of a row of the log. Null and the empty text differ, as in the row. */
export type ChangedTriples = {readonly added: string | null; readonly removed: string | null}

export type HistoryCounts = {
  readonly documents: number
  readonly graphs: number
  readonly triples: number // of documents and raw graphs
  readonly changes: number // rows of the log
}

type Kind = 'head' | 'name' | 'document' | 'graph' | 'more' | 'change' | 'moreOf' | 'end'

const text = (value: unknown) => typeof value === 'string'
const optional = (value: unknown) => value === null || text(value)
const integer = (value: unknown) => text(value) && /^\d{1,19}$/.test(value as string)
const optionalInteger = (value: unknown) => value === null || integer(value)
const truth = (value: unknown) => typeof value === 'boolean'
const amount = (value: unknown) => Number.isSafeInteger(value)

/** The members of each kind of line, with tests of their values. The first member determines the kind. */
const members: Readonly<Record<Kind, Readonly<Record<string, (value: unknown) => boolean>>>> = {
  head: {
    quadstead: value => value === 'history',
    version: amount,
    ...{base: text, platform: text, kept: optional, lost: integer, lostTime: text, lostTag: integer},
    ...{lastPosition: integer, lastTag: integer, lastNode: integer},
  },
  name: {name: text, of: text, until: integer},
  document: {
    ...{document: text, parent: optional, tag: integer, created: text, modified: text, isAccessPoint: truth},
    ...{memberRelation: text, memberBy: optional, triples: text},
  },
  graph: {graph: text, triples: text},
  more: {more: text, triples: text},
  change: {
    ...{change: integer, transaction: integer, time: text, document: text, parent: optional, memberBy: optional},
    ...{realm: optional, before: optionalInteger, after: optionalInteger},
    isAccessPoint: value => value === null || truth(value),
    ...{action: optional, agent: optional, request: optional, added: optional, removed: optional},
  },
  moreOf: {moreOf: integer, added: optional, removed: optional},
  end: {
    end: value => value === true,
    documents: amount,
    graphs: amount,
    triples: amount,
    changes: amount,
    sha256: text,
  },
}

/** @throws  Refusal: the line is not one of an export with history */
export function readHistoryLine(line: string): HistoryLine {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch (error) {
    throw new Refusal('This is not a line of an export with history, because it is not JSON.', {cause: error})
  }
  const object = typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {}
  const [first = ''] = Object.keys(object)
  const tests = Object.values(members).find(tests => Object.keys(tests)[0] === first)
  if (tests === undefined) throw new Refusal('This is not a line of an export with history.')
  for (const [name, isValid] of Object.entries(tests))
    if (!isValid(object[name])) throw new Refusal(`The member "${name}" is missing, or has a wrong value.`)
  return object as HistoryLine
}

/** Splits the lines of triples into texts of about a million characters, at least one. */
export function portionsOf(lines: readonly string[], limit = 1 << 20): readonly [string, ...string[]] {
  let text = ''
  const full: string[] = []
  for (const line of lines) {
    if (text.length >= limit) {
      full.push(text)
      text = ''
    }
    text += `${line} .\n`
  }
  const [first, ...rest] = [...full, text]
  return [first ?? '', ...rest]
}
