/**
 * Quads to Turtle, TriG and N3 for people to read.
 *
 * Types come first, each predicate has its line, lists are written as lists, and numbers without quotes if the grammar
 * reads them back unchanged. Blank nodes keep their labels and are never nested, because clients identify a node by its
 * label. N3 is written as Turtle, which is a subset of it. A stream declares all given prefixes; a document in memory
 * declares those it uses.
 * Sources: Turtle §2 and §6.5; TriG §2; Notation3 (team submission), "N3 is a superset of Turtle".
 */

import {iriText, quotedText} from '../rdf/ntriples.ts'
import type {Graph, Iri, Literal, Quad, Term} from '../rdf/term.ts'
import {rdf, xsd} from '../rdf/vocabulary.ts'
import type {Lists} from './list-folding.ts'
import {blankText} from './ntriples-write.ts'
import {PrefixTable} from './prefix-table.ts'
import {createNodeWriter, type NodePrinter} from './subject-groups.ts'
import type {DocumentPrinter, QuadWriter, WriterOptions} from './types.ts'

type Graphs = 'kept' | 'merged'

/** Writes a stream: TriG if graphs are kept, Turtle if they are merged. */
export function createTurtleWriter(graphs: Graphs, options: WriterOptions): QuadWriter<string> {
  const table = new PrefixTable(options.prefixes)
  const writer = createNodeWriter(createPrinter(table, graphs), {
    graphs,
    lists: 'folded',
    sharedLabels: options.sharedLabels,
  })
  let header: string | undefined = headerText(table, 'all')
  const afterHeader = (text: string) => {
    if (header === undefined) return text
    const whole = join(header, text)
    header = undefined
    return whole
  }
  return {write: quad => afterHeader(writer.write(quad)), end: () => afterHeader(writer.end())}
}

/** Writes a document in memory, with the prefixes it uses. */
export function createTurtlePrinter(graphs: Graphs, options: WriterOptions): DocumentPrinter {
  const table = new PrefixTable(options.prefixes)
  const writer = createNodeWriter(createPrinter(table, graphs), {
    graphs,
    lists: 'folded',
    sharedLabels: options.sharedLabels,
  })
  return {...writer, whole: body => join(headerText(table, 'used'), body)}
}

/** Joins header and body. Without a header it removes the blank line before the first node. */
function join(header: string, body: string): string {
  return header === '' ? body.replace(/^\n/, '') : header + body
}

function headerText(table: PrefixTable, which: 'all' | 'used'): string {
  return table
    .entries(which)
    .map(([prefix, namespace]) => `@prefix ${prefix}: ${iriText(namespace)} .\n`)
    .join('')
}

function createPrinter(table: PrefixTable, graphs: Graphs): NodePrinter {
  let indent = ''
  return {
    openGraph(graph) {
      if (graphs === 'merged' || graph.termType === 'DefaultGraph') return ''
      indent = '  '
      return `\n${graph.termType === 'NamedNode' ? iriName(graph.value, table) : blankText(graph.value)} {`
    },
    node(quads, lists) {
      return `\n${nodeText(quads, {table, lists, indent})}`
    },
    closeGraph() {
      const wasNamed = indent !== ''
      indent = ''
      return wasNamed ? '}\n' : ''
    },
    end: () => '',
  }
}

type Context = {readonly table: PrefixTable; readonly lists: Lists; readonly indent: string}

/** One node: rdf:type first, then the other predicates in order of their first quad. */
function nodeText(quads: readonly Quad[], context: Context): string {
  const subject = quads[0]?.subject
  if (subject === undefined) return ''
  const {table, indent} = context
  const separator = ` ;\n${indent}  `
  let types = ''
  let others = ''
  for (const {predicate, objects} of byPredicate(quads)) {
    if (predicate === rdf.type) types = `a ${objectsText(objects, context)}`
    else others += `${others === '' ? '' : separator}${iriName(predicate, table)} ${objectsText(objects, context)}`
  }
  const between = types === '' || others === '' ? '' : separator
  return `${indent}${turtleText(subject, table)} ${types}${between}${others} .\n`
}

type PredicateObjects = {readonly predicate: Iri; readonly objects: Term[]}

/** Groups the quads of one subject by predicate. Most are adjacent already. */
function byPredicate(quads: readonly Quad[]): readonly PredicateObjects[] {
  const statements: PredicateObjects[] = []
  let last: PredicateObjects | undefined
  let places: Map<Iri, PredicateObjects> | undefined
  for (const {predicate, object} of quads) {
    if (last?.predicate !== predicate.value) {
      if (statements.length === mapFrom) places = new Map(statements.map(one => [one.predicate, one]))
      const known = places?.get(predicate.value) ?? statements.find(one => one.predicate === predicate.value)
      if (known === undefined) {
        last = {predicate: predicate.value, objects: [object]} // most have one object
        statements.push(last)
        places?.set(predicate.value, last)
        continue
      }
      last = known
    }
    last.objects.push(object)
  }
  return statements
}

const mapFrom = 32 // predicates; fewer are searched one by one

function objectsText(objects: readonly Term[], context: Context): string {
  const [only] = objects
  if (only !== undefined && objects.length === 1) return objectText(only, context)
  const texts = objects.map(object => objectText(object, context))
  const length = texts.reduce((sum, text) => sum + text.length, 0)
  return texts.join(length > 80 ? `,\n${context.indent}    ` : ', ')
}

function objectText(object: Term, context: Context): string {
  const items = object.termType === 'BlankNode' ? context.lists.items.get(object.value) : undefined
  if (items === undefined) return turtleText(object, context.table)
  const texts = items.map(item => objectText(item, context))
  const length = texts.reduce((sum, text) => sum + text.length, 0)
  const gap = length > 80 ? `\n${context.indent}    ` : ' '
  return `(${gap}${texts.join(gap)}${length > 80 ? `\n${context.indent}  ` : ' '})`
}

function turtleText(term: Term | Graph, table: PrefixTable): string {
  switch (term.termType) {
    case 'NamedNode':
      return term.value === rdf.nil ? '()' : iriName(term.value, table)
    case 'BlankNode':
      return blankText(term.value)
    case 'Literal':
      return literalText(term, table)
    case 'DefaultGraph':
      return ''
  }
}

function iriName(iri: Iri, table: PrefixTable): string {
  return table.shorten(iri) ?? iriText(iri)
}

/** Lexical forms that the grammar reads without quotes as the same literal. */
const bareForms: Readonly<Record<Iri, RegExp>> = {
  [xsd.integer]: /^[+-]?\d+$/,
  [xsd.decimal]: /^[+-]?\d*\.\d+$/,
  [xsd.double]: /^[+-]?(?:\d+\.\d*|\.?\d+)[eE][+-]?\d+$/,
  [xsd.boolean]: /^(?:true|false)$/,
}

function literalText(term: Literal, table: PrefixTable): string {
  if (term.language !== '') return `${quotedText(term.value)}@${term.language}`
  const datatype = term.datatype.value
  if (datatype === xsd.string) return quotedText(term.value)
  if (bareForms[datatype]?.test(term.value) === true) return term.value
  return `${quotedText(term.value)}^^${iriName(datatype, table)}`
}
