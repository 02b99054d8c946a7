/** The queries of a folder. */
import {readdir, readFile} from 'node:fs/promises'
import {join} from 'node:path'
import {requestText} from './client.ts'

export type Query = {readonly name: string; readonly text: string; readonly type: string} // media type of the answer

export async function readQueries(folder: string): Promise<Query[]> {
  const files = (await readdir(folder)).filter(file => file.endsWith('.rq')).sort()
  return Promise.all(
    files.map(async file => {
      const text = await readFile(join(folder, file), 'utf8')
      const type = /\b(?:CONSTRUCT|DESCRIBE)\b/.test(text) ? 'application/n-triples' : 'application/sparql-results+json'
      return {name: file.replace(/\.rq$/, ''), text, type}
    }),
  )
}

/** The request of a query. */
export function queryText({path}: {readonly path: string}, {text, type}: Query): string {
  return requestText('GET', `${path}?query=${encodeURIComponent(text)}`, {Accept: type})
}
