/**
 * Turns steps into requests and their effects on the model.
 *
 * A request is built from the current state. In a group of requests, its effect is applied to the model later, when its
 * turn comes. Existence is checked first, then conditions, then the request itself.
 */
import {c, ldp, preferChildren} from '../support/documents.ts'
import {asContainer, asSource, ldpatch, preferAll, preferSelected} from '../support/members.ts'
import {grant, guarded, likely, may, mayChange, removalNeeds, withContainer} from './access.ts'
import {inPatch} from './body.ts'
import {writeGraph} from './graph-store.ts'
import {labelsOf, linesOf, show, write} from './lines.ts'
import {cut, updateList} from './lists.ts'
import type {Model, ModelDocument} from './model.ts'
import * as service from './model.ts'
import {move} from './moving.ts'
import {query, readOne} from './reading.ts'
import type {Step, StepOf} from './steps.ts'
import {updateTwo} from './update.ts'
import * as world from './world.ts'
import {choose, faultOfStatus, type Headers, type Prepared, pathOf, type Real} from './world.ts'

/** The request of a step; undefined if the model has nothing for it. */
export async function prepare(step: Step, model: Model, real: Real): Promise<Prepared | undefined> {
  const prepared = await prepareOpen(step, model, real)
  return prepared && guarded(prepared, real.caller)
}

/** The same for a caller who may do everything. */
async function prepareOpen(step: Step, model: Model, real: Real): Promise<Prepared | undefined> {
  const documents = likely(model, real.caller)
  switch (step.do) {
    case 'create':
      return create(step, choose(documents, step.parent), model, real)
    case 'accessPoint':
      return createAccessPoint(step, choose(documents, step.parent), real)
    case 'replace':
      return replace(step, choose(documents, step.at), model, real)
    case 'graph':
      return writeGraph(step, choose(documents, step.at), model, real)
    case 'patch':
      return patch(step, choose(documents, step.at), model, real)
    case 'updateList':
      return update(step, choose(documents, step.at), model, real)
    case 'cut':
      return cutOut(step, choose(documents, step.at), real)
    case 'add':
    case 'remove':
      return actOnMembers(step, choose(documents, step.at), model, real)
    case 'removeAll':
    case 'delete':
    case 'deleteChildren':
    case 'lostHeader':
      return remove(step, choose(documents, step.at), real)
    case 'move':
    case 'copy':
      return move(step, choose(documents, step.at), choose(documents, step.to), real)
    case 'update':
      return updateTwo(step, [choose(documents, step.at), choose(documents, step.other)], model, real)
    case 'read':
      return readOne(step, choose(documents, step.at), real)
    case 'query':
      return query(step, model, real)
    case 'grant':
      return grant(step, model, real)
  }
}

function create(step: StepOf<'create'>, parent: ModelDocument, model: Model, real: Real): Prepared {
  const slug = choose(world.slugs, step.slug)
  const iri = `${parent.iri}${slug}/`
  const relation = step.relation < 40 ? choose(world.relations, step.relation) : undefined
  const said = [...world.saidLines(step.says, iri, {model, real}), ...world.saidList(step.list, iri, {model, real})]
  const kept = relation === undefined ? [] : [write([iri, `${ldp}hasMemberRelation`, relation])]
  const {headers, body} = world.contentOf(step.type, [...said, ...kept], iri)
  const {isPut} = step
  const needs = withContainer(parent, 'create', 'members')
  const asked = isPut
    ? {method: 'PUT', path: pathOf(real, iri), headers: {'If-None-Match': '*'}}
    : {method: 'POST', path: pathOf(real, parent.iri), headers: {Slug: slug}}
  return {
    needs: now => (isPut && now.documents.has(iri) ? [] : needs(now)), // all may read it, and so learn that it exists
    send: () =>
      real.service.send({
        ...asked,
        headers: {...world.preferring(step.prefer), ...headers, ...asked.headers} as Headers,
        body,
      }),
    settle(now, answer) {
      const taken = isPut ? 412 : 409
      const status = !now.documents.has(parent.iri) ? 404 : now.documents.has(iri) ? taken : 201
      if (answer.status !== status || status !== 201) return faultOfStatus(answer, status)
      const lines = service.withFreshLabels(now, new Set(), said)
      const document = service.newDocument(iri, parent.iri, {lines, relation})
      service.create(now, document)
      return world.faultOfWritten(answer, {model: now, document, prefer: step.prefer, labels: labelsOf(said).size})
    },
  }
}

