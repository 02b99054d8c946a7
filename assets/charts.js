/**
 * An answer as a chart: bars, lines, a pie, or points on a map.
 *
 * Chart.js draws it. The map needs no tiles of another host: its coastlines are a file of the service, in TopoJSON
 * (the package world-atlas: Natural Earth 1:110m).
 *
 * @typedef {import('./columns.js').Column} Column
 * @typedef {import('./columns.js').Row} Row
 * @typedef {{label: string, value: number}} Item
 * @typedef {{label: string, x: number, y: number}} Point
 */
import './chart.umd.js'
import {columnsOf, numberOf} from './columns.js'
import {choice, make, showCount} from './dom.js'
import {shortName} from './names.js'

const {Chart} = /** @type {{Chart: import('./chart.umd.js').ChartClass}} */ (/** @type {unknown} */ (globalThis))

const shownItems = {bar: 60, line: 2000, pie: 12}

/**
 * @param {HTMLElement} panel
 * @param {import('./answer.js').RowAnswer} answer
 * @param {import('./table.js').Shown} shown
 */
export async function showChart(panel, answer, {site, labels}) {
  const columns = columnsOf(answer.columns, answer.rows)
  const numbers = columns.filter(({isNumeric}) => isNumeric)
  const places = placesOf(columns)
  const others = columns.filter(({isNumeric}) => !isNumeric)
  const isTime = others[0] !== undefined && /date/i.test(others[0].type ?? '')
  const state = {
    kind: places !== undefined ? 'map' : isTime ? 'line' : 'bar',
    label: String((others.find(({index}) => index !== places?.point) ?? columns[0])?.index ?? 0),
    value: String((numbers.find(({name}) => !isCoordinate(name)) ?? numbers[0])?.index ?? 0),
  }
  const canvas = make('canvas', {role: 'img', 'aria-label': 'Chart of the rows; the table has the same values'})
  const frame = make('div', {class: 'chart'}, canvas)
  const note = make('p', {class: 'quiet', role: 'status'})
  /** @type {{destroy: () => void} | undefined} */
  let chart

  const iris = answer.rows.flatMap(row => row.flatMap(term => (term?.kind === 'iri' ? [term.value] : [])))
  await labels.load(iris)
  const nameOf = (/** @type {Row} */ row) => {
    const term = row[Number(state.label)]
    if (term === undefined) return '(unbound)'
    return term.kind === 'iri' ? (labels.of(term.value) ?? shortName(term.value, site)) : term.value
  }

  async function draw() {
    chart?.destroy()
    frame.classList.toggle('map', state.kind === 'map')
    const colours = coloursOf(panel)
    const config = state.kind === 'map' ? await mapOf(colours) : seriesOf(colours)
    chart = new Chart(canvas, config)
  }

  /** @param {Colours} colours */
  function seriesOf(colours) {
    const kind = /** @type {'bar' | 'line' | 'pie'} */ (state.kind)
    const all = answer.rows.flatMap(row => {
      const value = numberOf(row[Number(state.value)])
      return value === undefined ? [] : [{label: nameOf(row), value}]
    })
    const items = kind === 'pie' ? slices(all) : all.slice(0, shownItems[kind])
    const isAll = kind === 'pie' || items.length === all.length
    note.textContent = isAll ? '' : `The first ${showCount(items.length)} of ${showCount(all.length)} rows.`
    return series(kind, items, {colours, name: answer.columns[Number(state.value)] ?? ''})
  }

  /** @param {Colours} colours */
  async function mapOf(colours) {
    const points = answer.rows.flatMap(row => {
      const place = places === undefined ? undefined : pointOf(row, places)
      return place === undefined ? [] : [{...place, label: nameOf(row)}]
    })
    note.textContent = `${showCount(points.length)} of ${showCount(answer.rows.length)} rows have coordinates.`
    const axes = 60 // pixels for their numbers and titles
    const aspect = Math.max(1, frame.clientWidth - axes) / Math.max(1, frame.clientHeight - axes)
    return map(points, await readLand(), {colours, aspect})
  }

  const kinds = /** @type {const} */ ([
    ...(numbers.length === 0
      ? []
      : [
          ['bar', 'Bars'],
          ['line', 'Line'],
          ['pie', 'Pie'],
        ]),
    ...(places === undefined ? [] : [['map', 'Map']]),
  ])
  const named = (/** @type {Column} */ {index, name}) => /** @type {const} */ ([String(index), name])
  const set = (/** @type {'kind' | 'label' | 'value'} */ key) => (/** @type {string} */ value) => {
    state[key] = value
    valueChoice.hidden = state.kind === 'map'
    void draw()
  }
  const valueChoice = choice('Values', numbers.map(named), state.value, set('value'))
  valueChoice.hidden = state.kind === 'map'
  const tools = make(
    'div',
    {class: 'tools'},
    choice('Chart', /** @type {[string, string][]} */ (kinds), state.kind, set('kind')),
    choice('Labels', columns.map(named), state.label, set('label')),
    valueChoice,
    note,
  )
  panel.replaceChildren(tools, frame)
  await draw()
}

