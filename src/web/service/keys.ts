/**
 * API keys over HTTP: GET and POST of /.system/keys, GET and DELETE of /.system/keys/<id>.
 *
 * Only available with access control. docs/security.md describes the JSON. Browsers get a page with forms.
 */
import type {Context} from 'koa'
import {readKeyRequest, showKey} from '../../authentication/key-request.ts'
import {Problem} from '../../base/problem.ts'
import {answerEmpty, resourceLink, varied} from '../document/reply.ts'
import {headerOf, type Site} from '../exchange.ts'
import {prefersHtml} from '../pages/preference.ts'
import {nameRoute} from '../server/request-record.ts'
import {isOwnForm} from './form-body.ts'
import {readJson} from './json-body.ts'
import {addKey, dropKey, findListedKey, keysOf, type Manager, managerOf} from './key-office.ts'
import {changeKeysByForm, showKeysPage} from './keys-page.ts'

export const keysPath = '.system/keys'

/** @throws  Problem 400 `key-shape` · 401 · 403 · 405 · 409 `keys-counted` · 415 · 422 `expiry-ahead`, `key-lasts` */
export async function answerKeys(site: Site, context: Context): Promise<void> {
  const allowed = 'GET, HEAD, OPTIONS, POST'
  begin(context, allowed)
  switch (context.method) {
    case 'GET':
    case 'HEAD': {
      const manager = await managerOf(site, context)
      return prefersHtml(headerOf(context, 'accept')) ? showKeysPage(manager) : answerList(manager)
    }
    case 'POST': {
      const manager = await managerOf(site, context)
      return isOwnForm(context, site.dataset.base) ? changeKeysByForm(manager) : answerNewKey(manager)
    }
    case 'OPTIONS':
      return answerEmpty(context, 204)
    default:
      throw notAllowed(site, context, allowed)
  }
}

/** @throws  Problem 401 · 403 · 404 `key-exists` · 405 */
export async function answerKey(site: Site, context: Context, id: string): Promise<void> {
  const allowed = 'GET, HEAD, OPTIONS, DELETE'
  begin(context, allowed)
  switch (context.method) {
    case 'GET':
    case 'HEAD':
      return answerJson(context, showKey(await findListedKey(await managerOf(site, context), id)))
    case 'DELETE':
      await dropKey(await managerOf(site, context), id)
      return answerEmpty(context, 204)
    case 'OPTIONS':
      return answerEmpty(context, 204)
    default:
      throw notAllowed(site, context, allowed)
  }
}

function begin(context: Context, allowed: string): void {
  nameRoute(context.req, 'keys')
  context.set({Allow: allowed, Link: resourceLink, Vary: varied, 'Cache-Control': 'no-store'})
}

function notAllowed({dataset}: Site, {method, path}: Context, allowed: string): Problem {
  const url = new URL(path, dataset.base).href
  return new Problem(405, 'method-allowed', `${method} is not possible on <${url}>.`, {headers: {Allow: allowed}})
}

async function answerList(manager: Manager): Promise<void> {
  const {context} = manager
  const keys = await keysOf(manager, new URLSearchParams(context.querystring).get('agent'))
  answerJson(context, {keys: keys.map(showKey)})
}

async function answerNewKey(manager: Manager): Promise<void> {
  const {site, context} = manager
  const {listed, key} = await addKey(manager, readKeyRequest(await readJson(site, context, 'Keys')))
  context.set('Location', `${site.dataset.base}${keysPath}/${listed.id}`)
  answerJson(context, {...showKey(listed), key})
  context.status = 201
}

function answerJson(context: Context, value: unknown): void {
  context.set('Content-Type', 'application/json')
  context.body = `${JSON.stringify(value)}\n`
}
