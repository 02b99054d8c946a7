/**
 * Random requests: each is sent to the service and told to the model, then all documents are compared.
 */
import {isDeepStrictEqual} from 'node:util'
import fc from 'fast-check'
import {c, ldp, preferChildren, turtle} from '../support/documents.ts'
import {add, asSource, ex, patch, preferAll, remove, removeAll, triplesOf} from '../support/members.ts'
import type {TestService} from '../support/service.ts'
import type {Line, Model, ModelDocument, Point} from './model.ts'
import * as service from './model.ts'

export type Real = {
  readonly service: TestService
  readonly root: string // IRI of the document that the sequence plays in
  readonly tags: Map<string, string | undefined> // as last seen
}

/** Numbers that choose among what there is when a command runs. */
type Pick = number
type Said = {readonly subject: Pick; readonly predicate: Pick; readonly object: Pick}
type Sent = {readonly status: number; readonly headers: Readonly<Record<string, unknown>>; readonly text: string}

export type Step =
  | {
      readonly do: 'create'
      readonly parent: Pick
      readonly slug: Pick
      readonly says: readonly Said[]
      readonly relation: Pick
    }
  | {
      readonly do: 'access-point'
      readonly parent: Pick
      readonly slug: Pick
      readonly relation: Pick
      readonly inverse: Pick
    }
  | {readonly do: 'replace'; readonly at: Pick; readonly says: readonly Said[]}
  | {
      readonly do: 'patch'
      readonly at: Pick
      readonly drop: readonly Pick[]
      readonly says: readonly Said[]
      readonly isBound: boolean
    }
  | {readonly do: 'delete' | 'delete-children' | 'remove-all' | 'lost-header' | 'stale'; readonly at: Pick}
  | {readonly do: 'add' | 'remove'; readonly at: Pick; readonly members: readonly Pick[]}

const pick = fc.nat({max: 97})
const said = fc.record({subject: pick, predicate: pick, object: pick})
const says = fc.array(said, {maxLength: 4})

export const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({do: fc.constant('create' as const), parent: pick, slug: pick, says, relation: pick}),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('access-point' as const),
      parent: pick,
      slug: pick,
      relation: pick,
      inverse: pick,
    }),
  },
  {weight: 2, arbitrary: fc.record({do: fc.constant('replace' as const), at: pick, says})},
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('patch' as const),
      at: pick,
      drop: fc.array(pick, {maxLength: 3}),
      says,
      isBound: fc.boolean(),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constantFrom('add' as const, 'remove' as const),
      at: pick,
      members: fc.array(pick, {minLength: 1, maxLength: 3}),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom(
        'delete' as const,
        'delete-children' as const,
        'remove-all' as const,
        'lost-header' as const,
        'stale' as const,
      ),
      at: pick,
    }),
  },
)

const relations = [`${ldp}member`, `${ex}participant`, `${ex}guest`]
const inverses = [undefined, `${ex}in`, `${ex}visits`]
const slugs = ['a', 'b', 'c', 'd']

/** Runs one step against both; throws when they differ. */
export async function run(step: Step, model: Model, real: Real): Promise<void> {
  model.changed.clear()
  await act(step, model, real)
  await compare(model, real)
}

