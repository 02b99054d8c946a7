/**
 * Data like that of Wikidata: items with labels in many languages, direct values, and statements with rank and
 * qualifiers.
 *
 * An item has about forty quads. A few properties and objects have most of the use. Labels, dates, places and classes
 * correlate, as people of one country have its language and are born in its places. All quads are in one raw graph.
 */
import {createRandom, pick, type Random} from '../../test/support/random.ts'
import {literal, pad} from './lines.ts'

const rdfs = 'http://www.w3.org/2000/01/rdf-schema#'
const schema = 'http://schema.org/'
const wkt = 'http://www.opengis.net/ont/geosparql#wktLiteral'
const wikibase = 'http://wikiba.se/ontology#'
const graph = '<http://data.example/items>'
const entity = 'http://data.example/entity/'
const property = 'http://data.example/prop/'

const languages = ['en', 'de', 'fr', 'es', 'ru', 'nl', 'it', 'pt-br', 'ja', 'zh-hant', 'ar', 'cy']
const syllables = 'ba ce di fo gu ha je ki lo mu na pe ri so tu va we xi yo zu an el in or us'.split(' ')
const genres = 40
const occupations = 120
const awards = 150
const externalIds = 80

type Context = {readonly random: Random; readonly emit: (line: string) => void; statement: number}

const item = (number: number) => `<${entity}Q${number}>`
const iri = (text: string) => `<${text}>`
const direct = (name: string) => `<${property}direct/${name}>`
const inLanguage = (text: string, language: string) => `"${text}"@${language}`

function date(random: Random, from: number, to: number): string {
  return literal(
    `${random.between(from, to)}-${pad(random.between(1, 12))}-${pad(random.between(1, 28))}T00:00:00Z`,
    'dateTime',
  )
}

function name(random: Random, words: number): string {
  return Array.from({length: words}, () => {
    const word = Array.from({length: random.between(2, 4)}, () => pick(random, syllables)).join('')
    return word.charAt(0).toUpperCase() + word.slice(1)
  }).join(' ')
}

function add({emit}: Context, subject: string, predicate: string, object: string): void {
  emit(`${subject} ${predicate} ${object} ${graph} .`)
}

/** One statement: the direct triple, unless its rank is too low, and the node with its rank and qualifiers. */
function state(
  context: Context,
  subject: string,
  {
    of,
    value,
    rank = 'Normal',
    qualifiers = [],
  }: {
    readonly of: string
    readonly value: string
    readonly rank?: 'Normal' | 'Preferred' | 'Deprecated'
    readonly qualifiers?: readonly (readonly [name: string, value: string])[]
  },
  isDirect = rank !== 'Deprecated',
): void {
  if (isDirect) add(context, subject, direct(of), value)
  context.statement += 1
  const node = `<${entity}statement/S${context.statement}>`
  add(context, subject, iri(`${property}${of}`), node)
  add(context, node, iri(`${property}statement/${of}`), value)
  add(context, node, iri(`${wikibase}rank`), iri(`${wikibase}${rank}Rank`))
  for (const [qualifier, qualified] of qualifiers)
    add(context, node, iri(`${property}qualifier/${qualifier}`), qualified)
}

function describe(context: Context, subject: string, title: string, modified: number): void {
  const {random} = context
  const many = 1 + random.popular(languages.length)
  for (const language of languages.slice(0, many)) {
    const text = random.chance(0.8) ? title : `${title} ${pick(random, syllables)}`
    add(context, subject, iri(`${rdfs}label`), inLanguage(text, language))
    if (random.chance(0.25))
      add(context, subject, iri(`${schema}description`), inLanguage(`${name(random, 2)} of ${title}`, language))
  }
  if (random.chance(0.2))
    add(context, subject, iri('http://www.w3.org/2004/02/skos/core#altLabel'), inLanguage(name(random, 2), 'en'))
  add(context, subject, iri(`${schema}dateModified`), date(random, modified - 3, modified))
  add(context, subject, iri(`${wikibase}sitelinks`), literal(String(random.popular(60)), 'integer'))
  if (random.chance(0.4)) {
    const page = `<http://en.wiki.example/${title.replaceAll(' ', '_')}_${context.statement}>`
    add(context, page, iri(`${schema}about`), subject)
    add(context, page, iri(`${schema}inLanguage`), '"en"')
    add(context, page, iri(`${schema}isPartOf`), iri('http://en.wiki.example/'))
  }
  const external = random.popular(externalIds)
  add(context, subject, direct(`P${9000 + external}`), `"${external}-${random.below(1e9)}"`)
}

/** The numbers of the items of each class. Items of lower numbers are used more. */
type Plan = {
  readonly classes: number
  readonly countries: number
  readonly places: number
  readonly organizations: number
  readonly people: number
  readonly works: number
}

