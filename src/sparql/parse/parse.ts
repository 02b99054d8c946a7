/**
 * Parses the text of a query or an update to a syntax tree.
 *
 *   text ─ tokens.ts → tokens ─ grammar.ts, actions.ts → tree ─ limits.ts, check.ts → the same tree
 *
 * Pure. sparqljs has the grammar: its LR tables and, for most productions, its actions. Its lexer and its loop are not
 * used: a long text can make them exhaust the stack or take quadratic time, and their errors do not name a column.
 *
 *   tokens.ts   splits the text into terminals, in linear time. A token has its text and its place.
 *   grammar.ts  runs the tables over the tokens. A token that the grammar does not allow, and an error in an action,
 *               is a Problem with line and column.
 *   actions.ts  makes terms, and replaces the actions of sparqljs that are wrong.
 *               update-actions.ts does the same for updates.
 *   syntax.ts   has the types of the tree: the structure of the grammar, absolute IRIs, literals as written.
 *   counter.ts  rejects a text that nests too deep or has too many tokens or values, before there is a tree of it.
 *   limits.ts   rejects a text that is too long, and a tree that is too deep or has too many patterns.
 *   check.ts    rejects what the grammar allows and its notes forbid; check-update.ts does the same for updates.
 *
 * Source: SPARQL 1.1 §19.8.
 */
import {Problem} from '../../base/problem.ts'
import type {Iri} from '../../rdf/term.ts'
import {createContext} from './actions.ts'
import {checkQuery, TreeFault} from './check.ts'
import {checkUpdate} from './check-update.ts'
import {createCounter} from './counter.ts'
import {type Note, readTree} from './grammar.ts'
import {checkLength, checkTree, defaultLimits, type QueryLimits} from './limits.ts'
import {placed} from './placed.ts'
import type {ParsedQuery, QuerySyntax, SyntaxPath, UpdateSyntax} from './syntax.ts'
import {symbolOf, type Token} from './tokens.ts'

/** Terminals that the grammar allows in updates alone. */
const updateSymbols = new Set(
  'INSERT DELETE INSERTDATA DELETEDATA DELETEWHERE WITH LOAD CLEAR DROP CREATE ADD MOVE COPY'.split(' ').map(symbolOf),
)

/**
 * Parses a query.
 *
 * @param base  the base IRI: the URL of the request
 * @throws      Problem 400 `query-syntax` with line and column, `query-reads-only`, `query-depth`, those of limits.ts
 */
export function parseQuery(text: string, base: Iri, limits: QueryLimits = defaultLimits): ParsedQuery {
  checkLength(text, limits)
  return checked(text, note => {
    const context = createContext(base, limits)
    const count = createCounter(text, limits)
    const accept = (token: Token) => {
      if (updateSymbols.has(token.symbol)) throw readsOnly(text, token)
      count(token)
    }
    const tree = readTree(text, context, accept, note) as Tree
    if (tree?.type !== 'query')
      throw new Problem(400, 'query-syntax', ...placed(text, text.length, 'There is no query'))
    checkTree(tree, limits)
    checkQuery(tree)
    return {query: tree, base: context.base}
  })
}

/** What the grammar of sparqljs allows: also nothing at all, and a property path. */
type Tree =
  | QuerySyntax
  | {readonly type: 'update'; readonly operations: readonly UpdateSyntax[]}
  | SyntaxPath
  | undefined

/**
 * Parses an update, which may have no operation.
 *
 * @param base  the base IRI: the URL of the request
 * @throws      Problem 400 `query-syntax` with line and column, `query-depth`, those of limits.ts
 */
export function parseUpdate(text: string, base: Iri, limits: QueryLimits = defaultLimits): readonly UpdateSyntax[] {
  checkLength(text, limits)
  return checked(text, note => {
    const tree = readTree(text, createContext(base, limits), createCounter(text, limits), note) as Tree
    if (tree === undefined) return []
    if (tree.type !== 'update') throw new Problem(400, 'query-syntax', ...placed(text, 0, 'There is no update'))
    checkTree(tree.operations, limits)
    checkUpdate(tree.operations)
    return tree.operations
  })
}

/**
 * Reads and checks a text. Nodes have no places, because only errors need them: a text with an error in its tree is
 * read again, and the places are noted.
 */
function checked<Result>(text: string, read: (note?: Note) => Result): Result {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof TreeFault)) throw error
  }
  const places = new WeakMap<object, number>()
  const note: Note = (value, at) => {
    if (typeof value !== 'object' || value === null || places.has(value)) return
    places.set(value, at)
    if ('entity' in value) note(value.entity, at) // the blank node of "[ … ]" or "( … )", beside its triples
  }
  try {
    return read(note)
  } catch (error) {
    if (!(error instanceof TreeFault)) throw error
    throw new Problem(400, 'query-syntax', ...placed(text, places.get(error.node), error.message))
  }
}

function readsOnly(text: string, {text: word, at}: Token): Problem {
  const sentence = `This is an update (${word}); queries only read`
  return new Problem(400, 'query-reads-only', ...placed(text, at, sentence))
}
