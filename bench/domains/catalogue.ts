/**
 * Data like a library's catalogue: a thesaurus (SKOS), agents, works with subjects and citations, copies, loans and
 * reviews.
 *
 * Few works are borrowed and cited often. The subjects of a work lie near each other in the thesaurus and depend on its
 * kind; what is borrowed lately is not returned yet. Each section of the shelves has a raw graph, and so have the
 * thesaurus, the agents and each year of loans.
 */
import {createRandom, pick, type Random} from '../../test/support/random.ts'
import {type Context, createAdd, literal, pad} from './lines.ts'

const rdf = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#'
const skos = 'http://www.w3.org/2004/02/skos/core#'
const foaf = 'http://xmlns.com/foaf/0.1/'
const dct = 'http://purl.org/dc/terms/'
const base = 'http://library.example/'
const lib = `${base}ns#`

const kinds = ['Book', 'Book', 'Book', 'Book', 'Article', 'Article', 'Map', 'Score', 'Thesis']
const languages = ['en', 'en', 'en', 'de', 'de', 'fr', 'es', 'la']
const countries = ['AT', 'DE', 'DE', 'FR', 'GB', 'GB', 'US', 'US', 'US', 'ES', 'PL', 'JP']
const nouns = [
  ...'history theory practice origin decline structure language music river city empire garden method machine'.split(
    ' ',
  ),
  ...'light number memory trade science nature law migration medicine bridge poetry climate economy voyage'.split(' '),
]
const qualities = [
  ...'early modern late ancient comparative applied general critical popular rural urban northern western'.split(' '),
  ...'medieval industrial digital colonial visual'.split(' '),
]
const given =
  'Anna Bruno Clara David Emma Felix Greta Hugo Ines Jonas Karla Leo Maria Nils Olga Paul Rosa Stefan'.split(' ')
const family = 'Adler Berg Costa Dubois Evans Fischer Garcia Huber Ivanov Jansen Keller Lang Moreau Novak'.split(' ')

type Sizes = {
  readonly concepts: number
  readonly agents: number
  readonly patrons: number
  readonly branches: number
  readonly sections: number
}

const add = createAdd(base)

const day = (random: Random, year: number) => `${year}-${pad(random.between(1, 12))}-${pad(random.between(1, 28))}`

function words(random: Random, count: number): string {
  return Array.from({length: count}, (_, place) => pick(random, place % 3 === 0 ? qualities : nouns)).join(' ')
}

/** A tree of concepts, six to a parent, with some second parents. The first are the top concepts of five schemes. */
function addConcepts(context: Context, {concepts}: Sizes): void {
  const {random} = context
  for (let number = 0; number < concepts; number += 1) {
    const subject = `concept/${number}`
    const say = (predicate: string, object: string) => add(context, 'thesaurus', [subject, predicate, object])
    const name = words(random, 2)
    say(`${rdf}type`, `${skos}Concept`)
    say(`${skos}prefLabel`, `"${name}"@en`)
    if (random.chance(0.8)) say(`${skos}prefLabel`, `"${name} (Deutsch)"@de`)
    if (random.chance(0.3)) say(`${skos}prefLabel`, `"${name} (français)"@fr`)
    for (let more = random.below(3); more > 0; more -= 1) say(`${skos}altLabel`, `"${words(random, 3)}"@en`)
    say(`${skos}notation`, `"${Math.floor(number / 100)}.${number % 100}"`)
    say(`${skos}inScheme`, `${base}scheme/${schemeOf(number)}`)
    if (number < 5) say(`${skos}topConceptOf`, `${base}scheme/${number}`)
    else say(`${skos}broader`, `${base}concept/${parentOf(number)}`)
    if (number > 200 && random.chance(0.05)) say(`${skos}broader`, `${base}concept/${random.below(200)}`)
    if (random.chance(0.2)) say(`${skos}related`, `${base}concept/${random.below(concepts)}`)
    if (random.chance(0.25)) say(`${skos}scopeNote`, `"${words(random, 12)}."@en`)
  }
}

const parentOf = (number: number): number => Math.floor((number - 5) / 6)
const schemeOf = (number: number): number => (number < 5 ? number : schemeOf(parentOf(number)))

function addAgents(context: Context, {agents, patrons, branches}: Sizes): void {
  const {random} = context
  for (let number = 0; number < agents; number += 1) {
    const subject = `agent/${number}`
    const say = (predicate: string, object: string) => add(context, 'agents', [subject, predicate, object])
    const isPerson = !random.chance(0.1)
    say(`${rdf}type`, `${foaf}${isPerson ? 'Person' : 'Organization'}`)
    say(
      `${foaf}name`,
      `"${isPerson ? `${pick(random, given)} ${pick(random, family)}` : `${words(random, 2)} society`}"`,
    )
    say(`${lib}country`, `"${pick(random, countries)}"`)
    if (!isPerson) continue
    const born = random.between(1780, 1995)
    say(`${lib}born`, literal(day(random, born), 'date'))
    if (born < 1940 || random.chance(0.05))
      say(`${lib}died`, literal(day(random, born + random.between(30, 85)), 'date'))
    for (let more = random.below(4); more > 0; more -= 1)
      say(`${lib}influencedBy`, `${base}agent/${random.popular(agents)}`)
  }
  for (let number = 0; number < patrons; number += 1) {
    const subject = `patron/${number}`
    add(context, 'patrons', [subject, `${rdf}type`, `${lib}Patron`])
    add(context, 'patrons', [subject, `${lib}homeBranch`, `${base}branch/${random.popular(branches)}`])
    add(context, 'patrons', [subject, `${lib}joined`, literal(day(random, random.between(2010, 2025)), 'date')])
  }
  for (let number = 0; number < branches; number += 1) {
    add(context, 'branches', [`branch/${number}`, `${rdf}type`, `${lib}Branch`])
    add(context, 'branches', [`branch/${number}`, `${foaf}name`, `"${pick(random, family)} ${number} Library"`])
    if (number > 3) add(context, 'branches', [`branch/${number}`, `${lib}partOf`, `${base}branch/${number % 4}`])
  }
}

