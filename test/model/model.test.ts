/**
 * Random sequences of all endpoints against the model: `npm run model -- --runs N` for more than a test has time for.
 */
import test from 'ava'
import fc from 'fast-check'
import {create} from '../support/documents.ts'
import {brokenInvariants} from '../support/members.ts'
import {useService} from '../support/service.ts'
import {type Real, run, step} from './commands.ts'
import {type Model, newDocument} from './model.ts'

const runs = Number(process.env.MODEL_RUNS ?? 12)
const seed = process.env.MODEL_SEED

test('every document is what the model says after each of random requests, and the store stays sound', async t => {
  t.timeout(runs * 60_000)
  const service = await useService(t)
  let commands = 0

  const property = fc.asyncProperty(fc.array(step, {minLength: 20, maxLength: 30}), async steps => {
    const {iri: root} = await create(t, service, {})
    const model: Model = {documents: new Map([[root, newDocument(root, service.base, {})]]), changed: new Set()}
    const real: Real = {service, root, tags: new Map()}
    for (const each of steps) {
      await run(each, model, real)
      commands += 1
    }
    const broken = await brokenInvariants(service)
    if (broken.length > 0) throw new Error(JSON.stringify(broken))
  })
  const {
    failed,
    seed: used,
    errorInstance,
  } = await fc.check(property, {
    numRuns: runs,
    endOnFailure: process.env.MODEL_SHRINK === undefined,
    ...(seed === undefined ? {} : {seed: Number(seed)}),
  })

  if (failed) throw new Error(`MODEL_SEED=${used}: ${String(errorInstance)}`)
  t.true(commands >= runs * 20)
})