/**
 * The largest items, and the sum of the others as one.
 *
 * @param {readonly Item[]} items
 */
function slices(items) {
  const sorted = items.filter(({value}) => value > 0).sort((a, b) => b.value - a.value)
  if (sorted.length <= shownItems.pie) return sorted
  const rest = sorted.slice(shownItems.pie - 1)
  const sum = rest.reduce((total, {value}) => total + value, 0)
  return [...sorted.slice(0, shownItems.pie - 1), {label: `${showCount(rest.length)} others`, value: sum}]
}

/** @typedef {{ink: string, line: string, coast: string, ground: string, palette: readonly string[]}} Colours */

/**
 * @param {'bar' | 'line' | 'pie'} kind
 * @param {readonly Item[]} items
 * @param {{colours: Colours, name: string}} options
 */
function series(kind, items, {colours, name}) {
  const {palette, ink, line, ground} = colours
  const isPie = kind === 'pie'
  const scale = {ticks: {color: ink}, grid: {color: line}}
  return {
    type: kind,
    data: {
      labels: items.map(({label}) => (label.length > 32 ? `${label.slice(0, 31)}…` : label)),
      datasets: [
        {
          label: name,
          data: items.map(({value}) => value),
          backgroundColor: isPie ? items.map((_, index) => palette[index % palette.length]) : palette[0],
          borderColor: isPie ? ground : palette[0],
          borderWidth: isPie ? 1 : kind === 'bar' ? 0 : 2,
          pointRadius: items.length > 100 ? 0 : 3,
        },
      ],
    },
    options: {
      ...base(ink),
      indexAxis: kind === 'bar' && items.length > 12 ? 'y' : 'x',
      scales: isPie ? {} : {x: scale, y: {...scale, beginAtZero: true}},
      plugins: {legend: {display: isPie, position: 'right', labels: {color: ink}}},
    },
  }
}

/** @param {string} ink */
function base(ink) {
  return {animation: false, responsive: true, maintainAspectRatio: false, color: ink}
}

/**
 * @param {readonly Point[]} points
 * @param {readonly (readonly {x: number, y: number}[])[]} land
 * @param {{colours: Colours, aspect: number}} options  aspect: width of the drawing by its height
 */
function map(points, land, {colours, aspect}) {
  const coast = {
    showLine: true,
    pointRadius: 0,
    pointHitRadius: 0,
    borderWidth: 1,
    borderColor: colours.coast,
    backgroundColor: colours.ground,
    fill: 'shape',
    order: 2,
  }
  const axis = {ticks: {color: colours.ink}, grid: {display: false}}
  const view = viewOf(points, aspect)
  const text = (/** @type {{raw: Point}} */ {raw}) => `${raw.label} (${raw.y}, ${raw.x})`
  return {
    type: 'scatter',
    data: {
      datasets: [
        {data: points, pointRadius: 5, pointHoverRadius: 7, backgroundColor: colours.palette[0], order: 1},
        ...land.map(data => ({data, ...coast})),
      ],
    },
    options: {
      ...base(colours.ink),
      scales: {
        x: {...axis, ...view.x, title: {display: true, text: 'Longitude', color: colours.ink}},
        y: {...axis, ...view.y, title: {display: true, text: 'Latitude', color: colours.ink}},
      },
      plugins: {legend: {display: false}, tooltip: {callbacks: {label: text}}},
    },
  }
}

/**
 * The part of the world with the points. A degree is as long in both directions, also where a narrow page leaves room
 * above and below the world.
 *
 * @param {readonly Point[]} points
 * @param {number} aspect
 */
function viewOf(points, aspect) {
  const [x, y] = [rangeOf(points.map(one => one.x)), rangeOf(points.map(one => one.y))]
  const height = Math.max(y.size, x.size / aspect)
  const width = Math.min(360, height * aspect)
  return {x: around(x.middle, width, 180), y: around(y.middle, width / aspect, Math.max(90, width / aspect / 2))}
}

/** @param {readonly number[]} values */
function rangeOf(values) {
  const [least, most] = [Math.min(...values), Math.max(...values)]
  if (values.length === 0) return {middle: 0, size: 180}
  return {middle: (least + most) / 2, size: Math.max(4, 1.3 * (most - least))}
}

/**
 * @param {number} middle
 * @param {number} size
 * @param {number} limit
 */
