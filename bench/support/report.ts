/** Prints results as tables, and writes them as JSON to bench/results/. */
import {mkdirSync, writeFileSync} from 'node:fs'
import {cpus, totalmem} from 'node:os'
import {join} from 'node:path'
import {projectDirectory} from './program.ts'

export type Cell = string | number | undefined

/** The machine and versions of a run. Numbers of different machines are not comparable. */
export function machine() {
  const [cpu] = cpus()
  return {
    processor: cpu?.model ?? 'unknown',
    cores: cpus().length,
    memoryGib: Math.round(totalmem() / 2 ** 30),
    node: process.version,
    at: new Date().toISOString().slice(0, 10),
  }
}

/** Prints rows in columns, with numbers aligned to the right. */
export function printTable(title: string, head: readonly string[], rows: readonly (readonly Cell[])[]): void {
  const texts = [head, ...rows.map(row => row.map(text))]
  const widths = head.map((_, column) => Math.max(...texts.map(row => (row[column] ?? '').length)))
  const isNumber = head.map((_, column) => rows.some(row => typeof row[column] === 'number'))
  const lines = texts.map(row =>
    row.map((cell, column) =>
      isNumber[column] ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
    ),
  )
  const [first = [], ...others] = lines.map(line => line.join('  ').trimEnd())
  process.stdout.write(`\n${title}\n\n${[first, '-'.repeat(first.length), ...others].join('\n')}\n`)
}

/** Three significant digits, or whole numbers above a hundred. */
function text(cell: Cell): string {
  if (cell === undefined || (typeof cell === 'number' && Number.isNaN(cell))) return '–'
  if (typeof cell === 'string') return cell
  return Math.abs(cell) >= 100 ? cell.toFixed(0) : cell.toPrecision(3)
}

/** Saves the results of a run: `bench/results/<name>.json`, or `.svg`. */
export function save(file: string, content: object | string): void {
  const directory = join(projectDirectory, 'bench/results')
  mkdirSync(directory, {recursive: true})
  writeFileSync(join(directory, file), typeof content === 'string' ? content : `${JSON.stringify(content, null, 2)}\n`)
}