function createAccessPoint(step: StepOf<'accessPoint'>, parent: ModelDocument, real: Real): Prepared {
  const slug = choose(world.slugs, step.slug)
  const iri = `${parent.iri}${slug}/`
  const relation = choose(world.relations, step.relation)
  const inverse = choose(world.inverses, step.inverse)
  const lines = [
    write([iri, 'http://www.w3.org/1999/02/22-rdf-syntax-ns#type', `${c}AccessPoint`]),
    write([iri, `${ldp}hasMemberRelation`, relation]),
    ...(inverse === undefined ? [] : [write([iri, `${ldp}isMemberOfRelation`, inverse])]),
  ]
  const {headers, body} = world.contentOf(step.type, lines, iri)
  return {
    needs: () => [
      {iri: parent.iri, mode: 'create'},
      {iri: parent.iri, mode: 'edit'},
    ],
    send: () =>
      real.service.send({method: 'POST', path: pathOf(real, parent.iri), headers: {...headers, Slug: slug}, body}),
    settle(now, answer) {
      const place = now.documents.get(parent.iri)
      const status = place === undefined ? 404 : place.isAccessPoint ? 422 : now.documents.has(iri) ? 409 : 201
      if (answer.status === status && status === 201)
        service.create(now, service.newDocument(iri, parent.iri, {point: {relation, inverse}}))
      return faultOfStatus(answer, status)
    },
  }
}

async function replace(step: StepOf<'replace'>, at: ModelDocument, model: Model, real: Real): Promise<Prepared> {
  const {iri} = at
  const got = await real.service.send({path: pathOf(real, iri), headers: {Accept: 'application/n-triples'}})
  const kept = linesOf(got.text).filter(line => !at.lines.has(line))
  const again = step.keeps ? [...at.lines] : []
  const list = step.keeps ? [] : world.saidList(step.list, iri, {model, real})
  const labels = world.namedLabels(at)
  const said = [...new Set([...world.saidLines(step.says, iri, {model, real, labels}), ...list, ...again])]
  const {headers, body} = world.contentOf(step.type, [...kept, ...said], iri)
  const condition = await world.conditionFor(real, iri, step.condition)
  return {
    needs: () => [{iri, mode: step.condition === 'none' ? 'members' : 'edit'}], // without If-Match it is a 428
    send: () =>
      real.service.send({
        method: 'PUT',
        path: pathOf(real, iri),
        headers: {...world.preferring(step.prefer, asSource), ...headers, ...condition.headers},
        body,
      }),
    settle(now, answer) {
      const document = now.documents.get(iri)
      if (document === undefined) return faultOfStatus(answer, 404)
      if (step.condition === 'none') return faultOfStatus(answer, 428)
      if (!condition.holds(now) || now.changed.has(iri)) return faultOfStatus(answer, 412) // c:modified has changed
      const fresh = service.newLabels(document, said)
      service.replace(now, document, said)
      return world.faultOfWritten(answer, {model: now, document, prefer: step.prefer, labels: fresh})
    },
  }
}

async function patch(step: StepOf<'patch'>, at: ModelDocument, model: Model, real: Real): Promise<Prepared> {
  const children = service.childrenOf(model, at.iri).map(({iri}) => write([at.iri, at.relation, iri]))
  const known = [...at.lines, ...children]
  const removed = known.length === 0 ? [] : [...new Set(step.drop.map(each => choose(known, each)))]
  const added = world.saidLines(step.says, at.iri, {model, real, labels: world.namedLabels(at)})
  const bind = step.isBound ? `Bind ?unused <${at.iri}> /<${ldp}membershipResource> .` : ''
  const text = `${bind} ${group('Delete', removed)} ${group('Add', added)}`
  return patching(step, at, real, {
    text,
    apply(now, document) {
      const labels = service.newLabels(document, added)
      service.patch(now, document, {removed, added})
      return {labels}
    },
  })
}

async function update(step: StepOf<'updateList'>, at: ModelDocument, model: Model, real: Real): Promise<Prepared> {
  const {from, to} = step
  const items = world.itemsOf(step.items, {model, real})
  const slice = `${from === 'end' ? '' : from}..${to === 'end' ? '' : to}`
  const isBackwards = from !== 'end' && to !== 'end' && from < 0 === to < 0 && to < from
  const begin = from === 'end' && to !== 'end' ? 0 : from // '..2' begins at the first item
  return patching(step, at, real, {
    text: `UpdateList <${at.iri}> <${world.listProperty}> ${slice} ( ${items.map(show).join(' ')} ) .`,
    apply(now, document) {
      if (isBackwards) return 400
      const isDone = updateList(now, document, {property: world.listProperty, from: begin, to, items})
      return isDone ? {labels: 0} : 422
    },
  })
}

async function cutOut(step: StepOf<'cut'>, at: ModelDocument, real: Real): Promise<Prepared | undefined> {
  const labels = world.namedLabels(at)
  if (labels.length === 0) return undefined
  const label = choose(labels, step.label)
  return patching({...step, prefer: 'none'}, at, real, {
    text: `Cut ${label} .`,
    apply: (now, document) => (cut(now, document, label) ? {labels: 0} : 400),
  })
}

