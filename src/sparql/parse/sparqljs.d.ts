/** Types of the generated parser of sparqljs, as far as library.ts uses it. */
declare module 'sparqljs/lib/SparqlParser.js' {
  /** The state that actions read and set. The whole process shares one. */
  interface ParserState {
    new (): object
    base: string
    prefixes: Record<string, string> | null
    factory: unknown
    sparqlStar: boolean
    pathOnly: boolean
    skipValidation: boolean
  }
  interface Lexer {
    readonly rules: readonly RegExp[]
    readonly performAction: (yy: object, lexer: object, rule: number) => number | string | undefined
  }
  const generated: {
    readonly Parser: ParserState
    readonly symbols_: Readonly<Record<string, number>>
    readonly terminals_: Readonly<Record<number, string>>
    readonly productions_: readonly (readonly [symbol: number, length: number])[]
    readonly table: readonly Readonly<Record<number, number | readonly [action: number, target: number]>>[]
    readonly defaultActions: Readonly<Record<number, readonly [action: number, target: number]>>
    readonly lexer: Lexer
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
