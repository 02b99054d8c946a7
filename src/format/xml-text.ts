/**
 * Escapes text and attribute values for XML.
 *
 * Source: XML 1.0 §2.2 (Char), §2.11 (a bare CR is read as LF), §3.3.3 (white space in attributes).
 */

import {createEscape} from '../base/escape.ts'
import {excerpt} from '../base/excerpt.ts'
import {Problem} from '../base/problem.ts'

export const xmlHeader = '<?xml version="1.0" encoding="UTF-8"?>\n'

const uncarried = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u
const inText = {'&': '&amp;', '<': '&lt;', '>': '&gt;', '\r': '&#13;'}
const escapeText = createEscape(inText)
const escapeValue = createEscape({...inText, '"': '&quot;', '\t': '&#9;', '\n': '&#10;'})

/** Text between tags. @throws Problem 406 `xml-character` */
export function xmlText(value: string): string {
  requireXml(value)
  return escapeText(value)
}

/** An attribute's value, to be put in double quotes. @throws Problem 406 `xml-character` */
export function xmlValue(value: string): string {
  requireXml(value)
  return escapeValue(value)
}

function requireXml(value: string): void {
  const [character] = uncarried.exec(value) ?? []
  if (character === undefined) return
  const point = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
  const message = `XML cannot represent the character U+${point} in "${excerpt(value)}": ask for another format`
  throw new Problem(406, 'xml-character', message)
}
