/** The events of changes and their messages, as docs/changes.md describes them. */
import {readFileSync} from 'node:fs'
import test from 'ava'
import {type Change, type ChangeAction, changeActions} from '../../../src/db/store/changes.ts'
import {literal, namedNode} from '../../../src/rdf/term.ts'
import {platformVocabulary} from '../../../src/rdf/vocabulary.ts'
import {eventsOf, writeEvent} from '../../../src/web/broker/event.ts'

const page = readFileSync('docs/changes.md', 'utf8')
const [, section = ''] = /\n## Events\n(.*?)\n## /s.exec(page) ?? []
const root = 'http://localhost:8080/'
const platform = platformVocabulary('https://carbonldp.com/ns/v1/platform#')

const changeOf = (action: ChangeAction, more: Partial<Change> = {}): Change => ({
  position: '1',
  time: new Date(0),
  action,
  document: `${root}books/emma/`,
  oldDocument: action === 'moved' ? `${root}old/` : undefined,
  parent: `${root}books/`,
  isAccessPoint: false,
  isRawGraph: false,
  isLarge: false,
  memberBy: undefined,
  isRenamed: false,
  accessPoints: [],
  before: '1',
  after: '2',
  agent: undefined,
  request: undefined,
  added: [],
  removed: [],
  ...more,
})

const membership = (member: string) => ({
  subject: namedNode(`${root}books/emma/`),
  predicate: namedNode('http://e/p'),
  object: namedNode(member),
})
const modified = {
  subject: namedNode(`${root}books/emma/`),
  predicate: namedNode(platform.modified),
  object: literal('2026-11-21T09:30:00Z'),
}

const named = (change: Change) => eventsOf(change).map(({name, target}) => `${name} ${target}`)

test('each change has the events of the table', t => {
  const rows = section.matchAll(/^\| ((?:`[a-z-]+`(?:, )?)+) \| (.*) \|$/gm)
  const documented = new Map<string, readonly string[]>()
  for (const [, actions = '', events = ''] of rows)
    for (const [, action = ''] of actions.matchAll(/`([a-z-]+)`/g))
      documented.set(
        action,
        [...events.matchAll(/`([a-z-]+\.[a-z]+)`/g)].flatMap(([, name = '']) => name),
      )

  const members = {added: [membership(root), modified], removed: [membership(root), modified]}
  const found = new Map<string, readonly string[]>(
    changeActions
      .filter(action => action !== 'imported')
      .map(action => [action, eventsOf(changeOf(action, members)).map(({name}) => name)]),
  )
  const expected = new Map([...documented].filter(([action]) => action !== 'imported'))
  expected.set('created', ['child.created', 'document.created'])
  t.deepEqual(documented.get('created'), ['child.created', 'access-point.created', 'document.created'])
  t.deepEqual(Object.fromEntries(found), Object.fromEntries(expected))
})

test('targets are the documents that the table names', t => {
  const [parent, document] = [`${root}books/`, `${root}books/emma/`]
  t.deepEqual(named(changeOf('created', {before: undefined})), [
    `child.created ${parent}`,
    `document.created ${document}`,
  ])
  t.deepEqual(named(changeOf('created', {before: undefined, isAccessPoint: true}))[0], `access-point.created ${parent}`)
  t.deepEqual(named(changeOf('created', {parent: undefined})), [`document.created ${document}`])
  t.deepEqual(named(changeOf('moved')), [
    `document.deleted ${root}old/`,
    `child.created ${parent}`,
    `document.created ${document}`,
  ])
  t.deepEqual(named(changeOf('imported')), [`document.modified ${document}`])
  t.deepEqual(named(changeOf('imported', {before: undefined})).length, 2)
  t.deepEqual(eventsOf(changeOf('imported', {isRawGraph: true})), [])
})

test('members of one change are in messages of at most 500', t => {
  const added = Array.from({length: 1001}, (_, index) => membership(`${root}${index}/`))
  const events = eventsOf(changeOf('members-added', {added: [...added, modified]}))

  t.deepEqual(
    events.map(({about}) => about.length),
    [500, 500, 1],
  )
  t.deepEqual(
    events.flatMap(({about}) => about),
    added.map(({object}) => object.value),
  )
})

test('access points that keep the list have the events of its members', t => {
  const points = [`${root}books/emma/a/`, `${root}books/emma/b/`]
  const added = Array.from({length: 501}, (_, index) => membership(`${root}${index}/`))
  const events = eventsOf(changeOf('members-added', {added, accessPoints: points}))

  t.deepEqual(
    events.map(({name, target, about}) => [name, target, about.length]),
    [`${root}books/emma/`, ...points].flatMap(target => [
      ['member.added', target, 500],
      ['member.added', target, 1],
    ]),
  )
})

test('the message of the page is the one of a new child', t => {
  const [, example = ''] = /```json\n(.*?)```/s.exec(section) ?? []
  const [event] = eventsOf(changeOf('created', {before: undefined}))

  t.deepEqual(event && JSON.parse(writeEvent(event, platform)), JSON.parse(example))
})
