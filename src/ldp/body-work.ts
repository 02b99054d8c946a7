/**
 * A request's body to what the store is asked to do: its graph read against the document's IRI, and checked.
 *
 * Floor 4. Pure: small bodies are read on the main thread, large ones in a worker thread (`body-jobs.ts`).
 * Sources: interface, endpoints 1, 3, 4, 8 and 9; decisions, "order of checks".
 */
import {Problem} from '../base/problem.ts'
import {decodeBody, formatOfMediaType} from '../format/registry.ts'
import {groundChanges} from '../ldpatch/ground.ts'
import type {Changes, Patch} from '../ldpatch/patch.ts'
import {parsePatch} from '../ldpatch/syntax.ts'
import type {Iri, Quad, Triple} from '../rdf/term.ts'
import {checkNewAccessPoint, isAccessPoint} from './access-point.ts'
import {triplesFor} from './body-graph.ts'
import {type MemberAction, readMemberAction, shape} from './member-action.ts'
import {checkAdded, checkNewDocument, checkReplacement, type ReservedContext} from './reserved.ts'

export type BodyTask = {
  readonly bytes: Uint8Array
  readonly caller?: string | undefined // who takes turns with other callers for a thread
  readonly mediaType: string // of a syntax that can be read
  readonly context: ReservedContext
  readonly tripleLimit?: number | undefined
  readonly contextWork?: number | undefined // see ParseOptions
}

export type NewTask = BodyTask & {
  readonly parent: Iri
  readonly model: Iri | undefined // the interaction model that the request names
}

export type PutTask = BodyTask & {readonly isGraphWanted: boolean} // false: only a member action will do

export type NewDocument<Graph> = {readonly isAccessPoint: boolean; readonly graph: Graph}

/** What a PUT that does not name its model asks for: a member action, or a replacement by this graph. */
export type Put<Graph, Members> = {
  readonly action: MemberAction<Members> | undefined
  readonly graph: Graph | undefined // when there is no action, and a graph is wanted
}

/**
 * The body of a POST.
 *
 * @throws  Problem 409 `reserved-free`, `containment-kept` · 422 `graph-own`, `membership-shape`,
 *          `access-point-relation` · what the reader of the syntax throws
 */
export async function readNew(task: NewTask): Promise<NewDocument<readonly Triple[]>> {
  const {context, parent, model} = task
  const graph = triplesFor(context.document, await readQuads(task))
  if (isAccessPoint(graph, context, model)) {
    checkNewAccessPoint(graph, context, parent)
    return {isAccessPoint: true, graph}
  }
  checkNewDocument(graph, context)
  return {isAccessPoint: false, graph}
}

/**
 * The body of a PUT.
 *
 * @throws  as `readNew`, and 422 `member-action-shape`
 */
export async function readPut(task: PutTask): Promise<Put<readonly Triple[], readonly Iri[]>> {
  const {context, isGraphWanted} = task
  const quads = await readQuads(task)
  const action = readMemberAction(quads, context.document, context.platform)
  return {action, graph: action === undefined && isGraphWanted ? replacementOf(quads, context) : undefined}
}

/** The body of a PUT that replaces a document. @throws as `readNew` */
export async function readReplacement(task: BodyTask): Promise<readonly Triple[]> {
  return replacementOf(await readQuads(task), task.context)
}

/**
 * The members that the body of a DELETE names; a lost body never means all of them (decisions).
 *
 * @throws  Problem 400 `member-action-given` · 422 `member-action-shape` · what the reader of the syntax throws
 */
export async function readRemoval(task: BodyTask): Promise<readonly Iri[]> {
  const quads = await readQuads(task)
  if (quads.length === 0)
    throw new Problem(400, 'member-action-given', 'The removal of selected members needs a body that names them.')
  const action = readMemberAction(quads, task.context.document, task.context.platform)
  if (action?.kind !== 'remove') throw shape('it does not have the type c:RemoveMemberAction')
  return action.members
}

export type PatchTask = Omit<BodyTask, 'mediaType'>

export type ReadPatch = {
  readonly patch: Patch
  readonly ground: Changes | undefined // undefined: only the document can tell what the patch comes to
}

/** @throws  what `parsePatch` throws, and as `checkAdded` */
export function readPatch({bytes, context, tripleLimit}: PatchTask): ReadPatch {
  const patch = parsePatch(decodeBody(bytes), {base: context.document, tripleLimit})
  const ground = groundChanges(patch)
  if (ground !== undefined) checkAdded(ground.added, context)
  return {patch, ground}
}

function readQuads({bytes, mediaType, context, tripleLimit, contextWork}: BodyTask): Promise<readonly Quad[]> {
  const parse = formatOfMediaType(mediaType)?.parse
  if (parse === undefined) throw new Error(`bodies of ${mediaType} cannot be read`)
  return parse(bytes, {base: context.document, tripleLimit, contextWork})
}

function replacementOf(quads: readonly Quad[], context: ReservedContext): readonly Triple[] {
  const graph = triplesFor(context.document, quads)
  checkReplacement(graph, context)
  return graph
}
