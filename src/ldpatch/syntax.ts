/**
 * LD Patch text to operations.
 *
 * Pure. Reads the grammar of the Note with two extensions: '@base' is allowed among the prefixes, and a blank node
 * label is allowed where the Note requires a variable or an IRI, if the graph has a node with that label.
 * Sources: W3C Note LD Patch (28 July 2015) §4; decision 0007; docs/interface.md, Patching.
 */

import {positionAt} from '../base/position.ts'
import {Problem} from '../base/problem.ts'
import type {BlankNode, Iri} from '../rdf/term.ts'
import {Lexer} from './lexer.ts'
import type {
  Patch,
  PatchOperation,
  PatchOptions,
  PatchValue,
  PatchVariable,
  Path,
  PathElement,
  Slice,
  UpdateList,
} from './patch.ts'
import {TermReader} from './terms.ts'
import {TriplesReader} from './triples.ts'

const keywords: ReadonlyMap<string, PatchOperation['type']> = new Map([
  ['Bind', 'bind'],
  ['B', 'bind'],
  ['Add', 'add'],
  ['A', 'add'],
  ['AddNew', 'addNew'],
  ['AN', 'addNew'],
  ['Delete', 'delete'],
  ['D', 'delete'],
  ['DeleteExisting', 'deleteExisting'],
  ['DE', 'deleteExisting'],
  ['Cut', 'cut'],
  ['C', 'cut'],
  ['UpdateList', 'updateList'],
  ['UL', 'updateList'],
])

/**
 * Reads a patch.
 *
 * @param text  decoded, without a byte order mark
 * @throws      Problem, with `line` and `column`: 400 `patch-syntax` | `patch-prefix-declared` |
 *              `patch-variable-bound` | `patch-slice-order` | `patch-depth` | `language-tag` | `iri-size`; 422
 *              `iri-valid` (not absolute, or an escape produced a forbidden character). Without a position: 422
 *              `body-triples`
 */
export function parsePatch(text: string, options: PatchOptions): Patch {
  return new PatchReader(text, options).read()
}

class PatchReader {
  readonly #lexer: Lexer
  readonly #terms: TermReader

  constructor(text: string, options: PatchOptions) {
    this.#lexer = new Lexer(text)
    this.#terms = new TermReader(this.#lexer, options)
  }

  read(): Patch {
    while (this.#declaration());
    const operations: PatchOperation[] = []
    for (this.#lexer.skip(); !this.#lexer.isAtEnd; this.#lexer.skip()) {
      operations.push(this.#operation())
      this.#lexer.require('.')
    }
    return {text: this.#lexer.text, operations, labels: this.#terms.labels}
  }

  #declaration(): boolean {
    if (this.#lexer.take('@prefix')) {
      this.#lexer.skip()
      const prefix = this.#lexer.name('prefix')
      this.#lexer.require(':')
      this.#terms.setPrefix(prefix, this.#reference())
    } else if (this.#lexer.take('@base')) this.#terms.setBase(this.#reference())
    else return false
    this.#lexer.require('.')
    return true
  }

  #reference(): Iri {
    this.#lexer.skip()
    return (this.#terms.reference() ?? this.#lexer.expected('an IRI')).value
  }

  #operation(): PatchOperation {
    const offset = this.#lexer.position
    const type = keywords.get(this.#lexer.name('prefix'))
    switch (type) {
      case undefined:
        return this.#lexer.expected('an operation', offset)
      case 'bind':
        return {type, offset, ...this.#bind()}
      case 'cut':
        return {type, offset, node: this.#cut()}
      case 'updateList':
        return {type, offset, ...this.#updateList()}
      default: {
        const reader = new TriplesReader(this.#lexer, this.#terms)
        reader.block()
        return {type, offset, triples: reader.triples}
      }
    }
  }

  /** VAR value path */
  #bind(): {readonly variable: string; readonly value: PatchValue; readonly path: Path} {
    this.#lexer.skip()
    const variable = this.#terms.variableName() ?? this.#lexer.expected('a variable')
    const value = this.#value()
    const path = this.#path()
    this.#terms.declareVariable(variable)
    return {variable, value, path}
  }

  #cut(): PatchVariable | BlankNode {
    this.#lexer.skip()
    return this.#terms.variable() ?? this.#terms.labelled() ?? this.#lexer.expected('a variable')
  }

  /** (VAR | iri) predicate slice collection */
  #updateList(): Omit<UpdateList, 'type' | 'offset'> {
    this.#lexer.skip()
    const subject =
      this.#terms.variable() ??
      this.#terms.labelled() ??
      this.#terms.iri() ??
      this.#lexer.expected('an IRI or a variable')
    this.#lexer.skip()
    const predicate = this.#terms.iri() ?? this.#lexer.expected('a predicate')
    const slice = this.#slice()
    const reader = new TriplesReader(this.#lexer, this.#terms)
    return {subject, predicate, slice, items: reader.list(), triples: reader.triples}
  }

  #value(): PatchValue {
    this.#lexer.skip()
    return (
      this.#terms.variable() ??
      this.#terms.labelled() ??
      this.#terms.iri() ??
      this.#terms.literal() ??
      this.#lexer.expected('an IRI, a literal or a variable')
    )
  }

  /** ('/' step | '[' path ('=' value)? ']' | '!')* */
  #path(): Path {
    const path: PathElement[] = []
    for (;;) {
      if (this.#lexer.take('/')) path.push(this.#step())
      else if (this.#lexer.take('[')) path.push(this.#terms.nested(() => this.#filter()))
      else if (this.#lexer.take('!')) path.push({type: 'unique'})
      else return path
    }
  }

  #step(): PathElement {
    this.#lexer.skip()
    const index = this.#lexer.index()
    if (index !== undefined) return {type: 'item', index}
    const type = this.#lexer.take('^') ? 'backward' : 'forward'
    this.#lexer.skip()
    return {type, predicate: this.#terms.iri() ?? this.#lexer.expected('a predicate or an index')}
  }

  #filter(): PathElement {
    const path = this.#path()
    const value = this.#lexer.take('=') ? this.#value() : undefined
    this.#lexer.require(']')
    return {type: 'filter', path, value}
  }

  /** index? '..' index?. Without indexes it is the empty slice after the last item. */
  #slice(): Slice {
    this.#lexer.skip()
    const offset = this.#lexer.position
    const from = this.#lexer.index()
    this.#lexer.require('..')
    this.#lexer.skip()
    const to = this.#lexer.index()
    if (from === undefined && to === undefined) return {from: 'end', to: 'end'}
    if (from !== undefined && to !== undefined && from < 0 === to < 0 && to < from) {
      throw new Problem(400, 'patch-slice-order', `The slice ${from}..${to} ends before it begins`, {
        members: positionAt(this.#lexer.text, offset),
      })
    }
    return {from: from ?? 0, to: to ?? 'end'}
  }
}
