/**
 * The search of the documentation. The index is loaded when somebody begins to search. A section is found if it
 * contains all words, the last of them as a prefix. Words of headings count more than those of the text, and more in short headings.
 */
const form = document.querySelector('.docs-search')
const field = form?.querySelector('input')
const list = form?.querySelector('.docs-found')
const status = form?.querySelector('[role=status]')
const shown = 12

if (form instanceof HTMLFormElement && field instanceof HTMLInputElement && list instanceof HTMLOListElement) {
  /** @type {Promise<SearchIndex> | undefined} */
  let loading
  const load = () => {
    loading ??= fetch(form.dataset.index ?? '').then(answer => answer.json())
    return loading
  }
  form.hidden = false
  field.addEventListener('focus', load, {once: true})
  field.addEventListener('input', async () => {
    const index = await load()
    show(find(index, wordsOf(field.value)), index, list)
  })
  form.addEventListener('submit', event => {
    event.preventDefault()
    list.querySelector('a')?.click()
  })
  form.addEventListener('keydown', event => {
    if (event.key === 'Escape') list.hidden = true
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') step(event, event.key === 'ArrowDown' ? 1 : -1)
  })
}

/**
 * @typedef {{sections: [path: string, id: string, title: string, heading: string, start: string][],
 *   words: Record<string, number[]>}} SearchIndex
 */

/** @param {string} text @returns {string[]} */
function wordsOf(text) {
  return text.toLowerCase().match(/[\p{L}\p{N}_]{2,}/gu) ?? []
}

/**
 * The numbers of the sections that contain all words, the best first.
 *
 * @param {SearchIndex} index
 * @param {string[]} words
 * @returns {number[]}
 */
function find({sections, words: places}, words) {
  /** @type {Map<number, number>} */
  let scores = new Map()
  for (const [position, word] of words.entries()) {
    const isLast = position === words.length - 1
    const known = isLast ? Object.keys(places).filter(each => each.startsWith(word)) : word in places ? [word] : []
    /** @type {Map<number, number>} */
    const next = new Map()
    for (const each of known) {
      const found = places[each] ?? []
      const weight = Math.log(1 + sections.length / found.length) * (each === word ? 2 : 1)
      for (const number of found) {
        const before = position === 0 ? 1 : scores.get(number)
        if (before === undefined) continue
        next.set(number, Math.max(next.get(number) ?? 0, before * weight * weightOf(sections[number], each)))
      }
    }
    scores = next
  }
  return [...scores].sort(([, one], [, other]) => other - one).map(([number]) => number)
}

/** @param {SearchIndex['sections'][number] | undefined} section @param {string} word @returns {number} */
function weightOf(section, word) {
  const [, , title = '', heading = ''] = section ?? []
  const words = wordsOf(heading)
  return (
    1 + (words.includes(word) ? 12 / words.length : 0) + (title !== heading && wordsOf(title).includes(word) ? 2 : 0)
  )
}

/** @param {number[]} found @param {SearchIndex} index @param {HTMLOListElement} target */
function show(found, {sections}, target) {
  const root = form instanceof HTMLFormElement ? (form.dataset.root ?? '') : ''
  const items = found.slice(0, shown).map(number => {
    const [path = '', id = '', title = '', heading = '', start = ''] = sections[number] ?? []
    const link = document.createElement('a')
    link.href = `${root}${path === '' ? '' : `/${path}`}${id === '' ? '' : `#${id}`}`
    link.textContent = heading === title ? title : `${title}: ${heading}`
    const text = document.createElement('span')
    text.textContent = start
    link.append(text)
    const item = document.createElement('li')
    item.append(link)
    return item
  })
  target.replaceChildren(...items)
  target.hidden = items.length === 0
  if (status !== null && status !== undefined)
    status.textContent = items.length === 0 ? 'Nothing found' : `${found.length} sections found`
}

/** @param {KeyboardEvent} event @param {number} by */
function step(event, by) {
  const links = [...document.querySelectorAll('.docs-found a')]
  const place = links.indexOf(/** @type {Element} */ (document.activeElement)) + by
  const target = place < 0 ? field : links[Math.min(place, links.length - 1)]
  if (target instanceof HTMLElement) target.focus()
  event.preventDefault()
}
