/**
 * The management of datasets over HTTP: /.system/datasets and /.system/datasets/<name>.
 *
 * For operators of the service only, who send a key of their own. Grants of a dataset say nothing about other datasets,
 * so no agent of a dataset may use these endpoints. docs/datasets.md describes the JSON.
 */
import type {Context} from 'koa'
import {excerpt, excerptOfJson} from '../../base/excerpt.ts'
import {Problem} from '../../base/problem.ts'
import {decodeBody} from '../../format/registry.ts'
import {readBody} from '../../http/body.ts'
import {readMediaType} from '../../http/media-type.ts'
import {nameRoute} from '../server/request-record.ts'

/** A dataset as operators see it: without the password of its database. */
export type ShownDataset = Readonly<Record<string, unknown>> & {readonly name: string}

export type DatasetRequest = {
  readonly name: string
  readonly base: string
  readonly schema: string | undefined // undefined: made from the name
  readonly databaseUrl: string | undefined // undefined: the database of the registry
  readonly readUrl: string | undefined // of replicas of that database; undefined: none
  readonly settings: Readonly<Record<string, string>>
}

export type DatasetChange = {
  readonly name?: string
  readonly state?: 'served' | 'paused'
  readonly settings?: Readonly<Record<string, string | null>> // null: back to that of the service
}

/** Each throws Problem 404 `dataset-known`, 409 `dataset-name-free` and others, 422 `dataset-usable`. */
export type DatasetOffice = {
  readonly list: () => Promise<readonly ShownDataset[]>
  readonly show: (name: string) => Promise<ShownDataset>
  readonly add: (request: DatasetRequest) => Promise<ShownDataset>
  readonly change: (name: string, change: DatasetChange) => Promise<ShownDataset>
  /** The service stops serving it. Its data stay in their schema. */
  readonly remove: (name: string) => Promise<void>
  readonly isOperator: (key: string) => Promise<boolean>
}

export const datasetsPath = '/.system/datasets'

const limitBytes = 2 ** 18
const timeoutMs = 10_000
const requestFields = ['name', 'base', 'schema', 'databaseUrl', 'readUrl', 'settings']
const changeFields = ['name', 'state', 'settings']

export function isOfDatasets(path: string): boolean {
  return path === datasetsPath || path.startsWith(`${datasetsPath}/`)
}

/**
 * Answers a request of an operator to these endpoints.
 *
 * @throws  Problem 400 `dataset-shape`, `json-syntax` · 404 · 405 `method-allowed` · 409 · 415 · 422
 */
export async function answerDatasets(office: DatasetOffice, context: Context): Promise<void> {
  nameRoute(context.req, 'datasets')
  context.set('Cache-Control', 'no-store')
  if (context.path === datasetsPath) return answerAll(office, context)
  return answerOne(office, context, context.path.slice(datasetsPath.length + 1))
}

/** @throws  Problem 401 `authentication-required`, `credentials-valid` */
export async function requireOperator(
  {isOperator}: Pick<DatasetOffice, 'isOperator'>,
  context: Context,
): Promise<void> {
  const {authorization} = context.req.headers
  const headers = {'WWW-Authenticate': 'Bearer realm="quadstead"'}
  if (authorization === undefined)
    throw new Problem(401, 'authentication-required', 'This is for operators of the service: send their key.', {
      headers,
    })
  const [, key = ''] = /^bearer +(\S+) *$/i.exec(authorization) ?? []
  if (!(await isOperator(key)))
    throw new Problem(401, 'credentials-valid', 'The credentials cannot be accepted: they are no key of an operator.', {
      headers,
    })
}

async function answerAll(office: DatasetOffice, context: Context): Promise<void> {
  switch (context.method) {
    case 'GET':
    case 'HEAD':
      return answerJson(context, 200, {datasets: await office.list()})
    case 'POST': {
      const added = await office.add(readRequest(await readObject(context)))
      context.set('Location', `${datasetsPath}/${added.name}`)
      return answerJson(context, 201, added)
    }
    default:
      throw notAllowed(context, 'GET, HEAD, POST')
  }
}

