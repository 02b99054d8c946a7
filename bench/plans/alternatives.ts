/** Alternatives to the chosen plan: other orders, other joins, other settings of PostgreSQL. */
import type {Forced} from '../../src/sparql/plan/forced.ts'

export type Alternative = {
  readonly name: string
  readonly forced: Forced
  readonly settings: Readonly<Record<string, string>> // of PostgreSQL, in addition to those of every query
  readonly isFree: boolean // PostgreSQL may flatten fenced tables
}

const [ours, ...others] = [
  {name: 'ours', forced: {}, settings: {}, isFree: false},
  {name: 'no nested loops', forced: {}, settings: {enable_nestloop: 'off'}, isFree: false},
  {name: 'nested loops', forced: {}, settings: {enable_nestloop: 'on'}, isFree: false},
  {name: 'no hash joins', forced: {}, settings: {enable_hashjoin: 'off'}, isFree: false},
  {name: 'no merge joins', forced: {}, settings: {enable_mergejoin: 'off'}, isFree: false},
  {name: 'memoize', forced: {}, settings: {enable_memoize: 'on'}, isFree: false},
  {name: 'no memoize', forced: {}, settings: {enable_memoize: 'off'}, isFree: false},
  {name: 'more memory', forced: {}, settings: {work_mem: '256MB'}, isFree: false},
  {name: 'sorted groups', forced: {}, settings: {enable_hashagg: 'off'}, isFree: false},
  {name: 'no bitmaps', forced: {}, settings: {enable_bitmapscan: 'off'}, isFree: false},
  {name: 'no fences', forced: {}, settings: {enable_nestloop: 'on'}, isFree: true},
  {
    name: 'order of PostgreSQL',
    forced: {},
    settings: {join_collapse_limit: '10', from_collapse_limit: '10', enable_nestloop: 'on'},
    isFree: true,
  },
  {name: 'probes', forced: {method: 'probe'}, settings: {}, isFree: false},
  {name: 'scans', forced: {method: 'scan'}, settings: {}, isFree: false},
  {name: 'walk', forced: {isWalked: true}, settings: {}, isFree: false},
  {name: 'no walk', forced: {isWalked: false}, settings: {}, isFree: false},
  {name: 'halves', forced: {isHalved: true}, settings: {}, isFree: false},
  {name: 'no halves', forced: {isHalved: false}, settings: {}, isFree: false},
  {name: 'OPTIONAL each', forced: {optional: 'each'}, settings: {}, isFree: false},
  {name: 'OPTIONAL whole', forced: {optional: 'whole'}, settings: {}, isFree: false},
  ...Array.from({length: 7}, (_, start): readonly Alternative[] => [
    {name: `start ${start}`, forced: {start, isWalked: false}, settings: {}, isFree: false},
    {name: `start ${start}, probes`, forced: {start, method: 'probe', isWalked: false}, settings: {}, isFree: false},
    {name: `start ${start}, scans`, forced: {start, method: 'scan', isWalked: false}, settings: {}, isFree: false},
    {
      name: `start ${start}, shuffled`,
      forced: {start, shuffle: start + 1, isWalked: false},
      settings: {},
      isFree: false,
    },
  ]).flat(),
] satisfies [Alternative, ...Alternative[]]

export const chosen: Alternative = ours
export const alternatives: readonly Alternative[] = others
