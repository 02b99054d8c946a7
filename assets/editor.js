/**
 * The query editor: Yasqe, with the prefixes, properties and classes of the store, and without requests of its own.
 */
import './yasqe.js'

const {Yasqe} = /** @type {{Yasqe: typeof import('./yasqe.js').Yasqe}} */ (/** @type {unknown} */ (globalThis))

/**
 * @typedef {object} EditorOptions
 * @property {Promise<import('./examples.js').UsedNames>} used  properties and classes to complete
 * @property {Readonly<Record<string, string>>} prefixes
 * @property {() => void} run
 * @property {(text: string) => void} changed
 */

/**
 * Puts an editor in the place of a text field.
 *
 * @param {HTMLTextAreaElement} field
 * @param {EditorOptions} options
 */
export function createEditor(field, {used, prefixes, run, changed}) {
  complete('prefixes', () => Object.entries(prefixes).map(([prefix, namespace]) => `${prefix}: <${namespace}>`))
  complete('property', () => used.then(({properties = []}) => properties))
  complete('class', () => used.then(({classes = []}) => classes))
  Yasqe.defaults.autocompleters = ['prefixes', 'property', 'class', 'variables']

  const place = document.createElement('div')
  field.before(place)
  field.hidden = true
  const editor = new Yasqe(place, {
    value: field.value,
    persistenceId: null,
    consumeShareLink: null,
    createShareableLink: null,
    showQueryButton: false,
    editorHeight: '16rem',
    screenReaderLabel: 'Query in SPARQL',
    extraKeys: {
      'Ctrl-Enter': run,
      'Cmd-Enter': run,
      Tab: false, // leaves the editor, as in every other field
      'Shift-Tab': false,
      'Ctrl-S': false,
    },
  })
  editor.getInputField().setAttribute('aria-label', 'Query in SPARQL; Control and Enter runs it')
  /** @type {{readonly clear: () => void} | undefined} */
  let mark
  const unmark = () => {
    mark?.clear()
    mark = undefined
  }
  editor.on('change', () => {
    unmark()
    changed(String(editor.getValue()))
  })
  return {
    getValue: () => String(editor.getValue()),
    /** Replaces the text, as when another query is opened. */
    open(/** @type {string} */ text) {
      editor.setValue(text)
      editor.clearHistory()
    },
    /** Marks the word at the place of an error, and puts the cursor there. Lines and columns are from 1. */
    mark(/** @type {number} */ line, /** @type {number} */ column) {
      const [from, to] = wordAt(editor, line - 1, column - 1)
      unmark()
      mark = editor.markText(from, to, {className: 'query-error', title: 'The error is here'})
      editor.focus()
      editor.setCursor(from)
    },
    /** Replaces the word at a place. */
    replace(/** @type {number} */ line, /** @type {number} */ column, /** @type {string} */ text) {
      editor.replaceRange(text, ...wordAt(editor, line - 1, column - 1))
      editor.focus()
    },
  }
}

/**
 * Where the word at a place begins and ends; at the end of a line its last character.
 *
 * @param {import('./yasqe.js').Yasqe} editor
 * @param {number} line
 * @param {number} at
 */
function wordAt(editor, line, at) {
  const text = editor.getLine(line) ?? ''
  const length = /^(?:\w+|.)/u.exec(text.slice(at))?.[0].length ?? 0
  const first = length === 0 ? Math.max(0, at - 1) : at
  return /** @type {const} */ ([
    {line, ch: first},
    {line, ch: at + length},
  ])
}

/**
 * @param {string} name
 * @param {() => readonly string[] | Promise<readonly string[]>} get
 */
function complete(name, get) {
  const known = Yasqe.Autocompleters[name]
  Yasqe.Autocompleters[name] = {...known, get, bulk: true, autoShow: true, persistenceId: null}
}
