/** Reads documents of the service, and compares them with the model. */
import {c, ldp} from '../support/documents.ts'
import {isSame, linesOf, read, write} from './lines.ts'
import {childrenOf, type Model, type ModelDocument, membersOf, shown} from './model.ts'
import {isTime, pathOf, type Real} from './world.ts'

export type Observed = {
  readonly iri: string
  readonly tag: string | undefined // undefined: the document does not exist
  readonly modified: string
  readonly lines: readonly string[] // without times
  readonly listing: readonly string[] // its children and members, and its other lines
}

const listingHeaders = {
  Accept: 'application/n-triples',
  Prefer: `include="${ldp}PreferContainment ${ldp}PreferMembership"`,
}

export function observe(real: Real, iris: Iterable<string>): Promise<readonly Observed[]> {
  return Promise.all([...iris].map(iri => observeOne(real, iri)))
}

async function observeOne(real: Real, iri: string): Promise<Observed> {
  const path = pathOf(real, iri)
  const got = await real.service.send({path, headers: {Accept: 'application/n-triples'}})
  if (got.status !== 200 && got.status !== 404) throw new Error(`${got.status} ${got.text}`)
  const all = linesOf(got.text)
  const listed = await real.service.send({path, headers: listingHeaders})
  return {
    iri,
    tag: got.status === 200 ? got.headers.etag : undefined,
    modified: all.find(line => line.includes(` <${c}modified> `)) ?? '',
    lines: all.filter(line => !isTime(line)),
    listing: linesOf(listed.text),
  }
}

/** Describes the first difference; undefined if there is none. */
export function difference(model: Model, {tags}: Real, all: readonly Observed[]): string | undefined {
  for (const each of all) {
    const document = model.documents.get(each.iri)
    const fault = document === undefined ? each.tag && 'is there' : differenceOf(model, document, each)
    const before = tags.get(each.iri)
    if (fault !== undefined) return `<${each.iri}> ${fault}`
    if (before === undefined || document === undefined) continue
    const isChanged = model.changed.has(each.iri)
    if ((before.tag !== each.tag) !== isChanged) return `<${each.iri}> has ${isChanged ? 'the old' : 'a new'} tag`
    if ((before.modified !== each.modified) !== isChanged) return `c:modified of <${each.iri}> is wrong`
  }
  return undefined
}

function differenceOf(model: Model, document: ModelDocument, {tag, lines, listing}: Observed): string | undefined {
  if (tag === undefined) return 'is not there'
  const expected = shown(model, document)
  if (!isSame(lines, expected)) return `says\n${lines.join('\n')}\ninstead of\n${expected.join('\n')}`
  const children = listing.map(read).flatMap(([s, p, o]) => (s === document.iri && p === `${ldp}contains` ? [o] : []))
  const wanted = childrenOf(model, document.iri).map(({iri}) => iri)
  if (!isSameBag(children, wanted)) return `contains ${children}, not ${wanted}`
  const container = document.isAccessPoint ? document.parent : document.iri
  const by = `${write([container, document.relation, '']).slice(0, -2)}<`
  const iriIn = (line: string) => (line.startsWith(by) ? [read(line)[2]] : [])
  const members = [...new Set(listing.flatMap(iriIn))]
  const own = [...document.lines].flatMap(iriIn) // an access point may have the same triple
  const known = [...new Set([...own, ...membersOf(model, document)])]
  return isSameBag(members, known) ? undefined : `has the members ${members}, not ${known}`
}

/** Replaces blank nodes of the model by the labels that the service has given them. */
export function adopt(model: Model, real: Real, all: readonly Observed[]): void {
  real.tags.clear()
  for (const {iri, tag, modified, lines} of all) {
    const document = model.documents.get(iri)
    if (document === undefined || tag === undefined) continue
    real.tags.set(iri, {tag, modified})
    const own = new Set(shown(model, {...document, lines: new Set()}))
    document.lines = new Set(lines.filter(line => !own.has(line)))
  }
}

function isSameBag(left: readonly string[], right: readonly string[]): boolean {
  return JSON.stringify([...left].sort()) === JSON.stringify([...right].sort())
}
