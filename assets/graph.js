/**
 * A graph as a drawing that can be moved and zoomed. It is loaded when somebody opens its tab.
 *
 * Nodes are IRIs and blank nodes. Literals and types are not drawn: a click on a node lists them beside the drawing. No
 * name covers another. A graph of 200 triples therefore stays legible, also on a phone.
 *
 * @typedef {import('./terms.js').Term} Term
 * @typedef {{term: Term, label: string, types: Set<string>, said: (readonly [property: string, value: Term])[]}} GraphNode
 * @typedef {{from: string, to: string, properties: Set<string>}} GraphEdge
 * @typedef {{nodes: ReadonlyMap<string, GraphNode>, edges: readonly GraphEdge[]}} Drawn
 */
import cytoscape from './cytoscape.js'
import {make, showCount} from './dom.js'
import {hrefOf, shortName, showTerm} from './names.js'

const shownTriples = 500
const labelledEdges = 16 // with more, only the edges of the chosen node have labels
const rdfType = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#type'
const colours = 8 // of types

/** Properties that the service gives to every container. In a drawing they would only hide the others. */
const technical = /\/ldp#(?:membershipResource|hasMemberRelation|isMemberOfRelation|insertedContentRelation)$/

/**
 * @param {HTMLElement} panel
 * @param {import('./answer.js').RowAnswer} answer
 * @param {import('./table.js').Shown} shown
 */
export async function drawGraph(panel, answer, {site, labels}) {
  const rows = answer.rows.slice(0, shownTriples)
  await labels.load(rows.flatMap(row => row.flatMap(term => (term?.kind === 'iri' ? [term.value] : []))))
  const nameOf = (/** @type {Term} */ term) => {
    if (term.kind === 'blank') return `_:${term.value}`
    return (term.kind === 'iri' ? labels.of(term.value) : undefined) ?? shortName(term.value, site)
  }
  const drawn = drawnOf(rows, nameOf)
  const types = frequentTypes(drawn)
  const place = make('div', {class: 'drawing'})
  const side = make('div', {class: 'beside', role: 'status'})
  const cut = rows.length < answer.rows.length ? `The first ${showCount(rows.length)} triples. ` : ''
  const hint = `${cut}A click on a node shows what is said about it. The table has the same triples.`
  side.append(make('p', {class: 'quiet'}, hint), legend(types, nameOf))
  panel.replaceChildren(make('div', {class: 'graph'}, place, side))
  keepStyleOut()
  const drawing = cytoscape({
    container: place,
    elements: elementsOf(drawn, types, site),
    style: styleOf(panel),
    layout: layoutOf(drawn.nodes.size, place),
    minZoom: 0.1,
    maxZoom: 4,
  })
  fitNames(drawing)
  let isWaiting = false
  drawing.on('zoom', () => {
    if (isWaiting) return
    isWaiting = true
    requestAnimationFrame(() => {
      isWaiting = false
      fitNames(drawing)
    })
  })
  drawing.on('tap', 'node', ({target}) => {
    drawing.elements().removeClass('chosen near far')
    drawing.elements().addClass('far')
    target.closedNeighborhood().removeClass('far').addClass('near')
    target.addClass('chosen')
    const node = drawn.nodes.get(String(target.data('id')))
    if (node !== undefined) side.replaceChildren(describe(node, drawn, {site, labels, nameOf}))
  })
  drawing.on('tap', event => {
    if (event.target === drawing) drawing.elements().removeClass('chosen near far')
  })
}

/**
 * Gives the letters the same size at every zoom, and hides names that would cover others. Nodes with many edges come
 * first. A hidden name appears when there is room, or when somebody clicks on the node or on one next to it.
 *
 * @param {ReturnType<typeof cytoscape>} drawing
 */
function fitNames(drawing) {
  const size = 1 / drawing.zoom()
  const nodes = drawing.nodes()
  nodes.style({'font-size': 12 * size, 'text-max-width': `${90 * size}px`})
  drawing.edges().style({'font-size': 10 * size})
  nodes.removeClass('unnamed')
  /** @type {import('./cytoscape.js').Box[]} */
  const taken = []
  for (const node of nodes.sort((a, b) => b.degree(true) - a.degree(true)).toArray()) {
    const box = node.boundingBox({includeNodes: false, includeEdges: false, includeOverlays: false})
    const isFree = taken.every(one => box.x1 >= one.x2 || box.x2 <= one.x1 || box.y1 >= one.y2 || box.y2 <= one.y1)
    if (isFree) taken.push(box)
    else node.addClass('unnamed')
  }
}

