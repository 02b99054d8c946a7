/**
 * Tabs with panels. A panel is filled when it is first shown. Arrow keys go from tab to tab.
 *
 * Source: WAI-ARIA Authoring Practices, Tabs.
 *
 * @typedef {{name: string, fill: (panel: HTMLElement) => void | Promise<void>}} PanelView
 */
import {make} from './dom.js'

let made = 0 // for ids

/**
 * @param {readonly PanelView[]} views
 * @param {{isOpen: boolean}} options  isOpen: whether the first panel is shown at once
 * @returns {readonly [tabs: HTMLElement, panels: HTMLElement]}
 */
export function createPanelTabs(views, {isOpen}) {
  const parts = views.map(({name, fill}) => {
    made += 1
    const id = `page-tab-${made}`
    const tab = make('button', {type: 'button', role: 'tab', id, 'aria-controls': `${id}-panel`}, name)
    const panel = make('div', {role: 'tabpanel', id: `${id}-panel`, tabindex: 0, 'aria-labelledby': id, hidden: true})
    return {tab, panel, fill, isFilled: false}
  })
  const choose = (/** @type {number} */ chosen) => {
    for (const [index, one] of parts.entries()) {
      const isChosen = index === chosen
      one.tab.setAttribute('aria-selected', String(isChosen))
      one.tab.tabIndex = isChosen ? 0 : -1
      one.panel.hidden = !isChosen
      if (!isChosen || one.isFilled) continue
      one.isFilled = true
      // a frame later, because a drawing needs the size of its panel
      requestAnimationFrame(() => {
        Promise.resolve()
          .then(() => one.fill(one.panel))
          .catch(error => one.panel.replaceChildren(error instanceof Error ? error.message : String(error)))
      })
    }
  }
  for (const [index, {tab}] of parts.entries()) {
    tab.addEventListener('click', () => choose(index))
    tab.addEventListener('keydown', ({key}) => {
      const step = key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : 0
      if (step === 0) return
      const next = (index + step + parts.length) % parts.length
      choose(next)
      parts[next]?.tab.focus()
    })
  }
  if (isOpen) choose(0)
  const tabs = make('div', {role: 'tablist', 'aria-label': 'Answer as', class: 'tabs'}, ...parts.map(({tab}) => tab))
  return [tabs, make('div', {}, ...parts.map(({panel}) => panel))]
}