/** A work with its copies, their loans, and reviews. */
function addWork(context: Context, number: number, sizes: Sizes): void {
  const {random} = context
  const subject = `opus/${number}`
  const kind = pick(random, kinds)
  const topic = kind === 'Map' ? random.below(200) : random.popular(sizes.concepts)
  const graph = `section/${topic % sizes.sections}`
  const say = (predicate: string, object: string) => add(context, graph, [subject, predicate, object])
  const [language, year] = [pick(random, languages), random.between(1800, 2025)]
  say(`${rdf}type`, `${lib}${kind}`)
  say(`${dct}title`, `"${words(random, random.between(2, 6))}"@${language}`)
  say(`${dct}language`, `"${language}"`)
  say(`${dct}issued`, literal(year, 'gYear'))
  if (kind !== 'Map') say(`${lib}pages`, literal(random.between(8, 900), 'integer'))
  for (let more = random.between(1, 3); more > 0; more -= 1)
    say(`${dct}creator`, `${base}agent/${random.popular(sizes.agents)}`)
  say(`${dct}subject`, `${base}concept/${topic}`)
  for (let more = random.below(3); more > 0; more -= 1)
    say(`${dct}subject`, `${base}concept/${Math.min(sizes.concepts - 1, topic + random.below(12))}`)
  if (random.chance(0.4)) say(`${dct}publisher`, `${base}agent/${random.popular(Math.ceil(sizes.agents / 20))}`)
  if (random.chance(0.35)) say(`${dct}abstract`, `"${words(random, random.between(15, 40))}."@en`)
  if (number > 10)
    for (let more = random.below(5); more > 0; more -= 1) say(`${lib}cites`, `${base}opus/${random.popular(number)}`)
  if (number > 10 && random.chance(0.06)) say(`${dct}isVersionOf`, `${base}opus/${random.below(number)}`)
  const copies = random.below(number % 50 === 0 ? 12 : 3)
  for (let copy = 0; copy < copies; copy += 1)
    addCopy(context, {work: number, copy, sizes, isPopular: number % 50 === 0})
  for (let more = random.popular(4); more > 0; more -= 1) {
    const review = `review/${number}-${more}`
    add(context, 'reviews', [review, `${lib}reviews`, `${base}${subject}`])
    add(context, 'reviews', [review, `${lib}by`, `${base}patron/${random.popular(sizes.patrons)}`])
    add(context, 'reviews', [review, `${lib}rating`, literal(Math.min(5, random.between(2, 6)), 'integer')])
    if (random.chance(0.5)) add(context, 'reviews', [review, `${lib}text`, `"${words(random, 10)}!"@en`])
  }
}

type Copy = {readonly work: number; readonly copy: number; readonly sizes: Sizes; readonly isPopular: boolean}

function addCopy(context: Context, {work, copy, sizes, isPopular}: Copy): void {
  const {random} = context
  const subject = `copy/${work}-${copy}`
  add(context, 'copies', [subject, `${lib}copyOf`, `${base}opus/${work}`])
  add(context, 'copies', [subject, `${lib}heldBy`, `${base}branch/${random.popular(sizes.branches)}`])
  add(context, 'copies', [subject, `${lib}barcode`, `"B${String(work * 16 + copy).padStart(9, '0')}"`])
  add(context, 'copies', [subject, `${lib}price`, literal((random.between(300, 9000) / 100).toFixed(2), 'decimal')])
  for (let loan = random.below(isPopular ? 20 : 4); loan > 0; loan -= 1) {
    const [node, year] = [`loan/${work}-${copy}-${loan}`, random.between(2019, 2025)]
    const start = day(random, year)
    const say = (predicate: string, object: string) => add(context, `loans/${year}`, [node, predicate, object])
    say(`${lib}lends`, `${base}${subject}`)
    say(`${lib}to`, `${base}patron/${random.popular(sizes.patrons)}`)
    say(`${lib}from`, literal(`${start}T${pad(random.between(9, 18))}:${pad(random.below(60))}:00Z`, 'dateTime'))
    if (year < 2025 || random.chance(0.4)) say(`${lib}days`, literal(random.between(1, 60), 'integer'))
  }
}

/** Lines of N-Quads, approximately this many. */
export function catalogue(quads: number): readonly string[] {
  const context: Context = {random: createRandom(40_427), lines: []}
  const sizes = {
    concepts: Math.round(quads / 120),
    agents: Math.round(quads / 60),
    patrons: Math.round(quads / 100),
    branches: 24,
    sections: 40,
  }
  addConcepts(context, sizes)
  addAgents(context, sizes)
  for (let work = 0; context.lines.length < quads; work += 1) addWork(context, work, sizes)
  return context.lines
}
