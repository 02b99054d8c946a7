/**
 * The documentation as pages: what the build writes (build.ts) and the service serves (pages/docs.ts).
 *
 * Types and paths only.
 */

export type DocsHeading = {
  readonly id: string // its fragment
  readonly heading: string
  readonly depth: number // 1 for the title of the page
}

export type DocsPage = {
  readonly path: string // below /docs; '' for the first page
  readonly group: string // heading below which the first page lists it
  readonly title: string
  readonly headings: readonly DocsHeading[]
  readonly html: string // the content, with relative links
}

export type BuiltDocs = {
  readonly pages: readonly DocsPage[] // in the order of reading
  readonly searchIndex: string // JSON, for assets/docs.js
}

/** The folder with the built pages, beside the compiled program. */
export const builtDocsFile = new URL('../../../dist/docs.json', import.meta.url)

/** The sources: Markdown and images. */
export const docsFolder = new URL('../../../docs/', import.meta.url)

/** `README.md` is '', `tour.md` is 'tour', `decisions/README.md` is 'decisions'. */
export function pathOfFile(file: string): string {
  return file.replace(/(?:^|\/)README\.md$|\.md$/, '')
}

/** A relative reference from the page `from` to `to` below /docs. */
export function docsReference(from: string, to: string): string {
  const depth = from === '' ? 0 : from.split('/').length
  return `${'../'.repeat(depth)}docs${to === '' ? '' : `/${to}`}`
}
