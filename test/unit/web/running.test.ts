/** The responses under way: which there are, and that nothing keeps those that have ended. */
import {IncomingMessage, ServerResponse} from 'node:http'
import {Socket} from 'node:net'
import test from 'ava'
import {createRunningResponses} from '../../../src/web/server/running.ts'
import {oldBytes, promote} from '../../support/old-generation.ts'

function respond(socket = new Socket()): ServerResponse {
  return new ServerResponse(new IncomingMessage(socket))
}

test('responses are under way until they are removed, in any order', t => {
  const {add, all} = createRunningResponses()
  const responses = [respond(), respond(), respond()]
  const [removeFirst, , removeLast] = responses.map(add)
  const places = () =>
    all()
      .map(({response}) => responses.indexOf(response))
      .sort()

  removeFirst?.()
  removeFirst?.()
  t.deepEqual(places(), [1, 2])

  removeLast?.()
  t.deepEqual(places(), [1])
})

test('the last response on a socket is the one that began last', t => {
  const {add, lastOn} = createRunningResponses()
  const [here, elsewhere] = [new Socket(), new Socket()]
  const removeFirst = add(respond(elsewhere))
  const [second, third] = [respond(here), respond(here)]
  const removals = [second, third].map(add)

  removeFirst() // the last entry takes its place
  t.is(lastOn(here), third)
  removals[1]?.()
  t.is(lastOn(here), second)
  t.is(lastOn(elsewhere), undefined)
})

test.serial('minor collections free responses that have ended', t => {
  const {add} = createRunningResponses()
  const underWay: (() => void)[] = []
  const answer = (count: number) => {
    for (let n = 0; n < count; n++) {
      const response = Object.assign(respond(), {answer: Array.from({length: 1000}, () => n)})
      underWay.push(add(response))
      if (underWay.length === 16) underWay.shift()?.()
      if (n % 250 === 0) promote()
    }
  }
  answer(200)
  const growths: number[] = []
  for (let round = 0; round < 5; round++) {
    const before = oldBytes()
    answer(500)
    growths.push((oldBytes() - before) / 500)
  }
  const [, , median = Number.NaN] = growths.sort((one, other) => one - other)
  t.true(median < 2000, `${Math.round(median)} bytes a response`)
})
