/** RDF lists in a document of the model, and patches that change them. */
import {rdf} from '../support/members.ts'
import {isBlank, type Line, read, write} from './lines.ts'
import type {Model, ModelDocument} from './model.ts'

const first = `${rdf}first`
const rest = `${rdf}rest`
const nil = `${rdf}nil`

/** A list cell: a node with one rdf:first and one rdf:rest. */
type Cell = {readonly node: string; readonly item: string; readonly next: string}

export type ListUpdate = {
  readonly property: string
  readonly from: number | 'end'
  readonly to: number | 'end'
  readonly items: readonly string[] // without blank nodes
}

/** The lines of a list as the object of a subject. The labels of its cells begin with the prefix. */
export function listLines(
  subject: string,
  property: string,
  items: readonly string[],
  prefix: string,
): readonly string[] {
  const cell = (index: number) => (index < items.length ? `${prefix}${index}` : nil)
  const cells = items.flatMap((item, index): readonly Line[] => [
    [cell(index), first, item],
    [cell(index), rest, cell(index + 1)],
  ])
  return [[subject, property, cell(0)] as const, ...cells].map(write)
}

/** UpdateList of the document's own property. Returns whether it is possible; does nothing if not. */
export function updateList(model: Model, document: ModelDocument, {property, from, to, items}: ListUpdate): boolean {
  const heads = linesFrom(document, document.iri, property)
  const cells = heads.length === 1 ? cellsFrom(document, heads[0] ?? '') : undefined
  if (cells === undefined) return false
  const count = (index: number | 'end') => (index === 'end' ? cells.length : index < 0 ? cells.length + index : index)
  const [begin, end] = [count(from), count(to)]
  if (begin < 0 || begin > end || end > cells.length) return false

  const after = cells[end]?.node ?? nil
  const before: readonly [string, string] =
    begin === 0 ? [document.iri, property] : [cells[begin - 1]?.node ?? '', rest]
  const fresh = items.map(() => `_:new${model.fresh++}`)
  document.lines.delete(write([...before, cells[begin]?.node ?? nil]))
  document.lines.add(write([...before, fresh[0] ?? after]))
  for (const [index, item] of items.entries()) {
    document.lines.add(write([fresh[index] ?? '', first, item]))
    document.lines.add(write([fresh[index] ?? '', rest, fresh[index + 1] ?? after]))
  }
  for (const cell of cells.slice(begin, end)) dropCell(document, cell)
  model.changed.add(document.iri)
  return true
}

/**
 * Cut of a blank node: removes its triples, those of the blank nodes below, and all triples with it as object. Returns
 * whether it existed.
 */
export function cut(model: Model, document: ModelDocument, label: string): boolean {
  const isHeld = [...document.lines].some(line => read(line)[0] === label || read(line)[2] === label)
  if (!isHeld) return false
  cutNode(document, label)
  model.changed.add(document.iri)
  return true
}

/** Removes the cells of removed items and links the cells before and after. Returns whether there were any. */
export function closeLists(document: ModelDocument, goes: (item: string) => boolean): boolean {
  const nodes = new Set([...document.lines].map(read).flatMap(([s, p, o]) => (p === first && goes(o) ? [s] : [])))
  const gone = new Map([...nodes].flatMap(node => cellOf(document, node) ?? []).map(cell => [cell.node, cell]))
  if (gone.size === 0) return false
  const staying = (node: string) => {
    const met = new Set<string>()
    let next = node
    for (let cell = gone.get(next); cell !== undefined; cell = gone.get(next)) {
      if (met.has(next)) return undefined // a cycle without remaining cells
      met.add(next)
      next = cell.next
    }
    return next
  }
  const lines = [...document.lines].map(read)
  const isGone = ([s, p]: Line) => gone.has(s) && (isBlank(s) || p === first || p === rest)
  document.lines = new Set(
    lines
      .filter(line => !isGone(line))
      .flatMap(([s, p, o]) => {
        const next = staying(o)
        return next === undefined ? [] : [write([s, p, next])]
      }),
  )
  return true
}

function dropCell(document: ModelDocument, {node}: Cell): void {
  const lines = [...document.lines].map(read)
  if (lines.some(([, , o]) => o === node)) return
  for (const [s, p, o] of lines)
    if (s === node && (isBlank(node) || p === first || p === rest)) document.lines.delete(write([s, p, o]))
}

function cutNode(document: ModelDocument, node: string): void {
  const met = new Set([node])
  for (const each of met) {
    for (const line of [...document.lines].map(read)) {
      if (line[0] !== each) continue
      document.lines.delete(write(line))
      if (isBlank(line[2])) met.add(line[2])
    }
  }
  for (const line of [...document.lines].map(read)) if (line[2] === node) document.lines.delete(write(line))
}

function cellsFrom(document: ModelDocument, head: string): readonly Cell[] | undefined {
  const cells: Cell[] = []
  for (let node = head; node !== nil; ) {
    const cell = cellOf(document, node)
    if (cell === undefined || cells.some(other => other.node === node)) return undefined
    cells.push(cell)
    node = cell.next
  }
  return cells
}

function cellOf(document: ModelDocument, node: string): Cell | undefined {
  const [item, ...items] = linesFrom(document, node, first)
  const [next, ...nexts] = linesFrom(document, node, rest)
  const isOne = item !== undefined && next !== undefined && items.length + nexts.length === 0
  return isOne && node !== nil ? {node, item, next} : undefined
}

function linesFrom(document: ModelDocument, subject: string, property: string): readonly string[] {
  return [...document.lines].map(read).flatMap(([s, p, o]) => (s === subject && p === property ? [o] : []))
}
