/**
 * Text for terminals: colours, and text from elsewhere in which nothing controls the terminal.
 *
 * Pure, except that the stream and the environment are asked. Sources: ECMA-48 §8.3.117 (SGR); no-color.org.
 */

export type Colour = keyof typeof codes
export type Paint = (colour: Colour, text: string) => string

const codes = {iri: 36, literal: 32, number: 33, keyword: 35, faint: 2, strong: 1} as const

/** Colours text if the stream is a terminal and NO_COLOR is not set. */
export function paintFor(stream: NodeJS.WriteStream, environment: Readonly<Record<string, string | undefined>>): Paint {
  const isColoured = stream.isTTY === true && (environment.NO_COLOR ?? '') === '' && environment.TERM !== 'dumb'
  return isColoured ? (colour, text) => `\u001b[${codes[colour]}m${text}\u001b[0m` : (_, text) => text
}

/** The text with control characters as Turtle escapes them, so that stored data cannot control the terminal. */
export function withoutControls(text: string): string {
  return text.replace(
    /[\u0000-\u0008\u000a-\u001f\u007f-\u009f]/g,
    control => `\\u${control.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`,
  )
}

const token = new RegExp(
  [
    /(?<faint>(?<=^|\s)#.*|\^\^|(?<=")@[A-Za-z]+(?:-[A-Za-z0-9]+)*)/,
    /(?<keyword>@prefix|@base|(?<=^|\s)(?:a|true|false|PREFIX|BASE|GRAPH)(?=\s))/,
    /(?<iri><[^<>"{}|^`\\\s]*>|_:[^\s,;]*[^\s,;.]|(?:[A-Za-z][\w.-]*)?:(?:[^\s,;()[\]{}<>"]*[^\s,;.()[\]{}<>"])?)/,
    /(?<literal>"(?:[^"\\]|\\.)*")/,
    /(?<number>(?<=[\s(])[-+]?(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][-+]?\d+)?(?=[\s,;)\].]))/,
  ]
    .map(({source}) => source)
    .join('|'),
  'g',
)

/** A line of Turtle, TriG, N-Triples or N-Quads with colours. */
export function paintTurtle(line: string, paint: Paint): string {
  return line.replace(token, (text, ...rest) => {
    const groups: Readonly<Record<string, string | undefined>> = rest.at(-1)
    const colour = (Object.keys(codes) as Colour[]).find(name => groups[name] !== undefined)
    return colour === undefined ? text : paint(colour, text)
  })
}

/** The number of columns that a text takes: two for wide characters of East Asia and emoji, none for marks. */
export function columnsOf(text: string): number {
  if (/^[\u0020-\u007e]*$/.test(text)) return text.length
  let columns = 0
  for (const character of text) columns += /\p{M}|\p{Cf}/u.test(character) ? 0 : wide.test(character) ? 2 : 1
  return columns
}

const wide =
  /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{Emoji_Presentation}\u3000-\u303e\uff01-\uff60\uffe0-\uffe6]/u
