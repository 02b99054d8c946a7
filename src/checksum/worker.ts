/**
 * The checksum of one graph, as a job of a worker thread.
 *
 * Floor 2.
 */
import type {Triple} from '../rdf/term.ts'
import {checksumOf, groundChecksumOf, hasBlankNodes} from './canonical.ts'

export type Task = {readonly triples: readonly Triple[]; readonly workFactor: number}

/** @throws  Problem 422 `checksum-work` */
export async function checksum({triples, workFactor}: Task): Promise<string> {
  return hasBlankNodes(triples) ? checksumOf(triples, {workFactor}) : groundChecksumOf(triples)
}
