/** Counts of connections, in total and by address. */
import test from 'ava'
import {createConnectionCount} from '../../../src/base/connection-count.ts'

function opener(all: number, ofPlace: number) {
  const count = createConnectionCount({all, ofPlace})
  return (place: string | undefined) => {
    let refused: string | undefined
    const close = count.open(place, limit => {
      refused = limit
    })
    return {refused, close}
  }
}

test('an address has a limit; connections without an address count only for the total', t => {
  const open = opener(5, 2)
  const first = open('a')

  t.deepEqual(
    ['a', 'a', 'b', undefined, undefined, 'b', undefined].map(place => open(place).refused),
    [undefined, 'address', undefined, undefined, undefined, 'all', 'all'],
  )
  first.close()
  t.is(open('a').refused, undefined)
})

test('a refused connection takes no place', t => {
  const open = opener(10, 1)
  const [kept, refused] = [open('a'), open('a')]

  refused.close()
  t.is(open('a').refused, 'address')
  kept.close()
  t.is(open('a').refused, undefined)
})
