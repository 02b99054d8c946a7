/**
 * The page about API keys, and what its forms change.
 *
 * A new key is shown in the response to the form that makes it, and never again. A form that is refused shows the page
 * again, with the reason and with what was entered.
 */
import {readKeyRequest} from '../../authentication/key-request.ts'
import {Problem} from '../../base/problem.ts'
import type {ListedKey} from '../../db/store/keys.ts'
import type {Iri} from '../../rdf/term.ts'
import {answerSeeOther} from '../document/reply.ts'
import {type EnteredKey, keysPage, type MadeKey} from '../pages/keys-page.ts'
import {pageHeaders} from '../pages/security.ts'
import {readForm} from './form-body.ts'
import {endOfDay} from './grants-page.ts'
import {addKey, dropKey, keysOf, type Manager} from './key-office.ts'

type Outcome = {
  readonly made?: MadeKey
  readonly refused?: {readonly problem: Problem; readonly entered: EnteredKey}
}

/** @throws  Problem 403 `access-granted` */
export async function showKeysPage(manager: Manager, {made, refused}: Outcome = {}): Promise<void> {
  const {site, context, agent, isOfAll} = manager
  context.state.isPage = true
  const parameters = new URLSearchParams(context.querystring)
  const within = parameters.get('within') ?? undefined
  const keys = await keysOf(manager, parameters.get('agent'))
  const text = keysPage(site.pages.site, {
    keys: within === undefined ? keys : keys.filter(key => isConfined(key, within)),
    within,
    agent,
    isOfAll,
    made,
    fault: refused?.problem.message,
    entered: refused?.entered,
  })
  context.set(pageHeaders)
  context.status = refused?.problem.status ?? (made === undefined ? 200 : 201)
  context.body = text
}

/** Whether a key works for a document or a part of what is below it only. */
function isConfined({within}: ListedKey, document: Iri): boolean {
  return within?.startsWith(document) === true
}

/** @throws  Problem 403 `page-own`, and what reading the page throws */
export async function changeKeysByForm(manager: Manager): Promise<void> {
  const {site, context} = manager
  context.state.isPage = true
  const form = await readForm(site, context)
  const entered = enteredIn(form)
  const removed = form.get('remove')
  try {
    if (removed === null) {
      const {listed, key} = await addKey(manager, readKeyRequest(requestOf(entered)))
      context.set('Location', `${site.dataset.base}.system/keys/${listed.id}`)
      return await showKeysPage(manager, {made: {name: listed.name, key}})
    }
    await dropKey(manager, removed)
  } catch (error) {
    if (!(error instanceof Problem) || error.status >= 500) throw error
    return showKeysPage(manager, {refused: {problem: error, entered}})
  }
  answerSeeOther(context, context.url)
}

/** What was entered, as the JSON of docs/security.md. Empty fields are left out. */
function requestOf({name, agent, modes, within, expires}: EnteredKey): Readonly<Record<string, unknown>> {
  return {
    name,
    ...(agent === '' ? {} : {agent}),
    ...(modes.length === 0 ? {} : {modes}),
    ...(within === '' ? {} : {within}),
    expires: endOfDay(expires),
  }
}

function enteredIn(form: URLSearchParams): EnteredKey {
  const text = (name: string) => (form.get(name) ?? '').trim()
  const [name, agent, within, expires] = [text('name'), text('agent'), text('within'), text('expires')]
  return {name, agent, within, expires, modes: form.getAll('mode')}
}
