/**
 * Property paths as bags of pairs. Source: SPARQL 1.1 §18.4 (evaluation, ALP), §9.1.
 *
 * An end is a term, or undefined for a variable. The variable ends of a closure range over the nodes of the graph. A
 * term is connected to itself by a path of length zero, whether it occurs in the graph or not.
 */
import {sameTerm, type Term, type Triple} from '../../src/rdf/term.ts'
import {termKey} from '../../src/rdf/term-key.ts'
import type {PropertyPath} from '../../src/sparql/algebra.ts'

export type Pair = readonly [Term, Term]
type End = Term | undefined

export function evaluatePath(triples: readonly Triple[], start: End, path: PropertyPath, end: End): readonly Pair[] {
  switch (path.type) {
    case 'link':
      return ends(
        triples.filter(({predicate}) => predicate.value === path.iri),
        start,
        end,
      )
    case 'inverse':
      return evaluatePath(triples, end, path.path, start).map(([from, to]) => [to, from])
    case 'sequence': {
      const first = evaluatePath(triples, start, path.left, undefined)
      const second = evaluatePath(triples, undefined, path.right, end)
      return first.flatMap(([from, middle]) =>
        second.filter(([other]) => sameTerm(middle, other)).map(([, to]): Pair => [from, to]),
      )
    }
    case 'alternative':
      return path.paths.flatMap(one => evaluatePath(triples, start, one, end))
    case 'negated':
      return negated(triples, start, path, end)
    case 'zeroOrOne':
    case 'zeroOrMore':
    case 'oneOrMore':
      return closure(triples, start, path, end)
  }
}

function ends(triples: readonly Triple[], start: End, end: End): readonly Pair[] {
  return triples
    .map(({subject, object}): Pair => [subject, object])
    .filter(([from, to]) => fits(from, start) && fits(to, end))
}

function fits(term: Term, end: End): boolean {
  return end === undefined || sameTerm(term, end)
}

type Negated = Extract<PropertyPath, {type: 'negated'}>

function negated(triples: readonly Triple[], start: End, {forward, backward, has}: Negated, end: End): readonly Pair[] {
  const without = (iris: readonly string[]) => triples.filter(({predicate}) => !iris.includes(predicate.value))
  const there = has === 'backward' ? [] : ends(without(forward), start, end)
  const back = has === 'forward' ? [] : ends(without(backward), end, start).map(([to, from]): Pair => [from, to])
  return [...there, ...back]
}

type Closure = Extract<PropertyPath, {path: PropertyPath; type: 'zeroOrOne' | 'zeroOrMore' | 'oneOrMore'}>

function closure(triples: readonly Triple[], start: End, path: Closure, end: End): readonly Pair[] {
  if (start === undefined && end !== undefined) {
    const inverse: PropertyPath = {type: 'inverse', path: path.path}
    return closure(triples, end, {type: path.type, path: inverse}, undefined).map(([to, from]) => [from, to])
  }
  const starts = start === undefined ? nodesOf(triples) : [start]
  return starts.flatMap(from =>
    reach(triples, from, path)
      .filter(to => fits(to, end))
      .map((to): Pair => [from, to]),
  )
}

function reach(triples: readonly Triple[], from: Term, {type, path}: Closure): readonly Term[] {
  const step = (term: Term) => evaluatePath(triples, term, path, undefined).map(([, to]) => to)
  if (type === 'zeroOrOne') return distinct([from, ...step(from)])
  const seen = new Map<string, Term>()
  const visit = (term: Term) => {
    if (seen.has(termKey(term))) return
    seen.set(termKey(term), term)
    step(term).forEach(visit)
  }
  if (type === 'zeroOrMore') visit(from)
  else step(from).forEach(visit)
  return [...seen.values()]
}

function nodesOf(triples: readonly Triple[]): readonly Term[] {
  return distinct(triples.flatMap(({subject, object}) => [subject, object]))
}

function distinct(terms: readonly Term[]): readonly Term[] {
  return [...new Map(terms.map(term => [termKey(term), term])).values()]
}
