/**
 * Choices that are taken out of the planner's hands: bench/plans.ts measures what each is worth.
 *
 * Nothing else sets them.
 */
export type Forced = {
  readonly start?: number // place of the operand that each conjunction begins with
  readonly shuffle?: number // a seed: operands follow in another order than that of the fewest rows
  readonly method?: 'probe' | 'scan' // of every join that has the choice
  readonly optional?: 'each' | 'whole' // OPTIONAL for each solution, or once for all
  readonly isWalked?: boolean // ORDER BY … LIMIT walks an index wherever it can, or nowhere
  readonly isSearched?: boolean // literals are found by their text wherever they can be, or nowhere
}
