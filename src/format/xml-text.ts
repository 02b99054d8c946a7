/**
 * Text and attribute values of the XML that is written.
 *
 * Floor 2. Source: XML 1.0 §2.2 (Char), §2.11 (line ends: a bare CR would be read as LF), §3.3.3 (blanks in
 * attributes).
 */

import {excerpt} from '../base/excerpt.ts'
import {Problem} from '../base/problem.ts'

export const xmlHeader = '<?xml version="1.0" encoding="UTF-8"?>\n'

const uncarried = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u
const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
}

/** @throws Problem 406 `xml-character` */
export function xmlText(value: string): string {
  requireXml(value)
  return /[&<>\r]/.test(value) ? value.replace(/[&<>\r]/g, unit => escapes[unit] ?? unit) : value
}

/** A value between double quotes. @throws Problem 406 `xml-character` */
export function xmlValue(value: string): string {
  requireXml(value)
  return /[&<>"\t\n\r]/.test(value) ? value.replace(/[&<>"\t\n\r]/g, unit => escapes[unit] ?? unit) : value
}

function requireXml(value: string): void {
  const [character] = uncarried.exec(value) ?? []
  if (character === undefined) return
  const point = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
  const message = `XML cannot carry the character U+${point} in "${excerpt(value)}": ask for another format`
  throw new Problem(406, 'xml-character', message)
}
