/**
 * The documentation at /docs: pages, their images, and the index of the search.
 *
 * The pages are built with the program (web/docs) and read at the first request. They are the same for all callers.
 */
import {createHash} from 'node:crypto'
import {readFile} from 'node:fs/promises'
import type {Context} from 'koa'
import {Problem} from '../../base/problem.ts'
import {evaluatePreconditions, formatTag, readPreconditions, weakTag} from '../../http/conditional.ts'
import {type BuiltDocs, builtDocsFile, type DocsPage, docsFolder, docsReference} from '../docs/pages.ts'
import {varied} from '../document/reply.ts'
import type {Site} from '../exchange.ts'
import {pageOf} from './layout.ts'
import {Markup, markup} from './markup.ts'
import {pageHeaders} from './security.ts'
import type {HtmlSite} from './view.ts'

let reading: Promise<BuiltDocs> | undefined // all datasets of the process have the same

/**
 * Answers with a page, an image or the index.
 *
 * @param path  below /docs; '' for the first page
 * @throws      Problem 404 `document-exists`
 */
export async function answerDocs({pages, dataset}: Site, context: Context, path: string): Promise<void> {
  const docs = await readDocs()
  const index = docs.pages.findIndex(page => page.path === path)
  const page = docs.pages[index]
  if (page !== undefined) return answerWith(context, {headers: pageHeaders, body: showPage(pages.site, docs, page)})
  if (path === 'search.json')
    return answerWith(context, {headers: {'Content-Type': 'application/json'}, body: docs.searchIndex})
  const image = /^images\/[\w-]+\.png$/.test(path) ? await readFile(new URL(path, docsFolder)).catch(() => null) : null
  if (image !== null) return answerWith(context, {headers: {'Content-Type': 'image/png'}, body: image})
  throw new Problem(404, 'document-exists', `There is no page <${new URL(dataset.base).origin}${context.path}>.`)
}

async function readDocs(): Promise<BuiltDocs> {
  reading ??= readFile(builtDocsFile, 'utf8').then(JSON.parse)
  return reading.catch(error => {
    reading = undefined
    const message = 'The documentation is not built yet. "npm run build" builds it.'
    throw new Problem(404, 'document-exists', message, {cause: error})
  })
}

type DocsAnswer = {readonly headers: Readonly<Record<string, string>>; readonly body: string | Buffer}

function answerWith(context: Context, {headers, body}: DocsAnswer): void {
  const tag = weakTag(createHash('sha256').update(body).digest('base64url').slice(0, 22))
  context.set({...headers, 'X-Content-Type-Options': 'nosniff', Vary: varied})
  context.set({ETag: formatTag(tag), 'Cache-Control': 'public, no-cache'})
  const conditions = readPreconditions(context.req.headers, Date.now())
  const isUnchanged = evaluatePreconditions(conditions, {tags: [tag]}, context.method) === 'not-modified'
  if (isUnchanged) context.status = 304
  else context.body = body
}

function showPage(site: HtmlSite, {pages}: BuiltDocs, page: DocsPage): string {
  const reference = (path: string) => docsReference(page.path, path)
  const index = pages.indexOf(page)
  const frame = {title: page.title, styles: ['docs.css'], scripts: ['docs.js'], kind: 'wide'} as const
  return pageOf(
    site,
    frame,
    markup`<div class="docs">
    <form class="docs-search" role="search" aria-label="Documentation" data-index="${reference('search.json')}"
    data-root="${reference('')}" hidden>
    <label for="docs-query">Search the documentation</label>
    <input id="docs-query" type="search" autocomplete="off" spellcheck="false">
    <p class="unseen" role="status"></p><ol class="docs-found" hidden></ol></form>
    <article class="card prose">${new Markup(page.html)}</article>
    ${neighbours(page, {before: pages[index - 1], after: pages[index + 1]})}
    ${allPages(page, pages)}</div>`,
  )
}

type Neighbours = {readonly before: DocsPage | undefined; readonly after: DocsPage | undefined}

function neighbours(page: DocsPage, {before, after}: Neighbours): Markup {
  const link = (rel: 'prev' | 'next', other: DocsPage | undefined) =>
    other && markup`<a rel="${rel}" href="${docsReference(page.path, other.path)}">${other.title}</a>`
  return markup`<nav class="docs-next" aria-label="Neighbours">${link('prev', before)}${link('next', after)}</nav>`
}

/** All pages by group, with the sections of this one. Of the pages in a folder, only the first is listed elsewhere. */
function allPages(page: DocsPage, pages: readonly DocsPage[]): Markup {
  const folder = page.path.split('/')[0] ?? ''
  const shown = pages.filter(({path}) => !path.includes('/') || path.startsWith(`${folder}/`))
  const groups = [...new Set(shown.map(({group}) => group))]
  return markup`<nav class="docs-pages" aria-label="Documentation">${groups.map(
    group =>
      markup`${group !== '' && markup`<h2>${group}</h2>`}<ul>${shown
        .filter(other => other.group === group)
        .map(other => listItem(page, other))}</ul>`,
  )}</nav>`
}

function listItem(page: DocsPage, other: DocsPage): Markup {
  if (other !== page) return markup`<li><a href="${docsReference(page.path, other.path)}">${other.title}</a></li>`
  const sections = page.headings.filter(({depth}) => depth === 2)
  const list = markup`<ul>${sections.map(({id, heading}) => markup`<li><a href="#${id}">${heading}</a></li>`)}</ul>`
  return markup`<li><a href="${docsReference(page.path, page.path)}" aria-current="page">${page.title}</a>${
    sections.length > 0 && list
  }</li>`
}
