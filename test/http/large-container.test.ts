/**
 * A container with many children: reading it costs the same as reading an empty one, and pages list each child once.
 *
 * SCALE_TIMES multiplies the number of children.
 */
import test from 'ava'
import {create, ldp} from '../support/documents.ts'
import {startService, type TestService} from '../support/service.ts'

const times = Number(process.env.SCALE_TIMES ?? 1)
const children = 20_000 * times
let service: TestService

test.before(async () => {
  service = await startService()
})
test.after.always(() => service.stop())

/** Creates children directly in the store, with the same rows as POSTs would. */
async function fill(parent: string): Promise<void> {
  const {database} = service.database
  await database.begin('read committed', async transaction => {
    await transaction.script('set local search_path to quadstead; set local statement_timeout to 0')
    await transaction.query(
      `create temporary table made on commit drop as
       select made.id, parent.id as parent, date_trunc('milliseconds', clock_timestamp()) as at
         from unnest(intern_terms(array(
                select 'I' || $1 || 'child-' || n || '/' from generate_series(1, $2::int) as n))) as made (id)
        cross join term as parent
        where parent.hash = term_hash('I' || $1)`,
      [parent, children],
    )
    await transaction.script(`
      insert into document (id, parent, created, modified, has_member_relation, member_by)
      select id, parent, at, at, ldp_member(), ldp_member() from made order by id;
      insert into quad (g, s, p, o)
      select made.id, made.id, own.p, own.o
        from made
       cross join lateral (values
         (rdf_type(), platform_document()), (rdf_type(), ldp_rdf_source()), (rdf_type(), ldp_basic_container()),
         (platform_created(), inline_instant(at)), (platform_modified(), inline_instant(at)),
         (ldp_membership_resource(), made.id), (ldp_has_member_relation(), ldp_member()),
         (ldp_inserted_content_relation(), ldp_member_subject())) as own (p, o)
       order by 1, 3`)
  })
}

/** Pages of the store that a plain read touches, once plans and catalogue are warm. */
async function pagesRead(iri: string): Promise<number> {
  const read =
    'explain (analyze, buffers, format json) select * from quadstead.read_documents(array[$1], null, array[5000])'
  let pages = 0
  await service.database.database.begin('read committed', async transaction => {
    for (let time = 0; time < 3; time += 1) {
      const [row] = await transaction.query<{'QUERY PLAN': [{Plan: Record<string, number>}]}>(read, [iri])
      const plan = row?.['QUERY PLAN'][0].Plan ?? {}
      pages = (plan['Shared Hit Blocks'] ?? Number.NaN) + (plan['Shared Read Blocks'] ?? 0)
    }
  })
  return pages
}

test(`${children} children: a plain GET reads as many pages of the store as for a document without children`, async t => {
  t.timeout(110_000 * times)
  const empty = await create(t, service, {slug: 'childless'})
  const full = await create(t, service, {slug: 'crowded'})
  const before = (await service.send({path: full.path})).text

  await fill(full.iri)
  t.deepEqual(await service.database.database.query('select * from quadstead.check_store()'), [])

  const [crowded, childless] = [await pagesRead(full.iri), await pagesRead(empty.iri)]
  t.true(crowded > 0 && crowded < 100, `${crowded} pages`)
  t.true(Math.abs(crowded - childless) <= 6, `${crowded} pages with children, ${childless} without`)
  t.is((await service.send({path: full.path})).text, before)
  t.is((await service.send({path: full.path})).headers.etag, full.etag)

  const headers = {Prefer: `include="${ldp}PreferContainment"`, Accept: 'application/n-triples'}
  const found = new Set<string>()
  let listed = 0
  let pages = 0
  for (let next: string | undefined = full.path; next !== undefined; pages += 1) {
    const answer: Awaited<ReturnType<TestService['send']>> = await service.send({path: next, headers})
    for (const [, child = ''] of answer.text.matchAll(/ldp#contains> <([^>]*)>/g)) {
      found.add(child)
      listed += 1
    }
    next = /<([^>]*)>; rel="next"/.exec(String(answer.headers.link))?.[1]?.replace(service.base, '/')
  }
  t.deepEqual([listed, found.size, pages], [children, children, children / 1000])
  t.true(found.has(`${full.iri}child-1/`) && found.has(`${full.iri}child-${children}/`))
})
