/** References between the requests of a batch. */
import test from 'ava'
import fc from 'fast-check'
import {
  fillTemplate,
  type ReferringText,
  readJsonReferences,
  readReference,
  readTurtleReferences,
  referencesOf,
} from '../../../src/http/references.ts'

const known = new Set(['a', 'b.c'])
const fill = (text: ReferringText) => fillTemplate(text, ({id}) => `http://e/${id}/`)

test('a reference begins a text, and may be followed by a path, a query or a fragment', t => {
  const filled = ['$a', '$a/x/', '$a/', '$a#it', '$a?q', '$b.c', '$ab', '$x', 'a', '/$a', '$a$a'].map(text =>
    fill(readReference(text, known)),
  )
  t.deepEqual(filled, [
    ...['http://e/a/', 'http://e/a/x/', 'http://e/a/', 'http://e/a/#it', 'http://e/a/?q', 'http://e/b.c/'],
    ...['$ab', '$x', 'a', '/$a', '$a$a'],
  ])
})

test('in Turtle and its relatives, references are whole IRIs outside of strings and comments', t => {
  const cases = {
    '<$a> <p> <$b.c#x> .': '<http://e/a/> <p> <http://e/b.c/#x> .',
    '<> <p> "<$a>" , \'<$a>\' , <$a> .': '<> <p> "<$a>" , \'<$a>\' , <http://e/a/> .',
    '<> <p> """a "<$a>" \\""" <$a>""" , <$a>': '<> <p> """a "<$a>" \\""" <$a>""" , <http://e/a/>',
    "'''<$a>''<$a>''' <$a>": "'''<$a>''<$a>''' <http://e/a/>",
    '"\\"<$a>" <$a>': '"\\"<$a>" <http://e/a/>',
    '"" <$a> "" "<$a>"': '"" <http://e/a/> "" "<$a>"',
    '# <$a>\n<$a> # <$a>': '# <$a>\n<http://e/a/> # <$a>',
    '<http://e/#x> <$a>': '<http://e/#x> <http://e/a/>',
    'FILTER (?x < 5 && ?y <$a>': 'FILTER (?x < 5 && ?y <http://e/a/>',
    'FILTER (?a<$a && ?b > 1)': 'FILTER (?a<$a && ?b > 1)',
    '"open <$a>\n<$a>': '"open <$a>\n<http://e/a/>',
    '"""open <$a>\n<$a>': '"""open <$a>\n<$a>',
    '<$x> <$a': '<$x> <$a',
  }
  t.deepEqual(
    Object.keys(cases).map(text => fill(readTurtleReferences(text, known))),
    Object.values(cases),
  )
})

test('in JSON, references are values of @id, never parts of strings', t => {
  const strings = fc.oneof(fc.constantFrom('$a', '"@id":"$a"', '\\"@id":"$a"', '$a/x', '\\'), fc.string())
  fc.assert(
    fc.property(fc.array(fc.record({'@id': strings, p: strings, '@value': strings})), nodes => {
      const filled = JSON.parse(fill(readJsonReferences(JSON.stringify(nodes), known)))
      const expected = nodes.map(node => ({...node, '@id': fill(readReference(node['@id'], known))}))
      t.deepEqual(filled, expected)
    }),
  )
})

test('a text without references is unchanged, however it is built', t => {
  const pieces = fc.constantFrom('"', "'", '"""', "'''", '\\', '#', '\n', '<', '>', '<$x>', '<$a>', 'a', ' ')
  fc.assert(
    fc.property(fc.array(pieces), list => {
      const text = list.join('')
      const found = readTurtleReferences(text, known)
      t.is(found.map(part => (typeof part === 'string' ? part : `$${part.id}`)).join(''), text)
      t.deepEqual(readTurtleReferences(text, new Set()), [text])
      t.true(referencesOf(found).length <= list.filter(piece => piece === '<$a>').length)
    }),
  )
})

test('a long text takes linear time', t => {
  const begun = performance.now()
  for (const piece of ['"', "'''", '<$a> ', '"""a"', '\\"', '<', '#\n'])
    readTurtleReferences(`<$a>${piece.repeat(300_000)}`, known)
  t.true(performance.now() - begun < 20_000)
})
