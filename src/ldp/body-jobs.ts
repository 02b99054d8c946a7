/**
 * The jobs of a worker thread on large bodies: `body-work.ts`, with graphs encoded as the store takes them.
 *
 * Floor 4. Triples would have to be cloned one by one on the main thread; encoded they are a few long texts.
 */
import {changeParameters, type GraphParameters, graphParameters} from '../db/graph-codec.ts'
import {encodeValue} from '../db/value.ts'
import {decodeBody} from '../format/registry.ts'
import {parsePatch} from '../ldpatch/syntax.ts'
import {type PackedTriples, unpackTriples} from '../rdf/packed-triples.ts'
import type {Iri, Triple} from '../rdf/term.ts'
import {
  type BodyTask,
  type NewDocument,
  type NewTask,
  type PatchTask,
  type Put,
  type PutTask,
  readNew,
  readPatch,
  readPut,
  readRemoval,
  readReplacement,
} from './body-work.ts'
import {changesOf} from './patch-work.ts'

export async function newDocument(task: NewTask): Promise<NewDocument<GraphParameters>> {
  const {isAccessPoint, graph} = await readNew(task)
  return {isAccessPoint, graph: encode(graph)}
}

export async function put(task: PutTask): Promise<Put<GraphParameters, string>> {
  const {action, graph} = await readPut(task)
  return {
    action: action && {kind: action.kind, members: encodeMembers(action.members)},
    graph: graph && encode(graph),
  }
}

export async function replacement(task: BodyTask): Promise<GraphParameters> {
  return encode(await readReplacement(task))
}

export async function removal(task: BodyTask): Promise<string> {
  return encodeMembers(await readRemoval(task))
}

/** The changes of a patch that names all it changes; undefined for one that does not. */
export function groundPatch(task: PatchTask): GraphParameters | undefined {
  const {ground} = readPatch(task)
  return ground && changeParameters(ground)
}

/** The changes of any patch. */
export function patchDocument(task: PatchTask & {readonly triples: PackedTriples}): GraphParameters {
  const {bytes, context, tripleLimit, triples} = task
  const patch = parsePatch(decodeBody(bytes), {base: context.document, tripleLimit})
  return changeParameters(changesOf({patch, triples: unpackTriples(triples), context}))
}

function encode(graph: readonly Triple[]): GraphParameters {
  return graphParameters([graph])
}

function encodeMembers(members: readonly Iri[]): string {
  return String(encodeValue(members))
}
