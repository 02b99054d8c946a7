/**
 * Generates the data set of the benches: a shop in which every entity is a document. The same number of quads gives the
 * same data.
 *
 *   node --import tsx bench/data.ts --quads 1000000 [--base http://localhost:8080/] [--plain] > shop.nq
 *
 * It has containers with many children, labels in several languages, decimals, dates, ratings, links to makers, tags
 * and people, reviews as children of their product, and some long texts with escapes, blank nodes and lists. Children
 * of a product are its members. The data includes the triples of the service, as an export does; --plain omits them.
 */
import {once} from 'node:events'
import {createWriteStream} from 'node:fs'
import {finished} from 'node:stream/promises'
import {fileURLToPath} from 'node:url'
import {parseArgs} from 'node:util'
import {createRandom, type Random} from '../test/support/random.ts'

export type ShopOptions = {
  readonly quads: number // approximate, within 2 %
  readonly base?: string // root document
  readonly platform?: string // namespace of the service's vocabulary
  readonly isPlain?: boolean // without the service's triples
}

/** Some statements of one graph, as N-Quads. */
export type Portion = {readonly text: string; readonly quads: number}

export const shop = 'http://example.org/shop#'
const rdfs = 'http://www.w3.org/2000/01/rdf-schema#'
const rdf = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#'
const ldp = 'http://www.w3.org/ns/ldp#'
const xsd = 'http://www.w3.org/2001/XMLSchema#'

const firstDay = Date.UTC(2010, 0, 1)
const lastDay = Date.UTC(2026, 0, 1)
const dayMs = 86_400_000
const perProduct = 87 // quads, including the product's share of all other documents

type Triple = readonly [predicate: string, object: string, subject?: string]

const iri = (value: string) => `<${value}>`
const text = (value: string, language = '') => `${JSON.stringify(value)}${language === '' ? '' : `@${language}`}`
const typed = (value: string | number, type: string) => `"${value}"^^<${xsd}${type}>`
const property = (name: string) => shop + name

/** Yields the data set, document by document; the memberships of the containers come last. */
export function* shopData(options: ShopOptions): Generator<Portion> {
  const {base = 'http://localhost:8080/', platform = 'https://carbonldp.com/ns/v1/platform#'} = options
  const random = createRandom(20_240_229)
  const words = createWords(random)
  const products = Math.max(1, Math.round(options.quads / perProduct))
  const counts = {
    makers: Math.ceil(products / 40),
    tags: Math.ceil(products / 25),
    stores: Math.ceil(products / 60),
    people: Math.ceil(products / 2),
  }
  const containers = ['makers/', 'tags/', 'stores/', 'people/', 'products/', 'offers/']
  const write = (path: string, triples: readonly Triple[]) =>
    portion(base + path, options.isPlain ? triples : [...serviceTriples(base + path, platform, random), ...triples])

  yield write('', [[`${rdfs}label`, text('A shop', 'en')]])
  for (const path of containers) yield write(path, [[`${rdfs}label`, text(path.slice(0, -1), 'en')]])
  for (const [path, triples] of things(base, counts, random, words)) yield write(path, triples)
  let offers = 0
  const reviews: number[] = []
  for (let n = 0; n < products; n++) {
    yield write(`products/p${n}/`, product(base, n, counts, random, words))
    const count = random.below(4)
    reviews.push(count)
    for (let r = 0; r < count; r++) yield write(`products/p${n}/r${r}/`, review(base, n, counts, random, words))
    for (let o = random.between(1, 3); o > 0; o--) yield write(`offers/o${offers++}/`, offer(base, n, counts, random))
  }
  if (options.isPlain) return
  const sizes = {...counts, products, offers}
  yield* members(base, '', containers)
  for (const [name, size] of Object.entries(sizes)) {
    const prefix = name === 'people' ? 'u' : name.charAt(0)
    yield* members(base, `${name}/`, numbered(prefix, size))
  }
  for (const [n, count] of reviews.entries()) yield* members(base, `products/p${n}/`, numbered('r', count))
}

function* numbered(prefix: string, count: number): Generator<string> {
  for (let n = 0; n < count; n++) yield `${prefix}${n}/`
}

function* members(base: string, container: string, children: Iterable<string>): Generator<Portion> {
  const subject = base + container
  for (const child of children) yield portion(subject, [[`${ldp}member`, iri(subject + child)]])
}

