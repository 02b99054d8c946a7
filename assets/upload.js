/**
 * Uploads RDF files into a container: one document for each file, with the file's name in its address.
 *
 * Files are chosen with a button or dropped anywhere on the page. They are sent one after the other. Each has a line that
 * leads to the new document, or says what is wrong at which line.
 */
import {button, make, showCount} from './dom.js'

/** @param {HTMLElement} section  with the container and the media types by file extension */
export function acceptFiles(section) {
  const path = section.dataset.upload ?? ''
  /** @type {Readonly<Record<string, string>>} */
  const types = JSON.parse(section.dataset.types ?? '{}')
  const input = /** @type {HTMLInputElement} */ (section.querySelector('input[type=file]'))
  const list = /** @type {HTMLElement} */ (section.querySelector('[data-uploaded]'))
  section.hidden = section.dataset.always === undefined
  let waiting = Promise.resolve()
  const send = (/** @type {readonly File[]} */ files) => {
    waiting = waiting.then(() => upload(files, {path, types, list}))
  }
  input.addEventListener('change', () => {
    send(Array.from(input.files ?? []))
    input.value = ''
  })
  for (const name of ['dragover', 'drop', 'dragleave']) {
    addEventListener(name, event => {
      const {dataTransfer, type} = /** @type {DragEvent} */ (event)
      if (!dataTransfer?.types.includes('Files')) return
      event.preventDefault()
      section.toggleAttribute('data-over', type === 'dragover')
      section.hidden = false
      if (type === 'drop') send(Array.from(dataTransfer.files))
    })
  }
}

/** @typedef {{path: string, types: Readonly<Record<string, string>>, list: HTMLElement}} Context */

/**
 * @param {readonly File[]} files
 * @param {Context} context
 */
async function upload(files, context) {
  const {list} = context
  let created = 0
  for (const file of files) {
    const line = make('li', {class: 'quiet'}, `${file.name} …`)
    list.append(line)
    if (await sendFile(file, line, context)) created++
  }
  if (created === 0) return
  const text = `${showCount(created)} ${created === 1 ? 'document' : 'documents'} created.`
  list.append(
    make(
      'li',
      {},
      text,
      ' ',
      button('Show the list again', () => location.reload()),
    ),
  )
}

/**
 * @param {File} file
 * @param {HTMLElement} line
 * @param {Context} context
 * @returns {Promise<boolean>}  whether a document was created
 */
async function sendFile(file, line, {path, types}) {
  const [, name = file.name, extension = ''] = /^(.*)\.([^.]*)$/.exec(file.name) ?? []
  const type = types[extension.toLowerCase()]
  const say = (/** @type {string} */ problem) => {
    line.className = 'problem'
    line.replaceChildren(make('strong', {}, file.name), ` ${problem}`)
    return false
  }
  if (type === undefined) return say(`has no extension of an RDF format: ${Object.keys(types).join(', ')}.`)
  try {
    const headers = {'Content-Type': type, Slug: encodeURIComponent(name), Accept: 'application/problem+json'}
    const response = await fetch(path, {method: 'POST', headers, body: file})
    const location = response.headers.get('Location')
    if (response.ok && location !== null) {
      line.className = ''
      line.replaceChildren(make('a', {href: new URL(location).pathname}, file.name), ' is created.')
      return true
    }
    /** @type {{detail?: string, line?: number, column?: number}} */
    const {
      detail = `The service answered ${response.status}.`,
      line: row,
      column,
    } = await response.json().catch(() => ({}))
    const place = row === undefined ? '' : ` line ${row}${column === undefined ? '' : `, column ${column}`}:`
    return say(`${place} ${detail}`.trim())
  } catch (error) {
    return say(`was not sent: ${error instanceof Error ? error.message : String(error)}`)
  }
}