/** A PATCH. `apply` returns the number of new labels, or the status of an error. */
async function patching(
  {condition: kind, prefer}: Pick<StepOf<'patch'>, 'condition' | 'prefer'>,
  {iri}: ModelDocument,
  real: Real,
  {text, apply}: {text: string; apply: (model: Model, document: ModelDocument) => {readonly labels: number} | number},
): Promise<Prepared> {
  const condition = await world.conditionFor(real, iri, kind)
  const headers = {...world.preferring(prefer), ...ldpatch, ...condition.headers}
  return {
    needs: () => [{iri, mode: 'edit'}],
    send: () => real.service.send({method: 'PATCH', path: pathOf(real, iri), headers, body: text}),
    settle(now, answer) {
      const document = now.documents.get(iri)
      if (document === undefined) return faultOfStatus(answer, 404)
      if (!condition.holds(now)) return faultOfStatus(answer, 412)
      const result = apply(now, document)
      if (typeof result === 'number') return faultOfStatus(answer, result)
      return world.faultOfWritten(answer, {model: now, document, prefer, labels: result.labels})
    },
  }
}

async function actOnMembers(
  step: StepOf<'add'> | StepOf<'remove'>,
  {iri}: ModelDocument,
  model: Model,
  real: Real,
): Promise<Prepared> {
  const members = [...new Set(step.members.map(each => choose(world.candidates(model, real), each)))]
  const condition = await world.conditionFor(real, iri, step.condition)
  const isAdding = step.do === 'add'
  const sent = isAdding
    ? {method: 'PUT', headers: {Prefer: asContainer}, body: actionLines('Add', members)}
    : {method: 'DELETE', headers: {Prefer: preferSelected}, body: actionLines('Remove', members)}
  const {headers, body} = world.contentOf(step.type, sent.body, iri)
  return {
    needs: isAdding ? withContainer({iri}, 'members', 'members') : withContainer({iri}, 'edit', 'edit'),
    send: () =>
      real.service.send({
        method: sent.method,
        path: pathOf(real, iri),
        headers: {...sent.headers, ...headers, ...condition.headers} as Headers,
        body,
      }),
    settle(now, answer) {
      const document = now.documents.get(iri)
      if (document === undefined) return faultOfStatus(answer, 404)
      if (!condition.holds(now)) return faultOfStatus(answer, 412)
      const areKnown = members.every(member => now.documents.has(member))
      if (isAdding && !areKnown) return faultOfStatus(answer, 422)
      const isInverse = service.listOf(document).inverse !== undefined
      const areOpen = members.every(member => may(now, real.caller, {iri: member, mode: 'members'}))
      if (isAdding && isInverse && !areOpen) return faultOfStatus(answer, 403)
      if (isAdding) service.addMembers(now, document, members)
      else service.removeMembers(now, document, members, mayChange(now, real.caller))
      return faultOfStatus(answer, 204)
    },
  }
}

function actionLines(kind: 'Add' | 'Remove', members: readonly string[]): readonly string[] {
  const type = write(['_:action', 'http://www.w3.org/1999/02/22-rdf-syntax-ns#type', `${c}${kind}MemberAction`])
  return [type, ...members.map(member => write(['_:action', `${c}targetMember`, member]))]
}

type Removal = StepOf<'removeAll'> | StepOf<'delete'> | StepOf<'deleteChildren'> | StepOf<'lostHeader'>

async function remove(step: Removal, {iri}: ModelDocument, real: Real): Promise<Prepared | undefined> {
  const isRoot = iri === real.root
  if (isRoot && (step.do === 'delete' || (step.do === 'deleteChildren' && step.at > 5))) return undefined // rare
  const condition = await world.conditionFor(real, iri, step.do === 'lostHeader' ? 'none' : step.condition)
  const lost = [preferAll.slice(0, 1), preferAll.slice(1), preferChildren.slice(0, 2), preferChildren.slice(1)]
  const prefers: Readonly<Record<Removal['do'], readonly string[]>> = {
    removeAll: preferAll,
    delete: [],
    deleteChildren: preferChildren,
    lostHeader: choose(lost, step.at),
  }
  const prefer = prefers[step.do]
  const headers = {...condition.headers, ...(prefer.length === 0 ? {} : {Prefer: prefer})}
  return {
    needs: removalNeeds[step.do](iri),
    send: () => real.service.send({method: 'DELETE', path: pathOf(real, iri), headers}),
    settle(now, answer) {
      const document = now.documents.get(iri)
      if (document === undefined) return faultOfStatus(answer, 404)
      if (!condition.holds(now)) return faultOfStatus(answer, 412)
      if (step.do === 'lostHeader') return faultOfStatus(answer, 400)
      const changes = mayChange(now, real.caller)
      const gone = step.do === 'delete' ? [iri] : service.childrenOf(now, iri).map(each => each.iri)
      if (step.do === 'removeAll') service.removeMembers(now, document, 'all', changes)
      else service.remove(now, gone, changes)
      return faultOfStatus(answer, 204)
    },
  }
}

const group = (operation: string, lines: readonly string[]) =>
  lines.length === 0 ? '' : `${operation} { ${inPatch(lines)} } .`
