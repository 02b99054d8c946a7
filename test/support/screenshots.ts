/**
 * The README's pictures of a document's page and the query page, taken in a real browser: `npm run docs:screenshots`.
 */
import {fileURLToPath} from 'node:url'
import type {Page} from 'playwright-core'
import {startBrowser} from './chromium.ts'
import {startTestServer} from './servers.ts'
import {startService} from './service.ts'
import {fillShelf} from './shelf.ts'

const folder = fileURLToPath(new URL('../../docs/images/', import.meta.url))
const query = `PREFIX dct: <http://purl.org/dc/terms/>
PREFIX foaf: <http://xmlns.com/foaf/0.1/>
PREFIX ex: <http://example.org/ns#>

SELECT ?novel ?title ?author ?pages WHERE {
  ?novel a ex:Novel ; dct:title ?title ; dct:creator/foaf:name ?author .
  OPTIONAL { ?novel ex:pages ?pages }
}
ORDER BY DESC(?pages)`

async function takePictures(page: Page, url: string): Promise<void> {
  await page.goto(`${url}books/emma/`)
  await page.screenshot({path: `${folder}document.png`})
  await page.goto(`${url}sparql#${new URLSearchParams({query})}`)
  await page.getByRole('button', {name: 'Run'}).click()
  await page.locator('table').waitFor()
  await page.screenshot({path: `${folder}query.png`})
}

const server = await startTestServer()
try {
  process.env.TEST_DATABASE_URL = server.url
  const service = await startService({BASE_URL: 'http://localhost:8080/'})
  const browser = await startBrowser()
  try {
    if (browser === undefined) throw new Error('There is no Chromium here; CHROMIUM may name one.')
    await fillShelf(service)
    const page = await browser.newPage({viewport: {width: 1160, height: 800}, colorScheme: 'light'})
    await takePictures(page, service.url)
  } finally {
    await browser?.close()
    await service.stop()
  }
} finally {
  await server.stop()
}
