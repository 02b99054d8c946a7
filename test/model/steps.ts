/** Random steps. They are numbers that choose among the existing documents when a step is executed. */
import fc from 'fast-check'
import {bodyTypes} from './body.ts'

export type Pick = number
export const conditions = ['none', 'current', 'checksum', 'any', 'stale'] as const
export const returns = ['none', 'minimal', 'representation'] as const

const pick = fc.nat({max: 97})
const said = fc.record({subject: pick, predicate: pick, object: pick})
const says = fc.array(said, {maxLength: 4})
const items = fc.array(pick, {maxLength: 3})
const condition = fc.constantFrom('none', ...conditions)
const body = {type: fc.constantFrom(...bodyTypes), prefer: fc.constantFrom(...returns)}
const members = fc.array(pick, {minLength: 1, maxLength: 3})
const bound = fc.constantFrom(-3, -2, -1, 0, 1, 2, 3, 'end' as const)

const kinds = {
  create: {parent: pick, slug: pick, isPut: fc.boolean(), says, relation: pick, list: fc.option(items), ...body},
  accessPoint: {parent: pick, slug: pick, relation: pick, inverse: pick, type: body.type},
  replace: {at: pick, says, list: fc.option(items), keeps: fc.boolean(), condition, ...body},
  graph: {at: pick, says, isAddition: fc.boolean(), condition, ...body},
  patch: {at: pick, drop: fc.array(pick, {maxLength: 3}), says, isBound: fc.boolean(), condition, prefer: body.prefer},
  updateList: {at: pick, from: bound, to: bound, items, condition, prefer: body.prefer},
  cut: {at: pick, label: pick, condition},
  add: {at: pick, members, condition, type: body.type},
  remove: {at: pick, members, condition, type: body.type},
  removeAll: {at: pick, condition},
  delete: {at: pick, condition},
  deleteChildren: {at: pick, condition},
  lostHeader: {at: pick},
  move: {at: pick, to: pick, slug: pick, overwrites: fc.boolean(), condition},
  copy: {at: pick, to: pick, slug: pick, overwrites: fc.boolean(), isDeep: fc.boolean(), condition},
  update: {at: pick, other: pick, drop: fc.array(pick, {maxLength: 2}), says},
  read: {at: pick, condition, includes: fc.boolean()},
  query: {at: pick, isUnion: fc.boolean()},
  grant: {at: pick, modes: pick},
}
const weights: Readonly<Record<keyof typeof kinds, number>> = {
  create: 7,
  accessPoint: 4,
  replace: 4,
  graph: 4,
  update: 5,
  patch: 6,
  updateList: 5,
  cut: 2,
  add: 6,
  remove: 4,
  removeAll: 1,
  delete: 2,
  deleteChildren: 1,
  lostHeader: 1,
  move: 4,
  copy: 4,
  read: 2,
  query: 2,
  grant: 0,
}

type ValueOf<Arbitrary> = Arbitrary extends fc.Arbitrary<infer Value> ? Value : never
export type StepOf<Kind extends keyof typeof kinds> = {
  readonly [Field in keyof (typeof kinds)[Kind]]: ValueOf<(typeof kinds)[Kind][Field]>
} & {readonly do: Kind; readonly isAdas: boolean} // who sends it, with access control
export type Step = {[Kind in keyof typeof kinds]: StepOf<Kind>}[keyof typeof kinds]

const stepOf = (weightOf: Readonly<Record<keyof typeof kinds, number>>) =>
  fc.oneof(
    ...Object.entries(kinds as Readonly<Record<string, Readonly<Record<string, fc.Arbitrary<unknown>>>>>).map(
      ([kind, fields]) => ({
        weight: weightOf[kind as keyof typeof kinds],
        arbitrary: fc.record({
          do: fc.constant(kind),
          isAdas: fc.boolean(),
          ...fields,
        }) as unknown as fc.Arbitrary<Step>,
      }),
    ),
  )

const groupsOf = (step: fc.Arbitrary<Step>) =>
  fc.array(
    fc.oneof(
      {weight: 3, arbitrary: fc.array(step, {minLength: 1, maxLength: 1})},
      {weight: 1, arbitrary: fc.array(step, {minLength: 2, maxLength: 4})},
    ),
    {minLength: 16, maxLength: 24},
  )

/** Steps to execute one after the other, some of them concurrently or as a batch. */
export const groups = groupsOf(stepOf(weights))

/** Ada may read everything and write `a/`. `b/`, which she may not write, mentions `a/b/` twice before it exists. */
const made = {
  parent: 0,
  isPut: false,
  relation: 97,
  list: null,
  type: 'text/turtle',
  prefer: 'none',
  isAdas: false,
} as const
const beginning: readonly (readonly Step[])[] = [
  [{do: 'grant', at: 0, modes: 0, isAdas: false}],
  [{...made, do: 'create', slug: 0, says: []}],
  [{do: 'grant', at: 1, modes: 2, isAdas: false}],
  [{...made, do: 'create', slug: 1, says: [{subject: 0, predicate: 3, object: 48}], list: [12]}],
]

/** The same with grants and with more deletions, because deletions change other documents than the addressed one. */
export const guardedGroups = groupsOf(
  stepOf({...weights, grant: 6, create: 12, delete: 12, deleteChildren: 4, remove: 6, query: 1, move: 0, copy: 0}),
).map(all => [...beginning, ...all])
