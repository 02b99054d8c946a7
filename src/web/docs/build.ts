/**
 * Builds the documentation: `node dist/web/docs/build.js` after the compiler, as `npm run build` does.
 *
 * Reads docs/ beside the compiled program and writes one file, dist/docs.json. docs/README.md and
 * docs/decisions/README.md say which pages there are and in which order.
 */
import {mkdirSync, readFileSync, writeFileSync} from 'node:fs'
import {type BuiltDocs, builtDocsFile, type DocsPage, docsFolder} from './pages.ts'
import {type RenderedDocs, renderDocs} from './render.ts'
import {createSearchIndex} from './search-index.ts'

const files = listed('README.md').flatMap(({file, group}): readonly RenderedDocs[] => {
  const page = render(file, group)
  const folder = /^(.+\/)README\.md$/.exec(file)?.[1]
  return folder === undefined ? [page] : [page, ...listed(file).map(each => render(folder + each.file, page.title))]
})
const built: BuiltDocs = {
  pages: [render('README.md', ''), ...files].map(withoutSections),
  searchIndex: JSON.stringify(createSearchIndex(files)),
}
mkdirSync(new URL('./', builtDocsFile), {recursive: true})
writeFileSync(builtDocsFile, JSON.stringify(built))

/** The files that the list items of a page link to, with the headings above them. */
function listed(file: string): readonly {readonly file: string; readonly group: string}[] {
  const found: {file: string; group: string}[] = []
  let group = ''
  for (const line of read(file).split('\n')) {
    group = /^## (.*)$/.exec(line)?.[1] ?? group
    const [, target] = /^- \[[^\]]*\]\(([^)#]*\.md)\)/.exec(line) ?? []
    if (target !== undefined) found.push({file: target, group})
  }
  return found
}

function withoutSections({path, group, title, headings, html}: RenderedDocs): DocsPage {
  return {path, group, title, headings, html}
}

function render(file: string, group: string): RenderedDocs {
  return renderDocs(file, read(file), group)
}

function read(file: string): string {
  return readFileSync(new URL(file, docsFolder), 'utf8')
}
