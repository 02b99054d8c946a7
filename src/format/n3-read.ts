/**
 * Turtle, TriG, N-Triples and N-Quads text to quads, by n3.
 *
 * Labels, lexical forms and language tags stay as written. Nodes without a label ('[]', list cells) get anonymous
 * labels. RDF 1.2 syntax is a syntax error, because the store does not hold it yet (`n3-tokens.ts`).
 * One fault of n3 remains: it reads the language tag "version" (`"x"@version`) as a directive and refuses it.
 * Sources: Turtle §6.5 and §7; TriG §4.5; N-Triples §7; N-Quads §5.
 */
import {EventEmitter} from 'node:events'
import {Parser} from 'n3'
import {Problem} from '../base/problem.ts'
import {defaultGraph, type Quad} from '../rdf/term.ts'
import {BodyTerms} from './body-terms.ts'
import {decodeBody} from './body-text.ts'
import {type N3Error, n3Problem, tokenProblem} from './n3-problem.ts'
import {type N3Token, TokenGate} from './n3-tokens.ts'
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
    throw tokenProblem(text, gate.current, error) // n3 throws a TypeError for some unfinished statements
  }
  return quads
}

type Callbacks = {
  readonly onQuad: (error: N3Error | null, next: Quad | null) => void
  readonly onToken: (token: N3Token) => void
}

/** n3's parser with features that its published types lack: named callbacks and a term factory. */
type SourceParser = {parse(source: EventEmitter, callbacks: Callbacks): void}
const SourceParser = Parser as unknown as new (options: object) => SourceParser

/**
 * Parses a text synchronously. The text is passed as a stream: given a string, n3 would keep all tokens in memory, or
 * parse later, where the caller could not catch its errors.
 */
function run(text: string, options: object, callbacks: Callbacks): void {
  const source = new EventEmitter()
  new SourceParser(options).parse(source, callbacks)
  if (text !== '') source.emit('data', text)
  source.emit('end')
}

/** An RDF/JS data factory that makes our terms, checked by BodyTerms. */
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
