/**
 * Documents, patches and answers within the limits do not block the service: tests the longest delay of its event loop
 * over bodies and answers in each syntax. `npm run fuzz:delays` measures every construct.
 */
import test from 'ava'
import {type MeasuredService, startMeasuredService} from '../support/loop-delay.ts'
import {constructs} from './document-constructs.ts'
import {answerCases, bodyCase, type LoopCase, makeDocuments, measureCase, writeCases} from './loop-cases.ts'

const runs = 3 // other work on the machine can delay one run; what the service does itself, it does in each
const bodyLength = 10_400_000 // characters; BODY_LIMIT_BYTES is 10 MiB

let service: MeasuredService

test.before(async t => {
  t.timeout(600_000)
  service = await startMeasuredService()
  await makeDocuments(service)
})
test.after.always(() => service.stop())

/** The cases with the longest delay in each syntax before bodies were read in threads. */
const bodies: readonly (readonly [type: string, name: string])[] = [
  ['text/turtle', 'statements'],
  ['text/turtle', 'nested collections'],
  ['application/trig', 'graphs of others'],
  ['application/n-quads', 'labels'],
  ['application/ld+json', 'nodes'],
  ['application/ld+json', 'contexts in an array'],
  ['application/ld+json', 'empty objects'],
  ['application/ld+json', 'one IRI of dots'],
  ['application/rdf+xml', 'properties of different names'],
  ['application/rdf+xml', 'attributes'],
  ['text/ldpatch', 'additions that may be there'],
  ['text/ldpatch', 'list updates that grow'],
]

const answers = [
  'GET large as application/ld+json',
  'GET large-list as text/html',
  'GET one-literal-of-quotes as application/rdf+xml',
  'SELECT of a literal of quotes as text/csv',
  'CONSTRUCT of 60,000 triples as application/rdf+json',
  'CONSTRUCT with the checksum of large-nodes',
]

function cases(): readonly LoopCase[] {
  const incoming = bodies.map(([type, name]) => {
    const construct = constructs.find(each => each.type === type && each.name === name)
    if (construct === undefined) throw new Error(`there is no construct ${name} of ${type}`)
    return bodyCase(construct, bodyLength)
  })
  return [...incoming, ...answerCases().filter(({name}) => answers.includes(name)), ...writeCases()]
}

for (const each of cases()) {
  test.serial(each.name, async t => {
    t.timeout(180_000)
    let limitMs = await service.delayLimit()
    let measured = await measureCase(service, each)
    for (let run = 1; run < runs && measured.delayMs >= limitMs; run += 1) {
      limitMs = await service.delayLimit() // the machine may have become busier
      measured = await measureCase(service, each)
    }

    t.true(measured.delayMs < limitMs, `${measured.delayMs} ms of ${limitMs}`)
    for (const {status, text} of measured.answers) {
      t.true(status < 500 || status === 503, `${status} ${text.slice(0, 300)}`)
      t.not(status, 413)
    }
  })
}