/** The library would add a style sheet to the page, which the content security policy forbids. query.css has its rules. */
function keepStyleOut() {
  const id = '__________cytoscape_stylesheet'
  if (document.getElementById(id) === null) document.head.append(make('meta', {id}))
}

/**
 * @param {readonly (readonly (Term | undefined)[])[]} rows
 * @param {(term: Term) => string} nameOf
 * @returns {Drawn}
 */
function drawnOf(rows, nameOf) {
  /** @type {Map<string, GraphNode>} */
  const nodes = new Map()
  /** @type {Map<string, GraphEdge>} */
  const edges = new Map()
  const nodeOf = (/** @type {Term} */ term) => {
    const id = `${term.kind} ${term.value}`
    const known = nodes.get(id) ?? {term, label: nameOf(term), types: new Set(), said: []}
    nodes.set(id, known)
    return known
  }
  for (const [subject, property, object] of rows) {
    if (subject === undefined || property === undefined || object === undefined) continue
    const node = nodeOf(subject)
    node.said.push([property.value, object])
    if (property.value === rdfType) node.types.add(object.value)
    if (property.value === rdfType || technical.test(property.value) || object.kind === 'literal') continue
    nodeOf(object)
    const [from, to] = [`${subject.kind} ${subject.value}`, `${object.kind} ${object.value}`]
    const edge = edges.get(`${from} ${to}`) ?? {from, to, properties: new Set()}
    edge.properties.add(nameOf(property))
    edges.set(`${from} ${to}`, edge)
  }
  return {nodes, edges: [...edges.values()]}
}

/**
 * The types with a colour of their own, the most frequent first. Types that every node has say nothing.
 *
 * @param {Drawn} drawn
 */
function frequentTypes({nodes}) {
  /** @type {Map<string, number>} */
  const counts = new Map()
  for (const {types} of nodes.values()) for (const type of types) counts.set(type, (counts.get(type) ?? 0) + 1)
  const isTechnical = (/** @type {string} */ type) => /\/ldp#|\/platform#Document$/.test(type)
  return [...counts]
    .filter(([type]) => !isTechnical(type))
    .sort((a, b) => b[1] - a[1])
    .slice(0, colours)
    .map(([type]) => type)
}

/**
 * @param {readonly string[]} types
 * @param {(term: Term) => string} nameOf
 */
function legend(types, nameOf) {
  const items = types.map((type, index) =>
    make('li', {}, make('span', {class: `dot colour-${index + 1}`}), ' ', nameOf({kind: 'iri', value: type})),
  )
  return make('ul', {class: 'legend', 'aria-label': 'Types'}, ...items)
}

/**
 * @param {Drawn} drawn
 * @param {readonly string[]} types
 * @param {import('./names.js').Site} site
 */
function elementsOf({nodes, edges}, types, site) {
  const isLabelled = edges.length <= labelledEdges
  const made = [...nodes].map(([id, node], index) => {
    const type = types.findIndex(one => node.types.has(one))
    const name = lastPart(node.label)
    const label = name.length > 30 ? `${name.slice(0, 29)}…` : name
    const href = node.term.kind === 'iri' ? hrefOf(node.term.value, site) : undefined
    const classes = `${node.term.kind} ${type === -1 ? '' : `type-${type + 1}`}`
    return {data: {id, label, href: href ?? ''}, classes, position: startOf(index)}
  })
  const lines = edges.map(({from, to, properties}, index) => {
    const label = [...properties].join(', ')
    return {data: {id: `edge ${index}`, source: from, target: to, label}, classes: isLabelled ? 'labelled' : ''}
  })
  return [...made, ...lines]
}

/**
 * Where the layout begins with a node: on a spiral of even density (Vogel 1979, "A better way to construct the sunflower
 * head"). Equal answers therefore make equal drawings.
 *
 * @param {number} index  of the node
 */
function startOf(index) {
  const angle = index * Math.PI * (3 - Math.sqrt(5))
  const radius = 30 * Math.sqrt(index)
  return {x: radius * Math.cos(angle), y: radius * Math.sin(angle)}
}

/**
 * The end of a path or an IRI without a label: `#home` of /people/ada/#home. The whole is shown beside the drawing.
 *
 * @param {string} label
 */
