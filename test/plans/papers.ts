/**
 * A store of documents: nested folders, papers with sections as fragments, versions, authors and references, and parts
 * that are members by a relation of their own. Includes the triples that the service adds.
 */
import {createRandom, type Random} from '../support/random.ts'

const rdf = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#'
const ldp = 'http://www.w3.org/ns/ldp#'
const xsd = 'http://www.w3.org/2001/XMLSchema#'
const platform = 'https://carbonldp.com/ns/v1/platform#'
const own = 'http://example.org/papers#'
const root = 'http://localhost:8080/'
const perPaper = 47 // quads, including its parts
const states = ['draft', 'review', 'final', 'void'] as const

type Triple = readonly [predicate: string, object: string, subject?: string]

export function* papers(quads: number): Generator<string> {
  const random = createRandom(27_182_818)
  const count = Math.max(20, Math.round(quads / perPaper))
  const folders: string[] = []
  const typed = (value: string | number, type: string) => `"${value}"^^<${xsd}${type}>`
  yield* document(random, root, [[`${own}title`, '"papers"']])
  const authors = Math.ceil(count / 12)
  yield* document(random, `${root}authors/`, [])
  for (let n = 0; n < authors; n += 1) {
    yield* document(random, `${root}authors/a${n}/`, [
      [`${rdf}type`, `<${own}Author>`],
      [`${own}name`, `"author ${n}"`],
      [`${own}group`, `<${own}group/${n % 25}>`],
    ])
  }
  for (let n = 0; n < Math.ceil(count / 15); n += 1) {
    const parent = n < 3 ? root : (folders[random.popular(folders.length)] ?? root)
    const folder = `${parent}f${n}/`
    folders.push(folder)
    yield* document(random, folder, [[`${rdf}type`, `<${own}Folder>`]])
  }
  const names: string[] = []
  for (let n = 0; n < count; n += 1) {
    const place = random.popular(folders.length)
    const name = `${folders[place] ?? root}p${n}/`
    const state = random.chance(0.8) ? states[place % 3] : states[random.below(4)]
    const triples: Triple[] = [
      [`${rdf}type`, `<${own}Paper>`],
      [`${own}title`, `"paper ${n}"@en`],
      [`${own}state`, `"${state}"`],
      [`${own}year`, typed(1990 + Math.floor((n / count) * 30) + random.below(4), 'integer')],
      [`${own}pages`, typed(1 + random.popular(200), 'integer')],
    ]
    for (let more = random.between(1, 4); more > 0; more -= 1)
      triples.push([`${own}author`, `<${root}authors/a${random.popular(authors)}/>`])
    for (let more = random.popular(6); more > 0 && n > 0; more -= 1)
      triples.push([`${own}cites`, `<${names[random.popular(n)] ?? name}>`])
    if (n > 0 && random.chance(0.3)) triples.push([`${own}replaces`, `<${names[n - 1] ?? name}>`])
    for (let section = 1; section <= random.below(4); section += 1) {
      triples.push([`${own}section`, `<${name}#s${section}>`])
      triples.push([`${own}heading`, `"section ${section}"`, `<${name}#s${section}>`])
      triples.push([`${own}length`, typed(random.popular(5000), 'integer'), `<${name}#s${section}>`])
    }
    names.push(name)
    yield* document(random, name, triples, `${own}part`)
    for (let part = random.popular(4); part > 0; part -= 1)
      yield* document(random, `${name}x${part}/`, [
        [`${rdf}type`, `<${own}Figure>`],
        [`${own}size`, typed(random.popular(100_000), 'integer')],
      ])
  }
}

function* document(random: Random, name: string, own: readonly Triple[], relation = `${ldp}member`): Generator<string> {
  const created = Date.UTC(2019, 0, 1) + random.below(5 * 365 * 24 * 3600) * 1000
  const at = (ms: number) => `"${new Date(ms).toISOString()}"^^<${xsd}dateTime>`
  const triples: readonly Triple[] = [
    [`${rdf}type`, `<${platform}Document>`],
    [`${rdf}type`, `<${ldp}RDFSource>`],
    [`${rdf}type`, `<${ldp}BasicContainer>`],
    [`${platform}created`, at(created)],
    [`${platform}modified`, at(created + random.popular(9_000_000) * 1000)],
    [`${ldp}membershipResource`, `<${name}>`],
    [`${ldp}hasMemberRelation`, `<${relation}>`],
    [`${ldp}insertedContentRelation`, `<${ldp}MemberSubject>`],
    ...own,
  ]
  for (const [p, o, s] of triples) yield `${s ?? `<${name}>`} <${p}> ${o} <${name}> .\n`
}
