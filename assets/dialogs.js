/**
 * Asks the user in a modal dialog.
 */
import {make} from './dom.js'

/**
 * @param {{title: string, action: string, isDanger?: boolean}} asked
 * @param {...Node} content  may have fields; required ones are checked
 * @returns {Promise<boolean>}  whether the user agrees
 */
export function askUser({title, action, isDanger = false}, ...content) {
  const agree = make('button', {value: 'yes', class: `primary${isDanger ? ' danger' : ''}`}, action)
  const cancel = make('button', {value: 'no', formnovalidate: true}, 'Cancel')
  const heading = make('h2', {id: 'page-dialog-title'}, title)
  const form = make('form', {method: 'dialog'}, heading, ...content, make('p', {class: 'buttons'}, agree, cancel))
  const dialog = make('dialog', {'aria-labelledby': 'page-dialog-title'}, form)
  document.body.append(dialog)
  dialog.showModal()
  return new Promise(resolve => {
    dialog.addEventListener('close', () => {
      dialog.remove()
      resolve(dialog.returnValue === 'yes')
    })
  })
}
