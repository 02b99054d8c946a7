/**
 * Translates the syntax tree of a query of any of the four forms to algebra.
 *
 * Pure. solution.ts translates grouping and modifiers, group.ts the WHERE clause.
 * Sources: SPARQL 1.1 §16 (query forms), §18.2.
 */
import {blankNode, type NamedNode} from '../../rdf/term.ts'
import type {DatasetClause, Query, TemplateTerm, TemplateTriple, Variable} from '../algebra.ts'
import {isNamed, variable} from '../algebra.ts'
import type {ParsedQuery, QuerySyntax, SelectSyntax, SyntaxTemplate, SyntaxTerm} from '../parse/syntax.ts'
import type {GroupContext} from './group.ts'
import {scopeOfAll, selectedNames} from './scope.ts'
import {translateSelect, translateSlice, translateSolution} from './solution.ts'

export function translateQuery({query, base}: ParsedQuery): Query {
  let made = 0
  const context: GroupContext = {
    fresh: () => `.${made++}`,
    translateSelect: select => translateSelect(select, namesOf(select), context),
  }
  const common = {dataset: datasetOf(query), base}
  if (query.queryType === 'SELECT') {
    const variables = namesOf(query)
    return {...common, form: 'select', variables, pattern: translateSelect(query, variables, context)}
  }
  const pattern = translateSlice(translateSolution(query, [], context), query)
  switch (query.queryType) {
    case 'ASK':
      return {...common, form: 'ask', pattern}
    case 'CONSTRUCT':
      return {...common, form: 'construct', template: (query.template ?? []).map(templateTriple), pattern}
    case 'DESCRIBE':
      return {...common, form: 'describe', resources: resourcesOf(query), pattern}
  }
}

function namesOf(select: SelectSyntax): string[] {
  return [...selectedNames(select)].filter(isNamed)
}

function datasetOf({from}: QuerySyntax): DatasetClause | undefined {
  if (from === undefined) return undefined
  return {default: from.default.map(({value}) => value), named: from.named.map(({value}) => value)}
}

function resourcesOf({
  variables,
  where = [],
}: Extract<QuerySyntax, {queryType: 'DESCRIBE'}>): readonly (NamedNode | Variable)[] {
  return variables.flatMap((item): readonly (NamedNode | Variable)[] => {
    if (item.termType === 'NamedNode') return [item]
    if (item.termType === 'Variable') return [variable(item.value)]
    return [...scopeOfAll(where)].map(variable)
  })
}

export function templateTriple({subject, predicate, object}: SyntaxTemplate): TemplateTriple {
  return {subject: templateTerm(subject), predicate: templateTerm(predicate), object: templateTerm(object)}
}

function templateTerm(term: SyntaxTerm): TemplateTerm {
  switch (term.termType) {
    case 'Variable':
      return variable(term.value)
    case 'BlankNode':
      return blankNode(term.value)
    default:
      return term
  }
}
