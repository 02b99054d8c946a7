/** The checksum of one graph, as a job of a worker thread. */
import {type PackedTriples, unpackTriples} from '../rdf/packed-triples.ts'
import {checksumOf, groundChecksumOf, hasBlankNodes} from './canonical.ts'

export type ChecksumTask = {readonly triples: PackedTriples; readonly workFactor: number}

/** The checksum of a packed graph: 64 hexadecimal digits. @throws Problem 422 `checksum-work` */
export async function checksum({triples: packed, workFactor}: ChecksumTask): Promise<string> {
  const triples = unpackTriples(packed)
  return hasBlankNodes(triples) ? checksumOf(triples, {workFactor}) : groundChecksumOf(triples)
}