const starts = {
  classes: 1000,
  countries: 3000,
  places: 10_000,
  occupations: 4000,
  genres: 4500,
  awards: 4700,
  languages: 3900,
  organizations: 100_000,
  people: 200_000,
  works: 400_000,
}

const classNumbers = {
  human: 1000,
  country: 1001,
  city: 1002,
  university: 1003,
  company: 1004,
  film: 1005,
  book: 1006,
  album: 1007,
  region: 1008,
}

const ofClass = (name: keyof typeof classNumbers) => item(classNumbers[name])

function addClasses(context: Context, {classes}: Plan): void {
  for (let number = 0; number < classes; number += 1) {
    const subject = item(starts.classes + number)
    add(context, subject, iri(`${rdfs}label`), inLanguage(name(context.random, 1), 'en'))
    if (number > 8) add(context, subject, direct('P279'), item(starts.classes + context.random.below(number)))
  }
  for (const [count, start] of [
    [occupations, starts.occupations],
    [genres, starts.genres],
    [awards, starts.awards],
    [20, starts.languages],
  ] as const)
    for (let number = 0; number < count; number += 1) {
      describe(context, item(start + number), name(context.random, 1), 2020)
      if (number > 3) add(context, item(start + number), direct('P279'), item(start + context.random.below(number)))
    }
}

/** Countries, regions and cities: place n is in place n / 12, and so in one of the countries. */
function addPlaces(context: Context, {countries, places}: Plan): void {
  const {random} = context
  for (let number = 0; number < countries; number += 1) {
    const subject = item(starts.countries + number)
    add(context, subject, direct('P31'), ofClass('country'))
    describe(context, subject, name(random, 1), 2024)
    state(context, subject, {of: 'P37', value: item(starts.languages + (number % 20))})
    state(context, subject, {of: 'P36', value: item(starts.places + number)})
  }
  for (let number = 0; number < places; number += 1) {
    const subject = item(starts.places + number)
    const country = item(starts.countries + countryOf(number, countries))
    const isCity = number >= countries
    add(context, subject, direct('P31'), isCity ? ofClass('city') : ofClass('region'))
    describe(context, subject, name(random, 1), 2024)
    add(context, subject, direct('P17'), country)
    const upper = isCity ? item(starts.places + upperOf(number, countries)) : country
    state(context, subject, {of: 'P131', value: upper})
    add(
      context,
      subject,
      direct('P625'),
      `"Point(${[360, 160].map(size => ((random.next() - 0.5) * size).toFixed(4)).join(' ')})"^^<${wkt}>`,
    )
    const base = 500 + random.popular(3_000_000)
    const counts = random.between(1, 4)
    for (let year = 0; year < counts; year += 1)
      state(
        context,
        subject,
        {
          of: 'P1082',
          value: literal(String(Math.round(base * (1 + year / 10))), 'integer'),
          rank: year === counts - 1 ? 'Preferred' : 'Normal',
          qualifiers: [['P585', literal(`${1990 + year * 10}-01-01T00:00:00Z`, 'dateTime')]],
        },
        year === counts - 1,
      )
  }
}

function upperOf(place: number, countries: number): number {
  return place < 13 * countries ? place % countries : countries + Math.floor((place - countries) / 12)
}

function countryOf(place: number, countries: number): number {
  let at = place
  while (at >= countries) at = upperOf(at, countries)
  return at
}

function addOrganizations(context: Context, {organizations, places, countries}: Plan): void {
  const {random} = context
  for (let number = 0; number < organizations; number += 1) {
    const subject = item(starts.organizations + number)
    const isUniversity = number % 3 === 0
    const place = random.popular(places)
    add(context, subject, direct('P31'), isUniversity ? ofClass('university') : ofClass('company'))
    describe(context, subject, isUniversity ? `University of ${name(random, 1)}` : name(random, 2), 2025)
    state(context, subject, {of: 'P159', value: item(starts.places + place)})
    add(context, subject, direct('P17'), item(starts.countries + countryOf(place, countries)))
    state(context, subject, {of: 'P571', value: date(random, isUniversity ? 1300 : 1880, 2010)})
    if (!isUniversity && random.chance(0.5)) {
      state(context, subject, {
        of: 'P2139',
        value: literal((random.next() * 1e6).toFixed(2), 'decimal'),
        qualifiers: [['P585', date(random, 2000, 2023)]],
      })
      if (random.chance(0.4))
        state(context, subject, {of: 'P749', value: item(starts.organizations + random.popular(Math.max(1, number)))})
    }
  }
}

