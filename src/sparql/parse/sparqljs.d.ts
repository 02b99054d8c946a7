/** Types of the generated parser of sparqljs, as far as this folder uses it. */
declare module 'sparqljs/lib/SparqlParser.js' {
  /** What the actions read. The whole process shares one. */
  interface ParserState {
    factory: unknown
    sparqlStar: boolean
    pathOnly: boolean
    skipValidation: boolean
  }
  const generated: {
    readonly Parser: ParserState
    readonly symbols_: Readonly<Record<string, number>>
    readonly terminals_: Readonly<Record<number, string>>
    readonly productions_: readonly (readonly [symbol: number, length: number])[]
    readonly table: readonly Readonly<Record<number, number | readonly [action: number, target: number]>>[]
    readonly defaultActions: Readonly<Record<number, readonly [action: number, target: number]>>
    readonly performAction: (
      this: {$: unknown},
      text: string,
      length: number,
      line: number,
      state: object,
      production: number,
      values: unknown[],
      places: unknown[],
    ) => unknown
  }
  export = generated
}
