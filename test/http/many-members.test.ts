/** Lists of any length: the cost of a member is measured by the pages that the database reads, not by time. */
import test from 'ava'
import {create, ldp} from '../support/documents.ts'
import {brokenInvariants, createAccessPoint, ex, rdf} from '../support/members.ts'
import {type TestService, useService} from '../support/service.ts'

const relation = `${ex}participant`
const inverse = `${ex}participatesIn`
const many = 50_000
const type = `${rdf}type`
const resource = `${ldp}RDFSource`
const in1 = `${ldp}isMemberOfRelation`

/** Creates members by SQL: documents below one parent, in the list of a container document, with the inverse. */
async function fill({database}: TestService, container: string, parent: string): Promise<void> {
  await database.database.query(
    `with iri as (select $2 || 'm' || n || '/' as iri from generate_series(1, ${many}) as n),
          ids as (select quadstead.intern_terms(array_agg('I' || iri)) as ids from iri),
          list as (select unnest(ids) as id from ids),
          keeper as (select id from quadstead.term where lex = $1),
          parent as (select id from quadstead.term where lex = $2),
          relation as (select unnest(quadstead.intern_terms(array['I' || $3, 'I' || $4])) as id),
          added as (insert into quadstead.document (id, parent, created, modified, has_member_relation, member_by)
            select list.id, parent.id, now(), now(), quadstead.ldp_member(), null from list, parent)
     insert into quadstead.quad (g, s, p, o)
     select keeper.id, keeper.id, (select min(id) from relation), list.id from keeper, list
      union all
     select list.id, list.id, (select max(id) from relation), keeper.id from keeper, list`,
    [container, parent, relation, inverse],
  )
  await database.database.query('analyze')
}

/** Pages that a statement reads in the second of two runs, both rolled back; the first fills the caches of plans. */
async function pagesOf({database}: TestService, statement: string, values: readonly string[]): Promise<number> {
  const text = values.reduceRight((all, value, index) => all.replaceAll(`$${index + 1}`, `'${value}'`), statement)
  let pages = Number.NaN
  await database.database
    .begin('read committed', async transaction => {
      await transaction.query('savepoint first')
      await transaction.query(text)
      await transaction.query('rollback to savepoint first')
      const [row] = await transaction.query<{'QUERY PLAN': [{Plan: Record<string, number>}]}>(
        `explain (analyze, buffers, format json) ${text}`,
      )
      const plan = row?.['QUERY PLAN'][0].Plan ?? {}
      pages = (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0)
      throw new Error('roll back')
    })
    .catch(error => {
      if (!(error instanceof Error) || error.message !== 'roll back') throw error
    })
  return pages
}

test('a member costs the same in a list of 50,000 as in an empty one, one way and both ways', async t => {
  const service = await useService(t)
  const [container, empty, people] = await Promise.all(
    ['container', 'empty', 'people'].map(slug => create(t, service, {slug})),
  )
  if (container === undefined || empty === undefined || people === undefined) throw new Error('nothing was created')
  const extra = await create(t, service, {slug: 'extra'})
  await fill(service, container.iri, people.iri)
  const points = await Promise.all(
    [container, empty].flatMap(({path: parent}) => [
      createAccessPoint(t, service, {parent, slug: 'one-way', relation}),
      createAccessPoint(t, service, {parent, slug: 'both-ways', relation, inverse}),
      createAccessPoint(t, service, {parent, slug: 'guests', relation: `${ex}guest`}),
    ]),
  )
  await service.database.database.query('vacuum analyze')

  const add = (iri: string, member: string) =>
    pagesOf(service, 'select quadstead.add_members($1, null, null, null, array[$2])', [iri, member])
  const remove = (iri: string, member: string) =>
    pagesOf(service, 'select quadstead.remove_members($1, null, null, null, array[$2])', [iri, member])
  const create1 = (iri: string) =>
    pagesOf(service, "select quadstead.create_document($1 || 'child/', $1, '{}', '{}', '{}', '{}')", [iri])
  const removeAll = (iri: string) =>
    pagesOf(service, 'select quadstead.remove_members($1, null, null, null, null)', [iri])
  const patchOf = (iri: string, property: string, value: string) =>
    pagesOf(
      service,
      `select quadstead.patch_document($1, null, null, null, array['I' || $1, 'I${property}', 'I${value}'],
        '{}', '{}', '{}', '{1}', '{2}', '{3}')`,
      [iri],
    )
  const patch1 = (iri: string) =>
    pagesOf(
      service,
      `select quadstead.patch_document($1, null, null, null, array['I' || $1, 'Ihttp://x.example/p'],
        '{}', '{}', '{}', '{1}', '{2}', '{2}')`,
      [iri],
    )
  const [longOne = '', longBoth = '', longGuests = '', shortOne = '', shortBoth = '', shortGuests = ''] = points.map(
    point => point.iri,
  )
  const costs: (readonly [what: string, long: number, short: number])[] = [
    ['add', await add(longOne, extra.iri), await add(shortOne, extra.iri)],
    ['add both ways', await add(longBoth, extra.iri), await add(shortBoth, extra.iri)],
    ['add again', await add(longBoth, `${people.iri}m7/`), await add(shortBoth, extra.iri)],
    ['remove', await remove(longOne, `${people.iri}m7/`), await remove(shortOne, `${people.iri}m7/`)],
    ['remove both ways', await remove(longBoth, `${people.iri}m7/`), await remove(shortBoth, `${people.iri}m7/`)],
    ['post', await create1(longBoth), await create1(shortBoth)],
    ['patch', await patch1(container.iri), await patch1(empty.iri)],
  ]

  costs.push(
    ['remove all of another list', await removeAll(longGuests), await removeAll(shortGuests)],
    ['patch a type', await patchOf(container.iri, type, resource), await patchOf(empty.iri, type, resource)],
    ['patch the inverse', await patchOf(container.iri, in1, inverse), await patchOf(empty.iri, in1, inverse)],
  )

  for (const [what, long, short] of costs) t.true(long < 2 * short + 100, `${what}: ${long} pages, ${short} when empty`)
  t.deepEqual(
    (await brokenInvariants(service)).filter(row => !/service-triples-kept/.test(JSON.stringify(row))),
    [],
  )
})
