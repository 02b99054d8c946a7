/**
 * Bytes to STOMP 1.2 frames, and frames to text.
 *
 * Pure. Knows the syntax of frames, not what commands mean: web/broker/stomp.ts does.
 * Source: STOMP 1.2, "STOMP Frames", "Value Encoding", "Repeated Header Entries", "Size Limits", "Augmented BNF".
 */
import {excerpt} from '../base/excerpt.ts'

export type StompFrame = {
  readonly command: string
  readonly headers: ReadonlyMap<string, string> // of a repeated header the first value, unescaped
  readonly body: Buffer
}

export type FrameLimits = {
  readonly headBytes: number // command and headers
  readonly headers: number
  readonly bodyBytes: number
}

export type FrameReader = {
  /**
   * Adds bytes that have arrived.
   *
   * @returns  the frames that are complete now
   * @throws   StompError: the bytes are no frames. The reader must not be used again
   */
  readonly read: (bytes: Buffer) => readonly StompFrame[]
}

/** Bytes that are not STOMP, or a frame that exceeds a limit. The message is for the client. */
export class StompError extends Error {
  override readonly name = 'StompError'
}

const [lineFeed, carriageReturn, nul] = [10, 13, 0]

/** The frames whose headers have no escapes, so that clients of STOMP 1.0 can read them. */
const unescaped = new Set(['CONNECT', 'CONNECTED'])

export function createFrameReader(limits: FrameLimits): FrameReader {
  let waiting: Buffer = Buffer.alloc(0)
  return {
    read(bytes) {
      waiting = waiting.length === 0 ? bytes : Buffer.concat([waiting, bytes])
      const frames: StompFrame[] = []
      for (;;) {
        waiting = waiting.subarray(endsOfLines(waiting))
        const found = readFrame(waiting, limits)
        if (found === undefined) return frames
        frames.push(found.frame)
        waiting = waiting.subarray(found.end)
      }
    },
  }
}

/** The number of bytes before the next frame: ends of lines, which are heart-beats. */
function endsOfLines(bytes: Buffer): number {
  let end = 0
  while (bytes[end] === lineFeed || (bytes[end] === carriageReturn && bytes[end + 1] === lineFeed)) end += 1
  return end
}

/** The first frame and the position after it; undefined: it is not complete yet. */
function readFrame(bytes: Buffer, limits: FrameLimits): {readonly frame: StompFrame; readonly end: number} | undefined {
  const head = headEnd(bytes)
  if ((head?.from ?? bytes.length) > limits.headBytes)
    throw new StompError(`The head of a frame is longer than ${limits.headBytes} bytes.`)
  if (head === undefined) return undefined
  const [command = '', ...lines] = bytes
    .toString('utf8', 0, head.from)
    .split('\n')
    .map(line => line.replace(/\r$/, ''))
  if (lines.length > limits.headers) throw new StompError(`A frame has more than ${limits.headers} headers.`)
  const headers = readHeaders(lines, unescaped.has(command))
  const end = bodyEnd(bytes, head.to, {headers, limits})
  return end === undefined ? undefined : {frame: {command, headers, body: bytes.subarray(head.to, end)}, end: end + 1}
}

/** Where the head ends and the body begins: around the first empty line. */
function headEnd(bytes: Buffer): {readonly from: number; readonly to: number} | undefined {
  for (let at = bytes.indexOf(lineFeed); at !== -1; at = bytes.indexOf(lineFeed, at + 1)) {
    if (bytes[at + 1] === lineFeed) return {from: at, to: at + 2}
    if (bytes[at + 1] === carriageReturn && bytes[at + 2] === lineFeed) return {from: at, to: at + 3}
  }
  return undefined
}

/**
 * @returns  the position of the NUL that ends the frame; undefined: it has not arrived yet
 * @throws   StompError
 */
function bodyEnd(
  bytes: Buffer,
  begin: number,
  {headers, limits}: {readonly headers: ReadonlyMap<string, string>; readonly limits: FrameLimits},
): number | undefined {
  const given = headers.get('content-length')
  if (given !== undefined && !/^\d{1,9}$/.test(given))
    throw new StompError(`content-length must be a number of bytes, not "${excerpt(given)}".`)
  const end = given === undefined ? bytes.indexOf(nul, begin) : begin + Number(given)
  const length = (end === -1 ? bytes.length : end) - begin
  if (length > limits.bodyBytes) throw new StompError(`The body of a frame is longer than ${limits.bodyBytes} bytes.`)
  if (end === -1 || end >= bytes.length) return undefined
  if (bytes[end] !== nul) throw new StompError(`A NUL must follow the ${given} bytes of the body.`)
  return end
}

function readHeaders(lines: readonly string[], isPlain: boolean): ReadonlyMap<string, string> {
  const headers = new Map<string, string>()
  for (const line of lines) {
    const colon = line.indexOf(':')
    if (colon < 1) throw new StompError(`"${excerpt(line)}" is no header: it has no name and colon.`)
    const [name, value] = [line.slice(0, colon), line.slice(colon + 1)].map(part =>
      isPlain ? part : withoutEscapes(part),
    )
    if (name !== undefined && value !== undefined && !headers.has(name)) headers.set(name, value)
  }
  return headers
}

const characters = new Map([
  ['\\r', '\r'],
  ['\\n', '\n'],
  ['\\c', ':'],
  ['\\\\', '\\'],
])
const escapes = new Map([...characters].map(([sequence, character]) => [character, sequence]))

function withoutEscapes(text: string): string {
  if (!text.includes('\\')) return text
  return text.replace(/\\.?/gs, sequence => {
    const character = characters.get(sequence)
    if (character === undefined) throw new StompError(`"${sequence}" is no escape of STOMP 1.2.`)
    return character
  })
}

/**
 * Writes a frame with its final NUL. A body gets its content-length.
 *
 * @param headers  values that are undefined are left out
 */
export function writeFrame(command: string, headers: Readonly<Record<string, string | undefined>>, body = ''): string {
  const sized = body === '' ? headers : {...headers, 'content-length': String(Buffer.byteLength(body))}
  const write = unescaped.has(command) ? (text: string) => text : withEscapes
  const lines = Object.entries(sized).map(([name, value]) =>
    value === undefined ? '' : `${write(name)}:${write(value)}\n`,
  )
  return `${command}\n${lines.join('')}\n${body}\0`
}

function withEscapes(text: string): string {
  return text.replace(/[\r\n:\\]/g, character => escapes.get(character) ?? character)
}
