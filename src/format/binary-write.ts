/**
 * Quads to RDF4J's binary RDF, version 1.
 *
 * A document is 'BRDF', the version, records and an end mark, all big-endian. A term that occurs more than once is
 * declared under a number and then referred to by it. The writer counts terms in batches of quads, so its memory is
 * bounded. Every reader supports version 1.
 * Source: RDF4J documentation, "RDF4J Binary RDF Format".
 */
import type {Graph, Literal, Quad, Term} from '../rdf/term.ts'
import {termKey} from '../rdf/term-key.ts'
import {xsd} from '../rdf/vocabulary.ts'
import type {QuadWriter} from './types.ts'

const record = {statement: 1, declaration: 3, end: 127}
const value = {null: 0, iri: 1, blank: 2, plain: 3, language: 4, typed: 5, reference: 6}

const batchSize = 8_192 // quads
const declarationLimit = 65_536 // numbers in use; beyond it they start again from 0, which the format allows

export function createBinaryWriter(): QuadWriter<Uint8Array> {
  const writer = new BinaryWriter()
  return {write: quad => writer.write(quad), end: () => writer.end()}
}

const nothing = new Uint8Array(0)

class BinaryWriter {
  #batch: Quad[] = []
  #isBegun = false
  readonly #declared = new Map<string, number>() // term key → number

  write(quad: Quad): Uint8Array {
    this.#batch.push(quad)
    return this.#batch.length < batchSize ? nothing : this.#flush(new Output())
  }

  end(): Uint8Array {
    const output = new Output()
    this.#flush(output)
    output.byte(record.end)
    return output.bytes()
  }

  #flush(output: Output): Uint8Array {
    if (!this.#isBegun) output.header()
    this.#isBegun = true
    if (this.#declared.size > declarationLimit) this.#declared.clear()
    const counts = new Map<string, number>()
    for (const quad of this.#batch) {
      for (const term of termsOf(quad)) counts.set(termKey(term), (counts.get(termKey(term)) ?? 0) + 1)
    }
    for (const quad of this.#batch) this.#statement(quad, counts, output)
    this.#batch = []
    return output.bytes()
  }

  #statement(quad: Quad, counts: ReadonlyMap<string, number>, output: Output): void {
    const terms = termsOf(quad)
    const numbers = terms.map(term => this.#number(term, counts, output))
    output.byte(record.statement)
    for (const [index, term] of terms.entries()) {
      const number = numbers[index]
      if (number === undefined) output.term(term)
      else output.reference(number)
    }
  }

  /** The number under which a term is declared. Declares it on first use if the batch has it more than once. */
  #number(term: Term | Graph, counts: ReadonlyMap<string, number>, output: Output): number | undefined {
    const key = termKey(term)
    const known = this.#declared.get(key)
    if (known !== undefined) return known
    if (term.termType === 'DefaultGraph' || counts.get(key) === 1) return undefined
    const number = this.#declared.size
    this.#declared.set(key, number)
    output.byte(record.declaration)
    output.int(number)
    output.term(term)
    return number
  }
}

function termsOf(quad: Quad): readonly (Term | Graph)[] {
  return [quad.subject, quad.predicate, quad.object, quad.graph]
}

/** A growing buffer. */
class Output {
  #buffer = Buffer.allocUnsafe(4_096)
  #length = 0

  header(): void {
    this.#reserve(4)
    this.#length += this.#buffer.write('BRDF', this.#length, 'latin1')
    this.int(1)
  }

  byte(number: number): void {
    this.#reserve(1)
    this.#length = this.#buffer.writeUInt8(number, this.#length)
  }

  int(number: number): void {
    this.#reserve(4)
    this.#length = this.#buffer.writeInt32BE(number, this.#length)
  }

  reference(number: number): void {
    this.byte(value.reference)
    this.int(number)
  }

  term(term: Term | Graph): void {
    switch (term.termType) {
      case 'DefaultGraph':
        this.byte(value.null)
        break
      case 'NamedNode':
        this.#strings(value.iri, [term.value])
        break
      case 'BlankNode':
        this.#strings(value.blank, [term.value])
        break
      case 'Literal':
        this.#literal(term)
    }
  }

  #literal(term: Literal): void {
    if (term.language !== '') this.#strings(value.language, [term.value, term.language])
    else if (term.datatype.value === xsd.string) this.#strings(value.plain, [term.value])
    else this.#strings(value.typed, [term.value, term.datatype.value])
  }

  bytes(): Uint8Array {
    return this.#buffer.subarray(0, this.#length)
  }

  #strings(kind: number, texts: readonly string[]): void {
    this.byte(kind)
    for (const text of texts) {
      this.int(text.length)
      this.#reserve(text.length * 2)
      this.#buffer.write(text, this.#length, 'utf16le')
      this.#buffer.subarray(this.#length, this.#length + text.length * 2).swap16()
      this.#length += text.length * 2
    }
  }

  #reserve(count: number): void {
    if (this.#length + count <= this.#buffer.length) return
    const larger = Buffer.allocUnsafe(Math.max(this.#buffer.length * 2, this.#length + count))
    this.#buffer.copy(larger, 0, 0, this.#length)
    this.#buffer = larger
  }
}
