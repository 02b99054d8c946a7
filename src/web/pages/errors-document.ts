/**
 * docs/errors.md as a page. Each rule has an anchor, to which the `type` of a problem links.
 *
 * Pure. It supports the Markdown that docs/errors.md uses: headings, paragraphs, tables, code and links.
 */
import {pageOf} from './layout.ts'
import {type Markup, markup} from './markup.ts'
import type {HtmlSite} from './view.ts'

export function errorsDocument(site: HtmlSite, markdown: string): string {
  const blocks = markdown.split(/^(```[^\n]*\n[\s\S]*?\n```)$|\n\n+/m).filter(block => block?.trim())
  const headingBefore = (index: number) => blocks.slice(0, index).findLast(block => /^#+ /.test(block.trim())) ?? ''
  const shown = blocks.map((block, index) =>
    showBlock(
      block,
      headingBefore(index)
        .replace(/^\s*#+ /, '')
        .trim(),
    ),
  )
  return pageOf(site, {title: 'Errors'}, markup`<article class="card prose">${shown}</article>`)
}

function showBlock(block: string, heading: string): Markup {
  const text = block.trim()
  if (text.startsWith('```')) return markup`<pre class="code">${text.replace(/^```.*\n|\n```$/g, '')}</pre>`
  if (text.startsWith('## ')) return markup`<h2>${showLine(text.slice(3))}</h2>`
  if (text.startsWith('# ')) return markup`<h1>${showLine(text.slice(2))}</h1>`
  if (text.startsWith('|')) return showTable(text.split('\n'), heading)
  return markup`<p>${showLine(text)}</p>`
}

function showTable([head = '', , ...rows]: readonly string[], heading: string): Markup {
  return markup`<div class="scroll" tabindex="0" role="region" aria-label="Table: ${heading}"><table>
    <thead><tr>${cellsOf(head).map(
      cell => markup`<th scope="col">${showLine(cell)}</th>`,
    )}</tr></thead><tbody>${rows.map(line => showRow(cellsOf(line)))}</tbody></table></div>`
}

function showRow(cells: readonly string[]): Markup {
  const rule = /^`([a-z][a-z0-9-]*)`$/.exec(cells[0] ?? '')?.[1]
  const id = rule !== undefined && markup` id="${rule}"`
  return markup`<tr${id}>${cells.map(cell => markup`<td>${showLine(cell)}</td>`)}</tr>`
}

function cellsOf(line: string): readonly string[] {
  return line
    .replace(/^\||\|$/g, '')
    .split(/(?<!\\)\|/)
    .map(cell => cell.trim().replaceAll('\\|', '|'))
}

/** Code and links in a line of text. */
function showLine(text: string): readonly Markup[] {
  return text.split(/(`[^`]*`|\[[^\]]*\]\(https?:[^)]*\))/).map(piece => {
    if (piece.startsWith('`')) return markup`<code>${piece.slice(1, -1)}</code>`
    const [, label, target] = /^\[([^\]]*)\]\((https?:[^)]*)\)$/.exec(piece) ?? []
    return target === undefined ? markup`${piece}` : markup`<a href="${target}" rel="external">${label}</a>`
  })
}
