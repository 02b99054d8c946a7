/**
 * Decides what the changes of a source mean for its copy.
 *
 * Each copy has the entity tag of its state at the source. The tags of a document grow with each change. So a change
 * is skipped if the copy has its state already, is a patch if the copy has the state before, and otherwise the state
 * that it left must be read. Memberships of children are in their own rows and not in the state of the parent, so they
 * are repeated in the order of the changes even when the states are skipped.
 *
 * Pure. FollowSource: docs/changes.md, Following another store.
 */
import type {ChangeAction} from '../db/store/changes.ts'
import type {FollowStep} from '../db/store/follows.ts'
import type {Iri, Term, Triple} from '../rdf/term.ts'
import {namedNode} from '../rdf/term.ts'

type TriplesOfChange = {readonly added: readonly Triple[]; readonly removed: readonly Triple[]}

/** A change or a present document, as the source shows it. Entity tags are without quotes. */
export type SourceLine = {
  readonly position: string
  readonly action: ChangeAction | 'present'
  readonly document: Iri
  readonly oldDocument: Iri | undefined
  readonly parent: Iri | undefined
  readonly memberBy: Iri | undefined
  readonly before: string | undefined
  readonly after: string | undefined
  readonly isAccessPoint: boolean
  readonly isRawGraph: boolean
  readonly isRenamed: boolean
  readonly patch: TriplesOfChange | undefined // undefined: too large
}

/** A step with the IRIs of the source. Without triples: those of the state with its tag must be read. */
export type PlannedStep = Omit<FollowStep, 'added' | 'removed'> & {
  readonly patch: TriplesOfChange | undefined
}

export type FollowPlan = {
  readonly steps: readonly PlannedStep[]
  /** The changes do not say which memberships ended, so the documents must be listed again. */
  readonly isLost: boolean
}

const nothing = {added: [], removed: []}

/**
 * Plans the steps for a page of changes.
 *
 * @param top   the followed document
 * @param tags  of the copies of all documents of the page, under the IRIs of the source; null: without triples yet
 */
export function planSteps(lines: readonly SourceLine[], top: Iri, tags: ReadonlyMap<Iri, string | null>): FollowPlan {
  const known = new Map(tags)
  const steps: PlannedStep[] = []
  let isLost = false
  for (const line of lines) {
    if (line.isRawGraph) continue
    const {document, oldDocument, after} = line
    if (after === undefined) {
      steps.push(...deletion(line, document, known))
      continue
    }
    if (document.startsWith(top)) {
      const step = stepOf(line, after, known.get(document))
      isLost ||= line.action === 'members-removed' && line.patch === undefined
      if (step !== undefined) steps.push(step)
      if (step?.kind === 'whole' || step?.kind === 'patch') known.set(document, after)
    }
    if (oldDocument !== undefined) steps.push(...deletion(line, oldDocument, known))
  }
  return {steps, isLost}
}

/** The documents of which `planSteps` needs the tags. */
export function documentsIn(lines: readonly SourceLine[]): readonly Iri[] {
  const named = lines.flatMap(({document, oldDocument}) =>
    oldDocument === undefined ? [document] : [document, oldDocument],
  )
  return [...new Set(named)]
}

function stepOf(line: SourceLine, after: string, tag: string | null | undefined): PlannedStep | undefined {
  const {action, before, patch, isRenamed} = line
  const isNew = tag === undefined || tag === null
  if (!isNew && BigInt(tag) >= BigInt(after)) {
    if (action === 'members-removed') return planned(line, 'leave', after, patch ?? nothing)
    return before === undefined ? planned(line, 'keep', tag, nothing) : undefined
  }
  const isWhole = before === undefined && (action === 'created' || action === 'present')
  if (isWhole && patch !== undefined && !isRenamed) return planned(line, 'whole', after, patch)
  const isNext = tag === before && action !== 'moved' && action !== 'present'
  if (!isNew && isNext && patch !== undefined && !isRenamed) return planned(line, 'patch', after, patch)
  return planned(line, 'whole', after, undefined)
}

function planned(line: SourceLine, kind: FollowStep['kind'], tag: string, patch: PlannedStep['patch']): PlannedStep {
  const {document, parent, memberBy, isAccessPoint, action, before} = line
  const isNew = before === undefined || action === 'present' || action === 'moved'
  return {kind, document, parent, memberBy, isAccessPoint, tag, action: isNew ? 'created' : action, patch}
}

/** The deletion of a copy with all below it, unless it is of a later document with the same IRI. */
function deletion(line: SourceLine, document: Iri, known: Map<Iri, string | null>): readonly PlannedStep[] {
  const tag = known.get(document)
  if (tag === undefined || (tag !== null && BigInt(tag) > BigInt(line.before ?? 0))) return []
  for (const iri of known.keys()) if (iri.startsWith(document)) known.delete(iri)
  return [{...planned(line, 'delete', '', nothing), document, action: 'deleted'}]
}

/** Maps the IRIs below the base of the source to those below the base here. */
export function createIriMap(from: Iri, to: Iri) {
  const iri = (value: Iri) => (value.startsWith(from) ? to + value.slice(from.length) : value)
  const back = (value: Iri) => (value.startsWith(to) ? from + value.slice(to.length) : value)
  const term = <Kind extends Term>(value: Kind): Kind =>
    value.termType === 'NamedNode' && value.value.startsWith(from) ? (namedNode(iri(value.value)) as Kind) : value
  const triple = ({subject, predicate, object}: Triple): Triple => ({
    subject: term(subject),
    predicate: term(predicate),
    object: term(object),
  })
  return {
    back,
    iri,
    step({patch, ...step}: PlannedStep & {readonly patch: NonNullable<PlannedStep['patch']>}): FollowStep {
      return {
        ...step,
        document: iri(step.document),
        parent: step.parent && iri(step.parent),
        memberBy: step.memberBy && iri(step.memberBy),
        added: patch.added.map(triple),
        removed: patch.removed.map(triple),
      }
    },
  }
}
