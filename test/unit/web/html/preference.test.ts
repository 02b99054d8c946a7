/** Which requests get a page, and in which languages. */
import test from 'ava'
import {prefersHtml, readLanguages} from '../../../../src/web/pages/preference.ts'

const chromium =
  'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7'

for (const accept of [
  chromium,
  'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'text/html',
  'TEXT/HTML; charset=utf-8',
  'text/html, text/turtle;q=0.9',
  'text/html;q=0.2, */*;q=0.1',
]) {
  test(`a page for Accept: ${accept}`, t => {
    t.true(prefersHtml(accept))
  })
}

for (const accept of [
  undefined,
  '',
  '*/*',
  'text/*',
  'text/*;q=0.9, */*;q=0.1',
  'application/ld+json',
  'text/turtle, text/html',
  'text/html, text/turtle',
  'text/html;q=0.1, text/turtle',
  'text/html, application/ld+json;q=1.0',
  'text/html;q=0',
  'text/html;q=0, */*',
  'application/xhtml+xml',
  'text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2',
  'text/htmlx, image/png',
]) {
  test(`data for Accept: ${accept}`, t => {
    t.false(prefersHtml(accept))
  })
}

test('languages are in the order of their weights, then none, then English', t => {
  t.deepEqual(readLanguages('fr;q=0.5, de-CH, de;q=0.9, *;q=0.1, xx;q=0'), ['de', 'fr', '', 'en'])
  t.deepEqual(readLanguages(undefined), ['', 'en'])
  t.deepEqual(readLanguages('en-GB,en;q=0.9'), ['en', ''])
  t.deepEqual(readLanguages(';;,q=1,"'), ['', 'en'])
})
