/** Bytes held for callers, within the limits of each caller and of all. */
import test from 'ava'
import fc from 'fast-check'
import {createAllowance} from '../../../src/base/allowance.ts'

test('held bytes stay within the limits of a caller and of all, and are released', t => {
  const step = fc.record({caller: fc.constantFrom('a', 'b', 'c', undefined), bytes: fc.integer({min: 1, max: 60})})
  fc.assert(
    fc.property(fc.array(fc.oneof(step, fc.nat(20)), {maxLength: 60}), steps => {
      const allowance = createAllowance({callerMax: 100, totalMax: 150})
      const held: {readonly caller: string | undefined; readonly bytes: number}[] = []
      const sum = (some: typeof held) => some.reduce((total, {bytes}) => total + bytes, 0)
      for (const one of steps) {
        if (typeof one === 'number') {
          const [back] = held.splice(one % Math.max(1, held.length), 1)
          if (back !== undefined) allowance.give(back.caller, back.bytes)
        } else {
          const own = sum(held.filter(({caller}) => caller !== undefined && caller === one.caller))
          const limit = own + one.bytes > 100 ? 'caller' : sum(held) + one.bytes > 150 ? 'total' : undefined
          t.is(allowance.take(one.caller, one.bytes), limit)
          if (limit === undefined) held.push(one)
        }
        t.is(allowance.held(), sum(held))
      }
    }),
  )
})
