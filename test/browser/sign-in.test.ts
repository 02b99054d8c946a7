/**
 * Signing in with a real browser at a real provider, and the pages of grants and keys: with and without scripts, on a
 * phone and a desktop, light and dark; and what a page of another origin can do with the cookie.
 *
 * SCREENSHOTS names a folder for pictures of each page.
 */
import {createServer} from 'node:http'
import type {AddressInfo} from 'node:net'
import {join} from 'node:path'
import test, {type ExecutionContext} from 'ava'
import type {Browser, Page} from 'playwright-core'
import {agentOf, type GuardedService, startGuarded} from '../support/access.ts'
import {accessibilityFaults, follow, openPage, testInBrowser} from '../support/browser.ts'
import {startBrowser} from '../support/chromium.ts'
import {freePort} from '../support/machine.ts'
import {clientId, startProvider, type TestProvider} from '../support/provider.ts'

const pictures = process.env.SCREENSHOTS ?? ''

let base: string
let provider: TestProvider
let service: GuardedService
let browser: Browser | undefined

test.before(async () => {
  const port = await freePort()
  base = `http://localhost:${port}/`
  provider = await startProvider({base})
  Object.assign(provider.state.claims, {name: 'Ada Lovelace'})
  service = await startGuarded({
    ACCESS: 'auto',
    PORT: String(port),
    HOST: '127.0.0.1',
    JWT_ISSUER: provider.url,
    JWT_AUDIENCE: 'x',
    OIDC_CLIENT_ID: clientId,
  })
  const create = (path: string, slug: string, body: string) =>
    service.sendAs('root', {
      method: 'POST',
      path,
      headers: {'Content-Type': 'text/turtle', Slug: slug},
      body,
    })
  await create('/', 'books', '<> <http://purl.org/dc/terms/title> "Books" .')
  await create('/books/', 'emma', '<> <http://purl.org/dc/terms/title> "Emma" .')
  await service.grant('/', {
    [`agent ${agentOf('root')}`]: ['write', 'control'],
    [`agent ${provider.url}#ada`]: ['write', 'control'],
    public: ['read'],
  })
  await service.grant('/books/emma/', {[`agent ${agentOf('editor')}`]: ['edit'], 'group staff': ['append']})
  browser = await startBrowser()
})
test.after.always(async () => {
  await browser?.close()
  await service.stop()
  await provider.stop()
})

const at = (path: string) => new URL(path, base).href
const accessOf = (path: string) => at(`/.system/access?${new URLSearchParams({document: at(path)})}`)

/** Signs in with the key of an agent, by the form. */
async function signInWithKey(page: Page, name: string): Promise<void> {
  await page.goto(at('/.system/sign-in'))
  await page.getByText('With an API key').click()
  await page.getByLabel('API key').fill((await service.authorizationOf(name)).replace('Bearer ', ''))
  await Promise.all([page.waitForURL(base), page.getByRole('button', {name: 'Sign in'}).click()])
}

testInBrowser('a person signs in at the issuer, edits, and signs out here and there', async t => {
  const {page, complaints} = await openPage(t, browser, at('/books/emma/'))
  t.is(await page.getByRole('link', {name: 'Edit', exact: true}).count(), 0)

  await follow(page, page.getByRole('link', {name: 'Sign in'}))
  await Promise.all([page.waitForURL(at('/books/emma/')), page.getByRole('link', {name: /Sign in at/}).click()])
  t.is(await page.locator('.viewer summary').textContent(), 'Signed in as Ada Lovelace')
  t.deepEqual(await page.evaluate('[document.cookie, localStorage.length, sessionStorage.length]'), ['', 0, 0])

  await follow(page, page.getByRole('link', {name: 'Edit', exact: true}))
  await page.locator('.row textarea').first().fill('Emma Woodhouse')
  await Promise.all([page.waitForURL(at('/books/emma/')), page.getByRole('button', {name: 'Save'}).click()])
  t.is(await page.locator('h1').textContent(), 'Emma Woodhouse')

  t.deepEqual(
    complaints.filter(text => !text.includes(new URL(provider.url).host)),
    [],
  )

  await page.locator('.viewer summary').click()
  await Promise.all([page.waitForURL(/session\/end/), page.getByRole('button', {name: 'Sign out'}).click()])
  await Promise.all([page.waitForURL(at('/.system/sign-out')), page.getByRole('button', {name: /yes/i}).click()])
  t.is(await page.locator('h1').textContent(), 'You are signed out')
  await page.goto(at('/books/emma/'))
  t.is(await page.getByRole('link', {name: 'Edit', exact: true}).count(), 0)
  t.is(await page.getByRole('link', {name: 'Sign in'}).count(), 1)
})

