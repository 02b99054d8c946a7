/**
 * Text to the terminals of Turtle's family: IRIs, strings, names, numbers, tags.
 *
 * Floor 2. Knows terminals, not sentences: `turtle-read.ts` and `ntriples-read.ts` hold the grammars. Every loop runs
 * over character codes, so neither a long token nor a hostile one meets the regular expression stack.
 * Sources: Turtle §6.5; N-Triples §6; TriG §4.5.
 */
import {excerpt, positionAt, syntaxProblem} from './body-text.ts'
import {isNameCharacter, isNameStart} from './name-characters.ts'

const code = (character: string) => character.charCodeAt(0)
const [lf, cr, space, tab, hash, dot, percent, backslash, greater, lowLine, hyphen, colon] = [
  ...['\n', '\r', ' ', '\t', '#', '.', '%', '\\', '>', '_', '-', ':'].map(code),
] as [number, number, number, number, number, number, number, number, number, number, number, number]

const iriStop = new Set([...'<>"{}|^`\\'].map(code)) // and everything up to the space
const escapes: Readonly<Record<string, string>> = {
  t: '\t',
  b: '\b',
  n: '\n',
  r: '\r',
  f: '\f',
  '"': '"',
  "'": "'",
  '\\': '\\',
}
const number = /[+-]?(?:(\d+\.\d*[eE][+-]?\d+|\.?\d+[eE][+-]?\d+)|(\d*\.\d+)|\d+)/y
const language = /@[A-Za-z]+(?:-[A-Za-z0-9]+)*/y
const localEscapes = "_~.-!$&'()*+,;=/?#@%"

export type NumberToken = {readonly text: string; readonly kind: 'integer' | 'decimal' | 'double'}

type NameKind = 'prefix' | 'label' | 'local'

export class TurtleScanner {
  readonly text: string
  position = 0

  constructor(text: string) {
    this.text = text
  }

  get isAtEnd(): boolean {
    return this.position >= this.text.length
  }

  /** The character code at the position; NaN at the end. */
  peek(): number {
    return this.text.charCodeAt(this.position)
  }

  /** @throws Problem 400 `body-syntax`, always */
  fail(message: string, offset = this.position): never {
    throw syntaxProblem(this.text, offset, message)
  }

  /** Fails with what was expected and what stands there instead. */
  expected(what: string): never {
    const [found] = /^[^\s.;,[\](){}]{1,20}|^\S/.exec(this.text.slice(this.position, this.position + 20)) ?? []
    return this.fail(`Expected ${what}, found ${found === undefined ? 'the end' : `"${excerpt(found)}"`}`)
  }

  /** A function that computes the line and column of the token that begins here, when they are asked for. */
  place(offset = this.position) {
    return () => positionAt(this.text, offset)
  }

  /** Passes blanks, line ends and comments. */
  skip(): void {
    for (;;) {
      const next = this.peek()
      if (next === space || next === lf || next === tab || next === cr) this.position++
      else if (next === hash) this.#skipComment()
      else return
    }
  }

  /** Passes blanks and a comment, but no line end. */
  skipOnLine(): void {
    while (this.peek() === space || this.peek() === tab) this.position++
    if (this.peek() === hash) this.#skipComment()
  }

