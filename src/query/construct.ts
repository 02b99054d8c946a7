/**
 * Solutions and a template to triples.
 *
 * Floor 4. Pure. Blank nodes of the template are new in each solution; triples that RDF does not know are left out.
 * Source: SPARQL 1.1 §16.2, §16.2.1.
 */
import {blankNode, type Term, type Triple} from '../rdf/term.ts'
import type {TemplateTerm, TemplateTriple} from '../sparql/algebra.ts'

/** @param solution  its number: part of the labels of its blank nodes */
export function buildTriples(
  template: readonly TemplateTriple[],
  row: Readonly<Record<string, Term>>,
  solution: number,
): readonly Triple[] {
  const fill = (term: TemplateTerm): Term | undefined => {
    if (term.termType === 'Variable') return row[term.value]
    return term.termType === 'BlankNode' ? blankNode(`c${solution}${term.value.replaceAll('_', '')}`) : term
  }
  return template.flatMap(pattern => {
    const [subject, predicate, object] = [fill(pattern.subject), fill(pattern.predicate), fill(pattern.object)]
    if (subject === undefined || subject.termType === 'Literal' || object === undefined) return []
    return predicate?.termType === 'NamedNode' ? [{subject, predicate, object}] : []
  })
}
