/**
 * Draws a document's neighbourhood as SVG: documents that refer to it on the left, what it refers to on the right.
 *
 * Pure. The layout has fixed columns and needs no simulation and no script. The same neighbours give the same drawing.
 */
import type {Iri} from '../../rdf/term.ts'
import {ldp} from '../../rdf/vocabulary.ts'
import {describePath, linkTo} from './link.ts'
import {type Markup, markup} from './markup.ts'
import {titleOf, type View} from './view.ts'

export type Neighbour = {
  readonly iri: Iri
  readonly relation: Iri // from the left one to the right one
}

export type Neighbourhood = {
  readonly incoming: readonly Neighbour[]
  readonly outgoing: readonly Neighbour[]
  readonly hasMoreIncoming: boolean
  readonly hasMoreOutgoing: boolean
  readonly isFolded: boolean // until somebody opens it
}

const shownNeighbours = 7 // on each side
const [width, nodeWidth, nodeHeight, rowHeight] = [760, 216, 44, 54] as const
const left = {x: 1, edge: 1 + nodeWidth} as const
const middle = {x: (width - nodeWidth) / 2, edge: (width + nodeWidth) / 2} as const
const right = {x: width - nodeWidth - 1} as const

/** @returns undefined if the document has no neighbours except its parent, to which the path above the title leads */
export function drawNeighbourhood(
  view: View,
  {incoming, outgoing, isFolded, ...more}: Neighbourhood,
): Markup | undefined {
  if (incoming.length + outgoing.length <= 1 && incoming[0]?.relation === ldp.contains) return undefined
  if (incoming.length + outgoing.length === 0) return undefined
  const sides = [
    {neighbours: incoming.slice(0, shownNeighbours), isMore: more.hasMoreIncoming || incoming.length > shownNeighbours},
    {neighbours: outgoing.slice(0, shownNeighbours), isMore: more.hasMoreOutgoing || outgoing.length > shownNeighbours},
  ] as const
  const rows = Math.max(1, ...sides.map(({neighbours, isMore}) => neighbours.length + (isMore ? 0.5 : 0)))
  const height = rows * rowHeight
  const centre = height / 2
  const topOf = (count: number, index: number) =>
    centre + (index - count / 2) * rowHeight + (rowHeight - nodeHeight) / 2
  const place = (side: number, x: number) => {
    const {neighbours, isMore} = sides[side] ?? sides[0]
    const count = neighbours.length + (isMore ? 0.5 : 0)
    return [
      ...neighbours.map((neighbour, index) => drawNeighbour(view, neighbour, {x, y: topOf(count, index), centre})),
      isMore &&
        markup`<a href="${side === 0 ? '#page-mentions' : '#page-children'}"><text class="more"
        x="${x + nodeWidth / 2}" y="${topOf(count, neighbours.length) + 16}" text-anchor="middle">and more</text></a>`,
    ]
  }
  const name = cut(titleOf(view), 22)
  return markup`<details class="card neighbourhood"${!isFolded && markup` data-open`}>
    <summary><h2>Neighbourhood</h2></summary><div class="picture" tabindex="0" role="region" aria-label="Drawing">
    <svg viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"
    role="group" aria-label="Neighbourhood of this document">
    ${place(0, left.x)}${place(1, right.x)}
    <rect class="node here" x="${middle.x}" y="${centre - nodeHeight / 2}" width="${nodeWidth}" height="${nodeHeight}"
      rx="8"/><text class="here" x="${width / 2}" y="${centre + 5}" text-anchor="middle">${name}</text>
    </svg></div></details>`
}

type Position = {readonly x: number; readonly y: number; readonly centre: number}

function drawNeighbour(view: View, {iri, relation}: Neighbour, {x, y, centre}: Position): Markup {
  const {site, labels} = view
  const isLeft = x === left.x
  const row = y + nodeHeight / 2
  const [from, to] = isLeft ? [left.edge, middle.x] : [middle.edge, right.x]
  const [fromY, toY] = isLeft ? [row, centre] : [centre, row]
  const bend = (from + to) / 2
  const path = `M${from} ${fromY} C${bend} ${fromY} ${bend} ${toY} ${to - 7} ${toY}`
  const name = labels.get(iri) ?? (iri.startsWith(site.base) ? titleOf({...view, iri}) : site.names.show(iri))
  const by = labels.get(relation) ?? site.names.show(relation)
  const node = markup`<rect class="node" x="${x}" y="${y}" width="${nodeWidth}" height="${nodeHeight}" rx="8"/>
    <text class="relation" x="${x + 12}" y="${y + 17}">${cut(by, 30)}</text>
    <text x="${x + 12}" y="${y + 34}">${cut(name, 24)}</text>`
  const link = linkTo(iri, site.base)
  const href = link?.isExternal === false ? link.href : describePath(iri, site.base)
  return markup`<path class="edge" d="${path}"/><path class="head" d="M${to} ${toY} l-8 -4 v8 z"/>
    <a href="${href}">${node}</a>`
}

/** Ideographs, syllables and emoji, which are about twice as wide as a letter. */
const wide = /[\p{sc=Han}\p{sc=Hangul}\p{sc=Hiragana}\p{sc=Katakana}\p{Emoji_Presentation}\u3000-\u303f\uff00-\uff60]/u

/** The beginning of a text. @param width  of the place for it, in letters of usual width */
function cut(text: string, width: number): string {
  let [left, shown] = [width, '']
  for (const character of text) {
    left -= wide.test(character) ? 2 : 1
    if (left < 0) return `${[...shown].slice(0, -1).join('')}…`
    shown += character
  }
  return shown
}
