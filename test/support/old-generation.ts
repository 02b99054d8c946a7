/** Measures the old generation of V8, which only major collections free. */
import {getHeapSpaceStatistics, setFlagsFromString} from 'node:v8'
import {runInNewContext} from 'node:vm'

setFlagsFromString('--expose-gc')
const collect: (options: {readonly type: 'minor'}) => void = runInNewContext('gc')

/** Moves what is in use, and what the old generation refers to, to the old generation. */
export function promote(): void {
  for (let n = 0; n < 3; n++) collect({type: 'minor'})
}

/** The bytes of the old generation, after minor collections. */
export function oldBytes(): number {
  promote()
  const old = getHeapSpaceStatistics().find(({space_name: name}) => name === 'old_space')
  return old?.space_used_size ?? 0
}
