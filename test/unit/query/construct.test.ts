/** Templates of CONSTRUCT: their blank nodes. */
import test from 'ava'
import {createTemplate} from '../../../src/query/construct.ts'
import {parseQuery} from '../../../src/sparql/parse/parse.ts'
import {translateQuery} from '../../../src/sparql/translate/translate.ts'

function templateOf(text: string) {
  const query = translateQuery(parseQuery(text, 'http://e/'))
  return createTemplate(query.form === 'construct' ? query.template : [], [], () => '1000')
}

test('each label of a template is a blank node of its own in each solution', t => {
  const labels = ['a', '1a', 'a_b', 'ab', '_', '1', 'e_a']
  const {fill} = templateOf(`CONSTRUCT { ${labels.map(label => `_:${label} <x:p> [] .`).join(' ')} } {}`)

  const made = Array.from({length: 120}, () => fill([])).flatMap(triples => triples.flatMap(({s, o}) => [s, o]))

  t.is(new Set(made).size, 120 * 2 * labels.length)
})

test('one label is one blank node within a solution', t => {
  const [first, second] = templateOf('CONSTRUCT { _:a <x:p> _:b . _:b <x:p> _:a } {}').fill([])

  t.deepEqual([first?.s, first?.o], [second?.o, second?.s])
})
