/** Names in forms: prefixed names, IRIs, paths and fragments. */
import test from 'ava'
import {createNames, readName} from '../../../../src/web/pages/names.ts'

const base = 'http://a.example/books/'
const names = createNames('http://a.example/', {c: 'http://c.example/#'})

test('a name is a prefixed one, a whole IRI, a path or a fragment', t => {
  const written = ['c:title', 'dct:title', 'http://b.example/p', 'urn:x:y', '/other/', '#part', 'emma/']

  t.deepEqual(
    written.map(one => readName(one, names, base)),
    [
      'http://c.example/#title',
      'http://purl.org/dc/terms/title',
      'http://b.example/p',
      'urn:x:y',
      'http://a.example/other/',
      'http://a.example/books/#part',
      'http://a.example/books/emma/',
    ],
  )
})

test('an invalid name gives no IRI', t => {
  t.deepEqual(
    ['', 'a b', 'c:a b', '<c:title>', '\0', 'constructor:x y'].map(one => readName(one, names, base)),
    [undefined, undefined, undefined, undefined, undefined, undefined],
  )
})
