/** As much of @zazuko/yasqe as editor.js uses; its file is served under the name yasqe.js. */
export declare class Yasqe {
  static readonly defaults: {autocompleters: readonly string[]}
  static readonly Autocompleters: Record<string, object>
  constructor(place: HTMLElement, options: object)
  readonly getValue: () => string
  readonly setValue: (text: string) => void
  readonly setCursor: (place: {readonly line: number; readonly ch: number}) => void
  readonly focus: () => void
  readonly getInputField: () => HTMLElement
}
