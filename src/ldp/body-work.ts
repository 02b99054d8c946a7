/**
 * Parses the body of a request, with the document's IRI as base, and checks it: a graph, a member action or a patch.
 *
 * Pure: runs on the main thread for small bodies, in a worker thread for large ones (`body-jobs.ts`).
 * Sources: docs/interface.md, Creating, Replacing, Patching and Members; decision 0010.
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
  readonly caller?: string | undefined // the threads serve callers in turn
  readonly mediaType: string // of a readable format
  readonly context: ReservedContext
  readonly tripleLimit?: number | undefined
  readonly contextWork?: number | undefined // see ParseOptions in format/types.ts
}

export type NewTask = BodyTask & {
  readonly parent: Iri
  readonly model: Iri | undefined // the interaction model of the request
}

export type PutTask = BodyTask & {readonly isGraphWanted: boolean} // false: only a member action is valid

export type PostedDocument<Graph> = {readonly isAccessPoint: boolean; readonly graph: Graph}

/** The body of a PUT without the model ldp:RDFSource: a member action, or the graph that replaces the document's. */
export type Put<Graph, Members> = {
  readonly action: MemberAction<Members> | undefined
  readonly graph: Graph | undefined // if there is no action and a graph is wanted
}

/**
 * Reads the body of a POST.
 *
 * @throws  Problem 409 `reserved-free`, `containment-kept` · 422 `graph-own`, `membership-shape`,
 *          `access-point-relation` · what the format's parser throws
 */
export async function readNew(task: NewTask): Promise<PostedDocument<readonly Triple[]>> {
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
 * Reads the body of a PUT that may be a member action or a graph.
 *
 * @throws  Problem 409 `reserved-free`, `containment-kept` · 422 `graph-own`, `membership-shape`,
 *          `member-action-shape` · what the format's parser throws
 */
export async function readPut(task: PutTask): Promise<Put<readonly Triple[], readonly Iri[]>> {
  const {context, isGraphWanted} = task
  const quads = await readQuads(task)
  const action = readMemberAction(quads, context.platform)
  return {action, graph: action === undefined && isGraphWanted ? replacementOf(quads, context) : undefined}
}

/**
 * Reads the body of a PUT that replaces a document.
 *
 * @throws  Problem 409 `reserved-free`, `containment-kept` · 422 `graph-own`, `membership-shape` · what the format's
 *          parser throws
 */
export async function readReplacement(task: BodyTask): Promise<readonly Triple[]> {
  return replacementOf(await readQuads(task), task.context)
}

/**
 * Reads the members to remove from the body of a DELETE. An empty body is an error: it never means all members
 * (decision 0012).
 *
 * @throws  Problem 400 `member-action-given` · 422 `member-action-shape` · what the format's parser throws
 */
export async function readRemoval(task: BodyTask): Promise<readonly Iri[]> {
  const quads = await readQuads(task)
  if (quads.length === 0)
    throw new Problem(400, 'member-action-given', 'The removal of selected members needs a body that names them.')
  const action = readMemberAction(quads, task.context.platform)
  if (action?.kind !== 'remove') throw shape('it does not have the type c:RemoveMemberAction')
  return action.members
}

export type PatchTask = Omit<BodyTask, 'mediaType'>

export type ReadPatch = {
  readonly patch: Patch
  readonly ground: Changes | undefined // undefined: the changes depend on the document
}

/** @throws  what `parsePatch` and `checkAdded` throw */
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
