/**
 * Filters of texts have the same answers with the text index, without it, and with the oracle.
 *
 *   ORACLE_RUNS=5000 ORACLE_SEED=7 npm test -- test/db/text-search.test.ts
 */
import test, {type ExecutionContext} from 'ava'
import fc from 'fast-check'
import {readVocabulary} from '../../src/db/store/dataset.ts'
import {createTextIndex} from '../../src/db/store/text-index.ts'
import {explainQuery} from '../../src/query/explain.ts'
import {createPlanCache} from '../../src/query/plan-cache.ts'
import {firstLiteralId} from '../../src/rdf/id-layout.ts'
import {langLiteral, literal, namedNode, type Quad, quad, type Term} from '../../src/rdf/term.ts'
import {xsd} from '../../src/rdf/vocabulary.ts'
import {differenceOf} from '../oracle/comparison.ts'
import {storeOf} from '../oracle/evaluator.ts'
import {createPostgresEngine} from '../oracle/postgres-engine.ts'
import {searchedFrequencies} from '../oracle/searched.ts'
import {oracleRuns, readQuery, requireNoDifference, type Trial} from '../oracle/trial.ts'
import {createTestDatabase, testSchema as schema} from '../support/postgres.ts'

// biome-ignore format: a table, read by its groups
const plainPieces = ['word', 'Word', 'WORD', 'ab', 'A', '1', '12', 'true', ' ', '-', '%', '_', '\\', '\\_', '*', '.',
  '(', "'", '\n', '\u0001', 'e\u0301', 'é', 'É', '日本', '語', 'мир', 'МИР', '😀']
const casePieces = [
  'straße',
  'STRASSE',
  'ẞ',
  'ſ',
  'İ',
  'I',
  'ı',
  'i',
  'K',
  'k',
  'ﬁ',
  'Σ',
  'σ',
  'ς',
  'ὈΔΥΣΣΕΎΣ',
  'ᾳ',
  'ŉ',
]
const textOf = (pieces: readonly string[], maxLength: number) =>
  fc.array(fc.constantFrom(...pieces), {maxLength}).map(parts => parts.join(''))

const randomText = textOf([...plainPieces, ...casePieces], 5)
/** Mostly parts of some texts, IRIs or inline literals. */
const soughtText = fc.constantFrom('word', 'WORD', 'true', '2020', '2020-12', 'http', 'straße', 'STRASSE', 'ab ', 'МИР')
const randomTerm: fc.Arbitrary<Term> = fc.oneof(
  {weight: 4, arbitrary: randomText.map(text => literal(text))},
  {
    weight: 3,
    arbitrary: fc.tuple(randomText, fc.constantFrom('en', 'EN', 'de')).map(([text, tag]) => langLiteral(text, tag)),
  },
  randomText.map(text => literal(text, 'http://e/type')),
  fc.constantFrom<Term>(
    literal('12', xsd.integer),
    literal('true', xsd.boolean),
    literal('2020-12-01', xsd.date),
    literal('word', xsd.integer),
    namedNode('http://e/word'),
  ),
)

const subjects = ['a', 'b', 'c'].map(name => namedNode(`http://e/${name}`))
const predicates = ['p', 'q'].map(name => namedNode(`http://e/${name}`))
const randomQuads: fc.Arbitrary<readonly Quad[]> = fc.array(
  fc
    .tuple(fc.constantFrom(...subjects), fc.constantFrom(...predicates), randomTerm)
    .map(([subject, predicate, object]) => quad(subject, predicate, object, namedNode('http://e/g'))),
  {minLength: 1, maxLength: 12},
)

const written = (text: string) => JSON.stringify(text).replaceAll('\\b', '\\u0008')
const subject = fc.constantFrom(
  '?o',
  'STR(?o)',
  'LCASE(?o)',
  'LCASE(STR(?o))',
  'UCASE(?o)',
  'UCASE(STR(?o))',
  'LCASE(UCASE(?o))',
)
const constantOf = (text: fc.Arbitrary<string>) =>
  fc
    .tuple(text, fc.constantFrom('', '', '', '@en', '@DE'), fc.constantFrom('', '', '', 'LCASE', 'UCASE'))
    .map(([value, tag, name]) => (name === '' ? `${written(value)}${tag}` : `${name}(${written(value)}${tag})`))

const holding = (text: fc.Arbitrary<string>) =>
  fc.oneof(
    fc
      .tuple(fc.constantFrom('CONTAINS', 'STRSTARTS', 'STRENDS'), subject, constantOf(text))
      .map(([name, of, part]) => `${name}(${of}, ${part})`),
    fc.tuple(subject, constantOf(text)).map(([of, value]) => `${of} = ${value}`),
    fc.tuple(subject, constantOf(text), constantOf(text)).map(([of, one, two]) => `${of} IN (${one}, ${two})`),
  )

// biome-ignore format: a table, read by its groups
const patternPieces = ['word', 'Wo', 'ab', 'rd', '.', '.*', 'w?', 'r+', 'o{1,2}', '[a-w]', '[^x]', 
  '\\\\d', '\\\\.', '\\\\s', '(?:wo|ab)', '(rd)', '(word|true)?', '^', '$', '|', ' ', '\\\\(']
const matching = (pieces: readonly string[], flags: readonly string[]) =>
  fc
    .tuple(subject, textOf(pieces, 5), fc.constantFrom(...flags))
    .map(([of, pattern, flag]) => `REGEX(${of}, "${pattern}", "${flag}")`)

const filterOf = (test: fc.Arbitrary<string>) =>
  fc.oneof(
    {weight: 4, arbitrary: test},
    fc.tuple(test, test, fc.constantFrom('&&', '||')).map(([one, two, by]) => `(${one}) ${by} (${two})`),
    fc
      .tuple(test, fc.constantFrom('isLiteral(?o)', 'LANGMATCHES(LANG(?o), "en")', 'LANG(?o) = "en"'))
      .map(both => both.join(' && ')),
    test.map(one => `!(${one})`),
  )

