/** The texts that a value must contain for a filter to be true. */
import test from 'ava'
import fc from 'fast-check'
import {patternNeed} from '../../../src/sparql/analyse/pattern-need.ts'
import {textNeed} from '../../../src/sparql/analyse/text-need.ts'
import {parseQuery} from '../../../src/sparql/parse/parse.ts'
import {folded, shareOfNeed} from '../../../src/sparql/plan/join/text-share.ts'
import {translateQuery} from '../../../src/sparql/translate/translate.ts'

const show = (need: ReturnType<typeof textNeed>): unknown => {
  if (need === undefined) return undefined
  if (need.type !== 'needle') return {[need.type]: need.needs.map(show)}
  const text = `${need.isStart ? '' : '%'}${need.pieces.join('%')}${need.isEnd ? '' : '%'}`
  return need.isOfAnyTerm ? `str ${text}` : text
}

function needOf(filter: string): unknown {
  const {pattern} = translateQuery(parseQuery(`ASK { ?s ?p ?o FILTER(${filter}) }`, 'http://e/'))
  return pattern.type === 'filter' ? show(textNeed(pattern.condition, 'o')) : 'no filter'
}

const filters: readonly (readonly [filter: string, need: unknown])[] = [
  ['CONTAINS(?o, "word")', '%word%'],
  ['CONTAINS(?o, "word"@en)', '%word%'],
  ['CONTAINS(?o, 5)', undefined],
  ['CONTAINS(?o, "")', undefined],
  ['CONTAINS(?o, ?p)', undefined],
  ['CONTAINS(?s, "word")', undefined],
  ['CONTAINS("word", ?o)', undefined],
  ['CONTAINS(SUBSTR(?o, 2), "word")', undefined],
  ['CONTAINS(LCASE(STR(?o)), LCASE("Word"))', 'str %Word%'],
  ['STRSTARTS(UCASE(?o), "WORD")', 'WORD%'],
  ['STRENDS(STR(LCASE(?o)), "word")', '%word'],
  ['LCASE(?o) = "word"', 'word'],
  ['"word" = STR(?o)', 'str word'],
  ['?o = "word"', undefined],
  ['LCASE(?o) != "word"', undefined],
  ['LCASE(?o) IN ("one", "two")', {any: ['one', 'two']}],
  ['LCASE(?o) IN ("one", ?p)', undefined],
  ['CONTAINS(?o, "one") && ?s = ?p && CONTAINS(?o, "two")', {all: ['%one%', '%two%']}],
  ['CONTAINS(?o, "one") || CONTAINS(?o, "two")', {any: ['%one%', '%two%']}],
  ['CONTAINS(?o, "one") || ?s = ?p', undefined],
  ['!CONTAINS(?o, "one")', undefined],
  ['REGEX(?o, "one")', '%one%'],
  ['REGEX(?o, "^one.*two$", "i")', 'one%two'],
  ['REGEX(?o, "^one$", "m")', '%one%'],
  ['REGEX(?o, "on?e|two+", "")', {any: ['%o%e%', '%two%']}],
  ['REGEX(?o, "(?:one|two) three")', {all: ['% three%', {any: ['%one%', '%two%']}]}],
  ['REGEX(?o, "(one)?two{2}(x{0,3})")', '%two%'],
  ['REGEX(?o, "a\\\\.b\\\\d[xyz]c")', '%a.b%c%'],
  ['REGEX(?o, "a.b", "q")', '%a.b%'],
  ['REGEX(?o, "o n e", "x")', '%one%'],
  ['REGEX(?o, "stra\u00dfe", "i")', '%stra%e%'],
  ['REGEX(?o, "^[ab]one")', '%one%'],
  ['REGEX(?o, "one(")', undefined],
  ['REGEX(?o, "one", "z")', undefined],
  ['REGEX(?o, ?p)', undefined],
]

for (const [filter, need] of filters) {
  test(`${filter} needs ${JSON.stringify(need) ?? 'nothing'}`, t => {
    t.deepEqual(needOf(filter), need)
  })
}

// biome-ignore format: a table, read by its groups
const parts = ['a', 'b', 'ab', 'B', '.', '.*', 'a?', 'b+', 'a*', 'ab{2}', 'b{0,2}', 'a{1,}?', '[ab]', '[^a|)]', '\\d',
  '\\.', '(a|b)', '(?:ab)', '(b)?', '(a(b|.)+)', '^', '$', '|', '\\(', '\\\\', '1', '\\n', '(', ')', '{', ']']
const pattern = fc.array(fc.constantFrom(...parts), {maxLength: 8}).map(all => all.join(''))
const text = fc
  .array(fc.constantFrom('a', 'b', 'A', 'B', '1', '.', '(', '\\', '\n', '|'), {maxLength: 10})
  .map(all => all.join(''))

test('a text that matches a pattern contains what the pattern needs', t => {
  fc.assert(
    fc.property(pattern, text, fc.constantFrom('', 'i', 's', 'm', 'im'), (source, subject, flags) => {
      const need = patternNeed(source, flags)
      let expression: RegExp
      try {
        expression = new RegExp(source, `u${flags}`)
      } catch {
        return
      }
      if (need === undefined || !expression.test(subject)) return
      t.true(holds(subject, need), JSON.stringify([source, flags, subject, need]))
    }),
    {numRuns: 20_000},
  )
})

test('a text that contains another contains it in every letter case', t => {
  const any = fc.string({unit: 'binary', maxLength: 5})
  fc.assert(
    fc.property(any, any, any, (before, held, after) => {
      const whole = before + held + after
      const need = {type: 'needle', pieces: [held], isStart: before === '', isEnd: after === ''} as const
      for (const one of [whole, whole.toLowerCase(), whole.toUpperCase()]) t.true(holds(one, need), JSON.stringify(one))
    }),
    {numRuns: 5000},
  )
})

/** One text in a sample of one: more than half of the sample contains the needed text. */
function holds(subject: string, need: Parameters<typeof shareOfNeed>[1]): boolean {
  return shareOfNeed({literals: 1, hasLetters: true, texts: [folded(subject)]}, need) > 0.5
}

test('a pattern of many parts, or of nested groups, is analysed quickly', t => {
  const began = performance.now()
  t.truthy(patternNeed('(a|b)+c{2}'.repeat(20_000), ''))
  t.is(patternNeed('('.repeat(100_000) + ')'.repeat(100_000), ''), undefined)
  t.true(performance.now() - began < 5000)
})