async function answerOne(office: DatasetOffice, context: Context, name: string): Promise<void> {
  switch (context.method) {
    case 'GET':
    case 'HEAD':
      return answerJson(context, 200, await office.show(name))
    case 'PATCH':
      return answerJson(context, 200, await office.change(name, readChange(await readObject(context))))
    case 'DELETE':
      await office.remove(name)
      context.status = 204
      return
    default:
      throw notAllowed(context, 'GET, HEAD, PATCH, DELETE')
  }
}

function answerJson(context: Context, status: number, value: unknown): void {
  context.status = status
  context.type = 'application/json'
  context.body = `${JSON.stringify(value)}\n`
}

function notAllowed({method, path}: Context, allowed: string): Problem {
  return new Problem(405, 'method-allowed', `${method} is not possible on ${path}.`, {headers: {Allow: allowed}})
}

type Fields = Readonly<Record<string, unknown>>

/** @throws  Problem 400 `content-type-given`, `json-syntax`, `dataset-shape` · 415 `media-type-known` */
async function readObject({req}: Context): Promise<Fields> {
  const type = req.headers['content-type']
  const headers = {Accept: 'application/json'}
  if (type === undefined)
    throw new Problem(400, 'content-type-given', 'Datasets need the Content-Type application/json.', {headers})
  if (!/^application\/(?:merge-patch\+)?json$/.test(readMediaType(type).essence))
    throw new Problem(415, 'media-type-known', 'Datasets are written in application/json.', {headers})
  const {'content-encoding': contentEncoding, 'content-length': contentLength} = req.headers
  const bytes = await readBody(req, {limitBytes, timeoutMs, contentEncoding, contentLength})
  try {
    const value: unknown = JSON.parse(decodeBody(bytes))
    if (isObject(value)) return value
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw new Problem(400, 'json-syntax', `The body is not JSON: ${excerpt(error.message)}.`, {cause: error})
  }
  throw shape('it is not a JSON object')
}

function readRequest(given: Fields): DatasetRequest {
  refuseUnknown(given, requestFields)
  const settings = settingsOf(given)
  const nulls = Object.entries(settings).flatMap(([name, value]) => (value === null ? [name] : []))
  if (nulls.length > 0) throw shape(`the setting ${nulls[0]} is null`)
  return {
    name: textOf(given, 'name') ?? '',
    base: textOf(given, 'base') ?? '',
    schema: textOf(given, 'schema'),
    databaseUrl: textOf(given, 'databaseUrl'),
    readUrl: textOf(given, 'readUrl'),
    settings: settings as DatasetRequest['settings'],
  }
}

function readChange(given: Fields): DatasetChange {
  refuseUnknown(given, changeFields)
  const [name, state] = [textOf(given, 'name'), textOf(given, 'state')]
  if (state !== undefined && state !== 'served' && state !== 'paused')
    throw shape(`"state" must be served or paused, not ${excerptOfJson(state)}`)
  return {
    ...(name === undefined ? {} : {name}),
    ...(state === undefined ? {} : {state}),
    ...(given.settings === undefined ? {} : {settings: settingsOf(given)}),
  }
}

function refuseUnknown(given: Fields, known: readonly string[]): void {
  const unknown = Object.keys(given).find(name => !known.includes(name))
  if (unknown !== undefined) throw shape(`"${excerpt(unknown)}" is not one of ${known.join(', ')}`)
}

function textOf(given: Fields, name: string): string | undefined {
  const value = given[name]
  if (value === undefined) return undefined
  if (typeof value !== 'string' || value.includes('\0')) throw shape(`"${name}" must be a string`)
  return value
}

/** Settings are texts, as in the environment. A number is written as JSON writes it. */
function settingsOf({settings = {}}: Fields): Readonly<Record<string, string | null>> {
  if (!isObject(settings)) throw shape('"settings" must be an object')
  return Object.fromEntries(
    Object.entries(settings).map(([name, value]) => {
      if (value === null || (typeof value === 'string' && !value.includes('\0'))) return [name, value]
      if (typeof value === 'number') return [name, String(value)]
      throw shape(`the setting ${excerpt(name)} must be a string`)
    }),
  )
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function shape(reason: string): Problem {
  return new Problem(400, 'dataset-shape', `The request is not valid: ${reason}.`)
}