testInBrowser('grants and keys are managed without scripts', async t => {
  const {page} = await openPage(t, browser, base, {javaScriptEnabled: false})
  await signInWithKey(page, 'root')

  await page.goto(at('/books/'))
  await follow(page, page.getByRole('link', {name: 'Access'}))
  await page.getByLabel('To whom').selectOption('group')
  await page.getByLabel('IRI of the agent, or name of the group').fill('editors')
  await page.getByRole('checkbox', {name: /^append/}).check()
  await follow(page, page.getByRole('button', {name: 'Add the grant'}))
  t.regex(await page.locator('.entries').first().innerText(), /Group editors\s+append\s+read\s+of this document/)
  await follow(page, page.getByRole('button', {name: 'Revoke the grant of group editors'}))
  t.notRegex(await page.locator('.entries').first().innerText(), /editors/)

  await page.goto(at('/.system/keys'))
  await page.getByLabel('Name', {exact: true}).fill('import')
  await follow(page, page.getByRole('button', {name: 'Make the key'}))
  t.regex(await page.locator('.secret').innerText(), /^qsk_[\w-]{43}$/)
  await follow(page, page.getByRole('button', {name: 'Remove the key import'}))
  t.is(await page.locator('.secret').count(), 0)
  t.is(await page.getByRole('button', {name: 'Remove the key import'}).count(), 0)
})

testInBrowser('a person sees where they are signed in, and ends the other sessions without scripts', async t => {
  const {page} = await openPage(t, browser, base, {javaScriptEnabled: false})
  await signInWithKey(page, 'sessions')
  const others = await Promise.all(
    ['Mozilla/5.0 (Windows NT 10.0; rv:140.0) Gecko/20100101 Firefox/140.0', 'curl/8'].map(async userAgent => {
      const other = await openPage(t, browser, base, {userAgent})
      await signInWithKey(other.page, 'sessions')
      return other.page
    }),
  )
  const names = page.locator('.entries b')

  await page.locator('.viewer summary').click()
  await follow(page, page.getByRole('link', {name: 'Sessions'}))
  t.deepEqual((await names.allInnerTexts()).sort(), ['Chrome on Linux', 'Firefox on Windows', 'curl'])
  t.is(await page.getByText('this browser').count(), 1)

  await follow(page, page.getByRole('button', {name: /End the session in Firefox on Windows/}))
  t.deepEqual((await names.allInnerTexts()).sort(), ['Chrome on Linux', 'curl'])
  await others[0]?.goto(base)
  t.is(await others[0]?.getByRole('link', {name: 'Sign in'}).count(), 1)

  await follow(page, page.getByRole('button', {name: 'End all other sessions'}))
  t.deepEqual(await names.allInnerTexts(), ['Chrome on Linux'])
  await others[1]?.goto(base)
  t.is(await others[1]?.getByRole('link', {name: 'Sign in'}).count(), 1)
})

testInBrowser('who is signed out while editing signs in in another tab, and loses nothing', async t => {
  const {page} = await openPage(t, browser, base)
  await signInWithKey(page, 'root')
  await page.goto(at('/books/?view=edit'))
  await page.locator('.row textarea').first().fill('All books')
  await service.database.database.query('delete from quadstead.web_session')

  await page.getByRole('button', {name: 'Save'}).click()
  const [tab] = await Promise.all([
    page.context().waitForEvent('page'),
    page.locator('[data-outcome]').getByRole('link', {name: 'Sign in'}).click(),
  ])
  await signInWithKey(tab, 'root')
  await Promise.all([page.waitForURL(at('/books/')), page.getByRole('button', {name: 'Save'}).click()])
  t.is(await page.locator('h1').textContent(), 'All books')
})

