/**
 * Evaluates expressions to terms; undefined is an error or an unbound variable.
 *
 * Source: SPARQL 1.1 §17. functions.ts contains the plain functions of their arguments.
 */

import type {Iri} from '../../src/rdf/term.ts'
import type {Algebra, Expression} from '../../src/sparql/algebra.ts'
import {cast} from './casts.ts'
import {callFunction} from './functions.ts'
import type {Solution} from './solution.ts'
import type {Answer} from './strings.ts'
import {booleanTerm, compareTerms, effectiveBoolean, equals} from './values.ts'

export type ExpressionScope = {
  readonly solution: Solution
  readonly outer: Solution // the solution that EXISTS substitutes
  readonly base: Iri
  readonly now: string // lexical form of xsd:dateTime, the same in the whole query
  readonly exists: (pattern: Algebra, solution: Solution) => boolean
}

export function evaluateExpression(expression: Expression, scope: ExpressionScope): Answer {
  switch (expression.type) {
    case 'term':
      return expression.term
    case 'variable':
      return scope.solution.get(expression.name) ?? scope.outer.get(expression.name)
    case 'exists':
      return booleanTerm(scope.exists(expression.pattern, scope.solution) !== expression.isNegated)
    case 'function': {
      const terms = expression.arguments.map(argument => evaluateExpression(argument, scope))
      const [term] = terms
      return term === undefined || terms.length !== 1 ? undefined : cast(expression.iri, term)
    }
    case 'call':
      return evaluateCall(expression, scope)
  }
}

type Call = Extract<Expression, {type: 'call'}>

export function isTrue(expression: Expression, scope: ExpressionScope): boolean {
  return effectiveBoolean(evaluateExpression(expression, scope)) === true
}

/** The functional forms (§17.4.1), then the plain functions. */
function evaluateCall({name, arguments: operands}: Call, scope: ExpressionScope): Answer {
  const value = (index: number) => {
    const operand = operands[index]
    return operand === undefined ? undefined : evaluateExpression(operand, scope)
  }
  const truth = (index: number) => effectiveBoolean(value(index))
  switch (name) {
    case 'bound':
      return booleanTerm(value(0) !== undefined)
    case 'if': {
      const condition = truth(0)
      return condition === undefined ? undefined : value(condition ? 1 : 2)
    }
    case 'coalesce':
      return operands.map((_, index) => value(index)).find(term => term !== undefined)
    case '||':
      return logical(or(truth(0), truth(1)))
    case '&&':
      return logical(negate(or(negate(truth(0)), negate(truth(1)))))
    case '!':
      return logical(negate(truth(0)))
    case 'in':
    case 'notIn': {
      const found = operands.slice(1).reduce<boolean | undefined>((any, _, index) => {
        return or(any, compare('=', value(0), value(index + 1)))
      }, false)
      return value(0) === undefined ? undefined : logical(name === 'in' ? found : negate(found))
    }
    case '=':
    case '!=':
    case '<':
    case '>':
    case '<=':
    case '>=':
      return logical(compare(name, value(0), value(1)))
    default: {
      const terms = operands.map((_, index) => value(index))
      return callFunction(name, terms, scope)
    }
  }
}

function logical(value: boolean | undefined): Answer {
  return value === undefined ? undefined : booleanTerm(value)
}

/** §17.2, truth table of the logical connectives. */
function or(left: boolean | undefined, right: boolean | undefined): boolean | undefined {
  if (left === true || right === true) return true
  return left === undefined || right === undefined ? undefined : false
}

function negate(value: boolean | undefined): boolean | undefined {
  return value === undefined ? undefined : !value
}

function compare(name: string, left: Answer, right: Answer): boolean | undefined {
  if (left === undefined || right === undefined) return undefined
  if (name === '=') return equals(left, right)
  if (name === '!=') return negate(equals(left, right))
  const order = compareTerms(left, right)
  if (order === undefined) return undefined
  if (name === '<') return order < 0
  if (name === '>') return order > 0
  return name === '<=' ? order <= 0 : order >= 0
}
