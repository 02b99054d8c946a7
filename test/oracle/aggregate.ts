/** Aggregates over a group; undefined is the error, which leaves the variable unbound. Source: SPARQL 1.1 §18.5.1. */
import {literal, type Term} from '../../src/rdf/term.ts'
import {termKey} from '../../src/rdf/term-key.ts'
import {type Aggregate, isNamed} from '../../src/sparql/algebra.ts'
import {arithmetic} from './functions.ts'
import {integer, writeNumeric} from './numbers.ts'
import {restrict, type Solution, withoutDuplicates} from './solution.ts'
import type {Answer} from './strings.ts'
import {orderOf} from './values.ts'

const zero = writeNumeric(integer(0n))

/** @param evaluate  evaluates the aggregate's argument for one solution of the group */
export function evaluateAggregate(
  {name, isDistinct, argument, separator}: Aggregate,
  group: readonly Solution[],
  evaluate: (solution: Solution) => Answer,
): Answer {
  if (argument === undefined) return count((isDistinct ? withoutDuplicates(group.map(named)) : group).length)
  const all = group.map(evaluate)
  const members = isDistinct ? distinct(all) : all
  const terms = members.filter(term => term !== undefined)
  const isWhole = terms.length === members.length // no evaluation is an error
  switch (name) {
    case 'count':
      return count(terms.length)
    case 'sample':
      return terms[0]
    case 'sum':
      return isWhole ? sum(terms) : undefined
    case 'avg':
      return isWhole ? average(terms) : undefined
    case 'min':
      return isWhole
        ? terms.reduce<Answer>((least, term) => (isBefore(term, least) ? term : least), terms[0])
        : undefined
    case 'max':
      return isWhole ? terms.reduce<Answer>((most, term) => (isBefore(most, term) ? term : most), terms[0]) : undefined
    case 'group_concat':
      return isWhole ? concatenation(terms, separator) : undefined
  }
}

/** A solution as the query shows it, without the blank nodes of patterns. */
function named(solution: Solution): Solution {
  return restrict(solution, [...solution.keys()].filter(isNamed))
}

function count(size: number): Term {
  return writeNumeric(integer(BigInt(size)))
}

function distinct(terms: readonly Answer[]): readonly Answer[] {
  return [...new Map(terms.map(term => [term && termKey(term), term])).values()]
}

function sum(terms: readonly Term[]): Answer {
  return terms.reduce<Answer>((total, term) => arithmetic('+', [total, term]), zero)
}

function average(terms: readonly Term[]): Answer {
  return terms.length === 0 ? zero : arithmetic('/', [sum(terms), count(terms.length)])
}

/** In the order of ORDER BY. */
function isBefore(left: Answer, right: Answer): boolean {
  return (orderOf(left, right) ?? 0) < 0
}

function concatenation(terms: readonly Term[], separator: string): Answer {
  if (terms.some(({termType}) => termType === 'BlankNode')) return undefined
  return literal(terms.map(({value}) => value).join(separator))
}
