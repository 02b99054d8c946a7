/**
 * The index with which a browser searches the documentation: sections, and the sections that contain each word.
 *
 * Pure. assets/docs.js reads it and splits a query in the same way.
 */
import type {RenderedDocs} from './render.ts'

export type SearchIndex = {
  /** Path, fragment, title of the page, heading, beginning of the text. */
  readonly sections: readonly (readonly [path: string, id: string, title: string, heading: string, start: string])[]
  readonly words: Readonly<Record<string, readonly number[]>> // word to numbers of sections, ascending
}

const startLength = 140 // characters

export function createSearchIndex(pages: readonly RenderedDocs[]): SearchIndex {
  const sections: [string, string, string, string, string][] = []
  const words = new Map<string, number[]>()
  for (const page of pages)
    for (const {id, heading, depth, text} of page.sections) {
      const number = sections.push([page.path, depth === 1 ? '' : id, page.title, heading, startOf(text)]) - 1
      for (const word of new Set(wordsOf(`${heading} ${text}`))) {
        const places = words.get(word)
        if (places === undefined) words.set(word, [number])
        else places.push(number)
      }
    }
  return {sections, words: Object.fromEntries([...words].sort(([one], [other]) => (one < other ? -1 : 1)))}
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}_]{2,}/gu) ?? []
}

function startOf(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length <= startLength ? line : `${line.slice(0, line.lastIndexOf(' ', startLength))} …`
}
