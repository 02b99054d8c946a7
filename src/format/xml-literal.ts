/**
 * XML content in RDF/XML (`rdf:parseType="Literal"`) to the text of an rdf:XMLLiteral.
 *
 * The text is in exclusive canonical form with comments, as RDF/XML requires: namespaces declared where they are used,
 * attributes in canonical order.
 * Sources: RDF/XML §7.2.17; Exclusive XML Canonicalization §3; Canonical XML §2.3.
 */
export type XmlName = {readonly name: string; readonly prefix: string; readonly local: string; readonly uri: string}
export type XmlAttribute = XmlName & {readonly value: string}

const xmlnsNamespace = 'http://www.w3.org/2000/xmlns/'

export class XmlLiteral {
  #text = ''
  readonly #rendered: ReadonlyMap<string, string>[] = [new Map()] // prefix → namespace in scope, for each open element

  get text(): string {
    return this.#text
  }

  /** Number of open elements in the literal. */
  get depth(): number {
    return this.#rendered.length - 1
  }

  open(element: XmlName, attributes: readonly XmlAttribute[]): void {
    const own = attributes.filter(attribute => attribute.uri !== xmlnsNamespace)
    const inherited = this.#rendered.at(-1) ?? new Map<string, string>()
    const used = new Map<string, string>([[element.prefix, element.uri]])
    for (const {prefix, uri} of own) if (prefix !== '') used.set(prefix, uri)
    const fresh = [...used].filter(([prefix, uri]) => prefix !== 'xml' && (inherited.get(prefix) ?? '') !== uri)
    const spaces = fresh
      .sort(byFirst)
      .map(([prefix, uri]) => ` ${prefix === '' ? 'xmlns' : `xmlns:${prefix}`}="${attributeText(uri)}"`)
    const rest = own
      .map(
        attribute =>
          [`${attribute.uri}\0${attribute.local}`, ` ${attribute.name}="${attributeText(attribute.value)}"`] as const,
      )
      .sort(byFirst)
      .map(([, text]) => text)
    this.#text += `<${element.name}${spaces.join('')}${rest.join('')}>`
    this.#rendered.push(new Map([...inherited, ...fresh]))
  }

  close(element: {readonly name: string}): void {
    this.#text += `</${element.name}>`
    this.#rendered.pop()
  }

  characters(text: string): void {
    this.#text += text.replace(/[&<>\r]/g, unit => escapes[unit] ?? unit)
  }

  comment(text: string): void {
    this.#text += `<!--${text}-->`
  }

  instruction(target: string, body: string): void {
    this.#text += body === '' ? `<?${target}?>` : `<?${target} ${body}?>`
  }
}

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#x9;',
  '\n': '&#xA;',
  '\r': '&#xD;',
}

function attributeText(value: string): string {
  return value.replace(/[&<"\t\n\r]/g, unit => escapes[unit] ?? unit)
}

function byFirst(left: readonly [string, string], right: readonly [string, string]): number {
  return left[0] < right[0] ? -1 : 1
}
