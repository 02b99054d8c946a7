/** A short campaign for every test run. `npm run fuzz` runs a long one. */
import test from 'ava'
import {useService} from '../support/service.ts'
import {runCampaign} from './campaign.ts'
import {drawRequest} from './hostile-requests.ts'
import {createRandom} from './random.ts'

test('2,000 hostile requests get no 5xx, reveal no internals and leave the store sound', async t => {
  t.timeout(110_000)
  const service = await useService(t, {BODY_LIMIT_BYTES: '1000000', BODY_TIMEOUT_MS: '1000'})

  const {sent, statuses, faults} = await runCampaign(service, {requests: 2000, seed: 20_000, limitMs: 100_000})

  t.deepEqual(faults, [])
  t.is(sent, 2000)
  for (const status of ['200', '201', '204', '400', '404', '405', '412', '415', '422', '501'])
    t.true((statuses.get(status) ?? 0) > 0, `no ${status} among ${JSON.stringify([...statuses])}`)
})

test('the same seed gives the same requests', t => {
  const draw = (seed: number) => {
    const random = createRandom(seed)
    return Array.from({length: 200}, () => drawRequest(random, 'http://e/').bytes.toString('latin1'))
  }

  t.deepEqual(draw(7), draw(7))
  t.notDeepEqual(draw(7), draw(8))
})
