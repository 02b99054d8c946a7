/** Markup: values are always text. */
import test from 'ava'
import fc from 'fast-check'
import {escapeText, type Markup, markup} from '../../../../src/web/pages/markup.ts'

const meanings: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&#13;': '\r',
}

test('values are escaped, markup is not, and empty values add nothing', t => {
  const inner = markup`<b>${'<i>'}</b>`

  t.is(
    markup`<p title="${'"\'&'}">${inner}${['a', 1, inner]}${undefined}${false}</p>`.text,
    '<p title="&quot;&#39;&amp;"><b>&lt;i&gt;</b>a1<b>&lt;i&gt;</b></p>',
  )
})

test('an object that resembles markup is not markup', t => {
  const forged = JSON.parse('{"text": "<script>"}') as Markup

  t.throws(() => markup`${forged}`)
})

test('any text comes back from its escaped form, which cannot end a text or an attribute', t => {
  fc.assert(
    fc.property(fc.string({unit: 'binary'}), text => {
      const escaped = escapeText(text)
      t.notRegex(escaped, /[<>"'\r\0]|&(?!(?:amp|lt|gt|quot|#39|#13);)/)
      t.is(
        escaped.replace(/&[a-z0-9#]+;/g, entity => meanings[entity] ?? '?'),
        text.replaceAll('\0', '\uFFFD'),
      )
    }),
  )
})
