/**
 * Checks whether a recorded history is linearizable. Returns the first operation that no order explains.
 *
 * Each operation takes place at one moment between its start and its end. The search follows all possible orders at
 * once: a configuration is a state, and the unfinished operations that have already taken place in it. When an
 * operation ends, only configurations in which it has taken place remain. If none remains, the history is wrong. An
 * operation without a response may have taken place or not; both are followed.
 * Sources: Herlihy and Wing 1990 (linearizability); Lowe 2017 (just-in-time linearization).
 */
export type Interval = {
  readonly start: number // ms of one clock
  readonly end: number // after this it cannot take place; Infinity: unknown
  readonly isMaybe?: boolean // its response was lost: it took place in between, or never
}

export type Model<State, Operation> = {
  /** The state after an operation with its response; undefined if the response is not possible in the state. */
  readonly step: (state: State, operation: Operation) => State | undefined
  /**
   * Whether an operation never changes the state. It may still reveal more of it: `step` then returns another state.
   */
  readonly isReading: (operation: Operation) => boolean
}

type Configuration<State> = {readonly state: State; readonly done: readonly number[]} // indexes, in order

/**
 * Searches for an order.
 *
 * @param initial  states are compared by their JSON
 * @returns        the first operation to end that cannot have taken place; undefined for a correct history
 */
export function unexplained<State, Operation extends Interval>(
  operations: readonly Operation[],
  initial: State,
  model: Model<State, Operation>,
): Operation | undefined {
  const pending = new Map<number, Operation>()
  let configurations: readonly Configuration<State>[] = [{state: initial, done: []}]
  for (const {index, isEnd} of eventsOf(operations)) {
    const operation = operations[index] as Operation
    if (!isEnd) {
      pending.set(index, operation)
      continue
    }
    const done = withDone(configurations, index, pending, model)
    const undone = operation.isMaybe ? configurations.filter(each => !each.done.includes(index)) : []
    configurations = different([...done, ...undone])
    pending.delete(index)
    if (configurations.length === 0) return operation
  }
  return undefined
}

/** Starts and ends in their order. At the same moment starts come first, so that such operations overlap. */
function eventsOf(operations: readonly Interval[]) {
  return operations
    .flatMap(({start, end}, index) => [
      {index, isEnd: false, at: start},
      {index, isEnd: true, at: end},
    ])
    .sort((a, b) => a.at - b.at || Number(a.isEnd) - Number(b.isEnd))
}

function different<State>(configurations: readonly Configuration<State>[]): readonly Configuration<State>[] {
  return [...new Map(configurations.map(each => [JSON.stringify(each), each])).values()]
}

/** All configurations in which the operation has taken place, after any of the pending ones. */
function withDone<State, Operation>(
  from: readonly Configuration<State>[],
  index: number,
  pending: ReadonlyMap<number, Operation>,
  model: Model<State, Operation>,
): readonly Configuration<State>[] {
  const reached = new Map<string, Configuration<State>>()
  const met = new Set<string>()
  const waiting = [...from]
  for (let each = waiting.pop(); each !== undefined; each = waiting.pop()) {
    const settled = withReads(each, pending, model)
    const key = JSON.stringify(settled)
    if (met.has(key)) continue
    met.add(key)
    const {state, done} = settled
    if (done.includes(index)) {
      const rest = {state, done: done.filter(other => other !== index)}
      reached.set(JSON.stringify(rest), rest)
      continue
    }
    for (const [other, operation] of pending) {
      const next = done.includes(other) ? undefined : model.step(state, operation)
      if (next !== undefined) waiting.push({state: next, done: insert(done, other)})
    }
  }
  return [...reached.values()]
}

/** An operation that never changes the state takes place as soon as possible, which excludes no order. */
function withReads<State, Operation>(
  {state, done}: Configuration<State>,
  pending: ReadonlyMap<number, Operation>,
  {step, isReading}: Model<State, Operation>,
): Configuration<State> {
  const read = [...pending].flatMap(([other, operation]) =>
    isReading(operation) && !done.includes(other) && step(state, operation) === state ? [other] : [],
  )
  return {state, done: read.reduce(insert, done)}
}

function insert(done: readonly number[], index: number): readonly number[] {
  return [...done, index].sort((a, b) => a - b)
}
