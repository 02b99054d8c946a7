/** Random walks: connected statements of the data, from which a query with an answer is made. */
import {pick, type Random} from '../support/random.ts'
import {isNode, type Statement, type Statements} from './statements.ts'

export type Shape = 'star' | 'chain' | 'snowflake' | 'tree' | 'cycle'
const shapes: readonly Shape[] = ['star', 'chain', 'chain', 'snowflake', 'tree', 'cycle']

const backwardLimit = 2000 // the walk goes backwards over an end only if at most this many statements share it
const answerLimit = 300_000 // rows that the query may have, approximately

/** If all steps of a walk are in one graph, the query may use GRAPH. */
export type Walk = {readonly shape: Shape; readonly statements: readonly Statement[]; readonly isLocal: boolean}

export function drawWalk(random: Random, data: Statements): Walk {
  for (;;) {
    const shape = pick(random, shapes)
    const isLocal = random.chance(0.15)
    const size = shape === 'cycle' ? random.between(2, 4) : random.between(1, 6)
    const statements = grow(random, data, {shape, size, isLocal})
    if (statements.length === 0) continue
    return {shape, statements, isLocal: isLocal && new Set(statements.map(({g}) => g)).size === 1}
  }
}

type Growth = {readonly shape: Shape; readonly size: number; readonly isLocal: boolean}

function grow(random: Random, data: Statements, {shape, size, isLocal}: Growth): readonly Statement[] {
  const predicate = pick(random, [...data.byPredicate.keys()])
  const first = random.chance(0.5) ? pick(random, data.all) : pick(random, data.byPredicate.get(predicate) ?? data.all)
  const taken = [first]
  let node = shape === 'star' || !isNode(first.o) ? first.s : first.o
  const centre = first.s
  for (let tries = 0; taken.length < size && tries < 20; tries += 1) {
    const from = placeOf(random, shape, taken, {centre, node})
    const step = stepFrom(random, data, from, taken, isLocal ? first.g : undefined)
    if (step === undefined) continue
    taken.push(step)
    const other = step.s === from ? step.o : step.s
    if (isNode(other)) node = other
  }
  if (shape === 'cycle') close(random, data, taken)
  return taken
}

function placeOf(
  random: Random,
  shape: Shape,
  taken: readonly Statement[],
  {centre, node}: {readonly centre: string; readonly node: string},
): string {
  switch (shape) {
    case 'star':
      return centre
    case 'chain':
    case 'cycle':
      return node
    case 'snowflake':
      return random.chance(0.5) ? centre : node
    case 'tree':
      return pick(
        random,
        taken.flatMap(({s, o}) => [s, o].filter(isNode)),
      )
  }
}

function stepFrom(
  random: Random,
  {bySubject, byObject}: Statements,
  from: string,
  taken: readonly Statement[],
  graph: string | undefined,
): Statement | undefined {
  const isNew = (one: Statement) => !taken.includes(one) && (graph === undefined || one.g === graph)
  const forward = (bySubject.get(from) ?? []).filter(
    one => isNew(one) && !taken.some(({s, p}) => s === one.s && p === one.p),
  )
  const backward = byObject.get(from) ?? []
  const isBackward = forward.length === 0 || random.chance(0.3)
  if (!isBackward) return pick(random, forward)
  if (backward.length === 0 || backward.length > backwardLimit) return undefined
  const step = pick(random, backward)
  return isNew(step) ? step : undefined
}

/** Adds a statement between two ends of the walk, if there is one. */
function close(random: Random, {bySubject}: Statements, taken: Statement[]): void {
  const nodes = new Set(taken.flatMap(({s, o}) => [s, o]))
  const closing = [...nodes].flatMap(node =>
    (bySubject.get(node) ?? []).filter(
      one => nodes.has(one.o) && !taken.some(({s, p, o}) => s === one.s && p === one.p && o === one.o),
    ),
  )
  if (closing.length > 0) taken.push(pick(random, closing))
}

/** Whether a query with these constants has few enough solutions, estimated roughly from fan-outs. */
export function isSmall(data: Statements, statements: readonly Statement[], constants: ReadonlySet<string>): boolean {
  const starts = statements.map(({s, p, o}) => {
    const {count} = data.fanOf(p)
    const ofSubject = constants.has(s) ? (data.bySubject.get(s) ?? []).filter(one => one.p === p).length : count
    const ofObject = constants.has(o) ? (data.byObject.get(o) ?? []).filter(one => one.p === p).length : count
    return Math.min(count, ofSubject, ofObject)
  })
  const least = Math.min(...starts)
  const start = starts.indexOf(least)
  const bound = new Set([statements[start]?.s, statements[start]?.o])
  let rows = least
  let waiting = statements.filter((_, index) => index !== start)
  while (waiting.length > 0) {
    const next = waiting.find(({s, o}) => bound.has(s) || bound.has(o)) ?? waiting[0]
    if (next === undefined) break
    const {ofSubject, ofObject} = data.fanOf(next.p)
    const isClosing = (bound.has(next.s) && bound.has(next.o)) || constants.has(next.o)
    rows *= isClosing ? 1 : bound.has(next.s) ? ofSubject : ofObject
    bound.add(next.s).add(next.o)
    waiting = waiting.filter(one => one !== next)
  }
  return rows <= answerLimit
}
