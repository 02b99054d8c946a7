/**
 * What a form has no fields for, lists and nodes without a name, to the beginnings of patches that change it.
 *
 * Floor 5. Pure. A beginning says what is there now, so nobody needs to know the syntax by heart: a list with its
 * items, a node with its values taken out and put back. Sent as it stands it changes nothing.
 * Source: LD Patch §4.2 (Bind), §4.5 (UpdateList).
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

/** Those of a document; a path leads only to what is the one value of its property. */
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

/** @param variable  another one for each node, as several patches may be sent together */
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
