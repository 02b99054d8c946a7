/**
 * The row of queries on the query page: a button for each draft, buttons to close them, and one for a new query.
 *
 * @typedef {import('./drafts.js').Draft} Draft
 */
import {button, make} from './dom.js'
import {queryTitle} from './query-kind.js'

/**
 * @param {HTMLElement} place
 * @param {{choose: (id: string) => void, close: (id: string) => void, begin: () => void}} actions
 * @returns {(drafts: readonly Draft[], chosen: string) => void}  draws them
 */
export function createQueryTabs(place, {choose, close, begin}) {
  const list = make('ul', {class: 'query-tabs', 'aria-label': 'Queries'})
  place.replaceChildren(list)
  return (drafts, chosen) => {
    const items = drafts.map(({id, text}, index) => {
      const name = queryTitle(text) || `Query ${index + 1}`
      const open = button(name, () => choose(id), {'aria-current': id === chosen && 'true', class: 'open', title: name})
      const end = button('×', () => close(id), {'aria-label': `Close ${name}`, class: 'close'})
      return make('li', {class: id === chosen ? 'here' : undefined}, open, ...(drafts.length > 1 ? [end] : []))
    })
    list.replaceChildren(...items, make('li', {}, button('New query', begin, {class: 'open'})))
    const here = items.find(item => item.classList.contains('here'))
    requestAnimationFrame(() => {
      list.scrollLeft = (here?.offsetLeft ?? 0) - list.offsetLeft
    })
  }
}
