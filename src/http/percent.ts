/**
 * Percent-encoding of URIs: which characters stand for themselves, and the one normal form of the rest.
 *
 * Floor 2. Pure. In the normal form unreserved characters are bare, hexadecimal digits are upper case and reserved
 * characters stay as they were written, because `,` and `%2C` are different URIs.
 * Sources: RFC 3986 §2, §3.3, §6.2.2; RFC 3987 §3.1.
 */

const unreserved = /[A-Za-z0-9._~-]/
const byteEscapes = Array.from({length: 256}, (_, byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`)
const strictUtf8 = new TextDecoder('utf-8', {fatal: true, ignoreBOM: true})

/** UTF-8 bytes as text; undefined when they are not UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return strictUtf8.decode(bytes)
  } catch {
    return undefined
  }
}

/** Resolves every percent-escape; a `%` that starts none stays. Undefined when the escaped bytes are not UTF-8. */
export function percentDecode(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replace(/%(?![0-9A-Fa-f]{2})/g, '%25'))
  } catch {
    return undefined
  }
}

/** Brings the escapes of a URI that has only complete ones to the normal form. */
export function normaliseEscapes(uri: string): string {
  return uri.replace(/%[0-9A-Fa-f]{2}/g, hexadecimal => {
    const character = String.fromCharCode(Number.parseInt(hexadecimal.slice(1), 16))
    return unreserved.test(character) ? character : hexadecimal.toUpperCase()
  })
}

/** Escapes the runs of characters that the pattern finds, as UTF-8. The pattern must have the flags g and u. */
export function percentEncode(text: string, pattern: RegExp): string {
  return text.replace(pattern, run => {
    let escaped = ''
    for (const byte of Buffer.from(run, 'utf8')) escaped += byteEscapes[byte]
    return escaped
  })
}

const plainUri = /^[!#-;=?-[\]_a-z~]*$/

/** The URI of an IRI (RFC 3987 §3.1): what is not printable ASCII, or is a delimiter of header fields, is escaped. */
export function uriOfIri(iri: string): string {
  return plainUri.test(iri) ? iri : percentEncode(iri, /[^!#-;=?-[\]_a-z~]+/gu)
}
