/**
 * Patch text to terminals: IRIs, strings, names, numbers, language tags and punctuation.
 *
 * Knows terminals, not productions. No regular expression here repeats a group, because that could exhaust the stack on
 * a long token.
 * Sources: LD Patch §4 (the terminals of Turtle, and VAR1 of SPARQL); Turtle §6.5.
 */
import {excerpt} from '../base/excerpt.ts'
import {positionAt} from '../base/position.ts'
import {Problem} from '../base/problem.ts'
import {isDigit, isJoiner, isLetter} from '../rdf/name-characters.ts'

export type NumberToken = {readonly text: string; readonly kind: 'integer' | 'decimal' | 'double'}
export type NameKind = 'prefix' | 'label' | 'local' | 'variable'

const number = /[+-]?(?:(\d+\.\d*[eE][+-]?\d+|\.?\d+[eE][+-]?\d+)|(\d*\.\d+)|\d+)/y
const index = /-?\d+/y
const tag = /[A-Za-z0-9-]+/y
const lineEnd = /[\n\r]/g
const iriStop = /[\0- <>"{}|^`]/g
const stringStops = new Map([
  ['"', /["\\\n\r]/g],
  ["'", /['\\\n\r]/g],
  ['"""', /"""|\\/g],
  ["'''", /'''|\\/g],
])
const escapes = /\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|([\s\S]|$))/g
const characters: ReadonlyMap<string, string> = new Map([
  ['t', '\t'],
  ['b', '\b'],
  ['n', '\n'],
  ['r', '\r'],
  ['f', '\f'],
  ['"', '"'],
  ["'", "'"],
  ['\\', '\\'],
])
const localEscapes = "_~.-!$&'()*+,;=/?#@%"
const hexadecimals = /^[0-9A-Fa-f]{2}$/

export class Lexer {
  readonly text: string
  position = 0

  constructor(text: string) {
    this.text = text
  }

  get isAtEnd(): boolean {
    return this.position >= this.text.length
  }

  /** The character at the position; '' at the end. */
  peek(): string {
    return this.text.charAt(this.position)
  }

  /** @throws Problem 400 `patch-syntax`, always */
  fail(message: string, offset = this.position): never {
    throw patchSyntaxProblem(this.text, offset, message)
  }

  /** Fails with what was expected and what was found. @throws Problem 400 `patch-syntax`, always */
  expected(what: string, offset = this.position): never {
    const [found] = /^[^\s.;,[\](){}]{1,20}|^\S/.exec(this.text.slice(offset, offset + 20)) ?? []
    return this.fail(`Expected ${what}, found ${found === undefined ? 'the end' : `"${excerpt(found)}"`}`, offset)
  }

  /** Skips white space and comments. */
  skip(): void {
    for (;;) {
      const here = this.text.charCodeAt(this.position)
      if (here === 32 || here === 10 || here === 9 || here === 13) this.position++
      else if (here === 35) this.position = this.#find(lineEnd, this.position)
      else return
    }
  }

  /** Skips white space, then reads a mark. Returns false if it is not there. */
  take(mark: string): boolean {
    this.skip()
    if (!this.text.startsWith(mark, this.position)) return false
    this.position += mark.length
    return true
  }

  /** Reads a mark. @throws Problem 400 `patch-syntax`: it is not there */
  require(mark: string): void {
    if (!this.take(mark)) this.expected(`"${mark}"`)
  }

  /** The text between '<' and '>', unescaped but not resolved. Escapes may produce characters not allowed in IRIs. */
  iriReference(): string {
    const from = this.position + 1
    const end = this.#find(iriStop, from)
    if (end === this.text.length) this.fail('Unclosed IRI')
    if (this.text[end] !== '>') this.fail(`An IRI cannot hold "${excerpt(this.text.charAt(end))}"`, end)
    this.position = end + 1
    return this.#unescape(from, end, 'code points')
  }

  /** A string in any of the four forms of quotes, unescaped. */
  string(): string {
    const quote = this.peek()
    const quotes = this.text.startsWith(quote.repeat(3), this.position) ? quote.repeat(3) : quote
    const stop = stringStops.get(quotes) ?? this.expected('a string')
    const from = this.position + quotes.length
    let end = this.#find(stop, from)
    while (this.text[end] === '\\') end = this.#find(stop, end + 2)
    if (end >= this.text.length) this.fail('Unclosed string')
    if (this.text[end] !== quote) this.fail('A line end in a string needs triple quotes', end)
    this.position = end + quotes.length
    return this.#unescape(from, end, 'all')
  }

  /** The language tag after an '@', with its case. */
  languageTag(): string {
    const from = this.position
    const found = this.#run(tag)
    const [first = '', ...others] = found.split('-')
    const isTag = /^[A-Za-z]+$/.test(first) && others.every(part => part !== '')
    return isTag ? found : this.expected('a language tag', from)
  }

  /** A number in Turtle's syntax; undefined if there is none here. */
  number(): NumberToken | undefined {
    number.lastIndex = this.position
    const match = number.exec(this.text)
    if (match === null) return undefined
    this.position = number.lastIndex
    return {text: match[0], kind: match[1] !== undefined ? 'double' : match[2] !== undefined ? 'decimal' : 'integer'}
  }

  /** The index of a path or a slice; undefined if there is none here. */
  index(): number | undefined {
    const found = this.#run(index)
    return found === '' ? undefined : Number(found)
  }

  /** The longest name of a kind, not unescaped; '' if there is none here. */
  name(kind: NameKind): string {
    const from = this.position
    this.position = this.#nameEnd(kind, from)
    return this.text.slice(from, this.position)
  }

  /** The offset where a name ends. Dots are allowed inside a name, but not at its ends. */
  #nameEnd(kind: NameKind, from: number): number {
    let end = from
    let at = from
    for (;;) {
      if (this.text[at] === '.' && end > from && kind !== 'variable') {
        at++
        continue
      }
      const length = this.#nameLength(kind, at, end === from)
      if (length === 0) return end
      at += length
      end = at
    }
  }

  /** Length in UTF-16 units of the name character, or escape, at an offset; 0 if there is none. */
  #nameLength(kind: NameKind, at: number, isFirst: boolean): number {
    const point = this.text.codePointAt(at)
    if (point === undefined) return 0
    if (isLetter(point)) return point > 0xffff ? 2 : 1
    const character = this.text.charAt(at)
    if (character === '_' || isDigit(point)) return kind === 'prefix' && isFirst ? 0 : 1
    if (kind === 'local' && (character === ':' || character === '%' || character === '\\'))
      return this.#localLength(character, at)
    if (isFirst) return 0
    return (character === '-' && kind !== 'variable') || isJoiner(point) ? 1 : 0
  }

  /** The same for a colon, '%' or backslash, which only the local part of a prefixed name may contain. */
  #localLength(character: string, at: number): number {
    if (character === ':') return 1
    if (character === '\\') return at + 1 < this.text.length && localEscapes.includes(this.text.charAt(at + 1)) ? 2 : 0
    if (!hexadecimals.test(this.text.slice(at + 1, at + 3))) this.fail('"%" needs two hexadecimal digits', at)
    return 3
  }

  #run(pattern: RegExp): string {
    pattern.lastIndex = this.position
    const [found = ''] = pattern.exec(this.text) ?? []
    this.position += found.length
    return found
  }

  /** The first offset where a pattern matches; the length of the text if it does not match. */
  #find(pattern: RegExp, from: number): number {
    pattern.lastIndex = from
    return pattern.exec(this.text)?.index ?? this.text.length
  }

  #unescape(from: number, end: number, allowed: 'all' | 'code points'): string {
    const raw = this.text.slice(from, end)
    if (!raw.includes('\\')) return raw
    return raw.replace(escapes, (whole: string, four, eight, other, offset: number) => {
      const point = Number.parseInt(four ?? eight ?? '', 16)
      if (Number.isNaN(point)) {
        const character = allowed === 'all' ? characters.get(other) : undefined
        return character ?? this.fail(`Unknown escape "${excerpt(whole)}"`, from + offset)
      }
      if (point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff))
        this.fail(`The escape "${whole}" is not a character`, from + offset)
      return String.fromCodePoint(point)
    })
  }
}

/** The Problem 400 `patch-syntax` for an error at an offset, with `line` and `column`. */
function patchSyntaxProblem(text: string, offset: number, message: string): Problem {
  return new Problem(400, 'patch-syntax', message, {members: positionAt(text, offset)})
}
