/**
 * The frame of every page: head, navigation, footer.
 *
 * Pure. A page contains no inline script or style. Both come from the service's assets, so that the content security
 * policy can forbid everything else.
 */

import {parentOf} from '../../rdf/iri.ts'
import type {Iri} from '../../rdf/term.ts'
import type {PageScript} from './assets.ts'
import {localPath} from './link.ts'
import {type Markup, markup, type Part} from './markup.ts'
import {type HtmlSite, lastSegment} from './view.ts'
import {showViewer} from './viewer.ts'

export type PageFrame = {
  readonly title: string
  readonly path?: Iri // the document whose ancestors are shown above the title
  readonly labels?: ReadonlyMap<Iri, string> // of the ancestors
  readonly scripts?: readonly PageScript[]
  readonly styles?: readonly string[] // names of style sheets among the assets, in addition to page.css
  readonly kind?: 'wide'
}

export function pageOf(
  site: HtmlSite,
  {title, path, labels, scripts = [], styles = [], kind}: PageFrame,
  content: Part,
): string {
  const {assets, base} = site
  const root = localPath(base)
  const allStyles = ['page.css', ...(site.hasSearch ? ['search.css'] : []), ...styles]
  const allScripts: readonly PageScript[] = [...(site.hasSearch ? (['search.js'] as const) : []), ...scripts]
  return markup`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>${title} · Quadstead</title>
<link rel="icon" href="${assets}icon.svg" type="image/svg+xml">
${allStyles.map(name => markup`<link rel="stylesheet" href="${assets}${name}">`)}
${allScripts.map(name => markup`<script type="module" src="${assets}${name}"></script>`)}</head>
<body><a class="skip" href="#page-main">To the content</a>
<header class="bar"><a class="brand" href="${root}"><svg viewBox="0 0 32 32" width="22" height="22" aria-hidden="true"
><path d="M4 15 16 4l12 11M8 12v15h16V12M8 19.500h16M16 12v15"/></svg><span>Quadstead</span></a>
${site.hasSearch && searchBox(site)}
<nav aria-label="Main"><a href="${root}">Documents</a><a href="${root}sparql">Query</a><a href="${root}docs">Docs</a
></nav>
${showViewer(site)}</header>
<main id="page-main"${kind === 'wide' && markup` class="wide"`}>${path !== undefined && breadcrumbs(site, path, labels)}
${content}</main></body></html>
`.text
}

/** The search box of every page. search.js adds suggestions while somebody types; it works without scripts too. */
function searchBox({base}: HtmlSite): Markup {
  return markup`<form class="search-box" method="get" action="${localPath(base)}search" role="search"
aria-label="Documents" data-suggest><input type="search" name="q" aria-label="Search documents" placeholder="Search"
maxlength="500" autocomplete="off"><button type="submit" aria-label="Search"><svg viewBox="0 0 16 16" width="16"
height="16" aria-hidden="true"><path
d="M10.500 10.500 14 14M11.500 7a4.500 4.500 0 1 1-9 0 4.500 4.500 0 0 1 9 0"/></svg></button></form>`
}

/** Links to the ancestors of a document, from the root down; undefined for the root. */
function breadcrumbs({base}: HtmlSite, iri: Iri, labels?: ReadonlyMap<Iri, string>): Markup | undefined {
  const above: Iri[] = []
  for (let parent = parentOf(iri, base); parent !== undefined; parent = parentOf(parent, base)) above.unshift(parent)
  if (above.length === 0) return undefined
  return markup`<nav class="crumbs" aria-label="Place"><ol>${above.map(
    document =>
      markup`<li><a href="${localPath(document)}"><bdi>${
        labels?.get(document) ?? (document === base ? 'All documents' : lastSegment(document))
      }</bdi></a></li>`,
  )}<li aria-current="page">${lastSegment(iri)}</li></ol></nav>`
}
