/**
 * Solutions to the SPARQL XML results format.
 *
 * XML 1.0 cannot represent most control characters. A solution that has one is refused, not changed.
 * Sources: SPARQL Query Results XML Format (Second Edition); XML 1.0 §2.2 (Char), §2.11 (line ends), §3.3.3.
 */
import {createEscape} from '../base/escape.ts'
import {excerpt} from '../base/excerpt.ts'
import {Problem} from '../base/problem.ts'
import type {Literal, Term} from '../rdf/term.ts'
import {xsd} from '../rdf/vocabulary.ts'
import {once} from './once.ts'
import type {SolutionTexts, SolutionWriter} from './results-types.ts'

const opening = '<?xml version="1.0" encoding="UTF-8"?>\n<sparql xmlns="http://www.w3.org/2005/sparql-results#">\n'
const closing = '</sparql>\n'

export function createXmlResultsWriter(variables: readonly string[]): SolutionWriter {
  const names = variables.map(name => attribute(name))
  const declared = names.map(name => `<variable name="${name}"/>`).join('')
  const head = once(`${opening}<head>${declared}</head>\n<results>\n`)
  return {
    write: texts => `${head()}<result>${bindings(names, texts)}</result>\n`,
    end: () => `${head()}</results>\n${closing}`,
  }
}

export function writeXmlBoolean(value: boolean): string {
  return `${opening}<head/>\n<boolean>${value}</boolean>\n${closing}`
}

function bindings(names: readonly string[], texts: SolutionTexts): string {
  let bound = ''
  for (const [index, name] of names.entries()) {
    const text = texts[index]
    if (text !== undefined) bound += `<binding name="${name}">${text}</binding>`
  }
  return bound
}

/** @throws Problem 406 `results-xml-text` for a value that XML cannot represent */
export function termXml(term: Term): string {
  switch (term.termType) {
    case 'NamedNode':
      return `<uri>${content(term.value)}</uri>`
    case 'BlankNode':
      return `<bnode>${content(term.value)}</bnode>`
    case 'Literal':
      return `<literal${annotation(term)}>${content(term.value)}</literal>`
  }
}

function annotation(term: Literal): string {
  if (term.language !== '') return ` xml:lang="${attribute(term.language)}"`
  return term.datatype.value === xsd.string ? '' : ` datatype="${attribute(term.datatype.value)}"`
}

const inText = {'&': '&amp;', '<': '&lt;', '>': '&gt;', '\r': '&#xD;'}
const escapeText = createEscape(inText)
const escapeValue = createEscape({...inText, '"': '&quot;', '\t': '&#x9;', '\n': '&#xA;'})
const unspeakable = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u

/** Text between tags. A parser would read a bare carriage return as a line feed, so it is escaped. */
function content(text: string): string {
  return escapeText(requireXml(text))
}

/** The value of an attribute. A parser would read any bare white space as a space, so it is escaped. */
function attribute(text: string): string {
  return escapeValue(requireXml(text))
}

function requireXml(text: string): string {
  if (!unspeakable.test(text)) return text
  throw new Problem(406, 'results-xml-text', `XML cannot represent a character of "${excerpt(text)}"`)
}
