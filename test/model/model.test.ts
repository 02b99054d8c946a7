/**
 * Compares random sequences of requests to all endpoints with the model. `npm run model -- --runs N` runs more of them.
 */
import test, {type ExecutionContext} from 'ava'
import fc from 'fast-check'
import {startGuarded} from '../support/access.ts'
import {create} from '../support/documents.ts'
import {brokenInvariants} from '../support/members.ts'
import {type TestService, useService} from '../support/service.ts'
import {type Batcher, createBatcher} from './batcher.ts'
import {prepare} from './commands.ts'
import {clone, type Model, newDocument} from './model.ts'
import {adopt, difference, observe} from './observe.ts'
import {groups, guardedGroups, type Step} from './steps.ts'
import type {Real} from './world.ts'

const runs = Number(process.env.MODEL_RUNS ?? 12)
const seed = process.env.MODEL_SEED

/** How the requests of several steps are sent: concurrently, as a batch, or as a group of a batch. */
type How = 'at once' | 'batch' | 'group'

/**
 * Sends several requests and searches for an order in which the model gives the same responses and the same final
 * state. A batch has one order. A group of which a request fails has no effect.
 *
 * @returns the model after them
 */
async function take(
  steps: readonly Step[],
  model: Model,
  {real, ada, batchers}: World,
  met: Map<string, number>, // "patch 204" → how often
): Promise<Model> {
  model.changed.clear()
  const prepared = await Promise.all(
    steps.map(async step => {
      if (step.do === 'grant' && steps.length > 1) return [] // a grant does not take effect when it is sent
      const isAdas = step.isAdas && real.isGuarded && step.do !== 'grant'
      const request = await prepare(step, model, isAdas ? ada : real)
      return request === undefined ? [] : [{kind: isAdas ? `Ada's ${step.do}` : step.do, ...request}]
    }),
  )
  const requests = prepared.flat()
  const how = howOf(steps, real)
  const sendAll = () => Promise.all(requests.map(({send}) => send()))
  const batcher = steps.every(({isAdas}) => isAdas && real.isGuarded) ? batchers.ada : batchers.owner
  const answers = await (how === 'at once' ? sendAll() : batcher.send(how === 'group', sendAll))
  for (const [index, {kind}] of requests.entries()) {
    const answer = `${how === 'at once' ? '' : `${how}: `}${kind} ${answers[index]?.status}`
    met.set(answer, (met.get(answer) ?? 0) + 1)
  }

  const failed = answers.filter(({status}) => status >= 400)
  const isUndone = how === 'group' && failed.length > 0
  const indexes = requests.map((_, index) => index)
  const orders = how === 'at once' ? ordersOf(indexes) : [indexes]
  const ends = orders.map(order => {
    const end = clone(model)
    if (isUndone) return {end, fault: faultOfUndone(answers)}
    const faults = order.map(index => {
      const answer = answers[index]
      return answer && requests[index]?.settle(end, answer)
    })
    return {end, fault: faults.find(fault => fault !== undefined)}
  })
  const iris = new Set([...real.tags.keys(), ...ends.flatMap(({end}) => [...end.documents.keys()])])
  const observed = await observe(real, iris)
  const faults: string[] = []
  for (const {end, fault: ofAnswers} of ends) {
    const fault = ofAnswers ?? difference(end, real, observed)
    if (fault === undefined) {
      adopt(end, real, observed)
      return end
    }
    faults.push(fault)
  }
  throw new Error(`${JSON.stringify(steps)}\n${[...new Set(faults)].join('\n— or —\n')}`)
}

/** Steps of one caller are also sent as batches and groups. A step chooses in the same way each time it is run. */
function howOf(steps: readonly Step[], {isGuarded}: Real): How {
  const isOne = !isGuarded || steps.every(({isAdas}) => isAdas === steps[0]?.isAdas)
  const hasGrant = steps.some(step => step.do === 'grant')
  const dice = JSON.stringify(steps).length % 3
  if (steps.length < 2 || !isOne || hasGrant || dice === 0) return 'at once'
  return dice === 1 ? 'batch' : 'group'
}