async function act(step: Step, model: Model, real: Real): Promise<void> {
  const live = [...model.documents.values()]
  const at = (index: Pick) => choose(live, index)
  const {send} = real.service
  const path = ({iri}: ModelDocument) => pathOf(real, iri)
  switch (step.do) {
    case 'create': {
      const parent = at(step.parent)
      const iri = `${parent.iri}${choose(slugs, step.slug)}/`
      const lines = step.says.map(each => lineOf(each, iri, model, real))
      const relation = step.relation < 40 ? choose(relations, step.relation) : undefined
      const text = [
        ...lines.map(service.write),
        ...(relation === undefined ? [] : [service.write([iri, `${ldp}hasMemberRelation`, relation])]),
      ]
      const answer = await send({
        method: 'POST',
        path: path(parent),
        headers: {...turtle, Slug: choose(slugs, step.slug)},
        body: body(text),
      })
      if (!expectStatus(step, answer, model.documents.has(iri) ? 409 : 201)) return
      service.create(model, service.newDocument(iri, parent.iri, {lines, relation}))
      return
    }
    case 'access-point': {
      const parent = at(step.parent)
      const iri = `${parent.iri}${choose(slugs, step.slug)}/`
      const point: Point = {relation: choose(relations, step.relation), inverse: choose(inverses, step.inverse)}
      const inverse = point.inverse === undefined ? '' : `; <${ldp}isMemberOfRelation> <${point.inverse}>`
      const text = `<> a <${c}AccessPoint> ; <${ldp}hasMemberRelation> <${point.relation}> ${inverse} .`
      const answer = await send({
        method: 'POST',
        path: path(parent),
        headers: {...turtle, Slug: choose(slugs, step.slug)},
        body: text,
      })
      const status = parent.isAccessPoint ? 422 : model.documents.has(iri) ? 409 : 201
      if (!expectStatus(step, answer, status)) return
      service.create(model, service.newDocument(iri, parent.iri, {point}))
      return
    }
    case 'replace': {
      const document = at(step.at)
      const lines = step.says.map(each => lineOf(each, document.iri, model, real))
      const got = await send({path: path(document), headers: {Accept: 'application/n-triples'}})
      const kept = got.text.split('\n').filter(line => line !== '' && !document.lines.has(line.replace(/ \.$/, '')))
      const headers = {...turtle, Prefer: asSource, 'If-Match': String(got.headers.etag)}
      const answer = await send({
        method: 'PUT',
        path: path(document),
        headers,
        body: [...kept, body(lines.map(service.write))].join('\n'),
      })
      if (expectStatus(step, answer, 204)) service.replace(model, document, lines)
      return
    }
    case 'patch': {
      const document = at(step.at)
      const known = [
        ...document.lines,
        ...service
          .childrenOf(model, document.iri)
          .map(({iri}) => service.write([document.iri, document.relation, iri])),
      ]
      const added = step.says.map(each => lineOf(each, document.iri, model, real))
      const removed = known.length === 0 ? [] : step.drop.map(each => choose(known, each))
      const last = removed.filter(line => !added.map(service.write).includes(line))
      const bind = step.isBound ? `Bind ?unused <${document.iri}> /<${ldp}membershipResource> .` : ''
      const text = `${bind} ${group('Delete', removed)} ${group('Add', added.map(service.write))}`
      const answer = await patch(real.service, path(document), text)
      if (expectStatus(step, answer, 204)) service.patch(model, document, last.map(readLine), added)
      return
    }
    case 'delete': {
      const document = at(step.at)
      if (document.iri === real.root) return
      if (expectStatus(step, await send({method: 'DELETE', path: path(document)}), 204))
        service.remove(model, [document.iri])
      return
    }
    case 'delete-children': {
      const document = at(step.at)
      if (document.iri === real.root && step.at > 5) return // seldom everything
      const answer = await send({method: 'DELETE', path: path(document), headers: {Prefer: preferChildren}})
      if (expectStatus(step, answer, 204))
        service.remove(
          model,
          service.childrenOf(model, document.iri).map(({iri}) => iri),
        )
      return
    }
    case 'add':
    case 'remove': {
      const document = at(step.at)
      const members = step.members.map(each => choose(candidates(model, real), each))
      const areKnown = members.every(member => model.documents.has(member))
      if (step.do === 'add') {
        const answer = await add(real.service, path(document), members)
        if (expectStatus(step, answer, areKnown ? 204 : 422)) service.addMembers(model, document, members)
      } else if (expectStatus(step, await remove(real.service, path(document), members), 204))
        service.removeMembers(model, document, members)
      return
    }
    case 'remove-all':
      if (expectStatus(step, await removeAll(real.service, path(at(step.at))), 204))
        service.removeMembers(model, at(step.at), 'all')
      return
    case 'lost-header': {
      const sets = [preferAll.slice(0, 1), preferAll.slice(1), preferChildren.slice(0, 2), preferChildren.slice(1)]
      expectStatus(
        step,
        await send({method: 'DELETE', path: path(at(step.at)), headers: {Prefer: choose(sets, step.at)}}),
        400,
      )
      return
    }
    case 'stale':
      expectStatus(step, await patch(real.service, path(at(step.at)), '', {headers: {'If-Match': '"0"'}}), 412)
  }
}

