/**
 * `quadstead hooks`: adds, lists, retries and removes webhooks.
 *
 * It checks no permission: anyone who can connect to the database may run it.
 */
import {Problem} from '../base/problem.ts'
import {Refusal} from '../base/refusal.ts'
import {recordWebhooks} from '../datasets/named.ts'
import {type ChangeAction, changeActions, readChangeRange} from '../db/store/changes.ts'
import {openSession} from '../db/store/create-session.ts'
import {storedBase} from '../db/store/dataset.ts'
import type {Session} from '../db/store/session.ts'
import {
  addWebhook,
  type ListedWebhook,
  listWebhooks,
  type NewWebhook,
  removeWebhook,
  retryWebhook,
} from '../db/store/webhooks.ts'
import {makeSecret, showSecret} from '../hooks/signature.ts'
import {isAbsoluteIri} from '../rdf/iri.ts'
import type {Iri} from '../rdf/term.ts'
import type {Config} from '../settings/config.ts'
import {openStorage} from '../storage.ts'
import {type Arguments, type Command, complain, isOptionGiven, print, textOption} from './command.ts'
import {requireSchema} from './schema.ts'

export const hooksCommand: Command = {
  name: 'hooks',
  summary: 'URLs to which changes are posted: add, list, remove, retry',
  usage:
    'add URL [--under DOCUMENT] [--action ACTION,…] [--as AGENT [--group NAME]…] [--after POSITION] | list | ' +
    'remove ID | retry ID [--skip]',
  options: {
    under: {type: 'string'},
    action: {type: 'string'},
    as: {type: 'string'},
    group: {type: 'string', multiple: true},
    after: {type: 'string'},
    skip: {type: 'boolean'},
  },
  operands: {least: 1, most: 2},
  help: `The service posts each change to the URL as JSON, in order, until the URL answers with a status from 200 to
299. A change can arrive twice; its webhook-id is then the same. The messages are signed (Standard Webhooks). The secret
for that is shown once, by "add".

  --under DOCUMENT   only changes of this document and those below it: its IRI, or its path below the root
  --action ACTION    only these changes, separated by commas: ${changeActions.slice(0, 5).join(', ')},
                     ${changeActions.slice(5).join(', ')}
  --as AGENT         only changes that this agent (an IRI) may read; without it all changes
  --group NAME       a group that the agent is in; may be repeated
  --after POSITION   begin after this position of the change log; without it, with the next change
  --skip             leave out the change that failed, and go on with the next one

list     shows each webhook's state: active, dead (WEBHOOK_ATTEMPTS failed in a row, or the next changes have expired),
         or gone (the URL answered 410). Dead and gone ones post nothing
retry    lets a webhook go on at once, from the change that failed

Examples:
  quadstead hooks add https://example.org/quadstead --under /projects/ --action created,deleted
  quadstead hooks add https://example.org/quadstead --as https://example.org/people/ada#me
  quadstead hooks list
  quadstead hooks retry 3 --skip
  quadstead hooks remove 3`,
  run: hooks,
}

const lines = 'Expected arguments: "add URL", "list", "remove ID", or "retry ID".'

async function hooks(config: Config, parameters: Arguments): Promise<number> {
  const [action, operand] = parameters.operands
  if ((action === 'list') !== (operand === undefined)) throw new Refusal(lines, {exitCode: 2})
  const {schema} = config.database
  const storage = await openStorage(config, 'command')
  try {
    await requireSchema(storage.database, schema)
    const session = await openSession(storage.database, schema)
    const target = {session, base: (await storedBase(storage.database, schema)) ?? '', schema}
    await run(target, action ?? '', {operand: operand ?? '', parameters})
    if (action === 'add' || action === 'retry') await recordWebhooks(config, textOption(parameters, 'dataset'))
    return 0
  } catch (error) {
    throw error instanceof Problem && error.status < 500 ? new Refusal(error.message, {cause: error}) : error
  } finally {
    await storage.close()
  }
}

type Target = {readonly session: Session; readonly base: Iri; readonly schema: string}
type Line = {readonly operand: string; readonly parameters: Arguments}

