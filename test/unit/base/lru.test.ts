/** The LRU cache, and texts that do not keep the texts that they were cut out of. */
import {setFlagsFromString} from 'node:v8'
import {runInNewContext} from 'node:vm'
import test from 'ava'
import {detached} from '../../../src/base/detached.ts'
import {createLru} from '../../../src/base/lru.ts'
import {detachedTerm, langLiteral, literal, namedNode} from '../../../src/rdf/term.ts'
import {createRandom} from '../../support/random.ts'

test('an LRU evicts what was not used for long', t => {
  const lru = createLru<string, number>(2)
  lru.set('a', 1)
  lru.set('b', 2)
  t.is(lru.get('a'), 1)
  lru.set('c', 3)
  lru.set('a', 4)

  t.deepEqual(
    ['a', 'b', 'c'].map(key => lru.get(key)),
    [4, undefined, 3],
  )
  t.is(lru.size(), 2)
})

test('an LRU has at most `limit` entries, among them the half that was used last', t => {
  const [limit, lru, random] = [10, createLru<number, number>(10), createRandom(1)]
  let used: readonly number[] = []
  for (let step = 0; step < 5000; step += 1) {
    const key = random.below(30)
    const known = lru.get(key)
    t.true(known === undefined || known === -key)
    if (used.includes(key)) t.is(known, -key)
    if (known === undefined) lru.set(key, -key)
    used = [key, ...used.filter(other => other !== key)].slice(0, limit / 2)
    t.true(lru.size() <= limit)
  }
})

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/** Megabytes that the results of a thousand calls keep in memory. */
function megabytesOf(make: (number: number) => unknown): number {
  collectGarbage()
  const before = process.memoryUsage().heapUsed
  const kept = Array.from({length: 1000}, (_, number) => make(number))
  collectGarbage()
  const grown = process.memoryUsage().heapUsed - before
  return kept.length === 1000 ? grown / 2 ** 20 : Number.NaN
}

/** A part of a text of 50,000 characters that nothing else refers to. */
function partOf(number: number): string {
  return (
    Buffer.from(`the name of ${number},${'x'.repeat(50_000)}`)
      .toString()
      .split(',')[0] ?? ''
  )
}

test.serial('a detached text is equal, and does not keep the text that it was cut out of', t => {
  for (const text of ['', 'a', 'twelve chars', 'thirteen char', 'é'.repeat(40)]) t.is(detached(text), text)
  t.true(megabytesOf(partOf) > 20) // otherwise V8 copies, and `detached` is not needed any more
  t.true(megabytesOf(number => detached(partOf(number))) < 2)
})

test.serial('an LRU keeps the key of `set`', t => {
  const lru = createLru<string, number>(1000)
  for (let number = 0; number < 1000; number += 1) lru.set(detached(partOf(number)), number)
  t.true(megabytesOf(number => lru.get(partOf(number))) < 2)
})

test.serial('a detached term is equal, and keeps nothing else', t => {
  const terms = [
    namedNode('http://example.org/a-name'),
    literal('a lexical form', 'http://example.org/datatype'),
    literal('a plain text'),
    langLiteral('a text in English', 'en-GB'),
  ]
  t.deepEqual(terms.map(detachedTerm), terms)
  t.true(megabytesOf(number => detachedTerm(literal(partOf(number), `http://e/${partOf(number)}`))) < 2)
})
