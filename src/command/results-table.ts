/**
 * Results of a query in TSV to the lines of a table.
 *
 * Streams: the first rows decide the widths of the columns, and later rows keep them. Only a terminal cuts values.
 * Source: SPARQL 1.1 Query Results CSV and TSV Formats, §4.
 */
import {type Colour, columnsOf, type Paint, withoutControls} from './terminal.ts'

export type TableOptions = {
  readonly width: number // columns of the terminal; Infinity: nothing is cut
  readonly paint: Paint
}

const rowsMeasured = 500
const leastWidth = 6 // of a column that is cut
const gap = '  '

/** The table of a SELECT, or the line of an ASK. Ends with the number of rows. */
export async function* tableOf(lines: AsyncIterable<string>, options: TableOptions): AsyncGenerator<string> {
  let names: readonly string[] | undefined
  let layout: Layout | undefined
  let first: (readonly string[])[] = []
  let count = 0
  for await (const line of lines) {
    if (names === undefined && line !== '' && !line.startsWith('?')) {
      yield line // true or false
      return
    }
    const cells = line.split('\t').map(withoutControls)
    if (names === undefined) {
      names = cells.map(name => name.replace(/^\?/, ''))
      continue
    }
    count += 1
    if (layout !== undefined) yield rowOf(cells, layout)
    else if (first.push(cells) === rowsMeasured) {
      layout = layoutOf(names, first, options)
      yield* beginning(names, first, layout)
      first = []
    }
  }
  if (names === undefined) return
  if (layout === undefined) yield* beginning(names, first, layoutOf(names, first, options))
  yield options.paint('faint', `(${count.toLocaleString('en')} row${count === 1 ? '' : 's'})`)
}

type Layout = {
  readonly widths: readonly number[]
  readonly paint: Paint
  readonly shorten: (text: string, width: number) => string
}

function layoutOf(names: readonly string[], rows: readonly (readonly string[])[], options: TableOptions): Layout {
  const {width, paint} = options
  const isCut = width !== Number.POSITIVE_INFINITY
  return {widths: widthsOf(names, rows, width), paint, shorten: isCut ? cut : text => text}
}

function* beginning(names: readonly string[], rows: readonly (readonly string[])[], layout: Layout) {
  const {widths, paint, shorten} = layout
  const isRight = widths.map((_, index) => rows.length > 0 && rows.every(row => isNumber(row[index] ?? '')))
  const heads = names.map((name, index) => {
    const width = widths[index] ?? 0
    const text = shorten(name, width)
    const space = ' '.repeat(Math.max(0, width - columnsOf(text)))
    return isRight[index] ? `${space}${paint('strong', text)}` : `${paint('strong', text)}${space}`
  })
  yield heads.join(gap).trimEnd()
  yield paint('faint', widths.map(width => '─'.repeat(width)).join(gap))
  for (const row of rows) yield rowOf(row, layout)
}

function rowOf(cells: readonly string[], {widths, paint, shorten}: Layout): string {
  const texts = widths.map((width, index) => {
    const cell = cells[index] ?? ''
    const text = shorten(cell, width)
    const space = ' '.repeat(Math.max(0, width - columnsOf(text)))
    const colour = colourOf(cell)
    const painted = colour === undefined ? text : paint(colour, text)
    return isNumber(cell) ? `${space}${painted}` : `${painted}${space}`
  })
  return texts.join(gap).trimEnd()
}

/** The widths of the columns. If they are too wide together, the widest are made narrower. */
function widthsOf(names: readonly string[], rows: readonly (readonly string[])[], width: number): readonly number[] {
  const widths = names.map((name, index) =>
    Math.max(columnsOf(name), ...rows.map(row => columnsOf(row[index] ?? '')), 1),
  )
  const room = Math.max(leastWidth * names.length, width - gap.length * (names.length - 1))
  const sum = (cap: number) => widths.reduce((total, each) => total + Math.min(each, cap), 0)
  if (sum(Number.POSITIVE_INFINITY) <= room) return widths
  let cap = room
  while (cap > leastWidth && sum(cap) > room) cap -= 1
  return widths.map(each => Math.min(each, cap))
}

function cut(text: string, width: number): string {
  if (columnsOf(text) <= width) return text
  let [kept, columns] = ['', 0]
  for (const character of text) {
    columns += columnsOf(character)
    if (columns >= width) break
    kept += character
  }
  return `${kept}…`
}

function isNumber(cell: string): boolean {
  return /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?$/.test(cell)
}

function colourOf(cell: string): Colour | undefined {
  if (cell.startsWith('<') || cell.startsWith('_:')) return 'iri'
  if (cell.startsWith('"')) return 'literal'
  return isNumber(cell) ? 'number' : undefined
}
