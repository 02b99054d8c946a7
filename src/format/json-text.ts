/**
 * JSON text to a value, with checks that JSON.parse does not make.
 *
 * Refuses JSON that would lose data (a name twice in one object, a number that a double cannot represent) and nesting
 * that would exhaust the stack. Syntax errors have line and column.
 * Sources: RFC 8259; JSON-LD 1.1 §9 (names in an object are unique).
 */

import {excerpt} from '../base/excerpt.ts'
import {positionAt} from '../base/position.ts'
import {Problem} from '../base/problem.ts'
import {tooManyTriples} from './body-terms.ts'
import {bodySyntaxProblem} from './body-text.ts'

const marks = {quote: 0x22, backslash: 0x5c, space: 0x20, lineFeed: 0x0a, carriageReturn: 0x0d, tab: 0x09} as const
const number = /-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?/y
const word = /true|false|null/y
const escaped = /\\(?:["\\/bfnrt]|u[0-9A-Fa-f]{4})/y

export type JsonLimits = {
  readonly depthLimit: number
  readonly tripleLimit?: number | undefined // JSON-LD: greatest number of triples that the JSON may stand for
  readonly contextLimit?: number // JSON-LD: number of '@context' values; of an array, each item counts
}

/** JSON values that one triple may need: a node, its value object, and in that a type and an index. */
const valuesPerTriple = 4

/** @throws Problem 400 `body-syntax` | `body-depth` | `json-number` | `context-size`; 422 `body-triples` */
export function parseJson(text: string, limits: JsonLimits): unknown {
  new JsonCheck(text, limits).run()
  return JSON.parse(text)
}

/** What may come next. */
type Expects = 'value' | 'value or ]' | 'name' | 'name or }' | 'comma or end'

/** A container that is open: an object as the set of its names so far, an array, or an array of contexts. */
type Open = Set<string> | 'array' | 'contexts'

class JsonCheck {
  readonly #text: string
  readonly #limits: JsonLimits
  readonly #open: Open[] = [] // innermost last
  #at = 0
  #values = 0
  #contexts = 0
  #isContext = false // the next value is that of '@context'

  constructor(text: string, limits: JsonLimits) {
    this.#text = text
    this.#limits = limits
  }

  run(): void {
    let expects: Expects | undefined = 'value'
    while (expects !== undefined) {
      this.#skip()
      expects = this.#step(expects)
    }
    this.#skip()
    if (this.#at < this.#text.length) this.#fail('the end')
  }

  #step(expects: Expects): Expects | undefined {
    const mark = this.#text.charAt(this.#at)
    switch (expects) {
      case 'value or ]':
        return mark === ']' ? this.#close() : this.#value(mark)
      case 'value':
        return this.#value(mark)
      case 'name or }':
        return mark === '}' ? this.#close() : this.#name(mark)
      case 'name':
        return this.#name(mark)
      case 'comma or end':
        return this.#separator(mark)
    }
  }

  #value(mark: string): Expects | undefined {
    this.#count(mark)
    if (mark === '{') return this.#enter(new Set(), 'name or }')
    if (mark === '[') return this.#enter(this.#isContext ? 'contexts' : 'array', 'value or ]')
    if (mark === '"') this.#string()
    else if (!this.#number()) {
      word.lastIndex = this.#at
      if (!word.test(this.#text)) this.#fail('a value')
      this.#at = word.lastIndex
    }
    return this.#after()
  }

  #count(mark: string): void {
    const {tripleLimit = Number.POSITIVE_INFINITY, contextLimit = Number.POSITIVE_INFINITY} = this.#limits
    this.#values += 1
    if (this.#values > valuesPerTriple * tripleLimit) throw tooManyTriples(tripleLimit)
    this.#isContext = this.#isContext || this.#open.at(-1) === 'contexts'
    if (!this.#isContext || mark === '[') return
    this.#isContext = false
    this.#contexts += 1
    if (this.#contexts <= contextLimit) return
    const members = positionAt(this.#text, this.#at)
    throw new Problem(400, 'context-size', `The body has more than ${contextLimit} contexts.`, {members})
  }

  #name(mark: string): Expects {
    if (mark !== '"') this.#fail('a name in double quotes')
    const from = this.#at
    const raw = this.#string()
    const name = raw.includes('\\') ? (JSON.parse(raw) as string) : raw.slice(1, -1)
    const names = this.#open.at(-1)
    if (names instanceof Set) {
      if (names.has(name))
        throw bodySyntaxProblem(this.#text, from, `The name "${excerpt(name)}" occurs twice in one object`)
      names.add(name)
    }
    this.#isContext = name === '@context'
    this.#skip()
    if (this.#text.charAt(this.#at) !== ':') this.#fail('":"')
    this.#at++
    return 'value'
  }

  #separator(mark: string): Expects | undefined {
    const isArray = typeof this.#open.at(-1) === 'string'
    if (mark === (isArray ? ']' : '}')) return this.#close()
    if (mark !== ',') this.#fail(isArray ? '"," or "]"' : '"," or "}"')
    this.#at++
    return isArray ? 'value' : 'name'
  }

  #enter(kind: Open, expects: Expects): Expects {
    this.#open.push(kind)
    this.#isContext = false
    if (this.#open.length > this.#limits.depthLimit) {
      const members = positionAt(this.#text, this.#at)
      throw new Problem(400, 'body-depth', `The body nests deeper than ${this.#limits.depthLimit} levels.`, {members})
    }
    this.#at++
    return expects
  }

  #close(): Expects | undefined {
    this.#open.pop()
    this.#at++
    return this.#after()
  }

  #after(): Expects | undefined {
    return this.#open.length === 0 ? undefined : 'comma or end'
  }

  /** Reads a string and returns it as written, with its quotes. */
  #string(): string {
    const from = this.#at
    let at = from + 1
    for (;;) {
      const code = this.#text.charCodeAt(at)
      if (code === marks.quote) break
      if (code === marks.backslash) {
        escaped.lastIndex = at
        if (!escaped.test(this.#text)) throw bodySyntaxProblem(this.#text, at, 'Unknown escape in a string')
        at = escaped.lastIndex
      } else if (code >= marks.space) at++
      else
        throw bodySyntaxProblem(
          this.#text,
          at,
          at < this.#text.length ? 'Raw control character in a string' : 'Unclosed string',
        )
      if (at >= this.#text.length) throw bodySyntaxProblem(this.#text, from, 'Unclosed string')
    }
    this.#at = at + 1
    return this.#text.slice(from, this.#at)
  }

  #number(): boolean {
    number.lastIndex = this.#at
    const match = number.exec(this.#text)
    if (match === null) return false
    const [digits, fraction, exponent] = match
    const value = Number(digits)
    const isExact =
      fraction !== undefined || exponent !== undefined || Number.isSafeInteger(value) || isSame(digits, value)
    if (!isExact || !Number.isFinite(value)) {
      const message = `A double cannot hold the number ${excerpt(digits)}: write it as a typed string`
      throw new Problem(400, 'json-number', message, {members: positionAt(this.#text, this.#at)})
    }
    this.#at = number.lastIndex
    return true
  }

  #skip(): void {
    for (;;) {
      const code = this.#text.charCodeAt(this.#at)
      if (code !== marks.space && code !== marks.lineFeed && code !== marks.carriageReturn && code !== marks.tab) return
      this.#at++
    }
  }

  #fail(what: string): never {
    const found = this.#text.charAt(this.#at)
    throw bodySyntaxProblem(
      this.#text,
      this.#at,
      `Expected ${what}, found ${found === '' ? 'the end' : `"${excerpt(found)}"`}`,
    )
  }
}

/** Whether a double represents an integer exactly. The largest double has 309 digits, so longer integers never fit. */
function isSame(digits: string, value: number): boolean {
  return digits.length < 400 && Number.isFinite(value) && BigInt(digits) === BigInt(value)
}
