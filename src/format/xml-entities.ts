/**
 * The document type of an XML body: reads small internal entities and refuses everything else.
 *
 * RDF/XML abbreviates namespaces with entities (`&xsd;int`). Nothing external is read, an entity may not contain
 * markup, and the total expansion is limited, so an entity can neither read files nor exhaust memory.
 * Sources: XML 1.0 §4.2, §4.4; OWASP, XML external entities and entity expansion.
 */
import {Problem} from '../base/problem.ts'

const entity = /<!ENTITY\s+([A-Za-z_:][\w:.-]*)\s+(?:"([^"]*)"|'([^']*)')\s*>/y
const blanks = /\s+/y
const expansionLimit = 1_000_000 // characters, over all references of a body

/**
 * Adds the entities that a document type declares to an object. Reading one counts against the expansion limit.
 *
 * @param doctype  the text between '<!DOCTYPE' and its '>'
 * @param target   entity name → text
 * @throws Problem 400 `xml-doctype-refused`
 */
export function declareEntities(doctype: string, target: Record<string, string>): void {
  const [, subset] = /^[^[]*\[([\s\S]*)\]\s*$/.exec(doctype) ?? []
  if (/\b(?:SYSTEM|PUBLIC)\b/.test(doctype.split('[', 1)[0] ?? '')) throw refused('it names an external subset')
  if (subset === undefined) return
  const budget = {left: expansionLimit}
  for (let at = 0; at < subset.length; ) {
    const next = skip(subset, at)
    if (next > at) {
      at = next
      continue
    }
    entity.lastIndex = at
    const [, name, double, single] = entity.exec(subset) ?? []
    if (name === undefined) throw refused('it declares more than internal entities')
    at = entity.lastIndex
    const isPredefined = ['amp', 'lt', 'gt', 'apos', 'quot'].includes(name)
    if (!isPredefined && !Object.hasOwn(target, name))
      declare(name, expand(double ?? single ?? '', target, budget), target, budget)
  }
}

/** The offset after the white space or comment at `at`; `at` itself if there is neither. */
function skip(subset: string, at: number): number {
  if (subset.startsWith('<!--', at)) {
    const end = subset.indexOf('-->', at + 4)
    return end === -1 ? subset.length : end + 3
  }
  blanks.lastIndex = at
  return blanks.test(subset) ? blanks.lastIndex : at
}

type Budget = {left: number}

function declare(name: string, text: string, target: Record<string, string>, budget: Budget): void {
  Object.defineProperty(target, name, {enumerable: true, get: () => take(text, budget)})
}

function take(text: string, budget: Budget): string {
  budget.left -= text.length
  if (budget.left < 0) throw refused(`its entities expand to more than ${expansionLimit} characters`)
  return text
}

/** Replaces references to characters and to entities declared before. @throws Problem 400 `xml-doctype-refused` */
function expand(value: string, target: Record<string, string>, budget: Budget): string {
  const text = value.replace(/&(?:#x([0-9A-Fa-f]{1,6})|#(\d{1,7})|([A-Za-z_:][\w:.-]*));/g, (_, hex, decimal, name) => {
    if (name === undefined) return character(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16))
    const known = target[name]
    if (known === undefined) throw refused(`the entity ${name} is not declared before it is used`)
    return take(known, budget)
  })
  if (/[<&%]/.test(text)) throw refused('an entity contains markup')
  return text
}

function character(point: number): string {
  const isCharacter = point <= 0x10ffff && !(point >= 0xd800 && point <= 0xdfff) && point !== 0
  if (!isCharacter) throw refused('a character reference is not a character')
  return String.fromCodePoint(point)
}

function refused(why: string): Problem {
  return new Problem(400, 'xml-doctype-refused', `The document type of the body is refused: ${why}.`)
}
