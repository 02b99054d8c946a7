/** Short notation for graphs and patches: prefixes `:` (http://e/) and `rdf:`, triples as sorted lines. */
import {Problem} from '../../src/base/problem.ts'
import {formatOfMediaType} from '../../src/format/registry.ts'
import {applyPatch} from '../../src/ldpatch/apply.ts'
import {parsePatch} from '../../src/ldpatch/syntax.ts'
import {type BlankNode, blankNode, type Term, type Triple, triple} from '../../src/rdf/term.ts'
import {TripleSet} from '../../src/rdf/triple-set.ts'
import {rdfNamespace, xsd, xsdNamespace} from '../../src/rdf/vocabulary.ts'

export const base = 'http://e/doc/'

/** On one line, so that the rest begins at column 1 of line 2. */
export const prefixes = `@prefix : <http://e/> . @prefix rdf: <${rdfNamespace}> . @prefix xsd: <${xsdNamespace}> .\n`

/** Turtle after `prefixes`. Nodes without a label get one, as in a store: g1, g2 … */
export async function graphOf(turtle: string): Promise<readonly Triple[]> {
  const parse = formatOfMediaType('text/turtle')?.parse
  if (parse === undefined) throw new Error('There is no reader of Turtle')
  const quads = await parse(new TextEncoder().encode(prefixes + turtle), {base})
  const store = <Any extends Term>(term: Any): Any | BlankNode =>
    term.termType === 'BlankNode' ? blankNode(term.value.replace('!', 'g')) : term
  return quads.map(({subject, predicate, object}) => triple(store(subject), predicate, store(object)))
}

export function linesOf(triples: Iterable<Triple>): readonly string[] {
  return Array.from(triples, ({subject, predicate, object}) => [subject, predicate, object].map(show).join(' ')).sort()
}

function show(term: Term): string {
  if (term.termType === 'BlankNode') return `_:${term.value}`
  if (term.termType === 'NamedNode') {
    if (term.value.startsWith(rdfNamespace)) return `rdf:${term.value.slice(rdfNamespace.length)}`
    return term.value.startsWith('http://e/') ? `:${term.value.slice('http://e/'.length)}` : `<${term.value}>`
  }
  if (term.language !== '') return `${JSON.stringify(term.value)}@${term.language}`
  const suffix = term.datatype.value === xsd.string ? '' : `^^${term.datatype.value.replace(xsdNamespace, '')}`
  return JSON.stringify(term.value) + suffix
}

export type Lines = {readonly removed: readonly string[]; readonly added: readonly string[]}

/** The changes that a patch (after `prefixes`) makes to a graph. */
export async function changesOf(turtle: string, patch: string): Promise<Lines> {
  const {removed, added} = applyPatch(await graphOf(turtle), parsePatch(prefixes + patch, {base}))
  return {removed: linesOf(removed), added: linesOf(added)}
}

/** A graph after a patch. */
export async function patched(turtle: string, patch: string): Promise<readonly string[]> {
  const before = await graphOf(turtle)
  const {removed, added} = applyPatch(before, parsePatch(prefixes + patch, {base}))
  const graph = new TripleSet(before)
  for (const each of removed) graph.delete(each)
  for (const each of added) graph.add(each)
  return linesOf(graph)
}

/** Status, rule and place (without `prefixes`) of the problem that parsing or applying a patch throws. */
export async function refusalOf(turtle: string, patch: string): Promise<readonly [number, string, number, number]> {
  try {
    applyPatch(await graphOf(turtle), parsePatch(prefixes + patch, {base}))
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return [error.status, error.rule, (error.members.line ?? 0) - 1, error.members.column ?? 0]
  }
  throw new Error('The patch was not refused')
}
