/**
 * Checks an update for errors that the notes of the grammar forbid and that the parser accepts.
 *
 * Pure. Throws a TreeFault for:
 *   - what check.ts finds in a WHERE clause
 *   - a blank node label in two WHERE clauses or in two INSERT DATA (§19.6)
 *   - a variable in data (§19.8 note 8)
 *   - a blank node in what is deleted (§19.8 note 9)
 */
import {checkLabels, checkSolution, refuse} from './check.ts'
import type {SyntaxQuads, UpdateSyntax} from './syntax.ts'

export function checkUpdate(operations: readonly UpdateSyntax[]): void {
  checkLabels(operations.map(operation => (operation.type === 'modify' ? operation.where : [])))
  checkDataLabels(operations)
  for (const operation of operations) {
    switch (operation.type) {
      case 'modify':
        refuseBlanks(operation.delete, 'DELETE')
        checkSolution(operation)
        break
      case 'insertdata':
        refuseVariables(operation.quads, 'INSERT DATA')
        break
      case 'deletedata':
        refuseVariables(operation.quads, 'DELETE DATA')
        refuseBlanks(operation.quads, 'DELETE DATA')
        break
      case 'deletewhere':
        refuseBlanks(operation.quads, 'DELETE WHERE')
    }
  }
}

/** A label of INSERT DATA belongs to one operation. */
function checkDataLabels(operations: readonly UpdateSyntax[]): void {
  const owners = new Map<string, UpdateSyntax>()
  for (const operation of operations) {
    if (operation.type !== 'insertdata') continue
    for (const term of termsOf(operation.quads)) {
      if (term.termType !== 'BlankNode') continue
      const owner: UpdateSyntax = owners.get(term.value) ?? operation
      if (owner !== operation) refuse(term, `The blank node _:${term.value} stands in two INSERT DATA`)
      owners.set(term.value, operation)
    }
  }
}

function refuseVariables(quads: readonly SyntaxQuads[], place: string): void {
  const variable = termsOf(quads).find(({termType}) => termType === 'Variable')
  if (variable !== undefined) refuse(variable, `The variable ?${variable.value} cannot stand in ${place}`)
}

function refuseBlanks(quads: readonly SyntaxQuads[], place: string): void {
  const blank = termsOf(quads).find(({termType}) => termType === 'BlankNode')
  if (blank !== undefined) refuse(blank, `A blank node cannot stand in ${place}`)
}

function termsOf(quads: readonly SyntaxQuads[]) {
  return quads.flatMap(({graph, triples}) => [
    ...(graph === undefined ? [] : [graph]),
    ...triples.flatMap(({subject, predicate, object}) => [subject, predicate, object]),
  ])
}
