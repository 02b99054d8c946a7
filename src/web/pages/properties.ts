/**
 * Subjects with their properties, as sections of a page, with nested nodes and lists inside.
 *
 * Pure.
 */
import type {Iri, Resource, Term} from '../../rdf/term.ts'
import {labelProperties, rdf} from '../../rdf/vocabulary.ts'
import type {Arrangement, Properties} from './arrange.ts'
import {viewPath} from './link.ts'
import {type Markup, markup} from './markup.ts'
import {followed, showIri, showLiteral, showProperty} from './terms.ts'
import {showCount, type View} from './view.ts'

export type Rendering = {
  readonly view: View
  readonly arrangement: Arrangement
  readonly valueLimit: number // values shown of one property; a link leads to the others
}

const itemLimit = 500 // items shown of one list
const openSections = 20

/** The properties of a subject for which `isShown` holds, labels first. */
export function showProperties(rendering: Rendering, subject: Resource, isShown: (property: Iri) => boolean): Markup {
  const properties = [...rendering.arrangement.propertiesOf(subject)]
    .filter(([property]) => isShown(property))
    .sort(([left], [right]) => Number(isLabel(right)) - Number(isLabel(left)))
  if (properties.length === 0) return markup`<p class="quiet">No other properties.</p>`
  return markup`<dl class="properties">${properties.map(([property, values]) =>
    showRow(rendering, subject, property, values),
  )}</dl>`
}

function isLabel(property: Iri): boolean {
  return labelProperties.includes(property)
}

function showRow(rendering: Rendering, subject: Resource, property: Iri, values: readonly Term[]): Markup {
  const {view, valueLimit} = rendering
  const shown = values.slice(0, valueLimit)
  const isOwn = subject.termType === 'NamedNode' && subject.value === view.iri
  const more =
    values.length > valueLimit &&
    (isOwn
      ? markup`<li><a href="${viewPath(view.iri, {view: 'values', property})}">All values</a></li>`
      : markup`<li class="quiet">and more; the other formats contain all of them</li>`)
  return markup`<div><dt>${showProperty(view, property)}</dt><dd><ul class="values">${shown.map(
    value => markup`<li>${termMarkup(rendering, value)}</li>`,
  )}${more}</ul></dd></div>`
}

export function termMarkup(rendering: Rendering, term: Term): Markup {
  const {view, arrangement} = rendering
  if (term.termType === 'Literal') return showLiteral(view, term)
  const items = arrangement.itemsOf(term)
  if (items !== undefined) return showList(rendering, items)
  if (term.termType === 'NamedNode') return showIri(view, term.value)
  if (arrangement.propertiesOf(term).size === 0) return markup`<span class="name">_:${term.value}</span>`
  if (!arrangement.isNested(term)) return markup`<a class="name" href="#node-${term.value}">_:${term.value}</a>`
  const nested = showNested(rendering, arrangement.propertiesOf(term))
  return markup`<div class="nested" id="node-${term.value}">${nested}</div>`
}

function showNested(rendering: Rendering, properties: Properties): Markup {
  const rows = [...properties].map(
    ([property, values]) =>
      markup`<div><dt>${showProperty(rendering.view, property)}</dt><dd><ul class="values">${values
        .slice(0, rendering.valueLimit)
        .map(value => markup`<li>${termMarkup(rendering, value)}</li>`)}</ul></dd></div>`,
  )
  return markup`<dl class="properties">${rows}</dl>`
}

function showList(rendering: Rendering, items: readonly Term[]): Markup {
  if (items.length === 0) return markup`<span class="quiet">empty list</span>`
  const more = items.length > itemLimit && markup`<li class="quiet">and ${items.length - itemLimit} more</li>`
  return markup`<ol class="list">${items
    .slice(0, itemLimit)
    .map(item => markup`<li>${termMarkup(rendering, item)}</li>`)}${more}</ol>`
}

/** A section for each subject other than the document. Those after the first 20 are folded: a page stays readable. */
export function showOthers(rendering: Rendering): readonly Markup[] {
  const {view, arrangement} = rendering
  const [, ...others] = arrangement.sections
  const sections = others.map(subject => {
    const isBlank = subject.termType === 'BlankNode'
    const id = isBlank ? `node-${subject.value}` : fragmentOf(view.iri, subject.value)
    const name = isBlank
      ? markup`<span class="name">_:${subject.value}</span>`
      : followed(view.site, subject.value, headingOf(view, subject.value))
    const types = arrangement.propertiesOf(subject).get(rdf.type) ?? []
    return markup`<section class="card"${id !== undefined && markup` id="${id}"`}>
      <h2>${name}</h2>${showTypes(view, types)}
      ${showProperties(rendering, subject, property => property !== rdf.type)}</section>`
  })
  if (sections.length <= openSections) return sections
  return [
    ...sections.slice(0, openSections),
    markup`<details class="folded"><summary class="card">${showCount(sections.length - openSections)} further
      subjects</summary>${sections.slice(openSections)}</details>`,
  ]
}

function headingOf({site, labels}: View, iri: Iri): Markup {
  const label = labels.get(iri)
  if (label !== undefined) return markup`<bdi>${label}</bdi> <span class="name aside">${site.names.show(iri)}</span>`
  return markup`<span class="name">${site.names.show(iri)}</span>`
}

/**
 * The fragment of an IRI, for use as an element's id: `phones` of `<document#phones>`.
 *
 * @returns  undefined if the IRI is not a fragment of the document, or if the page uses such an id itself
 */
function fragmentOf(document: Iri, iri: Iri): string | undefined {
  const fragment = iri.startsWith(`${document}#`) ? iri.slice(document.length + 1) : ''
  return fragment === '' || /^(?:node|page)-/.test(fragment) || /\s/.test(fragment) ? undefined : fragment
}

/** Types as a row of tags; undefined if there are none. */
export function showTypes(view: View, types: readonly Term[]): Markup | undefined {
  if (types.length === 0) return undefined
  const marks = types.map(
    type => markup`<li>${type.termType === 'NamedNode' ? showType(view, type.value) : type.value}</li>`,
  )
  return markup`<ul class="types" aria-label="Types">${marks}</ul>`
}

function showType({site, labels}: View, type: Iri): Markup {
  return followed(site, type, markup`<bdi>${labels.get(type) ?? site.names.show(type)}</bdi>`)
}
