/** Searches as written: their parts, corrections, what is typed so far; and snippets with marks. */
import test from 'ava'
import fc from 'fast-check'
import {snippetOf} from '../../../src/base/search-marks.ts'
import {asTyped, correctable, corrected, correctedAmong, readSearchWords} from '../../../src/base/search-words.ts'

const partsOf = (text: string) => readSearchWords(text).parts.map(({kind, text: words}) => `${kind} ${words}`)

test('words, phrases and prefixes', t => {
  t.deepEqual(partsOf('Jane austen'), ['word Jane', 'word austen'])
  t.deepEqual(partsOf('"jane austen" novel*'), ['phrase jane austen', 'prefix novel'])
  t.deepEqual(partsOf('"jane'), ['word jane'])
  t.deepEqual(partsOf('well-known* O’Neil'), ['word well', 'prefix known', 'word O', 'word Neil'])
  t.is(readSearchWords('"a b" cd*').whole, 'a b cd')
})

test('searches without words, with too many, or with a short prefix are refused', t => {
  for (const text of ['', ' ', '*', '""', '!?', 'a*', 'x '.repeat(21), 'x'.repeat(501)])
    t.throws(() => readSearchWords(text), {message: /^A (?:search|prefix) |^The search /}, text)
})

test('the last word may continue while it is typed', t => {
  const typed = (text: string) => asTyped(readSearchWords(text)).parts.map(({kind, text: words}) => `${kind} ${words}`)

  t.deepEqual(typed('jane aus'), ['word jane', 'prefix aus'])
  t.deepEqual(typed('jane a'), ['word jane'])
  t.deepEqual(typed('a'), ['word a'])
})

test('a correction contains every word with one mistake, and nothing for long searches', t => {
  const similar = (word: string) => corrected(readSearchWords(word))?.parts[0]?.text.split(' ') ?? []

  for (const mistake of ['emma', 'emmaa', 'eemma', 'emna', 'emam', 'eymma'])
    t.true(similar(mistake).includes('emma'), mistake)
  t.true(similar('Persasion').includes('persuasion'))
  t.true(similar('Новй').includes('новый'))
  t.is(corrected(readSearchWords('ab')), undefined)
  t.is(corrected(readSearchWords('one two three four')), undefined)
  t.is(corrected(readSearchWords('"jane austen"')), undefined)
})

test('two mistakes are forgiven in words of six letters and more, one in shorter ones, among known words', t => {
  const twice = (word: string, ...known: readonly string[]) => {
    const words = correctedAmong(readSearchWords(word), {[word.toLowerCase()]: known})?.parts[0]?.text.split(' ')
    return known.filter(each => words?.includes(each))
  }

  t.deepEqual(correctable(readSearchWords('Café emm* "x y" ab')), [])
  t.deepEqual(correctable(readSearchWords('Zürich emm* ab')), ['zurich'])
  t.deepEqual(twice('Prxsuazion', 'persuasion', 'persuader'), [], 'three')
  t.deepEqual(twice('Prsuazion', 'persuasion', 'perspiration'), ['persuasion'])
  t.deepEqual(twice('presuaison', 'persuasion'), ['persuasion'], 'two pairs exchanged')
  t.deepEqual(twice('hxuzes', 'houses'), ['houses'])
  t.deepEqual(twice('amme', 'emma', 'amma'), ['amma'], 'a short word')
  t.deepEqual(twice('housse', 'houses', 'housse'), ['houses', 'housse'], 'the word itself, too')
  t.deepEqual(twice('housse', 'housse'), [], 'no other word')
  t.is(correctedAmong(readSearchWords('persuasion'), {}), undefined)
})

test('snippets mark words, prefixes and forms', t => {
  const marked = (text: string, search: string) => {
    const {text: shown, marks} = snippetOf(text, readSearchWords(search))
    return marks.map(([from, to]) => shown.slice(from, to))
  }

  t.deepEqual(marked('Old Houses and a house', 'house'), ['Houses', 'house'])
  t.deepEqual(marked('Café Zürich', 'cafe zur*'), ['Café', 'Zürich'])
  t.deepEqual(marked(`${'long '.repeat(100)} needle ${'long '.repeat(100)}`, 'needle'), ['needle'])
})

test('marks lie within the snippet, which has a limited length', t => {
  fc.assert(
    fc.property(fc.string({unit: 'grapheme', maxLength: 600}), fc.lorem({maxCount: 3}), (text, words) => {
      const {text: shown, marks} = snippetOf(`${text} ${words} ${text}`, readSearchWords(words))
      return shown.length <= 250 && marks.every(([from, to]) => from >= 0 && from < to && to <= shown.length)
    }),
  )
  t.pass()
})
