/** The parts of @zazuko/yasqe and CodeMirror 5 that editor.js uses. The file is served under the name yasqe.js. */
type Place = {readonly line: number; readonly ch: number}

export declare class Yasqe {
  static readonly defaults: {autocompleters: readonly string[]}
  static readonly Autocompleters: Record<string, object>
  constructor(place: HTMLElement, options: object)
  readonly getValue: () => string
  readonly setValue: (text: string) => void
  readonly clearHistory: () => void
  readonly getLine: (line: number) => string | undefined
  readonly setCursor: (place: Place) => void
  readonly markText: (from: Place, to: Place, options: object) => {readonly clear: () => void}
  readonly replaceRange: (text: string, from: Place, to: Place) => void
  readonly focus: () => void
  readonly getInputField: () => HTMLElement
  readonly on: (event: string, listener: () => void) => void
}