function addPeople(context: Context, {people, places, countries, organizations}: Plan): void {
  const {random} = context
  for (let number = 0; number < people; number += 1) {
    const subject = item(starts.people + number)
    const born = 1500 + Math.floor(500 * Math.sqrt(random.next()))
    const place = random.popular(places)
    const country = countryOf(place, countries)
    state(context, subject, {of: 'P31', value: ofClass('human')})
    describe(context, subject, name(random, 2), 2025)
    state(context, subject, {of: 'P569', value: date(random, born, born)})
    if (born < 1930 || random.chance(0.2))
      state(context, subject, {of: 'P570', value: date(random, born + 20, Math.min(2024, born + 90))})
    state(context, subject, {of: 'P19', value: item(starts.places + place)})
    add(context, subject, direct('P21'), random.chance(0.35) ? item(starts.classes + 20) : item(starts.classes + 21))
    add(context, subject, direct('P27'), item(starts.countries + country))
    for (let each = random.between(1, 3); each > 0; each -= 1)
      state(context, subject, {of: 'P106', value: item(starts.occupations + random.popular(occupations))})
    if (random.chance(0.5)) {
      const from = born + random.between(17, 22)
      state(context, subject, {
        of: 'P69',
        value: item(starts.organizations + 3 * Math.floor(random.popular(organizations) / 3)),
        qualifiers: [
          ['P580', date(random, from, from)],
          ...(random.chance(0.7) ? [['P582', date(random, from + 3, from + 6)] as const] : []),
        ],
      })
    }
    if (random.chance(0.3)) {
      const from = born + random.between(22, 40)
      state(context, subject, {
        of: 'P108',
        value: item(starts.organizations + random.popular(organizations)),
        rank: random.chance(0.1) ? 'Deprecated' : 'Normal',
        qualifiers: [
          ['P580', date(random, from, from)],
          ...(random.chance(0.6) ? [['P582', date(random, from + 1, from + 30)] as const] : []),
        ],
      })
    }
    if (number > 10 && random.chance(0.2)) {
      const child = Math.max(0, number - random.between(1, 300))
      add(context, item(starts.people + child), direct('P40'), subject)
      add(context, subject, direct('P22'), item(starts.people + child))
    }
    if (number > 10 && random.chance(0.15)) {
      const spouse = item(starts.people + number - random.between(1, 10))
      state(context, subject, {of: 'P26', value: spouse, qualifiers: [['P580', date(random, born + 20, born + 40)]]})
      state(context, spouse, {of: 'P26', value: subject})
    }
    if (random.chance(0.1)) {
      for (let each = random.between(1, 4); each > 0; each -= 1)
        state(context, subject, {
          of: 'P166',
          value: item(starts.awards + random.popular(awards)),
          qualifiers: [['P585', date(random, born + 25, born + 60)]],
        })
    }
    if (random.chance(0.2))
      add(context, subject, direct('P2048'), literal((1.4 + random.next() * 0.7).toFixed(2), 'decimal'))
  }
}

function addWorks(context: Context, {works, people, countries}: Plan): void {
  const {random} = context
  for (let number = 0; number < works; number += 1) {
    const subject = item(starts.works + number)
    const kind = pick(random, ['film', 'film', 'book', 'album'] as const)
    const year = 1900 + Math.floor(124 * Math.sqrt(random.next()))
    add(context, subject, direct('P31'), ofClass(kind))
    describe(context, subject, `The ${name(random, random.between(1, 3))}`, 2025)
    state(context, subject, {of: 'P577', value: date(random, year, year)})
    for (let each = random.between(1, 2); each > 0; each -= 1)
      add(context, subject, direct('P136'), item(starts.genres + random.popular(genres)))
    const maker = kind === 'film' ? 'P57' : kind === 'book' ? 'P50' : 'P175'
    state(context, subject, {of: maker, value: item(starts.people + random.popular(people))})
    add(context, subject, direct('P495'), item(starts.countries + random.popular(countries)))
    if (kind !== 'film') continue
    for (let each = random.between(1, 6); each > 0; each -= 1)
      state(context, subject, {
        of: 'P161',
        value: item(starts.people + random.popular(people)),
        qualifiers: random.chance(0.3) ? [['P453', `"${name(random, 1)}"`]] : [],
      })
    if (random.chance(0.5))
      state(context, subject, {of: 'P2142', value: literal(String(random.popular(900_000_000)), 'integer')})
    if (random.chance(0.3))
      state(context, subject, {of: 'P2047', value: literal(String(random.between(60, 200)), 'integer')})
    if (random.chance(0.1))
      add(context, subject, direct('P155'), item(starts.works + Math.max(0, number - random.between(1, 50))))
  }
}

/** Lines of N-Quads, approximately this many. */
export function statements(quads: number): readonly string[] {
  const lines: string[] = []
  const context: Context = {random: createRandom(20_261_123), emit: line => lines.push(line), statement: 0}
  const unit = quads / 1_000_000
  const plan: Plan = {
    classes: 1500,
    countries: 60,
    places: Math.round(3000 * unit),
    organizations: Math.round(3000 * unit),
    people: Math.round(13_000 * unit),
    works: Math.round(8000 * unit),
  }
  addClasses(context, plan)
  addPlaces(context, plan)
  addOrganizations(context, plan)
  addPeople(context, plan)
  addWorks(context, plan)
  return lines
}
