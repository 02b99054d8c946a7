/**
 * Turtle, TriG, N-Triples and N-Quads text to quads, read by n3.
 *
 * Floor 2. Labels, lexical forms and language tags come back as written; nodes without a label ('[]', list cells) get
 * anonymous ones. RDF 1.2 syntax is a syntax error, as it is not stored yet: see `n3-tokens.ts`.
 * One fault of n3 remains: the language tag "version" (`"x"@version`) is taken for a directive and refused.
 * Sources: Turtle §6.5 and §7; TriG §4.5; N-Triples §7; N-Quads §5.
 */
import {EventEmitter} from 'node:events'
import {Parser} from 'n3'
import {Problem} from '../base/problem.ts'
import {defaultGraph, type Quad} from '../rdf/term.ts'
import {BodyTerms} from './body-terms.ts'
import {decodeBody} from './body-text.ts'
import {type N3Error, n3Problem, tokenProblem} from './n3-problem.ts'
import {type Token, TokenGate} from './n3-tokens.ts'
import {defaultDepthLimit, type ParseOptions} from './types.ts'

type Syntax = 'Turtle' | 'TriG' | 'N-Triples' | 'N-Quads'

/** @throws Problem 400, see `Parse` in types.ts */
export async function readTurtle(body: Uint8Array, options: ParseOptions): Promise<readonly Quad[]> {
  return read(decodeBody(body), 'Turtle', options)
}

/** @throws Problem 400, see `Parse` in types.ts */
export async function readTrig(body: Uint8Array, options: ParseOptions): Promise<readonly Quad[]> {
  return read(decodeBody(body), 'TriG', options)
}

/** @throws Problem 400, see `Parse` in types.ts */
export async function readNTriples(body: Uint8Array, options: ParseOptions): Promise<readonly Quad[]> {
  return read(decodeBody(body), 'N-Triples', options)
}

/** @throws Problem 400, see `Parse` in types.ts */
export async function readNQuads(body: Uint8Array, options: ParseOptions): Promise<readonly Quad[]> {
  return read(decodeBody(body), 'N-Quads', options)
}

function read(text: string, syntax: Syntax, options: ParseOptions): readonly Quad[] {
  const isLines = syntax === 'N-Triples' || syntax === 'N-Quads'
  const gate = new TokenGate({
    layout: isLines ? 'lines' : 'free',
    base: isLines ? undefined : options.base,
    depthLimit: options.depthLimit ?? defaultDepthLimit,
    refuse: token => {
      throw tokenProblem(text, token)
    },
  })
  const quads: Quad[] = []
  const onQuad = (error: N3Error | null, next: Quad | null) => {
    if (error !== null) throw n3Problem(text, error)
    if (next !== null) quads.push(next)
  }
  try {
    run(
      text,
      {
        format: syntax,
        blankNodePrefix: '_:',
        factory: factoryOf(gate, new BodyTerms(text.length, options.tripleLimit)),
      },
      {
        onQuad,
        onToken: token => gate.pass(token),
      },
    )
  } catch (error) {
    if (error instanceof Problem || gate.current === undefined) throw error
    throw tokenProblem(text, gate.current, error) // n3 trips over some unfinished statements with a TypeError
  }
  return quads
}

type Callbacks = {
  readonly onQuad: (error: N3Error | null, next: Quad | null) => void
  readonly onToken: (token: Token) => void
}

/** What n3 offers beyond its published types: callbacks by name, and a factory of any kind of terms. */
type SourceParser = {parse(source: EventEmitter, callbacks: Callbacks): void}
const SourceParser = Parser as unknown as new (options: object) => SourceParser

/**
 * Runs n3 at once and to the end: of a string it would keep all tokens, or go on later, where nobody catches.
 */
function run(text: string, options: object, callbacks: Callbacks): void {
  const source = new EventEmitter()
  new SourceParser(options).parse(source, callbacks)
  if (text !== '') source.emit('data', text)
  source.emit('end')
}

/** The terms of the house, made by the words of RDF/JS. */
function factoryOf(gate: TokenGate, terms: BodyTerms): object {
  const {place} = gate
  return {
    namedNode: (value: string) => terms.iri(value, place),
    blankNode: (label?: string) => (label === undefined ? terms.anonymous() : terms.blank(label)),
    literal: (value: string, kind?: string | {readonly value: string}) =>
      typeof kind === 'string' ? terms.langLiteral(value, kind, place) : terms.literal(value, kind?.value, place),
    defaultGraph: () => defaultGraph,
    quad: terms.quad,
  }
}
