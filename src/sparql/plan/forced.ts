/**
 * Overrides of the planner's choices. Only bench/plans.ts sets them, to measure the effect of each choice.
 */
export type Forced = {
  readonly start?: number // index of the first operand of each conjunction
  readonly shuffle?: number // seed of a random order of the operands
  readonly method?: 'probe' | 'scan' // of each join that could use either
  readonly isHalved?: boolean // conjunctions are joined from two ends: wherever possible, or never
  readonly optional?: 'each' | 'whole' // OPTIONAL: per solution, or once for all
  readonly isWalked?: boolean // ORDER BY … LIMIT walks an index: wherever possible, or never
  readonly isSearched?: boolean // text filters use the text index: wherever possible, or never
}