function portion(document: string, triples: readonly Triple[]): Portion {
  const lines = triples.map(([predicate, object, subject]) => {
    return `${subject ?? iri(document)} <${predicate}> ${object} <${document}> .\n`
  })
  return {text: lines.join(''), quads: lines.length}
}

function serviceTriples(document: string, platform: string, random: Random): readonly Triple[] {
  const created = firstDay + random.below(lastDay - firstDay)
  const modified = created + random.below(400 * dayMs)
  return [
    [`${rdf}type`, iri(`${platform}Document`)],
    [`${rdf}type`, iri(`${ldp}RDFSource`)],
    [`${rdf}type`, iri(`${ldp}BasicContainer`)],
    [`${platform}created`, typed(new Date(created).toISOString(), 'dateTime')],
    [`${platform}modified`, typed(new Date(modified).toISOString(), 'dateTime')],
    [`${ldp}membershipResource`, iri(document)],
    [`${ldp}hasMemberRelation`, iri(`${ldp}member`)],
    [`${ldp}insertedContentRelation`, iri(`${ldp}MemberSubject`)],
  ]
}

type Counts = {readonly makers: number; readonly tags: number; readonly stores: number; readonly people: number}
type Words = (least: number, most: number) => string

/** The documents that products, reviews and offers link to. */
function* things(base: string, counts: Counts, random: Random, words: Words): Generator<[string, Triple[]]> {
  for (let n = 0; n < counts.tags; n++) {
    const triples: Triple[] = [
      [`${rdf}type`, iri(property('Tag'))],
      [`${rdfs}label`, text(words(1, 2), 'en')],
      [`${rdfs}label`, text(words(1, 2), 'de-CH')],
    ]
    if (n > 0) triples.push([property('broader'), iri(`${base}tags/t${random.below(n)}/`)])
    yield [`tags/t${n}/`, triples]
  }
  for (let n = 0; n < counts.makers; n++) {
    yield [
      `makers/m${n}/`,
      [
        [`${rdf}type`, iri(property('Maker'))],
        [`${rdfs}label`, text(`${words(1, 2)} & Söhne`, 'de')],
        [`${rdfs}comment`, text(words(10, 40))],
        [property('founded'), typed(random.between(1850, 2020), 'gYear')],
        [property('country'), iri(`http://example.org/country#${random.popular(40)}`)],
        [property('site'), iri(`https://m${n}.example.com/`)],
      ],
    ]
  }
  for (let n = 0; n < counts.stores; n++) {
    const document = `${base}stores/s${n}/`
    yield [
      `stores/s${n}/`,
      [
        [`${rdf}type`, iri(property('Store'))],
        [`${rdfs}label`, text(words(1, 3), 'en')],
        [property('address'), iri(`${document}#address`)],
        [property('street'), text(`${words(1, 2)} ${random.between(1, 200)}`), iri(`${document}#address`)],
        [property('city'), text(words(1, 1)), iri(`${document}#address`)],
        [property('opened'), typed(day(random), 'date')],
      ],
    ]
  }
  for (let n = 0; n < counts.people; n++) {
    yield [
      `people/u${n}/`,
      [
        [`${rdf}type`, iri(property('Person'))],
        [property('name'), text(words(2, 2))],
        [property('mail'), iri(`mailto:u${n}@example.com`)],
        [property('karma'), typed(random.popular(10_000), 'integer')],
        [property('knows'), iri(`${base}people/u${random.below(n + 1)}/`)],
        [property('knows'), iri(`${base}people/u${random.popular(n + 1)}/`)],
      ],
    ]
  }
}

function product(base: string, n: number, counts: Counts, random: Random, words: Words): readonly Triple[] {
  const triples: Triple[] = [
    [`${rdf}type`, iri(property('Product'))],
    [`${rdfs}label`, text(words(2, 4), 'en')],
    [`${rdfs}comment`, text(words(10, 50), 'en')],
    [property('sku'), text(`SKU-${String(n).padStart(8, '0')}`)],
    [property('maker'), iri(`${base}makers/m${random.popular(counts.makers)}/`)],
    [property('stock'), typed(random.popular(5000), 'integer')],
    [property('weight'), typed((random.between(1, 90_000) / 1000).toFixed(3), 'decimal')],
    [property('isNew'), typed(String(random.chance(0.2)), 'boolean')],
    [property('released'), typed(instant(random), 'dateTime')],
  ]
  if (random.chance(0.5)) triples.push([`${rdfs}label`, text(words(2, 4), 'es')])
  const tags = new Set(Array.from({length: random.between(1, 4)}, () => random.popular(counts.tags)))
  for (const tag of tags) triples.push([property('tag'), iri(`${base}tags/t${tag}/`)])
  if (random.chance(0.2)) {
    const node = `_:d${n}`
    triples.push([property('dimensions'), node])
    for (const side of ['width', 'height', 'depth']) {
      triples.push([property(side), typed((random.between(1, 3000) / 10).toFixed(1), 'double'), node])
    }
  }
  if (random.chance(0.05)) triples.push(...list(`l${n}`, property('contains'), random, words))
  return triples
}

