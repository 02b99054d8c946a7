/**
 * The fields of the edit form: a row for each value, and nested fields for lists and blank nodes.
 *
 * Pure. The fields contain the triples that they stand for, in N-Triples, so that a patch deletes exactly what is
 * stored. Blank nodes have their labels, by which a patch names them (docs/interface.md, LD Patch).
 */
import {termText} from '../../format/ntriples-write.ts'
import type {Iri, Resource, Term} from '../../rdf/term.ts'
import {rdf, xsd} from '../../rdf/vocabulary.ts'
import type {Arrangement} from './arrange.ts'
import {type Markup, markup} from './markup.ts'
import type {HtmlSite} from './view.ts'

export type Editing = {readonly site: HtmlSite; readonly arrangement: Arrangement}

/** The fields of a subject that has a section of its own. */
export function subjectFields(editing: Editing, subject: Resource, legend: Markup | string): Markup {
  return markup`<fieldset data-subject="${termText(subject)}"><legend>${legend}</legend>
    <div data-rows>${propertyFields(editing, subject)}</div>${addButtons()}</fieldset>`
}

/** An empty set of fields for a subject that does not exist yet. */
export function newSubjectFields(): Markup {
  return markup`<fieldset data-subject="&lt;&gt;"><legend>Properties</legend><div data-rows></div>${addButtons()}
    </fieldset>`
}

/** What the script copies for a new value or item. */
export function fieldTemplates(): readonly Markup[] {
  const empty = {kind: 'text', value: '', detail: ''} as const
  const templates = {
    property: valueRow({...empty, property: ''}),
    node: nodeFields({label: '', property: '', rows: []}),
    list: listFields({property: '', items: []}),
    item: valueRow(empty),
    'node-item': nodeFields({label: '', rows: []}),
  }
  return Object.entries(templates).map(([name, content]) => markup`<template data-new="${name}">${content}</template>`)
}

function propertyFields(editing: Editing, subject: Resource): readonly Markup[] {
  return [...editing.arrangement.propertiesOf(subject)].flatMap(([property, values]) =>
    values.map(value => valueFields(editing, value, {subject, property})),
  )
}

type Edge = {readonly subject: Resource; readonly property: Iri}

/** @param edge  undefined: the value is an item of a list */
function valueFields(editing: Editing, value: Term, edge?: Edge): Markup {
  const {site, arrangement} = editing
  const property = edge && (site.names.shorten(edge.property) ?? edge.property)
  const triples = edge === undefined ? [] : [tripleText(edge.subject, edge.property, value)]
  const items = arrangement.itemsOf(value)
  if (items !== undefined) {
    const stored = [...triples, ...cellTriples(arrangement, value)]
    return listFields({property, triples: stored, items: items.map(item => valueFields(editing, item))})
  }
  if (value.termType === 'BlankNode' && arrangement.isNested(value))
    return nodeFields({label: termText(value), property, triples, rows: propertyFields(editing, value)})
  return valueRow({property, triples, term: value, ...fieldsOfValue(site, value)})
}

function tripleText(subject: Resource, property: Iri, value: Term): string {
  return `${termText(subject)} <${property}> ${termText(value)} .`
}

/** The triples of a list's cells. */
function cellTriples({propertiesOf}: Arrangement, head: Term): readonly string[] {
  const triples: string[] = []
  for (let cell = head; cell.termType === 'BlankNode'; ) {
    const [item] = propertiesOf(cell).get(rdf.first) ?? []
    const [rest] = propertiesOf(cell).get(rdf.rest) ?? []
    if (item === undefined || rest === undefined) break
    triples.push(tripleText(cell, rdf.first, item), tripleText(cell, rdf.rest, rest))
    cell = rest
  }
  return triples
}

const kinds = {
  link: 'Link',
  text: 'Text',
  language: 'Text + language',
  typed: 'Typed value',
  reference: 'Node',
} as const

type Row = Stored & {
  readonly term?: Term
  readonly kind: keyof typeof kinds
  readonly value: string
  readonly detail: string // language or datatype
}

type Stored = {
  readonly property?: string | undefined // undefined: an item of a list
  readonly triples?: readonly string[] // undefined: a new value; the triple of an item belongs to its list
}

function fieldsOfValue(site: HtmlSite, object: Term): Pick<Row, 'kind' | 'value' | 'detail'> {
  if (object.termType === 'BlankNode') return {kind: 'reference', value: termText(object), detail: ''}
  if (object.termType === 'NamedNode') return {kind: 'link', value: object.value, detail: ''}
  const {value, language, datatype} = object
  if (language !== '') return {kind: 'language', value, detail: language}
  if (datatype.value === xsd.string) return {kind: 'text', value, detail: ''}
  return {kind: 'typed', value, detail: site.names.shorten(datatype.value) ?? datatype.value}
}

function valueRow(row: Row): Markup {
  const {term, kind, value, detail} = row
  const options = Object.entries(kinds).map(
    ([name, label]) => markup`<option value="${name}"${name === kind && markup` selected`}>${label}</option>`,
  )
  const lines = Math.min(10, Math.max(1, Math.ceil(value.length / 60), value.split('\n').length))
  const name = row.property === undefined ? 'row item' : 'row'
  const exact = term && markup` data-term="${termText(term)}"`
  return markup`<div class="${name}"${storedText(row)}${exact}>${propertyInput(row)}<select name="kind"
    aria-label="Kind of value">${options}</select><textarea name="value" aria-label="Value"
    rows="${lines}">
${value}</textarea><input name="detail" aria-label="Language or datatype" value="${detail}" autocapitalize="off"
    spellcheck="false">${removeButton(row)}</div>`
}

type Node = Stored & {readonly label: string; readonly rows: readonly Markup[]}

/** The fields of a blank node, where it is referred to. */
function nodeFields(node: Node): Markup {
  return markup`<fieldset class="nested" aria-label="Node" data-node data-subject="${node.label}"${storedText(node)}>
    ${blockHead(node, 'node')}
    <div data-rows>${node.rows}</div>${addButtons()}</fieldset>`
}

type List = Stored & {readonly items: readonly Markup[]}

function listFields(list: List): Markup {
  return markup`<fieldset class="nested" aria-label="List" data-list${storedText(list)}>${blockHead(list, 'list')}
    <div data-rows>${list.items}</div><p class="add"><button type="button" data-add="item">Add an item</button>
    <button type="button" data-add="node-item">Add a node</button></p></fieldset>`
}

function blockHead(stored: Stored, kind: string): Markup {
  return markup`<div class="head">${propertyInput(stored)}<span class="tag">${kind}</span>${removeButton(stored)}</div>`
}

function propertyInput({property}: Stored): Markup | undefined {
  if (property === undefined) return undefined
  return markup`<input name="property" aria-label="Property" value="${property}" placeholder="dct:title"
    autocapitalize="off" spellcheck="false">`
}

/** The buttons of a value. Items can change places, too. */
function removeButton({property}: Stored): Markup {
  const moves = markup`<button type="button" data-move="-1" aria-label="Move up">↑</button><button type="button"
    data-move="1" aria-label="Move down">↓</button>`
  return markup`<span class="row-buttons">${property === undefined && moves}<button type="button"
    data-remove>Remove</button></span>`
}

function storedText({triples}: Stored): Markup | undefined {
  return triples && markup` data-triples="${triples.join('\n')}"`
}

function addButtons(): Markup {
  return markup`<p class="add"><button type="button" data-add="property">Add a property</button>
    <button type="button" data-add="node">Add a node</button>
    <button type="button" data-add="list">Add a list</button></p>`
}
