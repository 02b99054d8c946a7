/**
 * Jobs of the worker threads that read large bodies: the functions of `body-work.ts`, with encoded results.
 *
 * A structured clone of triples would block the main thread. Graphs encoded as parameters of the store's functions are
 * a few long strings, which are cheap to clone.
 */

import {encodeValue} from '../db/connection/value.ts'
import {changeParameters, type GraphParameters, graphParameters} from '../db/store/graph-codec.ts'
import {decodeBody} from '../format/registry.ts'
import {parsePatch} from '../ldpatch/syntax.ts'
import {type PackedTriples, unpackTriples} from '../rdf/packed-triples.ts'
import type {Iri, Triple} from '../rdf/term.ts'
import {
  type BodyTask,
  type NewTask,
  type PatchTask,
  type PostedDocument,
  type Put,
  type PutTask,
  readNew,
  readPatch,
  readPut,
  readRemoval,
  readReplacement,
} from './body-work.ts'
import {changesOf} from './patch-work.ts'

export async function newDocument(task: NewTask): Promise<PostedDocument<GraphParameters>> {
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

/** The changes of a patch, if they do not depend on the document; otherwise undefined. */
export function groundPatch(task: PatchTask): GraphParameters | undefined {
  const {ground} = readPatch(task)
  return ground && changeParameters(ground)
}

/** The changes that a patch makes to a document with these triples. */
export function patchTriples(task: PatchTask & {readonly triples: PackedTriples}): GraphParameters {
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
