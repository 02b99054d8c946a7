/**
 * Resources of the pages: assets, the names that the query editor completes, the list of errors.
 *
 * None of these paths ends with '/', so no document can have one (decision 0009).
 *   /.system/assets/<hash>/<name>   browsers keep them for ever
 *   /.system/names                  prefixes, properties and classes, as JSON
 *   /errors                         Markdown; browsers are redirected to the page of the documentation
 */

import type {Context} from 'koa'
import {mayReadAll} from '../../db/store/grants.ts'
import {readUsedNames} from '../../db/store/page-reads.ts'
import type {ContentCoding} from '../../http/content-coding.ts'
import {noDocument} from '../../ldp/no-document.ts'
import {answerSeeOther, varied} from '../document/reply.ts'
import {datasetToRead, type Site} from '../exchange.ts'
import {codedAsset} from './asset-coding.ts'
import {localPath} from './link.ts'
import {prefersHtml} from './preference.ts'

const yearSeconds = 31_536_000

/** @throws Problem 404 `document-exists` */
export function serveAsset(
  {pages, dataset}: Site,
  context: Context,
  {hash, name = ''}: {readonly hash?: string; readonly name?: string},
): void {
  const asset = hash === pages.files.hash ? pages.files.files.get(name) : undefined
  if (asset === undefined) {
    const origin = new URL(dataset.base).origin
    throw noDocument(origin + context.path)
  }
  context.set({
    'Content-Type': asset.type,
    'Cache-Control': `public, max-age=${yearSeconds}, immutable`,
    'X-Content-Type-Options': 'nosniff',
    'Cross-Origin-Resource-Policy': 'same-origin',
    Vary: varied,
  })
  const coding: ContentCoding | undefined = context.state.coding
  const best = coding && codedAsset(asset, {coding, key: `${hash} ${name}`})
  if (coding !== undefined && best !== undefined) context.set('Content-Encoding', coding)
  context.body = best ?? asset.bytes
}

const completedNames = 1000 // of properties, and of classes

/** The cost is the number of names, and not that of the triples. None for who may not read everything. */
export async function answerNames(site: Site, context: Context): Promise<void> {
  const {dataset, pages} = site
  const none = {properties: [], classes: []}
  const isPermitted = await mayReadAll(dataset.session)
  const {properties, classes} = isPermitted
    ? await readUsedNames(datasetToRead({site, context}).session, completedNames)
    : none
  context.set({'Content-Type': 'application/json', 'Cache-Control': 'max-age=60', Vary: varied})
  context.body = `${JSON.stringify({prefixes: pages.site.names.prefixes, properties, classes})}\n`
}

export function answerErrors({dataset}: Site, context: Context, markdown: string): void {
  context.set({'Cache-Control': 'max-age=3600', Vary: varied})
  if (prefersHtml(context.req.headers.accept)) {
    answerSeeOther(context, `${localPath(dataset.base)}docs/errors`)
    return
  }
  context.set('Content-Type', 'text/markdown; charset=utf-8')
  context.body = markdown
}
