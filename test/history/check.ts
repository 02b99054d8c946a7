/**
 * A recorded history of one document, to what is wrong with it.
 *
 * The document is a register with compare-and-set whose versions have names, their entity tags. Tags grow, so the
 * order of versions is known, and the search for a linearization is one pass: each operation takes place somewhere
 * between its start and its end, writes in the order of versions, reads while their version stands.
 * Source: Herlihy and Wing 1990 (linearizability).
 */
type Interval = {readonly start: number; readonly end: number} // ms of one clock
export type Operation = Interval &
  (
    | {readonly kind: 'created'; readonly tag: string; readonly value: string}
    | {readonly kind: 'replaced'; readonly from: string; readonly tag: string; readonly value: string}
    | {readonly kind: 'deleted'; readonly from: string}
    | {readonly kind: 'read'; readonly tag: string; readonly value: string}
    | {readonly kind: 'mismatch'; readonly from: string} // 412: it was there, in another version
    | {readonly kind: 'absent'} // 404
    | {readonly kind: 'present'} // 409 to a create
  )
type Of<Kind extends Operation['kind']> = Extract<Operation, {kind: Kind}>

type Version = {
  readonly tag: string
  readonly write: Of<'created'> | Of<'replaced'>
  readonly end: Of<'deleted'> | Of<'replaced'> | undefined // what took its place; undefined: it stands
}

/** Sentences about what no correct register can have done; [] for a correct one. */
export function faultsOf(operations: readonly Operation[]): readonly string[] {
  const writes = operations.filter(each => each.kind === 'created' || each.kind === 'replaced')
  const ends = operations.filter(each => each.kind === 'replaced' || each.kind === 'deleted')
  const repeated = [
    ...duplicates(writes.map(({tag}) => tag)).map(tag => `tag ${tag} was given twice`),
    ...duplicates(ends.map(({from}) => from)).map(tag => `version ${tag} was replaced or deleted twice: a lost update`),
  ]
  const endOf = new Map(ends.map(end => [end.from, end]))
  const versions = writes
    .sort((a, b) => (BigInt(a.tag) < BigInt(b.tag) ? -1 : 1))
    .map(write => ({tag: write.tag, write, end: endOf.get(write.tag)}))
  const byTag = new Map(versions.map(version => [version.tag, version]))
  const unknown = ends.filter(({from}) => !byTag.has(from)).map(({from}) => `version ${from} came from nowhere`)
  const reads = operations.filter(each => each.kind === 'read')
  return [
    ...repeated,
    ...unknown,
    ...reads.flatMap(read => faultOfRead(read, byTag.get(read.tag))),
    ...faultsOfOrder(versions, reads),
    ...operations.flatMap(operation => faultOfRefusal(operation, versions, byTag)),
  ]
}

function faultOfRead({tag, value}: Of<'read'>, version: Version | undefined): string[] {
  if (version === undefined) return [`version ${tag} was read and never written`]
  return version.write.value === value ? [] : [`version ${tag} was read as ${value}, written as ${version.write.value}`]
}

/** Puts every write at the earliest moment it can have happened; reads of a version hold back the next. */
function faultsOfOrder(versions: readonly Version[], reads: readonly Of<'read'>[]): string[] {
  const faults: string[] = []
  let now = Number.NEGATIVE_INFINITY
  const happen = (operation: Operation, what: string) => {
    now = Math.max(now, operation.start)
    if (now > operation.end) faults.push(`${what} came too late`)
  }
  for (const [index, {tag, write, end}] of versions.entries()) {
    happen(write, `the write of ${tag}`)
    const written = now
    for (const read of reads.filter(each => each.tag === tag)) {
      const at = Math.max(written, read.start)
      if (at > read.end) faults.push(`version ${tag} was read before it was written`)
      now = Math.max(now, at)
    }
    if (end?.kind === 'deleted') happen(end, `the delete of ${tag}`)
    const isLast = index === versions.length - 1
    if (end === undefined && !isLast) faults.push(`version ${tag} went without being replaced or deleted`)
    if (end?.kind === 'replaced' && versions[index + 1]?.write !== end) faults.push(`version ${tag} has no successor`)
    if (end?.kind === 'deleted' && !isLast && versions[index + 1]?.write.kind !== 'created')
      faults.push(`a deleted version ${tag} was replaced`)
  }
  return faults
}

/** A refusal is wrong when, for the whole of it, the opposite was surely so. */
function faultOfRefusal(
  operation: Operation,
  versions: readonly Version[],
  byTag: ReadonlyMap<string, Version>,
): string[] {
  const {start, end} = operation
  const stoodFor = ({write, end: last}: Version) => write.end < start && end < (last?.start ?? Number.POSITIVE_INFINITY)
  if (operation.kind === 'mismatch') {
    const version = byTag.get(operation.from)
    return version !== undefined && stoodFor(version) ? [`the current tag ${operation.from} was refused`] : []
  }
  if (operation.kind === 'absent')
    return versions.some(stoodFor) ? ['the document was not found while it was there'] : []
  if (operation.kind !== 'present') return []
  const mayBeThere = versions.some(
    ({write, end: last}) => write.start < end && start < (last?.end ?? Number.POSITIVE_INFINITY),
  )
  return mayBeThere ? [] : ['the document was in the way while it was not there']
}

function duplicates(values: readonly string[]): string[] {
  return values.filter((value, index) => values.indexOf(value) !== index)
}