const queryOf = (test: fc.Arbitrary<string>) =>
  fc
    .tuple(
      fc.constantFrom(
        '?s <http://e/p> ?o',
        '?s ?p ?o',
        '?s <http://e/p> ?o . ?s <http://e/q> ?x',
        'GRAPH ?g {?s ?p ?o}',
      ),
      filterOf(test),
    )
    .map(([pattern, filter]) => `SELECT * { ${pattern} FILTER(${filter}) }`)

const trialOf = (text: fc.Arbitrary<string>): fc.Arbitrary<Trial> =>
  fc.record({quads: randomQuads, documents: fc.constant([]), text})

/** A database with the index, and with enough literals that PostgreSQL uses it. */
async function useIndex(t: ExecutionContext) {
  const {database, drop} = await createTestDatabase()
  t.teardown(drop)
  await database.query(
    `insert into ${schema}.term (id, hash, lex)
     select ${firstLiteralId} + nextval('${schema}.term_seq'), md5(n::text)::uuid, 'filler number ' || md5(n::text)
       from generate_series(1, 20000) as n`,
  )
  t.is(await createTextIndex(database, schema), 'made')
  const searched = await createPostgresEngine(database, {frequencies: searchedFrequencies})
  const plain = await createPostgresEngine(database, {avoidsTextIndex: true})
  t.teardown(searched.close)
  t.teardown(plain.close)
  return {database, searched, plain}
}

test('the index finds the same texts as the oracle', async t => {
  const {searched} = await useIndex(t)
  const tests = fc.oneof(
    {weight: 2, arbitrary: holding(soughtText)},
    holding(randomText),
    matching(patternPieces, ['', 's', 'm', 'x', 'q']),
  )

  await requireNoDifference(t, trialOf(queryOf(tests)), oracleRuns(300), async ({quads, text}) => {
    const query = readQuery(text)
    if (query === undefined) return undefined
    await searched.load(quads, [])
    return differenceOf(await searched.answer(text), query, storeOf(quads, query.dataset))
  })
})

test('IRIs and inline literals, which are not in the index, are found by their text', async t => {
  const {searched} = await useIndex(t)
  const objects = [
    namedNode('http://e/word2020true'),
    literal('2020-12-01', xsd.date),
    literal('2020', xsd.integer),
    literal('true', xsd.boolean),
    literal('word 2020 true'),
    langLiteral('WORD 2020 TRUE', 'en'),
    literal('Word 2020 True', 'http://e/type'),
  ]
  const quads = objects.map((object, index) =>
    quad(namedNode(`http://e/s${index}`), namedNode('http://e/p'), object, namedNode('http://e/g')),
  )
  await searched.load(quads, [])

  for (const word of ['word', '2020', 'true']) {
    for (const pattern of ['?s ?p ?o', '?s <http://e/p> ?o']) {
      for (const filter of ['STR(?o)', 'LCASE(STR(?o))', '?o', 'LCASE(?o)']) {
        for (const more of ['', 'isLiteral(?o) && ']) {
          const text = `SELECT * { ${pattern} FILTER(${more}CONTAINS(${filter}, "${word}")) }`
          const query = readQuery(text)
          if (query === undefined) throw new Error(text)
          t.is(differenceOf(await searched.answer(text), query, storeOf(quads, query.dataset)), undefined, text)
        }
      }
    }
  }
})

test('patterns that ignore case find the same with and without the index', async t => {
  const {searched, plain} = await useIndex(t)
  const tests = matching([...patternPieces, ...casePieces, 'é', 'É', 'МИР'], ['i', 'im', 'ix', 'iq'])

  await requireNoDifference(t, trialOf(queryOf(tests)), oracleRuns(200), async ({quads, text}) => {
    if (readQuery(text) === undefined) return undefined
    await searched.load(quads, [])
    const [found, all] = [await searched.answer(text), await plain.answer(text)]
    const shown = (answer: typeof found) =>
      answer.type === 'solutions'
        ? answer.solutions
            .map(one => JSON.stringify([...one].sort()))
            .sort()
            .join('\n')
        : ''
    return shown(found) === shown(all) ? undefined : `${shown(found)}\ninstead of\n${shown(all)}`
  })
})

test('a query with the index reads no other literals, and its explanation says so', async t => {
  const {database, searched} = await useIndex(t)
  await searched.load(
    [quad(namedNode('http://e/s'), namedNode('http://e/p'), literal('a Word'), namedNode('http://e/g'))],
    [],
  )
  const vocabulary = await readVocabulary(database, schema)
  const store = {
    database,
    schema,
    vocabulary,
    timeoutMs: 20_000,
    frequencies: searchedFrequencies,
    cache: createPlanCache(),
  }
  const explained = async (filter: string) => {
    const text = `SELECT * { ?s <http://e/p> ?o FILTER(${filter}) }`
    const {textIndex, plan} = await explainQuery(store, {text, base: 'http://e/', isMeasured: false, planForm: 'text'})
    return [textIndex, String(plan).includes('Bitmap Index Scan on term_text')]
  }

  t.deepEqual(await explained('CONTAINS(LCASE(STR(?o)), "word")'), ['used', true])
  t.deepEqual(await explained('REGEX(?o, "^a w.*d$", "i")'), ['used', true])
  t.deepEqual(await explained('UCASE(?o) = "A WORD"'), ['used', true])
  t.deepEqual(await explained('CONTAINS(?o, "wo")'), ['unused', false])
  t.deepEqual(await explained('!CONTAINS(?o, "word")'), ['unused', false])
})