function lastPart(label) {
  if (!/^(?:\/|[a-z][a-z0-9+.-]*:\/\/)/.test(label)) return label
  return /(?:#[^#]+|[^/#]+[/#]?)$/.exec(label)?.[0] ?? label
}

/**
 * What is said about a node, and by whom it is mentioned.
 *
 * @param {GraphNode} node
 * @param {Drawn} drawn
 * @param {import('./table.js').Shown & {nameOf: (term: Term) => string}} shown
 */
function describe(node, drawn, {site, labels, nameOf}) {
  const shownTerm = (/** @type {Term} */ term) =>
    showTerm(term, site, {label: term.kind === 'iri' ? labels.of(term.value) : undefined})
  const said = node.said.slice(0, 60).map(([property, value]) => {
    const name = nameOf({kind: 'iri', value: property})
    return make('div', {}, make('dt', {title: property}, name), make('dd', {}, shownTerm(value)))
  })
  const id = `${node.term.kind} ${node.term.value}`
  const mentions = drawn.edges.flatMap(({from, to, properties}) => {
    const subject = drawn.nodes.get(from)
    if (to !== id || subject === undefined) return []
    return [make('li', {}, shownTerm(subject.term), make('span', {class: 'by'}, ` by ${[...properties].join(', ')}`))]
  })
  const heading = make('h2', {}, shownTerm(node.term))
  const facts = said.length === 0 ? [] : [make('dl', {class: 'facts'}, ...said)]
  const list = mentions.length === 0 ? [] : [make('ul', {class: 'entries', 'aria-label': 'Mentioned by'}, ...mentions)]
  return make('div', {}, heading, ...facts, ...list)
}

/**
 * @param {number} count  of nodes
 * @param {HTMLElement} place
 */
function layoutOf(count, place) {
  return {
    name: 'cose',
    boundingBox: {x1: 0, y1: 0, w: place.clientWidth, h: place.clientHeight},
    animate: false,
    randomize: false,
    nodeDimensionsIncludeLabels: true,
    idealEdgeLength: () => 40,
    nodeRepulsion: () => 60_000,
    nodeOverlap: 30,
    componentSpacing: 30,
    gravity: 1.2,
    numIter: count > 150 ? 600 : 1500,
    padding: 16,
  }
}

/**
 * The colours of the page, as a canvas needs them: computed.
 *
 * @param {HTMLElement} panel
 */
function styleOf(panel) {
  const colour = (/** @type {string} */ name) => {
    const probe = make('span', {class: `colour-${name}`})
    panel.append(probe)
    const {color} = getComputedStyle(probe)
    probe.remove()
    return color
  }
  const font = getComputedStyle(document.body).fontFamily
  const text = {color: colour('ink'), 'font-family': font, 'text-background-color': colour('card')}
  const typed = Array.from({length: colours}, (_, index) => ({
    selector: `.type-${index + 1}`,
    style: {'background-color': colour(String(index + 1))},
  }))
  const labelled = {label: 'data(label)', 'text-background-opacity': 0.7, 'text-background-padding': 1}
  return [
    {
      selector: 'node',
      style: {
        ...text,
        ...labelled,
        'background-color': colour('soft'),
        width: 18,
        height: 18,
        'text-valign': 'bottom',
        'text-margin-y': 4,
        'text-wrap': 'wrap',
      },
    },
    {selector: '.blank', style: {width: 10, height: 10, label: ''}},
    ...typed,
    {
      selector: 'edge',
      style: {
        ...text,
        color: colour('soft'),
        width: 1.4,
        'line-color': colour('line'),
        'target-arrow-color': colour('line'),
        'target-arrow-shape': 'triangle',
        'curve-style': 'bezier',
        'text-rotation': 'autorotate',
      },
    },
    {selector: 'edge.labelled, edge.near', style: labelled},
    {selector: 'edge.near', style: {'line-color': colour('soft'), 'target-arrow-color': colour('soft'), width: 2}},
    {selector: 'node.unnamed', style: {'text-opacity': 0, 'text-background-opacity': 0}},
    {selector: 'node.near', style: {'text-opacity': 1, 'text-background-opacity': 0.7}},
    {selector: '.far', style: {opacity: 0.25}},
    {selector: '.chosen', style: {'border-width': 3, 'border-color': colour('link'), 'font-weight': 'bold'}},
  ]
}
