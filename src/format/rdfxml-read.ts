/**
 * RDF/XML text to quads.
 *
 * saxes parses the XML; this file interprets it. Node IDs and the case of language tags stay as written.
 * Sources: RDF/XML (RDF 1.1) §6 and §7; XML Base.
 */
import {SaxesParser, type SaxesTagNS} from 'saxes'
import {excerpt} from '../base/excerpt.ts'
import {Problem} from '../base/problem.ts'
import {resolveIri} from '../rdf/iri.ts'
import {isNcName} from '../rdf/name-characters.ts'
import type {Iri, NamedNode, Quad, Resource, Term} from '../rdf/term.ts'
import {rdf, rdfNamespace} from '../rdf/vocabulary.ts'
import {BodyTerms} from './body-terms.ts'
import {decodeBody} from './body-text.ts'
import {type Attributes, readAttributes} from './rdfxml-attributes.ts'
import {isNodeElementName, isPropertyElementName} from './rdfxml-names.ts'
import {defaultDepthLimit, type ParseOptions} from './types.ts'
import {declareEntities} from './xml-entities.ts'
import {XmlLiteral} from './xml-literal.ts'

/** An open element. Its kind says what its children mean. */
type Frame = {readonly base: Iri; readonly language: string} & (
  | {readonly kind: 'document' | 'rdf'}
  | {readonly kind: 'node'; readonly subject: Resource; members: number}
  | PropertyFrame
  | {readonly kind: 'collection'; readonly statement: OpenStatement; last: Resource | undefined}
  | {readonly kind: 'literal'; readonly statement: OpenStatement; readonly literal: XmlLiteral}
)

type PropertyFrame = {
  readonly base: Iri
  readonly language: string
  readonly kind: 'property'
  readonly statement: OpenStatement
  readonly datatype: Iri | undefined
  readonly content: 'any' | 'none' // none: attributes give the object
  text: string
  hasNode: boolean
}

/** A triple whose object is not known yet. */
type OpenStatement = {
  readonly subject: Resource
  readonly predicate: NamedNode
  readonly reification: NamedNode | undefined
}

/** @throws Problem 400, see `Parse` in types.ts, and `xml-doctype-refused` */
export async function readRdfXml(body: Uint8Array, options: ParseOptions): Promise<readonly Quad[]> {
  return new RdfXmlReader(options, body.length).read(decodeBody(body))
}

class RdfXmlReader {
  readonly #quads: Quad[] = []
  readonly #terms: BodyTerms
  readonly #ids = new Set<Iri>()
  readonly #stack: Frame[]
  readonly #depthLimit: number
  readonly #xml = new SaxesParser({xmlns: true})

  constructor(options: ParseOptions, bodySize: number) {
    this.#terms = new BodyTerms(bodySize, options.tripleLimit)
    this.#stack = [{kind: 'document', base: options.base, language: ''}]
    this.#depthLimit = options.depthLimit ?? defaultDepthLimit
  }

