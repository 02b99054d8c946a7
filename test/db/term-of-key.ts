/** The term of a key: the way back from `termKey`, for answers that SQL functions give. */
import {blankNode, langLiteral, literal, namedNode, type Term} from '../../src/rdf/term.ts'

export function termOfKey(key: string): Term {
  if (key.startsWith('I')) return namedNode(key.slice(1))
  if (key.startsWith('B')) return blankNode(key.slice(1))
  const [, datatype = '', language = '', value = ''] = /^L(\S*) (\S*) (.*)$/s.exec(key) ?? []
  return language === '' ? literal(value, datatype) : langLiteral(value, language)
}
