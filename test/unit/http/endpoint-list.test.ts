/** The list of endpoints that may be asked. */
import test from 'ava'
import {allowedEndpoint, readEndpointList} from '../../../src/http/endpoint-list.ts'

function allowed(list: string, iri: string): string | undefined {
  const endpoints = readEndpointList(list)
  return endpoints && allowedEndpoint(endpoints, iri)
}

test('an entry allows one URL, an entry that ends with a slash all below it', t => {
  t.is(allowed('https://a.example/sparql', 'https://a.example/sparql'), 'https://a.example/sparql')
  t.is(allowed('https://a.example/sparql', 'https://a.example/sparql/x'), undefined)
  t.is(allowed('https://a.example/sparql', 'https://a.example/sparql?x=1'), undefined)
  t.is(
    allowed('https://b.example, https://a.example/data/', 'https://a.example/data/x?y'),
    'https://a.example/data/x?y',
  )
  t.is(allowed('https://a.example/data/', 'https://a.example/data/'), 'https://a.example/data/')
  t.is(allowed('https://a.example/data/', 'https://a.example/data'), undefined)
})

test('case, default ports, dot segments and escapes do not change whether a URL is allowed', t => {
  t.is(allowed('https://A.example:443/sparql', 'HTTPS://a.EXAMPLE/sparql'), 'https://a.example/sparql')
  t.is(allowed('https://a.example/data/', 'https://a.example/data/../admin'), undefined)
  t.is(allowed('https://a.example/data/', 'https://a.example/data/%2e%2E/admin'), undefined)
  t.is(allowed('http://127.0.0.1:1/', 'http://2130706433:1/x'), 'http://127.0.0.1:1/x')
  t.is(allowed('https://a.example/', 'https://a.example@b.example/'), undefined)
  t.is(allowed('https://a.example/', 'https://a.example.b.example/'), undefined)
  t.is(allowed('https://a.example/', 'http://a.example/'), undefined)
})

test('only plain http URLs are endpoints, in the list and in a query', t => {
  for (const entry of [
    'a.example',
    'ftp://a.example/',
    'https://u:p@a.example/',
    'https://a.example/#x',
    'https://a/?q/',
  ])
    t.is(readEndpointList(entry), undefined, entry)
  t.is(allowed('https://a.example/', 'https://u@a.example/'), undefined)
  t.is(allowed('https://a.example/', 'urn:x'), undefined)
})
