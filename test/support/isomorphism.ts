/**
 * Decides whether two datasets are isomorphic: equal except for the labels of blank nodes.
 *
 * Exact: colours reduce the candidates, and backtracking decides. Sources: RDF 1.1 Concepts §3.6, §4.1.
 */
import {createHash} from 'node:crypto'
import type {Graph, Quad, Term} from '../../src/rdf/term.ts'
import {termKey} from '../../src/rdf/term-key.ts'

type Colours = ReadonlyMap<string, string> // label → colour

export function isIsomorphic(left: readonly Quad[], right: readonly Quad[]): boolean {
  const [from, to] = [distinct(left), distinct(right)]
  if (from.length !== to.length) return false
  const [fromColours, toColours] = [colour(from), colour(to)]
  if (!sameBag([...fromColours.values()], [...toColours.values()])) return false
  const wanted = new Set(to.map(quad => quadKey(quad, label => label)))
  const labels = [...fromColours.keys()].sort((a, b) => rarity(fromColours, a) - rarity(fromColours, b))
  return match(from, labels, 0, new Map(), fromColours, toColours, wanted)
}

/** Extends a partial bijection by one label at a time. A quad is checked as soon as all of its labels are mapped. */
function match(
  quads: readonly Quad[],
  labels: readonly string[],
  index: number,
  mapping: Map<string, string>,
  fromColours: Colours,
  toColours: Colours,
  wanted: ReadonlySet<string>,
): boolean {
  const label = labels[index]
  if (label === undefined) return quads.every(quad => wanted.has(quadKey(quad, from => mapping.get(from) ?? from)))
  const taken = new Set(mapping.values())
  for (const [candidate, candidateColour] of toColours) {
    if (taken.has(candidate) || candidateColour !== fromColours.get(label)) continue
    mapping.set(label, candidate)
    const touched = quads.filter(quad => labelsOf(quad).includes(label))
    const holds = touched.every(
      quad =>
        !labelsOf(quad).every(each => mapping.has(each)) ||
        wanted.has(quadKey(quad, from => mapping.get(from) ?? from)),
    )
    if (holds && match(quads, labels, index + 1, mapping, fromColours, toColours, wanted)) return true
    mapping.delete(label)
  }
  return false
}

/** Colours each blank node by its neighbourhood, repeatedly until the number of colours does not change. */
function colour(quads: readonly Quad[]): Colours {
  let colours = new Map(quads.flatMap(labelsOf).map(label => [label, '']))
  for (let count = 0; ; ) {
    const lines = new Map<string, string[]>([...colours.keys()].map(label => [label, []]))
    for (const quad of quads) {
      for (const label of new Set(labelsOf(quad))) {
        lines.get(label)?.push(quadKey(quad, each => (each === label ? '*' : `~${colours.get(each)}`)))
      }
    }
    const digest = (parts: string[]) => createHash('sha1').update(parts.sort().join('\n')).digest('base64')
    const next = new Map([...lines].map(([label, parts]) => [label, digest(parts)]))
    const nextCount = new Set(next.values()).size
    if (nextCount === count) return next
    colours = next
    count = nextCount
  }
}

function rarity(colours: Colours, label: string): number {
  const wanted = colours.get(label)
  return [...colours.values()].filter(each => each === wanted).length
}

function distinct(quads: readonly Quad[]): Quad[] {
  return [...new Map(quads.map(quad => [quadKey(quad, label => label), quad])).values()]
}

function labelsOf(quad: Quad): string[] {
  return [quad.subject, quad.object, quad.graph].flatMap(term => (term.termType === 'BlankNode' ? [term.value] : []))
}

/** A quad as a string, with its labels renamed. */
export function quadKey(quad: Quad, rename: (label: string) => string): string {
  const key = (term: Term | Graph) => (term.termType === 'BlankNode' ? `B${rename(term.value)}` : termKey(term))
  return JSON.stringify([key(quad.subject), key(quad.predicate), key(quad.object), key(quad.graph)])
}

function sameBag(left: readonly string[], right: readonly string[]): boolean {
  return JSON.stringify([...left].sort()) === JSON.stringify([...right].sort())
}
