/**
 * Writes patches to start from, for lists and blank nodes, for which a form has no fields.
 *
 * Pure. A patch contains the current values: it updates a list with its own items, or deletes the values of a node and
 * adds them again. Sent without edits it changes nothing. Users need not know the syntax by heart.
 * Source: LD Patch §3 (semantics of Bind and UpdateList).
 */
import {termText} from '../../format/ntriples-write.ts'
import {type Iri, namedNode, type Term, type Triple} from '../../rdf/term.ts'
import type {Arrangement} from './arrange.ts'

export type PatchStart = {
  readonly subject: Iri
  readonly property: Iri
  readonly kind: 'list' | 'node'
  readonly text: string
}

/**
 * The patches for a document's lists and nested blank nodes. A path can only address an object that is the single value
 * of its property, so others get no patch. Lists with blank nodes as items get none either.
 */
export function patchStarts(triples: readonly Triple[], arrangement: Arrangement): readonly PatchStart[] {
  return triples.flatMap(({subject, predicate, object}, index): readonly PatchStart[] => {
    if (subject.termType !== 'NamedNode' || object.termType === 'Literal') return []
    if (arrangement.propertiesOf(subject).get(predicate.value)?.length !== 1) return []
    const about = {subject: subject.value, property: predicate.value}
    const path = [termText(subject), termText(predicate)] as const
    const items = arrangement.itemsOf(object)
    if (items !== undefined) {
      if (items.some(isBlank)) return []
      return [
        {
          ...about,
          kind: 'list',
          text: `UpdateList ${path.join(' ')} 0.. (${items.map(item => `\n  ${termText(item)}`).join('')}\n) .`,
        },
      ]
    }
    if (object.termType !== 'BlankNode' || !arrangement.isNested(object)) return []
    return [{...about, kind: 'node', text: nodePatch(`?node${index}`, path, arrangement.propertiesOf(object))}]
  })
}

/** @param variable  unique for each node, because several patches may be sent together */
function nodePatch(
  variable: string,
  path: readonly [subject: string, predicate: string],
  properties: ReadonlyMap<string, readonly Term[]>,
): string {
  const lines = [...properties].flatMap(([property, values]) =>
    values
      .filter(value => !isBlank(value))
      .map(value => `\n  ${variable} ${termText(namedNode(property))} ${termText(value)} .`),
  )
  const graph = `{${lines.join('')}\n}`
  return `Bind ${variable} ${path.join(' / ')} .\nDelete ${graph} .\nAdd ${graph} .`
}

function isBlank({termType}: Term): boolean {
  return termType === 'BlankNode'
}
