/** Opens pages in a real browser for a test, records their errors, and checks them with axe-core. */
import {readFileSync} from 'node:fs'
import {createRequire} from 'node:module'
import type {ExecutionContext} from 'ava'
import type {Browser, BrowserContextOptions, Locator, Page} from 'playwright-core'
import {chromiumPath} from './chromium.ts'
import {testWhen} from './test-when.ts'

/** Declares tests that need a browser. */
export const testInBrowser = testWhen(chromiumPath !== undefined, 'no Chromium here; CHROMIUM may name one')

export type OpenedPage = {
  readonly page: Page
  /** Errors of the browser, and requests to other hosts than the service. */
  readonly complaints: readonly string[]
}

/** Opens a page in a profile of its own. It is closed when the test ends. */
export async function openPage(
  t: ExecutionContext,
  browser: Browser | undefined,
  url: string,
  options: BrowserContextOptions = {},
): Promise<OpenedPage> {
  if (browser === undefined) throw new Error('there is no browser')
  const context = await browser.newContext(options)
  t.teardown(() => context.close())
  const page = await context.newPage()
  page.setDefaultTimeout(30_000)
  const complaints: string[] = []
  page.on('console', message => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
  })
  page.on('pageerror', error => complaints.push(error.message))
  page.on('request', request => {
    if (!/^(?:data|blob):/.test(request.url()) && !request.url().startsWith(new URL(url).origin))
      complaints.push(`request to ${request.url()}`)
  })
  await page.goto(url)
  return {page, complaints}
}

/** Clicks on a link and returns when its page is loaded; a click itself may return earlier. */
export async function follow(page: Page, link: Locator): Promise<void> {
  await Promise.all([page.waitForEvent('framenavigated'), link.click()])
  await page.waitForLoadState()
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core'), 'utf8')

type Violation = {
  readonly id: string
  readonly nodes: readonly {readonly html: string; readonly failureSummary?: string}[]
}

/** The problems that axe-core finds on the current page, one line each. */
export async function accessibilityFaults(page: Page): Promise<readonly string[]> {
  const session = await page.context().newCDPSession(page) // page.evaluate() would compile axe-core here too
  await session.send('Runtime.evaluate', {expression: axeSource})
  const violations = (await page.evaluate('axe.run().then(({violations}) => violations)')) as readonly Violation[]
  return violations.flatMap(({id, nodes}) =>
    nodes.map(({html, failureSummary = ''}) => `${id}: ${html} ${failureSummary}`),
  )
}
