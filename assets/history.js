/**
 * The form that restores a state of a document.
 */
const form = /** @type {HTMLFormElement} */ (document.querySelector('form[data-path]'))
const outcome = /** @type {HTMLElement} */ (form.querySelector('[data-outcome]'))
const submit = /** @type {HTMLButtonElement} */ (form.querySelector('button[type=submit]'))
const {path = '', next = '', etag} = form.dataset

form.addEventListener('submit', event => {
  event.preventDefault()
  void restore()
})

async function restore() {
  submit.disabled = true
  outcome.replaceChildren()
  try {
    const condition = etag === undefined ? {'If-None-Match': '*'} : {'If-Match': `"${etag}"`}
    const response = await fetch(path, {method: 'POST', headers: {Accept: 'application/problem+json', ...condition}})
    if (response.ok) location.assign(next)
    else if (response.status === 412) show('The document has changed since this page was made. Load the page again.')
    else show(await problemOf(response))
  } catch (error) {
    show(error instanceof Error ? error.message : String(error))
  } finally {
    submit.disabled = false
  }
}

/** @param {Response} response */
async function problemOf(response) {
  const problem = await response.json().catch(() => ({}))
  return problem.detail ?? `The service answered ${response.status}.`
}

/** @param {string} text */
function show(text) {
  const paragraph = document.createElement('p')
  paragraph.className = 'notice'
  paragraph.textContent = text
  outcome.replaceChildren(paragraph)
  outcome.focus()
}
