/** Built-in functions on terms, in the order of SPARQL 1.1 §17.4; undefined is the error. */
import {randomUUID} from 'node:crypto'
import {resolveIri} from '../../src/rdf/iri.ts'
import {type BlankNode, blankNode, type Iri, langLiteral, literal, namedNode, sameTerm} from '../../src/rdf/term.ts'
import {xsd} from '../../src/rdf/vocabulary.ts'
import type {FunctionName} from '../../src/sparql/algebra.ts'
import {calculateTimes} from './durations.ts'
import {
  calculate,
  floating,
  integer,
  type Numeric,
  type Operator,
  readNumeric,
  round,
  toNumber,
  writeNumeric,
} from './numbers.ts'
import type {Solution} from './solution.ts'
import type {Answer} from './strings.ts'
import * as strings from './strings.ts'
import {readFields, type TimeFields, zoneDuration} from './times.ts'
import {booleanTerm} from './values.ts'

export type FunctionScope = {readonly solution: Solution; readonly base: Iri; readonly now: string}

type Arguments = readonly Answer[]
type Implementation = (terms: Arguments, scope: FunctionScope) => Answer

const empty = literal('')
const notInIris = /[\u0000-\u0020<>"{}|\\^`]/

const about: Readonly<Record<string, Implementation>> = {
  sameTerm: ([left, right]) => left && right && booleanTerm(sameTerm(left, right)),
  isIri: ([term]) => term && booleanTerm(term.termType === 'NamedNode'),
  isBlank: ([term]) => term && booleanTerm(term.termType === 'BlankNode'),
  isLiteral: ([term]) => term && booleanTerm(term.termType === 'Literal'),
  isNumeric: ([term]) => term && booleanTerm(numberOf(term) !== undefined),
  str: ([term]) => (term === undefined || term.termType === 'BlankNode' ? undefined : literal(term.value)),
  lang: ([term]) => (term?.termType === 'Literal' ? literal(term.language) : undefined),
  datatype: ([term]) => (term?.termType === 'Literal' ? namedNode(term.datatype.value) : undefined),
  iri: ([term], {base}) => {
    if (term?.termType === 'NamedNode') return term
    const text = strings.asSimple(term)
    if (text === undefined || notInIris.test(text.value)) return undefined
    return namedNode(resolveIri(text.value, base))
  },
  bnode: (terms, {solution}) => {
    const [label] = terms
    if (terms.length === 0) return mintBlank()
    return label === undefined || strings.asSimple(label) === undefined ? undefined : blankOf(solution, label.value)
  },
  strdt: ([text, datatype]) => {
    const simple = strings.asSimple(text)
    return simple && datatype?.termType === 'NamedNode' ? literal(simple.value, datatype.value) : undefined
  },
  strlang: ([text, language]) => {
    const [simple, tag] = [strings.asSimple(text), strings.asSimple(language)]
    return simple && tag && /^[a-z]+(-[a-z0-9]+)*$/i.test(tag.value) ? langLiteral(simple.value, tag.value) : undefined
  },
  uuid: () => namedNode(`urn:uuid:${randomUUID()}`),
  struuid: () => literal(randomUUID()),
}

const onStrings: Readonly<Record<string, Implementation>> = {
  strlen: ([term]) => {
    const text = strings.asString(term)
    return text && writeNumeric(integer(BigInt(Array.from(text.value).length)))
  },
  substr: ([term, start, length]) => {
    const [first, count] = [numberOf(start), numberOf(length)]
    if (first === undefined || (length !== undefined && count === undefined)) return undefined
    return strings.substring(term, toNumber(first), count && toNumber(count))
  },
  ucase: ([term]) => map(term, text => text.toUpperCase()),
  lcase: ([term]) => map(term, text => text.toLowerCase()),
  strstarts: ([term, part]) => strings.test(term, part, (text, start) => text.startsWith(start)),
  strends: ([term, part]) => strings.test(term, part, (text, end) => text.endsWith(end)),
  contains: ([term, part]) => strings.test(term, part, (text, inside) => text.includes(inside)),
  strbefore: ([term, part]) => strings.before(term, part),
  strafter: ([term, part]) => strings.after(term, part),
  encode_for_uri: ([term]) => {
    const text = strings.asString(term)
    return text && literal(strings.encodeForUri(text.value))
  },
  concat: terms => strings.concatenate(terms),
  langmatches: ([tag, range]) => {
    const [left, right] = [strings.asSimple(tag), strings.asSimple(range)]
    return left && right && booleanTerm(strings.languageMatches(left.value, right.value))
  },
  regex: terms => strings.matches(terms[0], terms[1], terms.length < 3 ? empty : terms[2]),
  replace: terms => strings.replace(terms[0], terms[1], terms[2], terms.length < 4 ? empty : terms[3]),
  md5: ([term]) => strings.hash('md5', term),
  sha1: ([term]) => strings.hash('sha1', term),
  sha256: ([term]) => strings.hash('sha256', term),
  sha384: ([term]) => strings.hash('sha384', term),
  sha512: ([term]) => strings.hash('sha512', term),
}

const onNumbers: Readonly<Record<string, Implementation>> = {
  '+': terms => arithmetic('+', terms) ?? ofTimes('+', terms),
  '-': terms => arithmetic('-', terms) ?? ofTimes('-', terms),
  '*': terms => arithmetic('*', terms) ?? ofTimes('*', terms),
  '/': terms => arithmetic('/', terms) ?? ofTimes('/', terms),
  unaryPlus: ([term]) => onNumber(term, number => number),
  unaryMinus: ([term]) =>
    onNumber(term, number =>
      'units' in number ? {...number, units: -number.units} : floating(number.kind, -number.number),
    ),
  abs: ([term]) => onNumber(term, number => round('abs', number)),
  round: ([term]) => onNumber(term, number => round('round', number)),
  ceil: ([term]) => onNumber(term, number => round('ceil', number)),
  floor: ([term]) => onNumber(term, number => round('floor', number)),
  rand: () => writeNumeric(floating('double', Math.random())),
}

const onTimes: Readonly<Record<string, Implementation>> = {
  now: (_, {now}) => literal(now, xsd.dateTime),
  year: ([term]) => partOf(term, ({year}) => year),
  month: ([term]) => partOf(term, ({month}) => month),
  day: ([term]) => partOf(term, ({day}) => day),
  hours: ([term]) => partOf(term, ({hours}) => hours),
  minutes: ([term]) => partOf(term, ({minutes}) => minutes),
  seconds: ([term]) => {
    const seconds = fieldsOf(term)?.seconds
    return seconds === undefined ? undefined : literal(seconds.replace(/^0(?=\d)/, ''), xsd.decimal)
  },
  timezone: ([term]) => {
    const zone = fieldsOf(term)?.zone
    return zone === undefined ? undefined : literal(zoneDuration(zone), xsd.dayTimeDuration)
  },
  tz: ([term]) => {
    const fields = fieldsOf(term)
    return fields && literal(fields.zone ?? '')
  },
}

const implementations: Readonly<Record<string, Implementation>> = {...about, ...onStrings, ...onNumbers, ...onTimes}

export function callFunction(name: FunctionName, terms: Arguments, scope: FunctionScope): Answer {
  return implementations[name]?.(terms, scope)
}

function ofTimes(operator: Operator, [left, right]: Arguments): Answer {
  return left?.termType === 'Literal' && right?.termType === 'Literal'
    ? calculateTimes(operator, left, right)
    : undefined
}

/** An operator on numbers, for SUM and AVG, too. */
export function arithmetic(operator: Operator, [left, right]: Arguments): Answer {
  const [a, b] = [numberOf(left), numberOf(right)]
  const result = a && b && calculate(operator, a, b)
  return result && writeNumeric(result)
}

export function numberOf(term: Answer): Numeric | undefined {
  return term?.termType === 'Literal' ? readNumeric(term) : undefined
}

/** The result has one of the four numeric kinds of §17.3: a derived integer becomes xsd:integer. */
function onNumber(term: Answer, change: (number: Numeric) => Numeric): Answer {
  const number = numberOf(term)
  return number && writeNumeric(change(number))
}

/** Of dates, times of day and years too, which the specification leaves to extensions. */
function fieldsOf(term: Answer): TimeFields | undefined {
  return term?.termType === 'Literal' ? readFields(term) : undefined
}

function partOf(term: Answer, part: (fields: TimeFields) => bigint | undefined): Answer {
  const fields = fieldsOf(term)
  const value = fields && part(fields)
  return value === undefined ? undefined : writeNumeric(integer(value))
}

function map(term: Answer, change: (text: string) => string): Answer {
  const text = strings.asString(term)
  return text && strings.like(text, change(text.value))
}

let minted = 0

function mintBlank(): BlankNode {
  minted += 1
  return blankNode(`minted${minted}`)
}

/** One node for each label and solution. A solution that BIND extends counts as the same. */
const nodesOf = new WeakMap<Solution, Map<string, BlankNode>>()

function blankOf(solution: Solution, label: string): BlankNode {
  const nodes = nodesOf.get(solution) ?? new Map<string, BlankNode>()
  nodesOf.set(solution, nodes)
  const node = nodes.get(label) ?? mintBlank()
  nodes.set(label, node)
  return node
}

export function stayTheSame(solution: Solution, extended: Solution): void {
  const nodes = nodesOf.get(solution) ?? new Map<string, BlankNode>()
  nodesOf.set(solution, nodes)
  nodesOf.set(extended, nodes)
}