  read(text: string): readonly Quad[] {
    const xml = this.#xml
    xml.on('error', error => this.#fail(error.message.replace(/^\d+:\d+: /, '')))
    xml.on('xmldecl', ({encoding}) => {
      if (encoding === undefined || /^(?:utf-8|us-ascii)$/i.test(encoding)) return
      throw new Problem(400, 'body-encoding', `The XML declares the encoding ${excerpt(encoding)}: send UTF-8.`)
    })
    xml.on('doctype', doctype => declareEntities(doctype, xml.ENTITIES))
    xml.on('opentag', tag => this.#open(tag))
    xml.on('closetag', tag => this.#close(tag))
    xml.on('text', characters => this.#text(characters))
    xml.on('cdata', characters => this.#text(characters))
    xml.on('comment', comment => this.#literal()?.comment(comment))
    xml.on('processinginstruction', ({target, body}) => this.#literal()?.instruction(target, body))
    xml.write(text).close()
    return this.#quads
  }

  #place = () => ({line: this.#xml.line, column: this.#xml.columnIndex + 1})

  /** @throws Problem 400 `body-syntax`, always */
  #fail(message: string): never {
    const members = this.#place()
    throw new Problem(400, 'body-syntax', `${message} (line ${members.line}, column ${members.column})`, {members})
  }

  get #frame(): Frame {
    return this.#stack.at(-1) ?? this.#fail('Text after the end of the document')
  }

  #literal(): XmlLiteral | undefined {
    const frame = this.#stack.at(-1)
    return frame?.kind === 'literal' ? frame.literal : undefined
  }

  #open(tag: SaxesTagNS): void {
    const frame = this.#frame
    const depth = this.#stack.length + (frame.kind === 'literal' ? frame.literal.depth : 0)
    if (depth > this.#depthLimit) {
      const members = this.#place()
      throw new Problem(400, 'body-depth', `The body nests deeper than ${this.#depthLimit} levels.`, {members})
    }
    if (frame.kind === 'literal') {
      frame.literal.open(tag, Object.values(tag.attributes))
      return
    }
    const attributes = readAttributes(tag, frame, message => this.#fail(message))
    if (frame.kind === 'node') this.#openProperty(tag, attributes, frame)
    else if (frame.kind === 'document' && tag.uri === rdfNamespace && tag.local === 'RDF') this.#openRdf(attributes)
    else this.#openNode(tag, attributes, frame)
  }

  #openRdf(attributes: Attributes): void {
    if (attributes.rdf.size > 0 || attributes.properties.length > 0) this.#fail('rdf:RDF has no attributes')
    this.#stack.push({kind: 'rdf', base: attributes.base, language: attributes.language})
  }

  #openNode(tag: SaxesTagNS, attributes: Attributes, parent: Frame): void {
    const name = tag.uri + tag.local
    if (tag.uri === '' || !isNodeElementName(name)) this.#fail(`<${excerpt(tag.name)}> cannot be a node element`)
    const subject = this.#subject(attributes)
    this.#attach(parent, subject)
    if (name !== `${rdfNamespace}Description`) this.#emit(subject, this.#iri(rdf.type), this.#iri(name))
    this.#propertyAttributes(subject, attributes)
    this.#stack.push({kind: 'node', subject, members: 0, base: attributes.base, language: attributes.language})
  }

  /** The node named by rdf:about, rdf:ID or rdf:nodeID; an anonymous node if none is present. */
  #subject(attributes: Attributes): Resource {
    const [about, id, nodeId] = this.#only(attributes, ['about', 'ID', 'nodeID'])
    if (about !== undefined) return this.#resolve(about, attributes.base)
    if (id !== undefined) return this.#claim(id, attributes.base)
    return nodeId === undefined ? this.#terms.anonymous() : this.#nodeId(nodeId)
  }

  /** The values of the named RDF attributes. Fails if there is another RDF attribute, or more than one. */
  #only(attributes: Attributes, names: readonly string[]): readonly (string | undefined)[] {
    for (const name of attributes.rdf.keys()) if (!names.includes(name)) this.#fail(`rdf:${name} is not allowed here`)
    if (attributes.rdf.size > 1) this.#fail(`rdf:${[...attributes.rdf.keys()].join(' and rdf:')} exclude each other`)
    return names.map(name => attributes.rdf.get(name))
  }

