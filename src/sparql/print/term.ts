/**
 * SQL expressions for the parts of a dictionary term.
 *
 * Pure. The classes of literals are ranges of ids (sql/functions/term/term.sql).
 */

import {firstLiteralId, firstOfClass, literalClasses} from '../../rdf/id-layout.ts'
import {iriKey, keyLetters, simpleKeyStart} from '../../rdf/term-key.ts'
import {rdf, xsd} from '../../rdf/vocabulary.ts'
import type {StoredPart} from '../plan/relation.ts'

/**
 * The expression for a part, and the condition on ids of terms that have this part.
 *
 * @param row  alias of the table `term`
 */
export function storedPart(part: StoredPart, row: string): {readonly shown: string; readonly range?: string} {
  const {string, langString, other} = literalClasses
  const literals = `${row}.id >= ${firstLiteralId}`
  const strings = `${row}.id between ${firstOfClass(string)} and ${firstOfClass(langString + 1n) - 1n}`
  const simple = `${row}.id between ${firstOfClass(string)} and ${firstOfClass(string + 1n) - 1n}`
  const isSimple = `${row}.lang is null`
  const tagged = `${row}.id between ${firstOfClass(langString)} and ${firstOfClass(langString + 1n) - 1n}`
  const beforeTagged = `'${keyLetters.literal}${rdf.langString} ' || ${row}.lang || ' '`
  const before = `case when ${isSimple} then '${simpleKeyStart}' else ${beforeTagged} end`
  const datatype = `'${keyLetters.iri}' || coalesce(${row}.datatype, '${xsd.string}')`
  switch (part) {
    case 'key':
      return {
        shown:
          `case when ${row}.id < ${firstLiteralId} then '${keyLetters.iri}' || ${row}.lex` +
          ` when ${row}.lang is not null then ${beforeTagged} || ${row}.lex` +
          ` else '${keyLetters.literal}' || coalesce(${row}.datatype, '${xsd.string}') || '  ' || ${row}.lex end`,
      }
    case 'text':
      return {shown: `${row}.lex`}
    case 'language':
      return {shown: `coalesce(${row}.lang, '')`, range: literals}
    case 'datatype':
      return {
        shown: `case when ${isSimple} then ${datatype} else '${iriKey(rdf.langString)}' end`,
        range: literals,
      }
    case 'string':
      return {shown: `${row}.lex`, range: strings}
    case 'kind':
      return {shown: before, range: strings}
    case 'localName':
      return {shown: `substr(${row}.datatype, 34)`, range: literals}
    case 'simple':
      return {shown: `${row}.lex`, range: simple}
    case 'tagged':
      return {shown: `array[${row}.lex, ${row}.lang collate "C"]`, range: tagged}
    case 'typed':
      return {shown: `array[${row}.lex, ${row}.datatype collate "C"]`, range: `${row}.id >= ${firstOfClass(other)}`}
  }
}