/** What is wrong with the responses to a group that failed: one request has failed, and the others have not counted. */
function faultOfUndone(answers: readonly {readonly status: number; readonly text: string}[]): string | undefined {
  const own = answers.filter(({status}) => status !== 424)
  const isRight = own.length === 1 && own.every(({status}) => status >= 400)
  return isRight ? undefined : `a failed group: ${answers.map(({status, text}) => `${status} ${text}`).join('; ')}`
}

function ordersOf(indexes: readonly number[]): readonly (readonly number[])[] {
  if (indexes.length < 2) return [indexes]
  return indexes.flatMap(first => ordersOf(indexes.filter(other => other !== first)).map(others => [first, ...others]))
}

/** The same documents, requested by the owner and by Ada. */
type World = {
  readonly real: Real
  readonly ada: Real
  readonly batchers: {readonly owner: Batcher; readonly ada: Batcher}
}

async function playAll(
  t: ExecutionContext,
  {owner, ada, isGuarded}: {readonly owner: TestService; readonly ada: TestService; readonly isGuarded: boolean},
): Promise<ReadonlyMap<string, number>> {
  t.timeout(runs * 60_000)
  const met = new Map<string, number>()

  const property = fc.asyncProperty(isGuarded ? guardedGroups : groups, async all => {
    const {iri: root} = await create(t, owner, {})
    const batchers = {owner: createBatcher(owner), ada: createBatcher(ada)}
    const real: Real = {service: batchers.owner.service, root, caller: 'owner', isGuarded, tags: new Map()}
    const world: World = {real, ada: {...real, service: batchers.ada.service, caller: 'ada'}, batchers}
    let model: Model = {
      documents: new Map([[root, newDocument(root, owner.base, {})]]),
      changed: new Set(),
      grants: new Map(),
      fresh: 0,
    }
    adopt(model, real, await observe(real, [root]))
    for (const steps of all) model = await take(steps, model, world, met)
    const broken = await brokenInvariants(owner)
    if (broken.length > 0) throw new Error(JSON.stringify(broken))
  })
  const {
    failed,
    numRuns,
    seed: used,
    errorInstance,
  } = await fc.check(property, {
    numRuns: runs,
    endOnFailure: process.env.MODEL_SHRINK === undefined,
    ...(seed === undefined ? {} : {seed: Number(seed)}),
  })

  if (failed) throw new Error(`MODEL_SEED=${used}, run ${numRuns}: ${String(errorInstance)}`)
  t.log(
    [...met]
      .map(([answer, count]) => `${answer}: ${count}`)
      .sort()
      .join(', '),
  )
  return met
}

test('after each random request every document equals the model, and the store is sound', async t => {
  const service = await useService(t)

  const met = await playAll(t, {owner: service, ada: service, isGuarded: false})

  const isMet = (pattern: RegExp) => [...met.keys()].some(answer => pattern.test(answer))
  if (runs >= 40) {
    // in a short run chance decides which kinds of requests succeed
    t.true(isMet(/\bmove 20[14]$/) && isMet(/\bcopy 20[14]$/), 'documents were moved and copied, alone or in a batch')
    for (const how of ['batch', 'group'])
      t.true(isMet(new RegExp(`^${how}: .* 20[14]$`)), `a ${how} has changed documents`)
  }
  t.true([...met.values()].reduce((sum, count) => sum + count) >= runs * 12)
  t.true(isMet(/\bupdate 200$/), 'updates of two documents were tried')
})

test('the same holds with grants, and no caller changes a document that it may not write', async t => {
  const service = await startGuarded()
  t.teardown(service.stop)
  const as = (name: string): TestService => ({...service, send: (sent = {}) => service.sendAs(name, sent)})

  const met = await playAll(t, {owner: as('root'), ada: as('ada'), isGuarded: true})

  const isMet = (pattern: RegExp) => [...met.keys()].some(answer => pattern.test(answer))
  t.true(isMet(/^Ada's .* 403$/), 'what Ada may not do was tried')
  // In a short run chance decides whether she tries what she may do.
  if (runs >= 40) t.true(isMet(/^Ada's .* 20[14]$/), 'what Ada may do was tried')
  t.true([...met.values()].reduce((sum, count) => sum + count) >= runs * 12)
})
