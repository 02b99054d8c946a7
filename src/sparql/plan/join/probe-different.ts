/**
 * Joins a triple pattern by the different values of a variable, of which many solutions share each.
 *
 *   join(A, {?e :label ?l})
 *     =>  with S = A: join(S, join(different(?e, S), {?e :label ?l}))
 *
 * So each value is looked up once. A hash of the pattern would read all of its triples, and a probe for each solution
 * the same triples again and again. PostgreSQL has Memoize for that, but it does not know how many values differ.
 */
import {type Block, type Column, derive, type Environment, type Planner} from '../block.ts'
import {column, equal, type From} from '../relation.ts'
import {attach} from './attach.ts'
import {lateral} from './lateral.ts'
import type {Operand} from './operand.ts'
import {planTriple} from './pattern.ts'

type Triple = Extract<Operand, {type: 'triple'}>

/**
 * @param name  the only variable that the solutions and the pattern share
 * @returns     undefined if the values of the variable are not ids, or may be missing
 */
export function probeDifferent(
  planner: Planner,
  block: Block,
  {pattern}: Triple,
  {graph}: Environment,
  name: string,
): Block | undefined {
  const before = derive(planner, block)
  const held = before.columns.get(name)
  if (held?.rep !== 'id' || held.isNullable || before.from?.kind !== 'query') return undefined
  const {query, alias} = before.from
  const [common, values] = [planner.fresh(), planner.fresh()]
  const solutions: From = {kind: 'common', name: common, alias}
  const different: From = {
    kind: 'query',
    query: {
      kind: 'select',
      columns: [{name: 'c0', scalar: held.scalar}],
      from: solutions,
      where: [],
      isDistinct: true,
      isFenced: true,
    },
    alias: values,
    isLateral: false,
  }
  const value: Column = {...held, scalar: column(values, 'c0')}
  const start: Block = {from: different, where: [], columns: new Map([[name, value]]), order: undefined}
  const table = lateral(planner, planTriple(planner, start.columns, pattern, graph), start.columns)
  const found = {...attach(start, table.from, []), columns: new Map([...start.columns, ...table.columns])}
  const pairs = derive(planner, {...found, order: undefined}, {isFenced: true})
  const of = pairs.columns.get(name)
  if (of === undefined) return undefined
  const own = [...pairs.columns].filter(([other]) => other !== name)
  const joined = attach({...before, from: solutions}, pairs.from, [equal(of.scalar, held.scalar)])
  const all = derive(planner, {...joined, columns: new Map([...before.columns, ...own]), order: undefined})
  if (all.from?.kind !== 'query') return undefined
  return {...all, from: {...all.from, query: {kind: 'with', name: common, query, body: all.from.query}}}
}
