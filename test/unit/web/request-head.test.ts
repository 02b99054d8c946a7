/** Which hosts a service knows, depending on its settings. */
import test from 'ava'
import type {Context} from 'koa'
import {Problem} from '../../../src/base/problem.ts'
import {readHosts} from '../../../src/http/host.ts'
import {checkHead, type HostOptions, hostRule} from '../../../src/web/server/request-head.ts'

const open = {base: 'http://data.example/', isGuarded: false, isLocal: true, allowed: undefined}

/** The hosts whose requests are accepted. */
async function known(options: HostOptions, hosts: readonly string[]): Promise<readonly string[]> {
  const check = checkHead(hostRule(options))
  const outcomes = await Promise.all(
    hosts.map(async host => {
      const req = {url: '/', httpVersion: '1.1', headers: {host}, rawHeaders: ['Host', host]}
      try {
        await check({method: 'GET', req} as unknown as Context, async () => undefined)
        return true
      } catch (error) {
        if (error instanceof Problem && error.status === 421 && error.rule === 'host-known') return false
        throw error
      }
    }),
  )
  return hosts.filter((_, index) => outcomes[index])
}

const hosts = ['localhost', 'data.example', 'evil.example', '192.0.2.1:80', '[2001:db8::1]']

test('a service on loopback knows the host of its base and the names of the machine', async t => {
  t.deepEqual(await known(open, hosts), ['localhost', 'data.example'])
})

test('a service on other addresses also knows every address, because addresses are not resolved', async t => {
  t.deepEqual(await known({...open, isLocal: false}, hosts), [
    'localhost',
    'data.example',
    '192.0.2.1:80',
    '[2001:db8::1]',
  ])
})

test('with access control every host is accepted, unless hosts are listed', async t => {
  const guarded = {...open, isGuarded: true}
  t.deepEqual(await known(guarded, hosts), hosts)
  t.deepEqual(await known({...guarded, allowed: readHosts('other.example')}, hosts), ['localhost', 'data.example'])
})
