/**
 * Derives from a filter the substrings that the text of a variable must contain.
 *
 * Pure. A need is weaker than its filter, because it is about folded texts (sql/functions/term/text_index.sql). The
 * text index finds all terms for which the filter can be true. SQL then tests the filter on these terms.
 *
 * Sources: SPARQL 1.1 §17.4.3 (CONTAINS, STRSTARTS, STRENDS, REGEX, LCASE, UCASE).
 */
import type {Literal, NamedNode} from '../../rdf/term.ts'
import {rdf, xsd} from '../../rdf/vocabulary.ts'
import type {Expression} from '../algebra.ts'
import {allOf, anyOf, type Needle, needle, type TextNeed} from './needle.ts'
import {patternNeed} from './pattern-need.ts'

/** A needle, and whether the filter applies to STR of any term or only to strings. */
export type Sought = Needle & {readonly isOfAnyTerm: boolean}

/** @returns  undefined if the filter may be true for every text */
export function textNeed(condition: Expression, variable: string): TextNeed<Sought> | undefined {
  if (condition.type !== 'call') return undefined
  const {name, arguments: args} = condition
  const [first, second, third] = args
  switch (name) {
    case '&&':
      return allOf(args.map(argument => textNeed(argument, variable)))
    case '||':
      return anyOf(args.map(argument => textNeed(argument, variable)))
    case 'contains':
    case 'strstarts':
    case 'strends':
      return withSubject(first, variable, needle([constantText(second)], name === 'strstarts', name === 'strends'))
    case '=':
      return equalNeed(first, second, variable) ?? equalNeed(second, first, variable)
    case 'in':
      return anyOf(args.slice(1).map(item => equalNeed(first, item, variable)))
    case 'regex': {
      const [pattern, flags] = [constantText(second), third === undefined ? '' : constantText(third)]
      if (pattern === undefined || flags === undefined) return undefined
      return withSubject(first, variable, patternNeed(pattern, flags))
    }
    default:
      return undefined
  }
}

/** The need of LCASE(STR(?x)) = "word". There is none for ?x = "word", which the id finds. */
function equalNeed(
  tested: Expression | undefined,
  constant: Expression | undefined,
  variable: string,
): TextNeed<Sought> | undefined {
  if (tested?.type !== 'call') return undefined
  return withSubject(tested, variable, needle([constantText(constant)], true, true))
}

/** A need that applies to the text of the variable, if the expression is that text in any case. */
function withSubject(
  subject: Expression | undefined,
  variable: string,
  need: TextNeed<Needle> | undefined,
): TextNeed<Sought> | undefined {
  if (need === undefined) return undefined
  if (subject?.type === 'variable') return subject.name === variable ? sought(need, false) : undefined
  if (subject?.type !== 'call') return undefined
  const [inner] = subject.arguments
  switch (subject.name) {
    case 'str':
      if (inner?.type === 'variable') return inner.name === variable ? sought(need, true) : undefined
      return withSubject(inner, variable, need)
    case 'lcase':
    case 'ucase':
      return withSubject(inner, variable, need)
    default:
      return undefined
  }
}

function sought(need: TextNeed<Needle>, isOfAnyTerm: boolean): TextNeed<Sought> {
  if (need.type === 'needle') return {...need, isOfAnyTerm}
  return {type: need.type, needs: need.needs.map(one => sought(one, isOfAnyTerm))}
}

/** The text of a constant string, which may be inside STR, LCASE and UCASE. */
function constantText(expression: Expression | undefined): string | undefined {
  if (expression?.type === 'term') return isString(expression.term) ? expression.term.value : undefined
  if (expression?.type !== 'call' || !['str', 'lcase', 'ucase'].includes(expression.name)) return undefined
  return constantText(expression.arguments[0])
}

function isString(term: NamedNode | Literal): boolean {
  return term.termType === 'Literal' && [xsd.string, rdf.langString].includes(term.datatype.value)
}
