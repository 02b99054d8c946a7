/**
 * Follows one source, as long as this process holds the follow.
 *
 * No transaction is open while the source answers. The steps of a page and the position after it are stored in one
 * transaction, which is refused if another process has done so before. So no change is lost or applied twice.
 */
import {waitAfter} from '../base/backoff.ts'
import {observe, observeLasting} from '../base/observation.ts'
import {isPassing, Problem} from '../base/problem.ts'
import {
  applyFollow,
  type FollowStep,
  failFollow,
  holdFollow,
  readFollowedTags,
  restartFollow,
  type TakenFollow,
} from '../db/store/follows.ts'
import type {Session} from '../db/store/session.ts'
import {type FollowSource, readSourcePage, readSourceState, SourceFailure, type SourcePage} from './source.ts'
import {createIriMap, documentsIn, type PlannedStep, planSteps} from './steps.ts'

export type FollowOptions = {
  readonly session: Session // of the operator
  readonly holder: string
  readonly stopping: AbortSignal
}

export const holdMs = 20_000
const beatMs = 5000 // how often the hold is renewed
const pollMs = 10_000 // how long the source waits for a change
const backoff = {firstMs: 500, mostMs: 60_000}
const statesAtOnce = 8

/**
 * Follows until the service stops, another process takes over, or something fails. Ends the hold. Never rejects.
 *
 * @returns  the wait until the next attempt
 */
export async function followOne(follow: TakenFollow, options: FollowOptions): Promise<number> {
  const {session, holder} = options
  const {id, url, path} = follow
  let state: Progress = {behind: undefined, isCurrent: false, applied: 0}
  let failures = follow.failures
  const hold = (ms: number) => holdFollow(session, {id, holder, holdMs: ms, ...state})
  const beat = setInterval(() => hold(holdMs).catch(() => undefined), beatMs)
  const note = (progress: Progress) => {
    const isFirst = !state.isCurrent && progress.isCurrent
    state = progress
    if (progress.applied > 0 || progress.isCurrent) failures = 0
    const currentAt = progress.isCurrent ? undefined : (follow.current_at ?? new Date())
    observe({kind: 'follow-progress', source: url + path, currentAt, ...progress, behind: Number(progress.behind ?? 0)})
    return isFirst ? hold(holdMs) : Promise.resolve(true)
  }
  try {
    await followPages(follow, options, note)
    await hold(0)
    return 0
  } catch (error) {
    return await fail({...follow, failures}, options, error).catch((failure: unknown) => {
      observeLasting(failure)
      return 0
    })
  } finally {
    clearInterval(beat)
  }
}

type Progress = {
  readonly behind: bigint | undefined // positions; undefined: not known
  readonly isCurrent: boolean // the copy has all that the source has
  readonly applied: number // lines of the last page
}

async function followPages(
  follow: TakenFollow,
  {session, holder, stopping}: FollowOptions,
  note: (progress: Progress) => Promise<boolean>,
): Promise<void> {
  const {id, url, path} = follow
  const source = {url, path, key: follow.key ?? undefined, signal: stopping}
  let {position} = follow
  let isCurrent = false
  await note({behind: undefined, isCurrent, applied: 0})
  while (!stopping.aborted) {
    const page = await readSourcePage(source, position, isCurrent ? pollMs : 0)
    const {lines, next} = page
    const isEnd = page.behind !== undefined && page.behind <= 0n
    if (lines.length > 0 || next !== position || !isCurrent) {
      const steps = await stepsOf(page, {follow, session, source})
      if (steps === undefined) return await restartFollow(session, id)
      if (!(await applyFollow(session, {id, holder, position, next, steps, isEnd}))) return
    }
    position = next
    isCurrent = isEnd
    if (!(await note({behind: page.behind, isCurrent, applied: lines.length}))) return
  }
}

type PageOptions = {readonly follow: TakenFollow; readonly session: Session; readonly source: FollowSource}

/** The steps of a page, with their triples. @returns undefined: the documents must be listed again */
async function stepsOf({lines}: SourcePage, {follow, session, source}: PageOptions): Promise<FollowStep[] | undefined> {
  const {id, url, path, base} = follow
  const map = createIriMap(url, base)
  const tags = await readFollowedTags(session, id, documentsIn(lines).map(map.iri))
  const {steps, isLost} = planSteps(lines, url + path, new Map(Array.from(tags, ([iri, tag]) => [map.back(iri), tag])))
  if (isLost) return undefined
  const full: FollowStep[] = []
  for (let at = 0; at < steps.length; at += statesAtOnce) {
    const found = await Promise.all(steps.slice(at, at + statesAtOnce).map(step => withTriples(step, source)))
    for (const step of found) {
      if (step === undefined) continue
      requireNamespace(step, follow)
      full.push(map.step(step))
    }
  }
  return full
}

/**
 * A step with its triples, which are read if the change does not have them.
 *
 * @returns  undefined: the state cannot be read, because the document has been moved or hidden. A later change says so
 */
async function withTriples(step: PlannedStep, source: FollowSource) {
  if (step.patch !== undefined) return {...step, patch: step.patch}
  const added = await readSourceState(source, step.document, step.tag)
  return added === undefined ? undefined : {...step, patch: {added, removed: []}}
}

/** Both stores must have one namespace for the properties of the service, or the copy would lose its times. */
function requireNamespace({kind, document, patch}: PlannedStep, {platform_ns: namespace}: TakenFollow): void {
  if (kind !== 'whole' || patch?.added.some(({predicate}) => predicate.value === `${namespace}created`)) return
  throw new SourceFailure(`<${document}> has no property created of <${namespace}>, the PLATFORM_NS here`, false)
}

/** @returns  the wait until the next attempt */
async function fail(follow: TakenFollow, {session, holder, stopping}: FollowOptions, error: unknown): Promise<number> {
  const {id, url, path} = follow
  if (stopping.aborted) await holdFollow(session, {id, holder, holdMs: 0, behind: undefined, isCurrent: false})
  else if (error instanceof SourceFailure && error.isGone) await restartFollow(session, id)
  if (stopping.aborted || isPassing(error) || (error instanceof SourceFailure && error.isGone)) return 0
  if (error instanceof Problem ? error.status >= 500 : !isOfSource(error)) observe({kind: 'failure', error})
  const failures = follow.failures + 1
  const waitMs = waitAfter(failures, backoff, {random: Math.random()})
  const reason = reasonOf(error)
  await failFollow(session, {id, holder, reason, waitMs})
  observe({kind: 'follow-failed', follow: id, source: url + path, reason, failures, waitMs})
  return waitMs
}

/** Errors of fetch are TypeErrors with a cause, and DOMExceptions for time limits. */
function isOfSource(error: unknown): boolean {
  return (
    error instanceof SourceFailure ||
    error instanceof DOMException ||
    (error instanceof TypeError && error.cause !== undefined)
  )
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const {cause, message} = error
  if (!(cause instanceof Error)) return message
  return `${message}: ${cause.message === '' && 'code' in cause ? String(cause.code) : cause.message}`
}
