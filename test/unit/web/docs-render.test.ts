/** Markdown to pages of the documentation. */
import test from 'ava'
import {renderDocs} from '../../../src/web/docs/render.ts'
import {indexDocs} from '../../../src/web/docs/search-index.ts'

test('links between files become relative links between pages; links to other files become text', t => {
  const links =
    '[a](tour.md) [b](decisions/README.md#x) [c](../sql/roles.sql) [d](https://e/) [e](#here) ![f](images/f.png)'

  t.is(
    renderDocs('operations.md', links, '').html,
    '<p><a href="../docs/tour">a</a> <a href="../docs/decisions#x">b</a> c <a href="https://e/">d</a> <a href="#here">e</a> ' +
      '<img src="../docs/images/f.png" alt="f" loading="lazy"></p>\n',
  )
  t.is(renderDocs('decisions/0001-a.md', '[a](../tour.md)', '').html, '<p><a href="../../docs/tour">a</a></p>\n')
  t.is(renderDocs('README.md', '[a](tour.md)', '').html, '<p><a href="docs/tour">a</a></p>\n')
})

test('headings have the anchors of GitHub', t => {
  const {headings} = renderDocs('x.md', '# `GET`, HEAD & "so"\n\n## A b\n\n## A b\n', '')

  t.deepEqual(
    headings.map(({id, depth}) => [id, depth]),
    [
      ['get-head--so', 1],
      ['a-b', 2],
      ['a-b-1', 2],
    ],
  )
})

test('rows that begin with a name have it as id, once', t => {
  const {html} = renderDocs(
    'x.md',
    '## a\n\n| name |\n|---|\n| `a` |\n| `etag` |\n| `etag` |\n| `x y` |\n| `b`, `c` |\n',
    '',
  )

  t.deepEqual(
    Array.from(html.matchAll(/ id="([^"]*)"/g), ([, id]) => id),
    ['a', 'etag'],
  )
})

test('HTML is shown as text', t => {
  t.is(
    renderDocs('x.md', 'a <script>x</script> `<b>`', '').html,
    '<p>a &lt;script&gt;x&lt;/script&gt; <code>&lt;b&gt;</code></p>\n',
  )
  t.is(renderDocs('x.md', '<img src=x onerror=y>', '').html, '&lt;img src=x onerror=y&gt;')
  t.is(renderDocs('x.md', '```sh\na < b\n```', '').html, '<pre class="code" tabindex="0">a &lt; b</pre>\n')
})

test('the index leads from words to sections', t => {
  const page = renderDocs(
    'x.md',
    '# Title\n\nFirst *words* here.\n\n## Part\n\n| a_b | c |\n|---|---|\n| first | `code` |\n',
    '',
  )
  const {sections, words} = indexDocs([page])

  t.deepEqual(sections, [
    ['x', '', 'Title', 'Title', 'First words here.'],
    ['x', 'part', 'Title', 'Part', 'a_b c first code'],
  ])
  t.deepEqual([words.first, words.words, words.code, words.a_b, words.part], [[0, 1], [0], [1], [1], [1]])
})