async function run(target: Target, action: string, {operand, parameters}: Line): Promise<void> {
  const {session} = target
  switch (action) {
    case 'add':
      return add(target, await readHook(target, operand, parameters))
    case 'list':
      for (const hook of await listWebhooks(session)) print(lineOf(hook))
      return
    case 'remove':
      return removeWebhook(session, readId(operand))
    case 'retry':
      return retryWebhook(session, readId(operand), isOptionGiven(parameters, 'skip'))
    default:
      throw new Refusal(lines, {exitCode: 2})
  }
}

async function add({session}: Target, hook: Omit<NewWebhook, 'secret'>): Promise<void> {
  const secret = makeSecret()
  const id = await addWebhook(session, {...hook, secret})
  complain(`Webhook ${id}. This is the only time that its secret is shown:`)
  print(showSecret(secret))
}

async function readHook(target: Target, url: string, parameters: Arguments): Promise<Omit<NewWebhook, 'secret'>> {
  const {session, schema} = target
  const agent = textOption(parameters, 'as') ?? null
  const {group = []} = parameters.values
  const groups = Array.isArray(group) ? group.map(String) : []
  if (agent !== null && (!isAbsoluteIri(agent) || /\s/.test(agent)))
    throw new Refusal(`--as must be an absolute IRI, got "${agent}".`)
  if (agent === null && groups.length > 0) throw new Refusal('--group needs --as: a group has agents.')
  const {last, oldest, isOn} = await readChangeRange(session.database, schema)
  if (!isOn) throw new Refusal('Changes are not logged here (CHANGES=off), so there is nothing to post.')
  const after = textOption(parameters, 'after') ?? last
  if (!/^\d{1,18}$/.test(after) || BigInt(after) < BigInt(oldest) || BigInt(after) > BigInt(last))
    throw new Refusal(`--after must be a position of the log, from ${oldest} to ${last}, got "${after}".`)
  return {
    url: readUrl(url),
    agent,
    groups,
    under: readUnder(target, textOption(parameters, 'under')),
    actions: readActions(textOption(parameters, 'action')),
    after,
  }
}

function readUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    throw new Refusal(`A URL is http:// or https://, without user and password; got "${text}".`)
  url.hash = ''
  return url.href
}

function readUnder({base}: Target, text: string | undefined): Iri | null {
  if (text === undefined) return null
  const iri = text.startsWith('/') ? base + text.slice(1) : text
  if (!iri.startsWith(base) || !iri.endsWith('/'))
    throw new Refusal(`--under must be a document below <${base}>, which ends with a slash; got "${text}".`)
  return iri
}

function readActions(text: string | undefined): readonly ChangeAction[] | null {
  if (text === undefined) return null
  return text.split(',').map(name => {
    const action = changeActions.find(known => known === name)
    if (action === undefined) throw new Refusal(`--action must be of ${changeActions.join(', ')}; got "${name}".`)
    return action
  })
}

function readId(text: string): string {
  if (!/^[1-9]\d{0,17}$/.test(text))
    throw new Refusal(`An ID is a number that "quadstead hooks list" shows, not "${text}".`)
  return text
}

function lineOf(hook: ListedWebhook): string {
  const {id, url, state, position, agent, groups, under, actions, failures, last_delivery, last_reason} = hook
  const isWaiting = state === 'active' && failures > 0
  return [
    id,
    state,
    url,
    `after ${position}`,
    ...(under === null ? [] : [`under ${under}`]),
    ...(actions === null ? [] : [actions.join(',')]),
    ...(agent === null ? [] : [`as ${agent}`]),
    ...groups.map(group => `group ${group}`),
    last_delivery === null ? 'delivered nothing yet' : `delivered ${last_delivery.toISOString()}`,
    ...(failures === 0 && state === 'active' ? [] : [`${failures} failed: ${last_reason ?? 'unknown'}`]),
    ...(isWaiting ? [`again ${hook.next_attempt.toISOString()}`] : []),
  ].join('  ')
}
