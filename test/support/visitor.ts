/** A browser without scripts for tests over HTTP: keeps cookies, follows redirects, says where requests come from. */
import {type Received, type Sent, send} from './client.ts'

export type Visit = Received & {
  readonly url: string
  readonly chain: readonly (Received & {readonly url: string})[] // the redirects before it
}

type Cookie = {readonly name: string; readonly value: string; readonly path: string}

export type Visitor = {
  /** Opens a URL like a link, or sends a form. Redirects are followed unless `stopAt` matches their target. */
  readonly open: (url: string, sent?: Sent & {readonly stopAt?: RegExp}) => Promise<Visit>
  /** Sends a form of a page of the same origin. */
  readonly submit: (url: string, fields: Readonly<Record<string, string | readonly string[]>>) => Promise<Visit>
  readonly cookies: Map<string, Map<string, Cookie>> // by host, then by name and path
  readonly cookieOf: (url: string) => string // the field Cookie for a URL
}

/** @param places  where hosts that cannot be resolved are: host → URL */
export function createVisitor(places: Readonly<Record<string, string>> = {}): Visitor {
  const cookies: Visitor['cookies'] = new Map()

  const cookieOf = (url: string) => {
    const {host, pathname} = new URL(url)
    const fitting = [...(cookies.get(host)?.values() ?? [])].filter(({path}) => pathname.startsWith(path))
    return fitting.map(({name, value}) => `${name}=${value}`).join('; ')
  }
  function keep(url: string, {headers}: Received): void {
    const {host} = new URL(url)
    const jar = cookies.get(host) ?? new Map<string, Cookie>()
    cookies.set(host, jar)
    for (const line of headers['set-cookie'] ?? []) {
      const [pair = '', ...attributes] = line.split(/; */)
      const [, name = '', value = ''] = /^([^=]*)=(.*)$/.exec(pair) ?? []
      const path = attributes.map(one => /^path=(.*)$/i.exec(one)?.[1]).find(Boolean) ?? '/'
      const isGone = attributes.some(one => /^max-age=0$/i.test(one) || /^expires=Thu, 01 Jan 1970/i.test(one))
      if (isGone) jar.delete(`${name} ${path}`)
      else jar.set(`${name} ${path}`, {name, value, path})
    }
  }
  async function ask(url: string, {headers = {}, ...sent}: Sent): Promise<Received> {
    const {host, origin, pathname, search} = new URL(url)
    const cookie = cookieOf(url)
    const received = await send(places[host] ?? origin, {
      ...sent,
      path: pathname + search,
      headers: {Host: host, Accept: 'text/html', ...(cookie === '' ? {} : {Cookie: cookie}), ...headers},
    })
    keep(url, received)
    return received
  }
  async function open(first: string, {stopAt, ...sent}: Sent & {readonly stopAt?: RegExp} = {}): Promise<Visit> {
    const chain: (Received & {readonly url: string})[] = []
    let url = first
    let received = await ask(url, sent)
    for (let count = 0; count < 20 && [301, 302, 303].includes(received.status); count++) {
      chain.push({...received, url})
      const next = new URL(received.headers.location ?? '', url).href
      if (stopAt?.test(next)) break
      url = next
      received = await ask(url, {})
    }
    return {...received, url, chain}
  }
  return {
    cookies,
    cookieOf,
    open,
    submit: (url, fields) =>
      open(url, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/x-www-form-urlencoded',
          Origin: new URL(url).origin,
          'Sec-Fetch-Site': 'same-origin',
        },
        body: formText(fields),
      }),
  }
}

function formText(fields: Readonly<Record<string, string | readonly string[]>>): string {
  const all = Object.entries(fields).flatMap(([name, values]) =>
    (typeof values === 'string' ? [values] : values).map((value): [string, string] => [name, value]),
  )
  return new URLSearchParams(all).toString()
}
