/**
 * Percent-encoding of URIs, and the normal form of escapes.
 *
 * Pure. In the normal form unreserved characters are not escaped, hexadecimal digits are in upper case, and reserved
 * characters stay as written, because `,` and `%2C` are different URIs.
 * Sources: RFC 3986 §2, §3.3, §6.2.2; RFC 3987 §3.1.
 */

const unreserved = /[A-Za-z0-9._~-]/
const byteEscapes = Array.from({length: 256}, (_, byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`)
const strictUtf8 = new TextDecoder('utf-8', {fatal: true, ignoreBOM: true})

/** Decodes UTF-8; undefined if the bytes are not UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return strictUtf8.decode(bytes)
  } catch {
    return undefined
  }
}

/** Decodes all escapes; a `%` that does not start an escape stays. Undefined if the escaped bytes are not UTF-8. */
export function percentDecode(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replace(/%(?![0-9A-Fa-f]{2})/g, '%25'))
  } catch {
    return undefined
  }
}

/** Normalises the escapes of a URI. Every `%` must start a complete escape. */
export function normaliseEscapes(uri: string): string {
  return uri.replace(/%[0-9A-Fa-f]{2}/g, hexadecimal => {
    const character = String.fromCharCode(Number.parseInt(hexadecimal.slice(1), 16))
    return unreserved.test(character) ? character : hexadecimal.toUpperCase()
  })
}

/** Escapes all matches of a pattern, as UTF-8. The pattern must have the flags g and u. */
export function percentEncode(text: string, pattern: RegExp): string {
  return text.replace(pattern, run => {
    let escaped = ''
    for (const byte of Buffer.from(run, 'utf8')) escaped += byteEscapes[byte]
    return escaped
  })
}

const plainUri = /^[!#-;=?-[\]_a-z~]*$/

/** The URI of an IRI (RFC 3987 §3.1). Escapes all but printable ASCII, and the delimiters of header fields. */
export function uriOfIri(iri: string): string {
  return plainUri.test(iri) ? iri : percentEncode(iri, /[^!#-;=?-[\]_a-z~]+/gu)
}
