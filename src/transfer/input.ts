/**
 * Reads input files and determines their formats by name. Decompresses gzip, which it recognises by the first bytes.
 *
 * The name `-` is the standard input.
 */
import {createReadStream} from 'node:fs'
import {basename, extname} from 'node:path'
import {Transform} from 'node:stream'
import {createGunzip} from 'node:zlib'
import {Refusal} from '../base/refusal.ts'
import {optionName, type ReadableFormat, readableFormats} from '../format/formats.ts'

/** The readable formats by the values of --format. */
export const inputNames: ReadonlyMap<string, ReadableFormat> = new Map(
  readableFormats.map(format => [optionName(format), format]),
)

const chunkBytes = 1 << 20

/**
 * The format of a file, by its extension.
 *
 * @throws Refusal: the extension is not known
 */
export function formatOf(file: string): ReadableFormat {
  const extension = extname(basename(file).replace(/\.gz$/i, '')).slice(1).toLowerCase()
  const format = readableFormats.find(({extensions}) => extensions.includes(extension))
  if (format === undefined) {
    throw new Refusal(`Of which format is ${file}? Say it with --format: ${[...inputNames.keys()].join(', ')}.`)
  }
  return format
}

/**
 * The bytes of a file in large pieces, decompressed if the file begins as gzip does.
 *
 * @param onBytes  receives the number of bytes read from the file, before decompression
 */
export function readInput(file: string, onBytes: (bytes: number) => void): AsyncIterable<Buffer> {
  const options = {highWaterMark: chunkBytes}
  const source = file === '-' ? createReadStream('', {...options, fd: 0}) : createReadStream(file, options)
  return unpacked(source, onBytes)
}

async function* unpacked(source: AsyncIterable<Buffer>, onBytes: (bytes: number) => void): AsyncGenerator<Buffer> {
  const counted = count(source, onBytes)
  const first = await firstBytes(counted)
  if (first === undefined) return
  const whole = again(first, counted)
  yield* first[0] === 0x1f && first[1] === 0x8b ? gunzipped(whole) : whole
}

async function* count(source: AsyncIterable<Buffer>, onBytes: (bytes: number) => void): AsyncGenerator<Buffer> {
  for await (const chunk of source) {
    onBytes(chunk.length)
    yield chunk
  }
}

/** The first bytes, at least the two that identify gzip; undefined if the file is empty. */
async function firstBytes(source: AsyncGenerator<Buffer>): Promise<Buffer | undefined> {
  let bytes: Buffer | undefined
  while (bytes === undefined || bytes.length < 2) {
    const {value, done} = await source.next()
    if (done) return bytes
    bytes = bytes === undefined ? value : Buffer.concat([bytes, value])
  }
  return bytes
}

async function* again(first: Buffer, rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  yield first
  yield* rest
}

async function* gunzipped(packed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const gunzip = createGunzip({chunkSize: chunkBytes})
  const source = Transform.from(packed) as Transform
  source.on('error', error => gunzip.destroy(error))
  try {
    yield* source.pipe(gunzip)
  } catch (error) {
    if (error instanceof Error && 'code' in error && String(error.code).startsWith('Z_')) {
      throw new Refusal(`It begins as gzip does, and is not: ${error.message}.`, {cause: error})
    }
    throw error
  }
}
