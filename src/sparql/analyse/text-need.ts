/**
 * What the text of a variable must hold for a filter to be true of it.
 *
 * Pure. A need is weaker than its filter: it speaks of folded texts (sql/functions/99_text_index.sql), so that
 * an index of those finds all terms for which the filter can be true, and the filter is tested on what is found.
 *
 * Sources: SPARQL 1.1 §17.4.3 (CONTAINS, STRSTARTS, STRENDS, REGEX, LCASE, UCASE).
 */
import type {Literal, NamedNode} from '../../rdf/term.ts'
import {rdf, xsd} from '../../rdf/vocabulary.ts'
import type {Expression} from '../algebra.ts'
import {allOf, anyOf, type Needle, needle, type TextNeed} from './needle.ts'
import {patternNeed} from './pattern-need.ts'

/** A needle, and whether the filter looks for it in what STR makes of any term, or in strings alone. */
export type Sought = Needle & {readonly isOfAnyTerm: boolean}

/** @returns  undefined: the filter may be true whatever the text is */
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

/** LCASE(STR(?x)) = "word", not ?x = "word": that is found by its id. */
function equalNeed(
  tested: Expression | undefined,
  constant: Expression | undefined,
  variable: string,
): TextNeed<Sought> | undefined {
  if (tested?.type !== 'call') return undefined
  return withSubject(tested, variable, needle([constantText(constant)], true, true))
}

/** The need of the variable's text, where that is what an expression makes; its case does not matter. */
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

/** The text of a constant string, also inside STR, LCASE and UCASE. */
function constantText(expression: Expression | undefined): string | undefined {
  if (expression?.type === 'term') return isString(expression.term) ? expression.term.value : undefined
  if (expression?.type !== 'call' || !['str', 'lcase', 'ucase'].includes(expression.name)) return undefined
  return constantText(expression.arguments[0])
}

function isString(term: NamedNode | Literal): boolean {
  return term.termType === 'Literal' && [xsd.string, rdf.langString].includes(term.datatype.value)
}
