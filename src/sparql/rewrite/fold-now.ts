/**
 * Rewrite when a query is compiled: NOW() in filters becomes the time of the query, and so does NOW() with constant
 * durations added or subtracted. Estimates and ranges of ids can use it then, as in
 *
 *   FILTER(?modified > NOW() - "P7D"^^xsd:dayTimeDuration)
 *
 * Pure. Source: SPARQL 1.1 §17.4.5.1: NOW() is the same throughout a query.
 */
import {readDuration} from '../../rdf/duration.ts'
import {type Literal, literal} from '../../rdf/term.ts'
import {xsd} from '../../rdf/vocabulary.ts'
import {type Algebra, type Expression, mapChildren} from '../algebra.ts'

/** @returns  the same tree if it has no such filter. @param now  lexical form of an xsd:dateTime in UTC */
export function foldNow(tree: Algebra, now: () => string): Algebra {
  const node = mapChildren(tree, child => foldNow(child, now))
  if ((node.type !== 'filter' && node.type !== 'leftJoin') || node.condition === undefined) return node
  const condition = fold(node.condition, now)
  return condition === node.condition ? node : {...node, condition}
}

function fold(expression: Expression, now: () => string): Expression {
  if (expression.type !== 'call') return expression
  const {name} = expression
  if (name === 'now') return {type: 'term', term: literal(now(), xsd.dateTime)}
  const folded = expression.arguments.map(one => fold(one, now))
  if (folded.every((one, index) => one === expression.arguments[index])) return expression
  const [left, right] = folded
  if ((name === '+' || name === '-') && left?.type === 'term' && right?.type === 'term') {
    const term =
      movedBy(left.term, right.term, name) ?? (name === '+' ? movedBy(right.term, left.term, name) : undefined)
    if (term !== undefined) return {type: 'term', term}
  }
  return {...expression, arguments: folded}
}

type Constant = Extract<Expression, {type: 'term'}>['term']

const timeForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,3})?Z$/
/** A dateTime in UTC, later or earlier by a duration (XML Schema 1.1 part 2 §E.3.3); undefined for other operands. */
function movedBy(time: Constant, duration: Constant, sign: '+' | '-'): Literal | undefined {
  if (time.termType !== 'Literal' || duration.termType !== 'Literal' || !timeForm.test(time.value)) return undefined
  const span = readDuration(duration)
  if (span === undefined || /\.\d{4}/.test(span.seconds)) return undefined
  const factor = sign === '+' ? 1 : -1
  const from = new Date(time.value)
  const months = from.getUTCFullYear() * 12 + from.getUTCMonth() + factor * Number(span.months)
  const [year, month] = [Math.floor(months / 12), ((months % 12) + 12) % 12]
  if (year < 1 || year > 9998) return undefined
  const lastDay = new Date(Date.UTC(2000 + (year % 400), month + 1, 0)).getUTCDate()
  from.setUTCFullYear(year, month, Math.min(from.getUTCDate(), lastDay))
  const moved = new Date(from.getTime() + factor * Math.round(Number(span.seconds) * 1000))
  if (Number.isNaN(moved.getTime())) return undefined
  const form = moved.toISOString()
  return /^(?!0000)\d/.test(form) ? literal(form, xsd.dateTime) : undefined
}
