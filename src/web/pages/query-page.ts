/**
 * The page to write and run queries.
 *
 * Pure. Without JavaScript it is a plain form that downloads the result. The script turns the text field into an editor
 * and shows the result below it.
 */
import {formats} from '../../format/registry.ts'
import {resultsFormats} from '../../format/results.ts'
import {pageOf} from './layout.ts'
import {localPath} from './link.ts'
import {type Markup, markup} from './markup.ts'
import type {HtmlSite} from './view.ts'

export function queryPage(site: HtmlSite): string {
  const endpoint = `${localPath(site.base)}sparql`
  const names = `${localPath(site.base)}.system/names`
  const content = markup`<h1>Query</h1>
    <form class="query" action="${endpoint}" method="post" data-query data-names="${names}" data-base="${site.base}"
      data-prefixes="${JSON.stringify(site.names.prefixes)}">
    <label for="page-query" class="unseen">Query in SPARQL</label><textarea id="page-query" name="query" rows="12"
      spellcheck="false" class="code">
${firstQuery(site)}</textarea>
    <div class="options"><button type="submit" class="button primary" data-run>Run</button>
    <label class="choice"><input type="checkbox" name="contexts" value="1"> Contexts: documents of each triple</label>
    <label class="choice"><input type="checkbox" name="checksums" value="1"> Checksums of documents</label>
    <span class="download"><label for="page-format">File format</label><select id="page-format" name="format"
      >${optionsOf('Rows', resultsFormats)}${optionsOf('Graphs', formats)}</select><button type="submit"
      class="button" name="download" value="1" data-download>Download</button></span>
    <a class="button" data-share hidden href="${endpoint}">Link to this query</a></div></form>
    <section data-answer hidden aria-label="Answer"><p data-status role="status"></p>
    <div role="tablist" aria-label="Answer as" class="tabs"></div><div data-panels></div></section>`
  const scripts = ['query.js']
  return pageOf(site, {title: 'Query', scripts, styles: ['yasqe.css', 'query.css'], kind: 'wide'}, content)
}

function optionsOf(group: string, offers: readonly {readonly id: string; readonly name: string}[]): Markup {
  return markup`<optgroup label="${group}">${offers.map(
    ({id, name}) => markup`<option value="${id}">${name}</option>`,
  )}</optgroup>`
}

function firstQuery({names}: HtmlSite): string {
  return `PREFIX ldp: <${names.prefixes.ldp}>
PREFIX c: <${names.prefixes.c}>

SELECT ?document ?modified WHERE {
  ?document a c:Document ; c:modified ?modified .
}
ORDER BY DESC(?modified)
LIMIT 50`
}
