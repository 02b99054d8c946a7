/**
 * Menus made of `details`: they close when the user clicks elsewhere or presses Escape.
 */
const selector = 'details.menu[open]'

addEventListener('click', ({target}) => {
  for (const menu of document.querySelectorAll(selector)) if (!menu.contains(/** @type {Node} */ (target))) close(menu)
})

addEventListener('keydown', event => {
  const menu = document.querySelector(selector)
  if (event.key !== 'Escape' || menu === null) return
  const isInside = menu.contains(document.activeElement)
  close(menu)
  if (isInside) menu.querySelector('summary')?.focus()
})

/** @param {Element} menu */
export function close(menu) {
  menu.removeAttribute('open')
}
