/**
 * A file of docs/ to a page: HTML, its sections for the search, and relative links that work below /docs.
 *
 * Runs when the program is built. Links between files become links between pages. Links to other files of the project
 * become plain text, because the service does not serve them. Source: CommonMark; GitHub's rules for anchors.
 */
import {Marked, type Token, type Tokens} from 'marked'
import {escapeText} from '../pages/markup.ts'
import {type DocsHeading, type DocsPage, docsReference, pathOfFile} from './pages.ts'

export type DocsSection = DocsHeading & {readonly text: string} // without markup

export type RenderedDocs = DocsPage & {readonly sections: readonly DocsSection[]}

/** @param file  relative to docs/: `tour.md` */
export function renderDocs(file: string, markdown: string, group: string): RenderedDocs {
  const path = pathOfFile(file)
  const anchors = new Map<string, number>()
  let heading = ''
  const marked = new Marked()
  const tokens = marked.lexer(markdown)
  const sections = sectionsOf(tokens)
  const ids = new Set(sections.map(({id}) => id))
  marked.use({
    renderer: {
      heading({tokens, depth}) {
        const id = anchorOf(textOf(tokens), anchors)
        heading = textOf(tokens)
        const text = this.parser.parseInline(tokens)
        if (depth === 1) return `<h1 id="${id}">${text}</h1>\n`
        const link = `<a class="anchor" href="#${id}" aria-label="Link to ${escapeText(heading)}">#</a>`
        return `<h${depth} id="${id}">${text} ${link}</h${depth}>\n`
      },
      code: ({text}) => `<pre class="code" tabindex="0">${escapeText(text)}</pre>\n`,
      html: ({text}) => escapeText(text),
      image: ({href, text}) => `<img src="${docsReference(path, href)}" alt="${escapeText(text)}" loading="lazy">`,
      link({href, tokens}) {
        const text = this.parser.parseInline(tokens)
        const target = targetOf(href, file)
        return target === undefined ? text : `<a href="${escapeText(target)}">${text}</a>`
      },
      table({header, rows}) {
        const cells = (tag: 'th' | 'td', row: readonly Tokens.TableCell[]) =>
          row.map(({tokens}) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('')
        const bodyRow = (row: readonly Tokens.TableCell[]) => {
          const id = idOfRow(row, ids)
          return `<tr${id === undefined ? '' : ` id="${id}"`}>${cells('td', row)}</tr>`
        }
        return (
          `<div class="scroll" tabindex="0" role="region" aria-label="Table: ${escapeText(heading)}"><table>` +
          `<thead><tr>${cells('th', header)}</tr></thead><tbody>${rows.map(bodyRow).join('')}</tbody></table></div>\n`
        )
      },
    },
  })
  const headings = sections.map(({id, heading, depth}) => ({id, heading, depth}))
  return {path, group, title: headings[0]?.heading ?? path, headings, html: marked.parser(tokens), sections}
}

/**
 * The fragment of a row that describes one name, such as a rule or a setting: `etag-mismatch`.
 *
 * @param ids  of the page so far; the new one is added
 * @returns    undefined if the first cell is not one name in code, or if its id is in use
 */
function idOfRow([first]: readonly Tokens.TableCell[], ids: Set<string>): string | undefined {
  const [token, ...others] = first?.tokens ?? []
  if (token?.type !== 'codespan' || others.length > 0) return undefined
  const id: string = token.text
  if (!/^[A-Za-z][\w-]*$/.test(id) || ids.has(id)) return undefined
  ids.add(id)
  return id
}

/** The target of a link as the page needs it; undefined if it is not a page. */
function targetOf(href: string, file: string): string | undefined {
  if (/^(?:https?:|mailto:|#)/.test(href)) return href
  const {pathname, hash} = new URL(href, `file:///docs/${file}`)
  if (!pathname.startsWith('/docs/') || !pathname.endsWith('.md')) return undefined
  return docsReference(pathOfFile(file), pathOfFile(pathname.slice('/docs/'.length))) + hash
}

function sectionsOf(tokens: readonly Token[]): readonly DocsSection[] {
  const sections: (DocsHeading & {text: string})[] = []
  const anchors = new Map<string, number>()
  for (const token of tokens) {
    const last = sections.at(-1)
    if (token.type === 'heading') {
      const heading = textOf(token.tokens ?? [])
      sections.push({id: anchorOf(heading, anchors), heading, depth: (token as Tokens.Heading).depth, text: ''})
    } else if (last !== undefined) last.text += `${textOf([token])} `
  }
  return sections
}

/** The text of tokens without markup. */
function textOf(tokens: readonly Token[]): string {
  return tokens
    .map(token => {
      if (token.type === 'table') {
        const {header, rows} = token as Tokens.Table
        return [header, ...rows].map(row => row.map(cell => textOf(cell.tokens)).join(' ')).join(' ')
      }
      if (token.type === 'list') return (token as Tokens.List).items.map(item => textOf(item.tokens)).join(' ')
      if ('tokens' in token && token.tokens !== undefined) return textOf(token.tokens)
      if (token.type === 'space') return ' '
      return 'text' in token && typeof token.text === 'string' ? token.text : ''
    })
    .join('')
    .replaceAll('\n', ' ')
}

/** The anchor of a heading as GitHub makes it. A repeated one gets a number. */
function anchorOf(heading: string, used: Map<string, number>): string {
  const anchor = heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
    .replaceAll(' ', '-')
  const times = used.get(anchor) ?? 0
  used.set(anchor, times + 1)
  return times === 0 ? anchor : `${anchor}-${times}`
}
