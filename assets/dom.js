/**
 * Makes elements.
 *
 * @typedef {Readonly<Record<string, string | number | boolean | undefined>>} Attributes
 */

/**
 * An element with attributes and content. `true` makes an attribute without a value; `false` and undefined omit it.
 *
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {Attributes} [attributes]
 * @param {...(Node | string)} content
 * @returns {HTMLElementTagNameMap[Name]}
 */
export function make(name, attributes = {}, ...content) {
  const element = document.createElement(name)
  for (const [key, value] of Object.entries(attributes))
    if (value !== undefined && value !== false) element.setAttribute(key, value === true ? '' : String(value))
  element.append(...content)
  return element
}

/**
 * A button that does something.
 *
 * @param {string} label
 * @param {() => void} act
 * @param {Attributes} [attributes]
 */
export function button(label, act, attributes = {}) {
  const element = make('button', {type: 'button', ...attributes}, label)
  element.addEventListener('click', act)
  return element
}

/**
 * A field for a choice with its label.
 *
 * @param {string} label
 * @param {readonly (readonly [value: string, name: string])[]} options
 * @param {string | undefined} chosen
 * @param {(value: string) => void} change
 */
export function choice(label, options, chosen, change) {
  const select = make('select', {'aria-label': label})
  for (const [value, name] of options) select.append(make('option', {value, selected: value === chosen}, name))
  select.addEventListener('change', () => change(select.value))
  return make('label', {class: 'field'}, make('span', {}, label), select)
}

/** @param {number} count */
export function showCount(count) {
  return count.toLocaleString('en')
}
