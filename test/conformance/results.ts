/** Result formats as the conformance suite compares them; the service's own are in src/format. */
import type {Term} from '../../src/rdf/term.ts'
import type {Result} from './engine.ts'

const xsdString = 'http://www.w3.org/2001/XMLSchema#string'

function table(
  result: Result,
  show: (term: Term | undefined) => string,
  separator: string,
  mark: string,
  end: string,
): string {
  if (result.kind !== 'bindings') throw new Error('only solutions have a table')
  const lines = result.rows.map(row => result.vars.map(name => show(row[name])).join(separator))
  return [result.vars.map(name => mark + name).join(separator), ...lines].map(line => line + end).join('')
}

export function showCsv(result: Result): string {
  const quote = (value: string) => (/[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value)
  const show = (term: Term | undefined) =>
    term === undefined ? '' : term.termType === 'BlankNode' ? `_:${term.value}` : quote(term.value)
  return table(result, show, ',', '', '\r\n')
}

export function showTsv(result: Result): string {
  return table(result, term => (term === undefined ? '' : showTerm(term)), '\t', '?', '\n')
}

function showTerm(term: Term): string {
  if (term.termType === 'NamedNode') return `<${term.value}>`
  if (term.termType === 'BlankNode') return `_:${term.value}`
  const escaped = term.value.replace(
    /[\\"\n\r\t]/g,
    found => ({'\\': '\\\\', '"': '\\"', '\n': '\\n', '\r': '\\r', '\t': '\\t'})[found] ?? found,
  )
  if (term.language !== '') return `"${escaped}"@${term.language}`
  return term.datatype.value === xsdString ? `"${escaped}"` : `"${escaped}"^^<${term.datatype.value}>`
}

export function showJson(result: Result): string {
  if (result.kind === 'boolean') return JSON.stringify({head: {}, boolean: result.value})
  if (result.kind !== 'bindings') throw new Error('a graph has no JSON result')
  const value = (term: Term) => {
    if (term.termType === 'NamedNode') return {type: 'uri', value: term.value}
    if (term.termType === 'BlankNode') return {type: 'bnode', value: term.value}
    const rest =
      term.language !== ''
        ? {'xml:lang': term.language}
        : term.datatype.value === xsdString
          ? {}
          : {datatype: term.datatype.value}
    return {type: 'literal', value: term.value, ...rest}
  }
  const bindings = result.rows.map(row =>
    Object.fromEntries(Object.entries(row).map(([name, term]) => [name, value(term)])),
  )
  return JSON.stringify({head: {vars: result.vars}, results: {bindings}})
}