/** Two to five words, separated by blanks. */
function list(label: string, predicate: string, random: Random, words: Words): readonly Triple[] {
  const cells = Array.from({length: random.between(2, 5)}, (_, index) => `_:${label}x${index}`)
  return [
    [predicate, cells[0] ?? iri(`${rdf}nil`)],
    ...cells.flatMap((cell, index): Triple[] => [
      [`${rdf}first`, text(words(1, 1)), cell],
      [`${rdf}rest`, cells[index + 1] ?? iri(`${rdf}nil`), cell],
    ]),
  ]
}

function review(base: string, n: number, counts: Counts, random: Random, words: Words): readonly Triple[] {
  const language = random.chance(0.7) ? 'en' : 'de'
  return [
    [`${rdf}type`, iri(property('Review'))],
    [property('about'), iri(`${base}products/p${n}/`)],
    [property('by'), iri(`${base}people/u${random.popular(counts.people)}/`)],
    [`${rdfs}label`, text(words(2, 6), language)],
    [property('text'), text(`"${words(20, 60)}"\n${words(5, 40)}`, language)],
    [property('rating'), typed(random.between(1, 5), 'integer')],
    [property('written'), typed(instant(random), 'dateTime')],
  ]
}

function offer(base: string, n: number, counts: Counts, random: Random): readonly Triple[] {
  return [
    [`${rdf}type`, iri(property('Offer'))],
    [property('offers'), iri(`${base}products/p${n}/`)],
    [property('store'), iri(`${base}stores/s${random.popular(counts.stores)}/`)],
    [property('price'), typed((random.between(100, 500_000) / 100).toFixed(2), 'decimal')],
    [property('currency'), text(random.chance(0.8) ? 'EUR' : 'CHF')],
    [property('validUntil'), typed(day(random), 'date')],
    [property('deliveryDays'), typed(random.between(1, 21), 'int')],
  ]
}

function instant(random: Random): string {
  return new Date(firstDay + random.below((lastDay - firstDay) / 1000) * 1000).toISOString()
}

function day(random: Random): string {
  return new Date(firstDay + random.below((lastDay - firstDay) / dayMs) * dayMs).toISOString().slice(0, 10)
}

/** Words of an invented language, some more frequent than others. */
function createWords(random: Random): Words {
  const syllables = ['ka', 'lo', 'mi', 'ter', 'sun', 'bra', 'ne', 'vi', 'dor', 'é', 'qui', 'pas', 'zu', 'gen', 'ro']
  const all = Array.from({length: 5000}, () =>
    Array.from({length: random.between(1, 4)}, () => syllables[random.below(syllables.length)]).join(''),
  )
  return (least, most) =>
    Array.from({length: random.between(least, most)}, () => all[random.popular(all.length)]).join(' ')
}

/** Writes the data set to a file. Returns the number of quads. */
export async function writeShopFile(path: string, options: ShopOptions): Promise<number> {
  const out = createWriteStream(path)
  const quads = await writeShop(out, options)
  out.end()
  await finished(out)
  return quads
}

/** Writes the data set to a stream. Returns the number of quads. */
export async function writeShop(out: NodeJS.WritableStream, options: ShopOptions): Promise<number> {
  let quads = 0
  let chunk = ''
  for (const part of shopData(options)) {
    quads += part.quads
    chunk += part.text
    if (chunk.length < 2 ** 20) continue
    if (!out.write(chunk)) await once(out, 'drain')
    chunk = ''
  }
  if (!out.write(chunk)) await once(out, 'drain')
  return quads
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const {values} = parseArgs({
    options: {
      quads: {type: 'string', default: '100000'},
      base: {type: 'string', default: 'http://localhost:8080/'},
      plain: {type: 'boolean', default: false},
    },
  })
  const {base, plain} = values
  const quads = await writeShop(process.stdout, {quads: Number(values.quads), base, isPlain: plain})
  process.stderr.write(`${quads} quads\n`)
}