  #skipComment(): void {
    while (!this.isAtEnd && this.peek() !== lf && this.peek() !== cr) this.position++
  }

  /** Passes a punctuation mark when it stands here. */
  take(mark: string): boolean {
    if (!this.text.startsWith(mark, this.position)) return false
    this.position += mark.length
    return true
  }

  /** Passes a word when it stands here and no name goes on after it. */
  takeWord(word: string, letters: 'exact' | 'any-case' = 'exact'): boolean {
    const end = this.position + word.length
    const here = this.text.slice(this.position, end)
    if (here !== word && (letters === 'exact' || here.toUpperCase() !== word)) return false
    const after = this.text.charCodeAt(end)
    if (after === colon || this.#nameLength(end, after) > 0) return false
    this.position = end
    return true
  }

  /** The text between '<' and '>', unescaped, not resolved. */
  iriReference(): string {
    const from = this.position + 1
    let at = from
    let isEscaped = false
    for (;;) {
      const here = this.text.charCodeAt(at)
      if (here === greater) break
      if (here === backslash) isEscaped = true
      else if (here <= space || iriStop.has(here)) {
        if (here === code('<') && at === from) this.fail('Triple terms (RDF 1.2) are not supported', this.position)
        this.fail(`An IRI cannot hold "${excerpt(this.text.charAt(at))}"`, at)
      } else if (Number.isNaN(here)) this.fail('Unclosed IRI', this.position)
      at++
    }
    const raw = this.text.slice(from, at)
    const value = isEscaped ? this.#unescape(raw, from, 'characters only') : raw
    this.position = at + 1
    return value
  }

  /** A quoted string in any of the four ways, unescaped. */
  string(): string {
    const quote = this.text.charAt(this.position)
    const isLong = this.text.startsWith(quote.repeat(3), this.position)
    const mark = isLong ? quote.repeat(3) : quote
    const from = this.position + mark.length
    const stop = code(quote)
    let at = from
    let isEscaped = false
    for (;;) {
      const here = this.text.charCodeAt(at)
      if (here === stop && (!isLong || this.text.startsWith(mark, at))) break
      if (here === backslash) {
        isEscaped = true
        at++
      } else if (!isLong && (here === lf || here === cr))
        this.fail('A string between single quotes ends on its line', at)
      if (at >= this.text.length) this.fail('Unclosed string', this.position)
      at++
    }
    const raw = this.text.slice(from, at)
    const value = isEscaped ? this.#unescape(raw, from, 'all') : raw
    this.position = at + mark.length
    return value
  }

  /** A language tag after '@', with its case. */
  languageTag(): string {
    language.lastIndex = this.position
    const match = language.exec(this.text)
    if (match === null) return this.fail('Expected a language tag after "@"')
    this.position = language.lastIndex
    if (this.peek() === hyphen) this.fail('A base direction (RDF 1.2) is not supported')
    return match[0].slice(1)
  }

  number(): NumberToken {
    number.lastIndex = this.position
    const match = number.exec(this.text)
    if (match === null) return this.fail('Expected a number')
    this.position = number.lastIndex
    const kind = match[1] !== undefined ? 'double' : match[2] !== undefined ? 'decimal' : 'integer'
    return {text: match[0], kind}
  }

  /** The label after '_:'. */
  blankLabel(): string {
    this.position += 2
    return this.#name('label') || this.fail('Expected a label after "_:"')
  }

  /** A prefix with its colon passed; undefined when no prefix stands here. */
  prefix(): string | undefined {
    const from = this.position
    const name = this.#name('prefix')
    if (this.peek() === colon) {
      this.position++
      return name
    }
    this.position = from
    return undefined
  }

  /** The local part of a prefixed name, unescaped; may be empty. */
  localName(): string {
    const raw = this.#name('local')
    return raw.includes('\\') ? raw.replace(/\\(.)/g, '$1') : raw
  }

  /** Longest name of a kind: dots stand inside only. */
  #name(kind: NameKind): string {
    const from = this.position
    let at = from
    let end = from
    for (;;) {
      const here = this.text.charCodeAt(at)
      if (here === dot && end > from) {
        at++
        continue
      }
      const length = end === from ? this.#startLength(at, here, kind) : this.#insideLength(at, here, kind)
      if (length === 0) break
      at += length
      end = at
    }
    this.position = end
    return this.text.slice(from, end)
  }

  #startLength(at: number, here: number, kind: NameKind): number {
    const isDigit = here >= 48 && here <= 57
    if (kind === 'prefix' && (isDigit || here === lowLine)) return 0
    if (here === hyphen) return 0
    if (here > 127) return startLengthBeyondAscii(this.text, at)
    return this.#insideLength(at, here, kind)
  }

  #insideLength(at: number, here: number, kind: NameKind): number {
    const length = this.#nameLength(at, here)
    if (length > 0) return length
    if (kind !== 'local') return 0
    if (here === colon) return 1
    if (here === percent) {
      if (!/^[0-9A-Fa-f]{2}$/.test(this.text.slice(at + 1, at + 3))) this.fail('"%" needs two hexadecimal digits', at)
      return 3
    }
    return here === backslash && at + 1 < this.text.length && localEscapes.includes(this.text.charAt(at + 1)) ? 2 : 0
  }

  /** Code units of the PN_CHARS character at an offset; 0 when there is none. */
  #nameLength(at: number, here: number): number {
    if (here < 128) {
      const isLetter = (here >= 97 && here <= 122) || (here >= 65 && here <= 90)
      return isLetter || (here >= 48 && here <= 57) || here === lowLine || here === hyphen ? 1 : 0
    }
    const character = String.fromCodePoint(this.text.codePointAt(at) ?? 0)
    return isNameCharacter(character) ? character.length : 0
  }

  #unescape(raw: string, from: number, allowed: 'all' | 'characters only'): string {
    return raw.replace(/\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|([\s\S]|$))/g, (whole, four, eight, other, offset) => {
      const point = four ?? eight
      if (point !== undefined) return this.#character(Number.parseInt(point, 16), from + offset)
      const character = allowed === 'all' ? escapes[other] : undefined
      return character ?? this.fail(`Unknown escape "${excerpt(whole)}"`, from + offset)
    })
  }

  #character(point: number, offset: number): string {
    if (point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff)) this.fail('An escape names no character', offset)
    return String.fromCodePoint(point)
  }
}

function startLengthBeyondAscii(text: string, at: number): number {
  const character = String.fromCodePoint(text.codePointAt(at) ?? 0)
  return isNameStart(character) ? character.length : 0
}