/** Whether the answer is a success; throws when it is another than expected. */
function expectStatus(step: Step, {status, text}: Sent, expected: number): boolean {
  if (status !== expected) throw new Error(`${JSON.stringify(step)}: ${status} instead of ${expected} ${text}`)
  return status < 300
}

async function compare(model: Model, real: Real): Promise<void> {
  for (const document of model.documents.values()) {
    const path = pathOf(real, document.iri)
    const actual = (await triplesOf(real.service, path))
      .map(line => line.replaceAll('</', `<${real.service.base}`))
      .sort()
    same(`triples of ${path}`, actual, service.shown(model, document))

    const listing = await real.service.send({
      path,
      headers: {Accept: 'application/n-triples', Prefer: `include="${ldp}PreferContainment ${ldp}PreferMembership"`},
    })
    const start = `<${document.iri}> <${ldp}contains> `
    const listed = listing.text.split('\n').filter(line => line !== '')
    same(
      `children of ${path}`,
      listed
        .filter(line => line.startsWith(start))
        .map(line => line.slice(start.length + 1, -3))
        .sort(),
      service
        .childrenOf(model, document.iri)
        .map(({iri}) => iri)
        .sort(),
    )
    const container = document.isAccessPoint ? document.parent : document.iri
    const by = `<${container}> <${document.relation}> <`
    const own = [...document.lines].filter(line => line.startsWith(by)).map(line => line.slice(by.length, -1))
    same(
      `members of ${path}`,
      [...new Set(listed.flatMap(line => (line.startsWith(by) ? [line.slice(by.length, -3)] : [])))].sort(),
      [...new Set([...own, ...service.membersOf(model, document)])].sort(), // an access point may speak of the same
    )

    const {etag} = (await real.service.send({path, method: 'HEAD'})).headers
    const before = real.tags.get(document.iri)
    if (before !== undefined) same(`whether ${path} changed`, before !== etag, model.changed.has(document.iri))
    real.tags.set(document.iri, etag)
  }
  for (const iri of real.tags.keys()) {
    if (model.documents.has(iri)) continue
    same(`status of ${iri}`, (await real.service.send({path: pathOf(real, iri)})).status, 404)
    real.tags.delete(iri)
  }
}

function same(what: string, actual: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(actual, expected))
    throw new Error(`${what}: ${JSON.stringify(actual, null, 1)} instead of ${JSON.stringify(expected, null, 1)}`)
}

/** IRIs that a body may name: documents, and some that are none or not yet. */
function candidates(model: Model, {root}: Real): readonly string[] {
  return [...model.documents.keys(), ...slugs.map(slug => `${root}${slug}/`), `${root}a/b/`]
}

function lineOf({subject, predicate, object}: Said, own: string, model: Model, real: Real): Line {
  const iris = candidates(model, real)
  const from = subject < 70 ? own : choose(iris, subject)
  const to = object < 20 ? `"${object % 4}"` : choose(iris, object)
  return [from, choose([...relations, `${ex}p`], predicate), to]
}

function readLine(line: string): Line {
  const [, s = '', p = '', o = ''] = /^<([^>]*)> <([^>]*)> (.*)$/.exec(line) ?? []
  return [s, p, o.replace(/^<(.*)>$/, '$1')]
}

const body = (lines: readonly string[]) => lines.map(line => `${line} .`).join('\n')
const group = (operation: string, lines: readonly string[]) =>
  lines.length === 0 ? '' : `${operation} { ${lines.join(' . ')} . } .`
const pathOf = ({service: {base}}: Real, iri: string) => `/${iri.slice(base.length)}`

function choose<Item>(items: readonly Item[], index: Pick): Item {
  return items[index % items.length] as Item
}
