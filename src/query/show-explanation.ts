/**
 * Prints an explanation as text and as JSON.
 *
 * Pure. docs/sparql.md describes both formats.
 */
import {layoutSql} from '../sparql/print/layout.ts'
import {showTerm} from '../sparql/print/show.ts'
import {type Explanation, isCut} from './explanation.ts'

/** The JSON of application/vnd.quadstead.explain+json. Its plan is the output of EXPLAIN (FORMAT JSON). */
export function explanationDocument(explanation: Explanation) {
  const {form, base, isMeasured, passes, constants, sql, parameters, columns, textIndex, plan, stages} = explanation
  return {
    form,
    base,
    measured: isMeasured,
    passes,
    constants: constants.map(({term, id, held}) => ({term: showTerm(term), id, held})),
    sql: laidOut(sql),
    parameters,
    columns: columns.map(({name, rep}, index) => ({column: `c${index}`, variable: name, holds: rep})),
    textIndex,
    plan: Array.isArray(plan) ? plan[0] : plan,
    stages: stages.map(({name, ms}) => ({name, ms: rounded(ms)})),
  }
}

/** Paragraphs, each with a heading. The explanation's plan must be in EXPLAIN's text format. */
export function explanationText(explanation: Explanation): string {
  const {passes, isMeasured, textIndex, plan, sql, stages} = explanation
  const paragraphs = [
    ...passes.map((_, index) => passParagraph(explanation, index)),
    paragraph('Constants', constantLines(explanation)),
    paragraph('SQL', laidOut(sql)),
    paragraph('Parameters', parameterLines(explanation)),
    paragraph('Columns', columnLines(explanation)),
    paragraph('Text index', textIndex),
    paragraph(isMeasured ? 'Plan, measured' : 'Plan', String(plan)),
    paragraph(
      'Times',
      stages.map(({name, ms}) => `${name.padEnd(18)} ${rounded(ms).toFixed(2).padStart(9)} ms`).join('\n'),
    ),
  ]
  return `${paragraphs.filter(text => text !== '').join('\n\n')}\n`
}

/** SQL of which the end is missing stays on one line. */
function laidOut(sql: string): string {
  return isCut(sql) ? sql : layoutSql(sql)
}

function paragraph(heading: string, body: string): string {
  return body === '' ? '' : `${heading}\n${body.replace(/^(?=.)/gm, '  ')}`
}

function passParagraph({form, passes}: Explanation, index: number): string {
  const {name, algebra} = passes[index] ?? {}
  if (name === undefined || algebra === undefined) return ''
  if (index === 0) return paragraph(`Algebra of the ${form.toUpperCase()}`, algebra)
  const isChanged = algebra !== passes[index - 1]?.algebra
  return isChanged ? paragraph(`After ${name}`, algebra) : `After ${name}: unchanged`
}

function constantLines({constants}: Explanation): string {
  const width = constants.reduce((most, {id}) => Math.max(most, id.length), 0)
  return constants
    .map(({term, id, held}) => `${id.padEnd(width)}  ${showTerm(term)}${held === 'dictionary' ? '' : ` (${held})`}`)
    .join('\n')
}

function parameterLines({parameters}: Explanation): string {
  return parameters.map((value, index) => `$${index + 1}  ${JSON.stringify(value)}`).join('\n')
}

function columnLines({columns}: Explanation): string {
  const meaning = {id: 'id of the term', key: 'key: the term itself, as text'}
  return columns.map(({name, rep}, index) => `c${index}  ?${name}, ${meaning[rep]}`).join('\n')
}

function rounded(ms: number): number {
  return Math.round(ms * 100) / 100
}
