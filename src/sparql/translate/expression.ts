/**
 * Translates expressions of the syntax tree to expressions of the algebra.
 *
 * Pure. The caller collects aggregates (`nameAggregate`) and returns the variable that holds the value of each.
 * Source: SPARQL 1.1 §17, §18.2.2.2.
 */
import type {Aggregate, AggregateName, Algebra, Expression, FunctionName} from '../algebra.ts'
import {functionNames} from '../algebra.ts'
import type {SyntaxAggregate, SyntaxArgument, SyntaxExpression, SyntaxGroup} from '../parse/syntax.ts'

export type ExpressionContext = {
  readonly translatePattern: (group: SyntaxGroup) => Algebra // of EXISTS
  readonly nameAggregate: (aggregate: Aggregate) => string
  readonly rename: (variable: string) => Expression // of a variable outside aggregates
}

/** Lower-case names of the parser that differ from those of the algebra. */
const renamed: Readonly<Record<string, FunctionName>> = {
  uminus: 'unaryMinus',
  uplus: 'unaryPlus',
  notin: 'notIn',
  sameterm: 'sameTerm',
  isiri: 'isIri',
  isuri: 'isIri',
  isblank: 'isBlank',
  isliteral: 'isLiteral',
  isnumeric: 'isNumeric',
  uri: 'iri',
}
const names: ReadonlyMap<string, FunctionName> = new Map(functionNames.map(name => [name, name]))

export function translateExpression(expression: SyntaxExpression, context: ExpressionContext): Expression {
  if ('termType' in expression) {
    return expression.termType === 'Variable' ? context.rename(expression.value) : {type: 'term', term: expression}
  }
  switch (expression.type) {
    case 'aggregate':
      return {type: 'variable', name: context.nameAggregate(translateAggregate(expression, context))}
    case 'functionCall':
      return {
        type: 'function',
        iri: expression.function.value,
        arguments: expression.args.map(argument => translateExpression(argument, context)),
      }
    case 'operation':
      return translateOperation(expression.operator.toLowerCase(), expression.args, context)
  }
}

function translateOperation(operator: string, args: readonly SyntaxArgument[], context: ExpressionContext): Expression {
  if (operator === 'exists' || operator === 'notexists') {
    const pattern = context.translatePattern(args[0] as SyntaxGroup)
    return {type: 'exists', isNegated: operator === 'notexists', pattern}
  }
  const name = renamed[operator] ?? names.get(operator)
  if (name === undefined) throw new Error(`the parser knows an operator that the algebra does not: ${operator}`)
  const flat = args.flatMap(argument => argument as SyntaxExpression | readonly SyntaxExpression[])
  return {type: 'call', name, arguments: flat.map(argument => translateExpression(argument, context))}
}

/** The argument is evaluated on the ungrouped solutions, so its variables keep their names. */
function translateAggregate(syntax: SyntaxAggregate, context: ExpressionContext): Aggregate {
  const {expression} = syntax
  const isStar = 'termType' in expression && expression.termType === 'Wildcard'
  return {
    name: syntax.aggregation as AggregateName,
    isDistinct: syntax.distinct,
    argument: isStar
      ? undefined
      : translateExpression(expression as SyntaxExpression, {...context, rename: name => ({type: 'variable', name})}),
    separator: syntax.separator ?? ' ',
  }
}
