/** Moves and copies of documents: requests, and their effects on the model. */
import {read} from './lines.ts'
import type {Model, ModelDocument} from './model.ts'
import * as service from './model.ts'
import type {StepOf} from './steps.ts'
import * as world from './world.ts'
import {choose, faultOfStatus, type Prepared, pathOf, type Real} from './world.ts'

type MoveStep = StepOf<'move'> | StepOf<'copy'>

/** @returns  undefined for the root of the model, which has no parent in it */
export async function move(
  step: MoveStep,
  {iri}: ModelDocument,
  parent: ModelDocument,
  real: Real,
): Promise<Prepared | undefined> {
  if (iri === real.root) return undefined
  const target = `${parent.iri}${choose(world.slugs, step.slug)}/`
  const isDeep = step.do === 'move' || step.isDeep
  const condition = await world.conditionFor(real, iri, step.condition)
  const headers = {
    ...condition.headers,
    Destination: step.overwrites ? target : pathOf(real, target),
    Overwrite: step.overwrites ? 'T' : 'F',
    Depth: isDeep ? 'infinity' : '0',
  }
  return {
    needs: () => [],
    send: () => real.service.send({method: step.do.toUpperCase(), path: pathOf(real, iri), headers}),
    settle(now, answer) {
      const status = statusOf(now, {iri, target, parent: parent.iri, isDeep, overwrites: step.overwrites})
      const isMet = !now.documents.has(iri) || condition.holds(now)
      if (!isMet) return faultOfStatus(answer, 412)
      if (status === 204) service.remove(now, [target], () => true)
      if (status < 300 && step.do === 'move') moveTo(now, iri, target, parent.iri)
      if (status < 300 && step.do === 'copy') copyTo(now, {iri, target, parent: parent.iri, isDeep})
      return faultOfStatus(answer, status)
    },
  }
}

type Places = {readonly iri: string; readonly target: string; readonly parent: string; readonly isDeep: boolean}

function statusOf(
  {documents}: Model,
  {iri, target, parent, isDeep, overwrites}: Places & {overwrites: boolean},
): number {
  const document = documents.get(iri)
  if (document === undefined) return 404
  if (document.isAccessPoint) return 409
  if (target === iri || (isDeep && target.startsWith(iri)) || iri.startsWith(target)) return 403
  if (!documents.has(parent)) return 409
  if (!documents.has(target)) return 201
  return overwrites ? 204 : 412
}

function moveTo(model: Model, iri: string, target: string, parent: string): void {
  const rename = (text: string) => text.replaceAll(`<${iri}`, `<${target}`)
  const renamed = (name: string) => rename(`<${name}`).slice(1)
  const before = model.documents.get(iri)
  for (const [name, document] of [...model.documents]) {
    const lines = new Set([...document.lines].map(rename))
    const isMoved = name.startsWith(iri)
    if (isMoved || [...document.lines].some(line => !lines.has(line))) model.changed.add(renamed(name))
    model.documents.delete(name)
    model.documents.set(renamed(name), {
      ...document,
      iri: renamed(name),
      parent: renamed(document.parent),
      own: document.own.map(rename),
      relation: renamed(document.relation),
      lines,
    })
    if (isMoved) model.changed.delete(name)
  }
  const moved = model.documents.get(target)
  if (moved === undefined || before === undefined || before.parent === parent) return
  leave(model, moved, before.parent)
  enter(model, {...moved, parent}, parent)
}

/** Ends the membership that a child has in its parent since its creation. */
function leave(model: Model, document: ModelDocument, old: string): void {
  const parent = model.documents.get(old)
  if (parent === undefined || document.memberBy === undefined) return
  document.memberBy = undefined
  const {container, inverse} = service.listOf(parent)
  const lists = [...model.documents.values()].filter(each => {
    const list = service.listOf(each)
    return list.container === container && list.inverse === inverse
  })
  if (lists.some(each => service.membersOf(model, each).includes(document.iri))) return
  dropInverse(document, container, inverse)
}

function dropInverse(document: ModelDocument, container: string, inverse: string | undefined): void {
  for (const line of document.lines) {
    const [s, p, o] = read(line)
    if (s === document.iri && p === inverse && o === container) document.lines.delete(line)
  }
}

/** Puts a document below a parent, as its creation does. */
function enter(model: Model, document: ModelDocument, parent: string): void {
  const above = model.documents.get(parent)
  if (above === undefined) throw new Error('no parent')
  model.documents.set(document.iri, document)
  if (!above.isAccessPoint) document.memberBy = above.relation
  service.addMembers(model, above, [document.iri])
}

function copyTo(model: Model, {iri, target, parent, isDeep}: Places): void {
  const origins = [...model.documents.values()].filter(each => each.iri === iri || (isDeep && each.iri.startsWith(iri)))
  const rename = (text: string) =>
    isDeep
      ? text.replaceAll(`<${iri}`, `<${target}`)
      : text.replaceAll(`<${iri}>`, `<${target}>`).replaceAll(`<${iri}#`, `<${target}#`)
  const renamed = (name: string) => rename(`<${name}>`).slice(1, -1)
  const copies = origins.map(each => ({
    ...each,
    iri: renamed(each.iri),
    parent: each.iri === iri ? parent : renamed(each.parent),
    own: each.own.map(rename),
    relation: renamed(each.relation),
    lines: new Set(service.withFreshLabels(model, new Set(), [...each.lines].map(rename))),
  }))
  for (const copy of copies) {
    model.documents.set(copy.iri, copy)
    model.changed.add(copy.iri)
  }
  const [first] = copies.filter(copy => copy.iri === target)
  const origin = model.documents.get(iri)
  const above = origin && model.documents.get(origin.parent)
  if (first === undefined) return
  first.memberBy = undefined
  if (above !== undefined) dropInverse(first, above.iri, service.listOf(above).inverse)
  enter(model, first, parent)
}
