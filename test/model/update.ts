/** Updates that change two documents in one transaction. A document that was deleted meanwhile is created again. */
import {withContainer} from './access.ts'
import {inPatch} from './body.ts'
import {labelsOf} from './lines.ts'
import type {Model, ModelDocument} from './model.ts'
import * as service from './model.ts'
import type {StepOf} from './steps.ts'
import * as world from './world.ts'
import {choose, faultOfStatus, type Prepared, type Real} from './world.ts'

type Change = {
  readonly iri: string
  readonly parent: string
  readonly removed: readonly string[] // without blank nodes, which DELETE DATA cannot name
  readonly added: readonly string[]
}

/** DELETE DATA and then INSERT DATA, both about two documents. */
export function updateTwo(
  step: StepOf<'update'>,
  places: readonly ModelDocument[],
  model: Model,
  real: Real,
): Prepared {
  const changes = [...new Set(places)].map(({iri, parent, lines}, index): Change => {
    const known = [...lines].filter(line => labelsOf([line]).size === 0)
    const removed = known.length === 0 ? [] : [...new Set(step.drop.map(each => choose(known, each)))]
    const says = step.says.filter((_, place) => place % 2 === index)
    return {iri, parent, removed, added: [...new Set(world.saidLines(says, iri, {model, real}))]}
  })
  const byDepth = [...changes].sort((a, b) => a.iri.length - b.iri.length)
  const data = (kind: 'added' | 'removed') =>
    changes.map(change => `GRAPH <${change.iri}> { ${inPatch(change[kind])} }`).join(' ')
  /** The documents that the update creates, and whether one of them has no parent. */
  function createdIn(now: Model) {
    const made = new Set(byDepth.flatMap(({iri, added}) => (!now.documents.has(iri) && added.length > 0 ? [iri] : [])))
    const hasParent = ({parent}: Change) => now.documents.has(parent) || made.has(parent)
    return {made, isOrphaned: byDepth.some(change => made.has(change.iri) && !hasParent(change))}
  }
  return {
    needs(now) {
      // INSERT DATA looks for the parents first. DELETE DATA came before it.
      const {isOrphaned} = createdIn(now)
      return changes.flatMap(change => needsOf(now, isOrphaned ? {...change, added: []} : change))
    },
    send: () =>
      real.service.send({
        method: 'POST',
        path: '/sparql',
        headers: {'Content-Type': 'application/sparql-update'},
        body: `DELETE DATA { ${data('removed')} } ; INSERT DATA { ${data('added')} }`,
      }),
    settle(now, answer) {
      const {made, isOrphaned} = createdIn(now)
      if (isOrphaned) return faultOfStatus(answer, 422)
      if (answer.status !== 200) return faultOfStatus(answer, 200)
      const before = new Set(now.changed)
      now.changed.clear()
      const others = byDepth.filter(({iri}) => !made.has(iri))
      for (const {iri, removed} of others) apply(now, iri, {removed, added: []})
      for (const change of byDepth) if (made.has(change.iri)) create(now, change)
      for (const {iri, added} of others) apply(now, iri, {removed: [], added})
      const fault = faultOfListed(answer.text, now.changed, made)
      for (const iri of before) now.changed.add(iri)
      return fault
    },
  }
}

function needsOf(now: Model, {iri, parent, removed, added}: Change) {
  if (now.documents.has(iri)) return removed.length + added.length === 0 ? [] : [{iri, mode: 'edit'} as const]
  return added.length === 0 ? [] : withContainer({iri: parent}, 'create', 'members')(now)
}

function create(now: Model, {iri, parent, added}: Change): void {
  const lines = service.withFreshLabels(now, new Set(), added)
  service.create(now, service.newDocument(iri, parent, {lines}))
}

/** Applies one operation. A document changes only if it removes or adds something. */
function apply(now: Model, iri: string, change: Pick<Change, 'removed' | 'added'>): void {
  const document = now.documents.get(iri)
  if (document === undefined) return
  const isChanged = now.changed.has(iri)
  const state = () =>
    JSON.stringify([[...document.lines].sort(), service.childrenOf(now, iri).map(({memberBy}) => memberBy ?? '')])
  const before = state()
  service.patch(now, document, change)
  if (!isChanged && state() === before) now.changed.delete(iri)
}

/** What is wrong with the list of documents in the response, if anything. */
function faultOfListed(text: string, changed: ReadonlySet<string>, made: ReadonlySet<string>): string | undefined {
  const {created, changed: listed} = JSON.parse(text) as Record<'created' | 'changed', readonly {iri: string}[]>
  const show = (iris: Iterable<string>) => [...iris].sort().join(' ')
  const told = [show(created.map(({iri}) => iri)), show(listed.map(({iri}) => iri))].join(' and ')
  const expected = [show(made), show([...changed].filter(iri => !made.has(iri)))].join(' and ')
  return told === expected ? undefined : `the update lists ${told}, not ${expected}`
}