function around(middle, size, limit) {
  const half = Math.min(limit, size / 2)
  const shifted = Math.max(half - limit, Math.min(limit - half, middle))
  return {min: Math.round(shifted - half), max: Math.round(shifted + half)}
}

/** @type {Promise<readonly (readonly {x: number, y: number}[])[]> | undefined} */
let land

function readLand() {
  land ??= fetch(new URL('land.json', import.meta.url))
    .then(response => response.json())
    .then(ringsOf)
  return land
}

/**
 * Rings of longitudes and latitudes. An arc is a list of differences in steps of `scale`; a negative number of an arc
 * means that it is walked backwards (TopoJSON 1.0 §2.1.4).
 *
 * @param {{
 *   readonly transform: {readonly scale: readonly number[], readonly translate: readonly number[]},
 *   readonly arcs: readonly (readonly (readonly number[])[])[],
 *   readonly objects: {land: {geometries: readonly {arcs: readonly (readonly (readonly number[])[])[]}[]}},
 * }} topology
 */
function ringsOf({transform: {scale, translate}, arcs, objects}) {
  const [width = 1, height = 1] = scale
  const [west = 0, south = 0] = translate
  const lines = arcs.map(arc => {
    let [x, y] = [0, 0]
    return arc.map(([right = 0, up = 0]) => {
      x += right
      y += up
      return {x: west + x * width, y: south + y * height}
    })
  })
  const rings = objects.land.geometries.flatMap(({arcs: polygons}) => polygons.flat())
  return rings.flatMap(ring =>
    unwrapped(ring.flatMap(n => (n < 0 ? [...(lines[~n] ?? [])].reverse() : (lines[n] ?? [])))),
  )
}

/**
 * A ring that crosses the meridian of 180° goes on beyond it, and is drawn again a turn to the west and to the east. One
 * that goes around the South Pole is closed along the lower edge.
 *
 * @param {readonly {x: number, y: number}[]} ring
 */
function unwrapped(ring) {
  let turns = 0
  const whole = ring.map(({x, y}, index) => {
    const step = x - (ring[index - 1]?.x ?? x)
    if (Math.abs(step) > 180) turns -= 360 * Math.sign(step)
    return {x: x + turns, y}
  })
  if (whole.every(({x}) => Math.abs(x) <= 180)) return [whole]
  const [first, last] = [whole[0]?.x ?? 0, whole.at(-1)?.x ?? 0]
  if (turns !== 0) whole.push({x: last, y: -90}, {x: first, y: -90})
  return [-360, 0, 360].map(turn => whole.map(({x, y}) => ({x: x + turn, y})))
}

/** @typedef {{point: number} | {point?: undefined, lat: number, long: number}} Places  indexes of columns */

/** @param {string} name */
function isCoordinate(name) {
  return /^(?:lat|lati?tude|lon|lng|long|longitude|x|y)$/i.test(name)
}

/**
 * @param {readonly Column[]} columns
 * @returns {Places | undefined}
 */
function placesOf(columns) {
  const point = columns.find(({type}) => /wktLiteral$/.test(type ?? ''))
  if (point !== undefined) return {point: point.index}
  const lat = columns.find(({name, isNumeric}) => isNumeric && /^lat(?:itude)?$/i.test(name))
  const long = columns.find(({name, isNumeric}) => isNumeric && /^(?:lon|lng|long|longitude)$/i.test(name))
  return lat === undefined || long === undefined ? undefined : {lat: lat.index, long: long.index}
}

/**
 * @param {Row} row
 * @param {Places} places
 */
function pointOf(row, places) {
  if (places.point === undefined) {
    const [x, y] = [numberOf(row[places.long]), numberOf(row[places.lat])]
    return x === undefined || y === undefined ? undefined : {x, y}
  }
  const [, x, y] = /POINT\s*Z?\s*\(\s*(-?[\d.]+)\s+(-?[\d.]+)/i.exec(row[places.point]?.value ?? '') ?? []
  return x === undefined || y === undefined ? undefined : {x: Number(x), y: Number(y)}
}

/**
 * The colours of the page, as a canvas needs them: computed.
 *
 * @param {HTMLElement} panel
 * @returns {Colours}
 */
function coloursOf(panel) {
  const computed = (/** @type {string} */ name) => {
    const probe = make('span', {class: `colour-${name}`})
    panel.append(probe)
    const {color} = getComputedStyle(probe)
    probe.remove()
    return color
  }
  const palette = [1, 2, 3, 4, 5, 6, 7, 8].map(n => computed(String(n)))
  return {
    ink: computed('soft'),
    line: computed('grid'),
    coast: computed('line'),
    ground: computed('ground'),
    palette,
  }
}
