/** Topics: their words, patterns, and a comparison of the matcher with regular expressions. */
import test from 'ava'
import fc from 'fast-check'
import {StompError} from '../../../src/stomp/frame.ts'
import {destinationOf, isTopicMatch, readTopic, topicOf} from '../../../src/stomp/topic.ts'

test('an event has the words of its name and of its path, as clients write them', t => {
  t.is(destinationOf(topicOf('child.created', '')), '/topic/child.created')
  t.is(destinationOf(topicOf('document.modified', 'a.b/c%20d/é/')), '/topic/document.modified.a^b.c%2520d.%C3%A9')
})

for (const [pattern, matching, others] of [
  ['/topic/child.created', ['child.created'], ['child.created.a', 'document.created', 'child']],
  ['/topic/*.*', ['child.created', 'member.added'], ['child.created.a']],
  ['/topic/*.created.a.*', ['child.created.a.b', 'document.created.a.c'], ['child.created.a', 'child.created.a.b.c']],
  ['/topic/document.modified.a.#', ['document.modified.a', 'document.modified.a.b.c'], ['document.modified.b']],
  [
    '/topic/document.modified.a.**.z',
    ['document.modified.a.z', 'document.modified.a.b.c.z'],
    ['document.modified.a.z.y'],
  ],
  ['/topic/#', ['child.created', 'child.created.a.b'], []],
  ['/topic/document.created.a^b.é', ['document.created.a^b.%C3%A9'], ['document.created.a.b.%C3%A9']],
] as const)
  test(`${pattern} matches ${matching.join(', ')}`, t => {
    const read = readTopic(pattern)

    t.deepEqual(
      [...matching, ...others].filter(words => isTopicMatch(read, words.split('.'))),
      [...matching],
    )
  })

test('a destination that names no topic is refused', t => {
  for (const bad of ['', '/topic/', '/queue/a', 'topic/a', '/topic/child.created.%zz', `/topic/${'a.'.repeat(70)}`])
    t.throws(() => readTopic(bad), {instanceOf: StompError}, bad)
})

const words = fc.array(fc.constantFrom('a', 'b', 'c'), {maxLength: 8})
const patterns = fc.array(fc.constantFrom('a', 'b', '*', '#'), {maxLength: 8})

test('patterns match as regular expressions over words do', t => {
  fc.assert(
    fc.property(patterns, words, (pattern, event) => {
      const parts = pattern.map(word => (word === '#' ? '(?:\\w )*' : word === '*' ? '\\w ' : `${word} `))
      const expected = new RegExp(`^${parts.join('')}$`).test(event.map(word => `${word} `).join(''))
      t.is(isTopicMatch(pattern, event), expected, `${pattern.join('.')} and ${event.join('.')}`)
    }),
    {numRuns: 2000},
  )
})

test('a pattern with many # is matched in time', t => {
  const pattern = Array.from({length: 60}, (_, index) => (index % 2 === 0 ? '#' : 'a'))
  const event = [...Array.from({length: 2000}, () => 'a'), 'b']
  const begun = performance.now()

  t.false(isTopicMatch([...pattern, 'c'], event))
  t.true(performance.now() - begun < 2000)
})
