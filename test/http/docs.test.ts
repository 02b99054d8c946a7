/** The documentation as pages of the service: every page, every link, and the index of the search. */
import {existsSync, readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import test from 'ava'
import {projectDirectory} from '../support/program.ts'
import {startService, type TestService} from '../support/service.ts'

let service: TestService

test.before(async () => {
  service = await startService()
})
test.after.always(() => service.stop())

const folder = join(projectDirectory, 'docs')
const files = readdirSync(folder, {recursive: true, encoding: 'utf8'}).filter(name => name.endsWith('.md'))
const urlOf = (file: string) => `/docs/${file}`.replace(/\/README\.md$|\.md$/, '')

function read(path: string, headers: Readonly<Record<string, string>> = {}) {
  return service.send({path, headers})
}

test('every file is a page with the title, in the look of the service', async t => {
  for (const file of files) {
    const {status, headers, text} = await read(urlOf(file))
    t.is(status, 200, file)
    t.is(headers['content-type'], 'text/html; charset=utf-8')
    t.regex(String(headers['content-security-policy']), /default-src 'none'/)
    const [title = ''] = readFileSync(join(folder, file), 'utf8').split('\n')
    t.regex(text, new RegExp(`<title>${title.slice(2).replace(/[()]/g, '.')} · Quadstead</title>`))
    t.notRegex(text, /<script(?![^>]* src=)|<style| style=| on\w+=/)
  }
})

test('all links and pictures lead somewhere, also as files', async t => {
  const pages = new Map<string, string>()
  for (const file of files) pages.set(urlOf(file), (await read(urlOf(file))).text)
  for (const [path, text] of pages) {
    const [, article = ''] = /<article[^>]*>([\s\S]*)<\/article>/.exec(text) ?? []
    for (const [, name, value = ''] of text.matchAll(/ (href|src|data-index)="([^"]*)"/g)) {
      if (/^https?:/.test(value)) continue
      const {pathname, hash} = new URL(value, `http://host${path}`)
      if (pathname.startsWith('/.system/') || pathname === '/' || pathname === '/sparql') continue
      const target = pages.get(pathname)
      if (target === undefined) t.is((await read(pathname)).status, 200, `${path} ${name}=${value}`)
      else if (hash !== '') t.true(target.includes(` id="${hash.slice(1)}"`), `${path} ${name}=${value}`)
    }
    t.false(/href="[^"]*\.md/.test(article), path)
  }
  for (const file of files)
    for (const [, target = ''] of readFileSync(join(folder, file), 'utf8').matchAll(/\]\(([^)#:\s]+)(?:#[^)]*)?\)/g))
      t.true(existsSync(join(folder, file, '..', target)), `${file}: ${target}`)
})

test('each page leads to the next, through all of them', async t => {
  const seen: string[] = []
  for (let path: string | undefined = '/docs'; path !== undefined; ) {
    seen.push(path)
    const {text}: {readonly text: string} = await read(path)
    const next: string | undefined = /<a rel="next" href="([^"]*)"/.exec(text)?.[1]
    path = next === undefined ? undefined : new URL(next, `http://host${path}`).pathname
  }

  t.deepEqual([...seen].sort(), files.map(urlOf).sort())
  t.deepEqual(seen.slice(0, 3), ['/docs', '/docs/tutorial', '/docs/tour'])
})

test('pages, pictures and the index can be cached', async t => {
  for (const [path, type] of [
    ['/docs', 'text/html; charset=utf-8'],
    ['/docs/tour', 'text/html; charset=utf-8'],
    ['/docs/images/query.png', 'image/png'],
    ['/docs/search.json', 'application/json'],
  ] as const) {
    const {status, headers} = await read(path)
    t.deepEqual([status, headers['content-type'], headers['cache-control']], [200, type, 'public, no-cache'], path)
    const again = await read(path, {'If-None-Match': String(headers.etag)})
    t.deepEqual([again.status, again.text], [304, ''], path)
  }
})

test('the index has every section, and is small', async t => {
  const {text} = await read('/docs/search.json')
  const {sections, words} = JSON.parse(text)

  t.true(text.length < 250_000)
  const [path, id, title, heading] = sections[words.backoff?.[0] ?? words.ldpatch[0]]
  t.true(typeof path === 'string' && typeof id === 'string' && title !== '' && heading !== '')
  const numbers: readonly number[] = words.request_limit
  t.true(numbers.map(number => sections[number][0]).includes('settings'))
})

test('other paths below /docs are a 404; only reading is possible', async t => {
  for (const path of ['/docs/none', '/docs/../package.json', '/docs/images/none.png', '/docs/images/..%2Ftour.md'])
    t.true([400, 404].includes((await read(path)).status), path)
  t.is((await service.send({method: 'POST', path: '/docs/tour', body: 'x'})).status, 405)
})
