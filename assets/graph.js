/**
 * A graph as a drawing that can be moved and zoomed; loaded when somebody looks at one.
 */
import cytoscape from './cytoscape.js'
import {hrefOf, shortName} from './names.js'

const shownTriples = 300

/**
 * @param {HTMLElement} panel
 * @param {import('./answer.js').Answer} answer
 * @param {import('./names.js').Site} site
 */
export function drawGraph(panel, answer, site) {
  if (answer.form === 'boolean') return
  const shown = answer.rows.slice(0, shownTriples)
  const note = document.createElement('p')
  note.className = 'quiet'
  note.textContent =
    (shown.length < answer.rows.length ? `The first ${shownTriples} triples. ` : '') +
    'The table says the same in words. A click on a node follows it.'
  const place = document.createElement('div')
  place.className = 'drawing'
  panel.replaceChildren(note, place)
  keepStyleOut()
  const style = getComputedStyle(document.documentElement)
  const drawing = cytoscape({
    container: place,
    elements: elementsOf(shown, site),
    style: styleOf(panel, style.getPropertyValue('--mono')),
    layout: {
      name: 'cose',
      animate: false,
      nodeDimensionsIncludeLabels: true,
      idealEdgeLength: () => 110,
      nodeRepulsion: () => 40_000,
      padding: 20,
    },
    minZoom: 0.1,
    maxZoom: 4,
  })
  drawing.on('tap', 'node', (/** @type {{target: {data: (name: string) => unknown}}} */ {target}) => {
    const href = target.data('href')
    if (typeof href === 'string') window.open(href, '_blank', 'noopener,noreferrer')
  })
}

/** The library would write a style sheet into the page, which our policy forbids; query.css says what it would. */
function keepStyleOut() {
  const id = '__________cytoscape_stylesheet'
  if (document.getElementById(id) === null) document.head.append(Object.assign(document.createElement('meta'), {id}))
}

/**
 * A node for each subject and object; a literal is a node of its own for each triple.
 *
 * @param {readonly (readonly (import('./terms.js').Term | undefined)[])[]} rows
 * @param {import('./names.js').Site} site
 */
function elementsOf(rows, site) {
  /** @type {Map<string, object>} */
  const nodes = new Map()
  /** @type {object[]} */
  const edges = []
  for (const [index, [subject, property, object]] of rows.entries()) {
    if (subject === undefined || property === undefined || object === undefined) continue
    const from = `${subject.kind} ${subject.value}`
    const to = object.kind === 'literal' ? `literal ${index}` : `${object.kind} ${object.value}`
    nodes.set(from, nodeOf(from, subject, site))
    nodes.set(to, nodeOf(to, object, site))
    edges.push({data: {id: `edge ${index}`, source: from, target: to, label: shortName(property.value, site)}})
  }
  return [...nodes.values(), ...edges]
}

/**
 * @param {string} id
 * @param {import('./terms.js').Term} term
 * @param {import('./names.js').Site} site
 */
function nodeOf(id, term, site) {
  const name =
    term.kind === 'iri' ? shortName(term.value, site) : term.kind === 'blank' ? `_:${term.value}` : term.value
  const label = name.length > 40 ? `${name.slice(0, 39)}…` : name
  const href = term.kind === 'iri' ? hrefOf(term.value, site) : undefined
  return {data: {id, label, ...(href === undefined ? {} : {href})}, classes: term.kind}
}

/**
 * Colours of the page, as the canvas needs them: computed.
 *
 * @param {HTMLElement} panel
 * @param {string} font
 */
function styleOf(panel, font) {
  const colour = (/** @type {string} */ name) => {
    const probe = document.createElement('span')
    probe.style.color = `var(--${name})`
    panel.append(probe)
    const value = getComputedStyle(probe).color
    probe.remove()
    return value
  }
  const label = {label: 'data(label)', color: colour('ink'), 'font-family': font, 'font-size': 11}
  return [
    {
      selector: 'node',
      style: {...label, 'background-color': colour('strong'), width: 16, height: 16, 'text-margin-y': -4},
    },
    {
      selector: '.literal',
      style: {'background-color': colour('soft'), shape: 'round-rectangle', width: 12, height: 12},
    },
    {selector: '.blank', style: {'background-color': colour('line')}},
    {
      selector: 'edge',
      style: {
        ...label,
        color: colour('soft'),
        'font-size': 9,
        width: 1.2,
        'line-color': colour('line'),
        'target-arrow-color': colour('line'),
        'target-arrow-shape': 'triangle',
        'curve-style': 'bezier',
        'text-rotation': 'autorotate',
        'text-background-color': colour('card'),
        'text-background-opacity': 0.85,
      },
    },
  ]
}