/** A page of another origin: another port of this host (the same site), or another host. */
async function foreignPage(t: ExecutionContext, host: string, page: Page): Promise<void> {
  const server = createServer((_, response) => response.setHeader('Content-Type', 'text/html').end('<title>x</title>'))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  await page.goto(`http://${host}:${(server.address() as AddressInfo).port}/`)
}

/** What a script gets with the cookie: the status, or the name of the error. */
const fetched = (page: Page, url: string, init: object) =>
  page.evaluate(
    ([to, options]) =>
      fetch(to as string, {...(options as object), credentials: 'include'} as never).then(
        (response: {status: number}) => response.status,
        (error: Error) => error.name,
      ),
    [url, init] as const,
  )

for (const host of ['localhost', '127.0.0.1'])
  testInBrowser(`a page of another origin (${host}) cannot use the cookie`, async t => {
    const {page} = await openPage(t, browser, base)
    await signInWithKey(page, 'root')
    await foreignPage(t, host, page)
    const turtle = {'Content-Type': 'text/turtle'}

    t.is(await fetched(page, accessOf('/books/'), {}), 401) // CORS allows the page, the cookie does not count
    t.is(await fetched(page, at('/books/'), {method: 'POST', headers: turtle, body: ''}), 401)
    t.is(await fetched(page, at('/books/emma/'), {method: 'DELETE'}), 401)
    const form = {'Content-Type': 'application/x-www-form-urlencoded'}
    const body = 'action=add&kind=public&mode=control'
    t.is(await fetched(page, accessOf('/books/'), {method: 'POST', headers: form, body}), 415)
    t.is(await fetched(page, at('/.system/sign-out'), {method: 'POST', headers: form, body: ''}), 403)

    // A form that the browser sends as a navigation.
    await page.setContent(`<form method="post" action="${accessOf('/books/')}"><input name="action" value="add"
      ><input name="kind" value="public"><input name="mode" value="control"><button>Send</button></form>`)
    await follow(page, page.getByRole('button', {name: 'Send'}))
    t.regex(await page.locator('body').innerText(), /media-type-known|page-own/)
    await page.goto(accessOf('/books/'))
    t.notRegex(await page.locator('.entries').first().innerText(), /Everybody\s+control/)
    t.is(await page.locator('.viewer summary').count(), 1) // still signed in
  })

const sizes = {phone: {width: 390, height: 844}, desktop: {width: 1160, height: 800}}

for (const colorScheme of ['light', 'dark'] as const)
  for (const [device, viewport] of Object.entries(sizes))
    testInBrowser(`axe finds no problem and nothing is cut off, ${device}, ${colorScheme}`, async t => {
      const {page} = await openPage(t, browser, at('/.system/sign-in'), {colorScheme, viewport})
      const check = async (name: string) => {
        t.deepEqual(await accessibilityFaults(page), [], name)
        t.is(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), 0, name)
        if (pictures !== '')
          await page.screenshot({path: join(pictures, `${name}-${device}-${colorScheme}.png`), fullPage: true})
      }
      const visit = async (url: string, name: string) => {
        await page.goto(url)
        await check(name)
      }

      await check('sign-in')
      await page.getByText('With an API key').click()
      await page.getByLabel('API key').fill('qsk_wrong')
      await follow(page, page.getByRole('button', {name: 'Sign in'}))
      await check('sign-in-wrong')
      await visit(at('/books/emma/?view=edit'), 'sign-in-needed')
      await visit(at('/books/emma/'), 'document-anonymous')
      await signInWithKey(page, 'root')
      await visit(accessOf('/books/emma/'), 'access')
      await page.getByText('Parts of these').click()
      await page.locator('.viewer summary').click()
      await check('access-open')
      await visit(accessOf('/'), 'access-root')
      await visit(at('/books/emma/'), 'document')
      await visit(at('/.system/keys'), 'keys')
      await page.getByLabel('Name', {exact: true}).fill(`import ${device} ${colorScheme}`)
      await follow(page, page.getByRole('button', {name: 'Make the key'}))
      await check('keys-made')
      await visit(at('/.system/sessions'), 'sessions')
      await page.locator('.viewer summary').click()
      await page.locator('.viewer').getByRole('button', {name: 'Sign out'}).click()
      await page.getByRole('heading', {name: 'You are signed out'}).waitFor()
      await check('signed-out')
    })