  /** Makes a node the object (or the next list item) of the element around it. */
  #attach(parent: Frame, node: Resource): void {
    if (parent.kind === 'property') {
      if (parent.content === 'none' || parent.hasNode) this.#fail('This property already has an object')
      if (parent.text.trim() !== '') this.#fail('Text and an element cannot both be the object of a property')
      if (parent.datatype !== undefined) this.#fail('rdf:datatype is for literals')
      parent.hasNode = true
      this.#state(parent.statement, node)
    } else if (parent.kind === 'collection') {
      const cell = this.#terms.anonymous()
      if (parent.last === undefined) this.#state(parent.statement, cell)
      else this.#emit(parent.last, this.#iri(rdf.rest), cell)
      this.#emit(cell, this.#iri(rdf.first), node)
      parent.last = cell
    }
  }

  #openProperty(tag: SaxesTagNS, attributes: Attributes, node: Frame & {kind: 'node'}): void {
    const name = tag.uri + tag.local
    if (tag.uri === '' || !isPropertyElementName(name))
      this.#fail(`<${excerpt(tag.name)}> cannot be a property element`)
    const predicate = this.#iri(name === `${rdfNamespace}li` ? `${rdfNamespace}_${++node.members}` : name)
    const {rdf: names, base, language} = attributes
    const id = names.get('ID')
    const reification = id === undefined ? undefined : this.#claim(id, base)
    names.delete('ID')
    const statement = {subject: node.subject, predicate, reification}
    if (names.has('parseType')) this.#openParseType(statement, attributes)
    else if (names.has('resource') || names.has('nodeID') || attributes.properties.length > 0) {
      this.#state(statement, this.#emptyObject(attributes))
      this.#stack.push({
        kind: 'property',
        statement,
        datatype: undefined,
        content: 'none',
        text: '',
        hasNode: false,
        base,
        language,
      })
    } else {
      const [datatype] = this.#only(attributes, ['datatype'])
      const iri = datatype === undefined ? undefined : this.#resolve(datatype, base).value
      this.#stack.push({
        kind: 'property',
        statement,
        datatype: iri,
        content: 'any',
        text: '',
        hasNode: false,
        base,
        language,
      })
    }
  }

  #openParseType(statement: OpenStatement, attributes: Attributes): void {
    const [parseType] = this.#only(attributes, ['parseType'])
    if (attributes.properties.length > 0) this.#fail('rdf:parseType excludes property attributes')
    const {base, language} = attributes
    if (parseType === 'Triple') this.#fail('Triple terms (RDF 1.2) are not supported')
    if (parseType === 'Resource') {
      const subject = this.#terms.anonymous()
      this.#state(statement, subject)
      this.#stack.push({kind: 'node', subject, members: 0, base, language})
    } else if (parseType === 'Collection') {
      this.#stack.push({kind: 'collection', statement, last: undefined, base, language})
    } else this.#stack.push({kind: 'literal', statement, literal: new XmlLiteral(), base, language})
  }

  /** The object of an empty property element, given by its attributes. */
  #emptyObject(attributes: Attributes): Resource {
    const [resource, nodeId] = this.#only(attributes, ['resource', 'nodeID'])
    let object: Resource = this.#terms.anonymous()
    if (resource !== undefined) object = this.#resolve(resource, attributes.base)
    else if (nodeId !== undefined) object = this.#nodeId(nodeId)
    this.#propertyAttributes(object, attributes)
    return object
  }

  #propertyAttributes(subject: Resource, attributes: Attributes): void {
    for (const {iri, value} of attributes.properties) {
      const object = iri === rdf.type ? this.#resolve(value, attributes.base) : this.#plain(value, attributes.language)
      this.#emit(subject, this.#iri(iri), object)
    }
  }

  #text(characters: string): void {
    const frame = this.#stack.at(-1)
    if (frame?.kind === 'literal') frame.literal.characters(characters)
    else if (frame?.kind === 'property' && frame.content === 'any') {
      if (frame.hasNode && characters.trim() !== '')
        this.#fail('Text and an element cannot both be the object of a property')
      frame.text += characters
    } else if (characters.trim() !== '') this.#fail(`Text is not allowed here: "${excerpt(characters.trim())}"`)
  }

  #close(tag: SaxesTagNS): void {
    const frame = this.#frame
    if (frame.kind === 'literal' && frame.literal.depth > 0) {
      frame.literal.close(tag)
      return
    }
    this.#stack.pop()
    if (frame.kind === 'property') this.#closeProperty(frame)
    else if (frame.kind === 'literal')
      this.#state(frame.statement, this.#terms.literal(frame.literal.text, rdf.XMLLiteral, this.#place))
    else if (frame.kind === 'collection') {
      if (frame.last === undefined) this.#state(frame.statement, this.#iri(rdf.nil))
      else this.#emit(frame.last, this.#iri(rdf.rest), this.#iri(rdf.nil))
    }
  }

  #closeProperty(frame: PropertyFrame): void {
    if (frame.content === 'none' || frame.hasNode) return
    const {text, datatype, language} = frame
    const object =
      datatype === undefined ? this.#plain(text, language) : this.#terms.literal(text, datatype, this.#place)
    this.#state(frame.statement, object)
  }

  #plain(value: string, language: string): Term {
    return language === ''
      ? this.#terms.literal(value, undefined, this.#place)
      : this.#terms.langLiteral(value, language, this.#place)
  }

  /** Emits the triple of a property element, and its reification if the element has an rdf:ID. */
  #state({subject, predicate, reification}: OpenStatement, object: Term): void {
    this.#emit(subject, predicate, object)
    if (reification === undefined) return
    this.#emit(reification, this.#iri(rdf.type), this.#iri(`${rdfNamespace}Statement`))
    this.#emit(reification, this.#iri(`${rdfNamespace}subject`), subject)
    this.#emit(reification, this.#iri(`${rdfNamespace}predicate`), predicate)
    this.#emit(reification, this.#iri(`${rdfNamespace}object`), object)
  }

  #emit(subject: Resource, predicate: NamedNode, object: Term): void {
    this.#quads.push(this.#terms.quad(subject, predicate, object))
  }

  #iri(value: Iri): NamedNode {
    return this.#terms.iri(value, this.#place)
  }

  #resolve(reference: string, base: Iri): NamedNode {
    return this.#iri(/^[A-Za-z][A-Za-z0-9+.-]*:/.test(reference) ? reference : resolveIri(reference, base))
  }

  /** The IRI of an rdf:ID, which must be unique for its base. */
  #claim(id: string, base: Iri): NamedNode {
    if (!isNcName(id)) this.#fail(`rdf:ID must be a name: "${excerpt(id)}"`)
    const node = this.#resolve(`#${id}`, base)
    if (this.#ids.has(node.value)) this.#fail(`rdf:ID "${excerpt(id)}" occurs twice`)
    this.#ids.add(node.value)
    return node
  }

  #nodeId(id: string): Resource {
    return isNcName(id) ? this.#terms.blank(id) : this.#fail(`rdf:nodeID must be a name: "${excerpt(id)}"`)
  }
}
