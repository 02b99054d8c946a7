/** The dataset of a request, by host and path. */
import test from 'ava'
import fc from 'fast-check'
import {createSelection} from '../../../src/datasets/selection.ts'

const bases = [
  'https://a.example/',
  'https://a.example/x/',
  'https://a.example/x/y/',
  'https://b.example/x/',
  'http://c.example:8080/',
  'http://c.example:9090/',
  'http://localhost:8080/own/',
]
const {find} = createSelection(bases.map(base => ({base})))

function baseOf(authority: string | undefined, path: string): string {
  const found = find(authority, path)
  return typeof found === 'string' ? found : found.base
}

test('the longest path of a base on the host counts', t => {
  t.is(baseOf('a.example', '/'), 'https://a.example/')
  t.is(baseOf('a.example', '/xy/'), 'https://a.example/')
  t.is(baseOf('a.example', '/x'), 'https://a.example/x/')
  t.is(baseOf('a.example', '/x/other'), 'https://a.example/x/')
  t.is(baseOf('A.Example.:443', '/x/y/z/'), 'https://a.example/x/y/')
  t.is(baseOf('b.example', '/x/1/'), 'https://b.example/x/')
  t.is(baseOf('b.example', '/'), 'path')
})

test('the port counts where it tells two datasets apart', t => {
  t.is(baseOf('c.example:9090', '/1/'), 'http://c.example:9090/')
  t.is(baseOf('c.example:8080', '/1/'), 'http://c.example:8080/')
  t.is(baseOf('c.example', '/1/'), 'host')
})

test('for addresses, this machine and no host the path decides, if only one dataset has it', t => {
  for (const authority of ['127.0.0.1:80', '[::1]:80', 'localhost', '192.0.2.1', '', undefined]) {
    t.is(baseOf(authority, '/own/1/'), 'http://localhost:8080/own/')
    t.is(baseOf(authority, '/x/y/'), 'https://a.example/x/y/')
    t.is(baseOf(authority, '/x/'), 'host')
  }
})

test('the names and addresses of this machine are one host', t => {
  const local = createSelection(['http://localhost/', 'https://a.example/'].map(base => ({base})))
  for (const authority of ['127.0.0.1:8080', 'localhost', '[::1]', 'app.localhost'])
    t.deepEqual(local.find(authority, '/x/'), {base: 'http://localhost/'})
  t.is(local.find('192.0.2.1', '/x/'), 'host')
})

test('another host has no dataset', t => {
  t.is(baseOf('evil.example', '/x/y/'), 'host')
  t.is(baseOf('not a host', '/own/'), 'host')
})

test('the result is the longest base that the URL begins with, whatever the bases are', t => {
  const path = fc
    .array(fc.constantFrom('a', 'b', 'c'), {maxLength: 4})
    .map(parts => `/${parts.map(p => `${p}/`).join('')}`)
  fc.assert(
    fc.property(fc.uniqueArray(path, {maxLength: 8}), path, (paths, asked) => {
      const selection = createSelection(paths.map(one => ({base: `https://h.example${one}`})))
      const longest = paths.filter(one => asked.startsWith(one)).sort((one, other) => other.length - one.length)[0]
      const found = selection.find('h.example', asked)
      const expected = longest === undefined ? (paths.length === 0 ? 'host' : 'path') : `https://h.example${longest}`
      t.is(typeof found === 'string' ? found : found.base, expected)
    }),
  )
})
