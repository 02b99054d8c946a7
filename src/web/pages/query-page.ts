/**
 * The page to write and run queries.
 *
 * Pure. Without JavaScript it is a plain form that downloads the result. The script turns the text field into an editor
 * with tabs, and shows the result below it.
 */
import {formats} from '../../format/registry.ts'
import {resultsFormats} from '../../format/results.ts'
import {pageOf} from './layout.ts'
import {localPath} from './link.ts'
import {type Markup, markup} from './markup.ts'
import type {HtmlSite} from './view.ts'

/** @param fields  `query`, `contexts` and `checksums` of the form */
export function queryPage(site: HtmlSite, fields: URLSearchParams): string {
  const root = localPath(site.base)
  const checked = (name: string) => (fields.get(name) === '1' ? markup` checked` : '')
  const endpoint = `${root}sparql`
  const content = markup`<h1>Query</h1>
    <form class="query" action="${endpoint}" method="post" data-query data-names="${root}.system/names"
      data-base="${site.base}" data-errors="${root}errors" data-prefixes="${JSON.stringify(site.names.prefixes)}">
    <div class="query-bar" data-scripted hidden><div data-query-tabs></div>
    <div class="menus">${menus.map(menu)}</div></div>
    <label for="page-query" class="unseen">Query in SPARQL</label><textarea id="page-query" name="query" rows="12"
      spellcheck="false" class="code">
${fields.get('query') ?? firstQuery(site)}</textarea>
    <div class="options"><button type="submit" class="button primary" data-run>Run</button>
    <label class="choice" title="The documents that contain each triple"><input type="checkbox" name="contexts"
      value="1"${checked('contexts')}> Contexts</label>
    <label class="choice" title="Checksums of these documents"><input type="checkbox" name="checksums"
      value="1"${checked('checksums')}> Checksums</label>
    <span class="download"><label for="page-format" class="unseen">File format</label><select id="page-format"
      name="format">${optionsOf('Rows', resultsFormats.map(withExtension))}${optionsOf(
        'Graphs',
        formats.map(({id, name, mediaTypes, extensions: [extension = id]}) => ({id, name, mediaTypes, extension})),
      )}</select><button type="submit" class="button" name="download" value="1" data-download>Download</button></span>
    <span class="keep" data-scripted hidden><button type="button" data-save>Save …</button> <a class="button" data-share
      href="${endpoint}">Link to this query</a></span></div>
    <p class="quiet" data-notice role="status"></p></form>
    <div data-answers></div>`
  const scripts = ['query.js'] as const
  return pageOf(site, {title: 'Query', scripts, styles: ['yasqe.css', 'query.css'], kind: 'wide'}, content)
}

const menus = [
  ['examples', 'Examples'],
  ['saved', 'Saved queries'],
  ['history', 'History'],
] as const

function menu([id, name]: (typeof menus)[number]): Markup {
  return markup`<details class="menu" data-menu="${id}"><summary class="button">${name}</summary><div class="items"
    data-items></div></details>`
}

type Offer = {
  readonly id: string
  readonly name: string
  readonly mediaTypes: readonly string[]
  readonly extension: string
}

/** File name extensions of the formats of results; the others are the last part of their ids. */
const extensions: Readonly<Record<string, string>> = {'results-json': 'srj', 'results-xml': 'srx'}

function withExtension({id, name, mediaTypes}: Omit<Offer, 'extension'>): Offer {
  return {id, name, mediaTypes, extension: extensions[id] ?? id.replace('results-', '')}
}

function optionsOf(group: string, offers: readonly Offer[]): Markup {
  return markup`<optgroup label="${group}">${offers.map(
    ({id, name, mediaTypes: [type = ''], extension}) =>
      markup`<option value="${id}" data-type="${type}" data-extension="${extension}">${name}</option>`,
  )}</optgroup>`
}

function firstQuery({names}: HtmlSite): string {
  return `# The newest documents
PREFIX c: <${names.prefixes.c}>

SELECT ?document ?modified WHERE {
  ?document a c:Document ; c:modified ?modified .
}
ORDER BY DESC(?modified)
LIMIT 50`
}
