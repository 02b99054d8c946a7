/**
 * The editor of queries: Yasqe, with the prefixes, properties and classes of this store, and without its own requests.
 */
import {Yasqe} from './yasqe.js'

/**
 * @typedef {object} EditorOptions
 * @property {string} names  where prefixes, properties and classes are told
 * @property {Readonly<Record<string, string>>} prefixes
 * @property {() => void} run
 */

/**
 * Puts an editor in the place of a text field.
 *
 * @param {HTMLTextAreaElement} field
 * @param {EditorOptions} options
 */
export function createEditor(field, {names, prefixes, run}) {
  /** @type {Promise<{properties?: readonly string[], classes?: readonly string[]}>} */
  const used = fetch(names, {headers: {Accept: 'application/json'}})
    .then(response => (response.ok ? response.json() : {}))
    .catch(() => ({}))
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
  return {
    getValue: () => String(editor.getValue()),
    setValue: (/** @type {string} */ value) => editor.setValue(value),
    /** Puts the cursor where a query breaks the grammar; both from 1. */
    mark(/** @type {number} */ line, /** @type {number} */ column) {
      editor.focus()
      editor.setCursor({line: line - 1, ch: column - 1})
    },
  }
}

/**
 * @param {string} name
 * @param {() => readonly string[] | Promise<readonly string[]>} get
 */
function complete(name, get) {
  const known = Yasqe.Autocompleters[name]
  Yasqe.Autocompleters[name] = {...known, get, bulk: true, autoShow: true, persistenceId: null}
}
