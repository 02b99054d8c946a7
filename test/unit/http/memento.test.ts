/** What a request asks of a document's history. */
import test from 'ava'
import {readAcceptDatetime, readHistoryQuery} from '../../../src/http/memento.ts'

test('the query of a URL names a state, the list, a difference or a restoration', t => {
  const cases = [
    [undefined, undefined],
    ['', undefined],
    ['after=12', undefined],
    ['view=states', undefined],
    ['state=12', {kind: 'state', tag: '12'}],
    ['states', {kind: 'states', under: undefined}],
    ['states=&before=7', {kind: 'states', under: '7'}],
    ['difference=1', {kind: 'difference', from: '1', to: undefined}],
    ['difference=1&to=2', {kind: 'difference', from: '1', to: '2'}],
    ['restore=3', {kind: 'restore', tag: '3'}],
  ] as const
  for (const [query, asked] of cases) t.deepEqual(readHistoryQuery(query), asked, query)
})

test('several questions, and what is no tag or position, are refused', t => {
  const cases = [
    ['state=1&states', 400, 'history-query'],
    ['state=', 404, 'state-exists'],
    ['state=-1', 404, 'state-exists'],
    ['restore=1x', 404, 'state-exists'],
    ['state=1234567890123456789', 404, 'state-exists'],
    ['difference=1&to=', 404, 'state-exists'],
    ['states&before=', 400, 'page-known'],
  ] as const
  for (const [query, status, rule] of cases)
    t.like(
      t.throws(() => readHistoryQuery(query)),
      {status, rule},
      query,
    )
})

test('Accept-Datetime is one HTTP date, and means the end of its second', t => {
  const now = Date.parse('2026-11-23T00:00:00Z')

  t.is(readAcceptDatetime([], now), undefined)
  t.is(readAcceptDatetime(['Tue, 17 Nov 2026 09:30:00 GMT'], now)?.toISOString(), '2026-11-17T09:30:00.999Z')
  for (const values of [[''], ['now'], ['2026-11-17T09:30:00Z'], ['Tue, 17 Nov 2026 09:30:00 GMT', 'x']])
    t.like(
      t.throws(() => readAcceptDatetime(values, now)),
      {status: 400, rule: 'datetime-syntax'},
    )
})
