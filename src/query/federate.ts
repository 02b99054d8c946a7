/**
 * Evaluates the SERVICE patterns of a query and replaces each with a table of its solutions.
 *
 * If a SERVICE is joined with a local pattern, its partner, the partner is evaluated first. Its solutions are sent with
 * the request in parts (a bound join), unless there are too many. sparql/analyse/services.ts finds the partner. Blank
 * nodes of an answer are new. With SILENT, a failure yields one empty solution.
 * Source: SPARQL 1.1 Federated Query §2.4, §3.
 */
import {Problem} from '../base/problem.ts'
import {startStopwatch} from '../base/stopwatch.ts'
import type {Transaction} from '../db/connection/pool.ts'
import {findIds, readRows} from '../db/query/rows.ts'
import {packLiteral} from '../rdf/inline.ts'
import {type Iri, namedNode, type Term} from '../rdf/term.ts'
import {termKey} from '../rdf/term-key.ts'
import {type Algebra, isNamed, type Query, type TableColumn} from '../sparql/algebra.ts'
import {findServices, replaceNode, type Service, type ServiceCall} from '../sparql/analyse/services.ts'
import {certainVariables, possibleVariables} from '../sparql/analyse/variables.ts'
import {withConstants} from '../sparql/compile.ts'
import {type Bindings, writeSelect} from '../sparql/print/sparql-text.ts'
import {createDecoder, decodeRows, termColumnsOf} from './decode.ts'
import {defaultHeldLimits} from './held-limits.ts'
import {planIn, statementOf, uncached} from './plans.ts'
import {askEndpoint, type Federation, type RemoteAllowance} from './remote-endpoint.ts'
import type {QueryRun} from './state.ts'

export type FederationOptions = {
  readonly run: QueryRun
  readonly federation: Federation
  readonly transaction: Transaction // evaluates the partners
}

const boundMax = 5000 // solutions of a partner; with more, the request is sent without any
const partRows = 250

/**
 * Evaluates all SERVICE patterns of a query.
 *
 * @throws  Problem 400 `service-bound`, 403 `service-allowed`, 502 `service-failed`, 504 `service-timeout`,
 *          422 `service-limit`; SERVICE SILENT throws none of them
 */
export async function answerServices(options: FederationOptions): Promise<Query> {
  const {run, federation} = options
  const {timeoutMs} = run.process
  const {query} = run.query.prepared
  const allowance: RemoteAllowance = {
    bytes: federation.limitBytes,
    rows: federation.limitRows,
    limitMs: timeoutMs,
    timeout: timeoutMs === 0 ? undefined : AbortSignal.timeout(timeoutMs),
    gone: run.request.signal,
  }
  let made = 0
  const freshLabel = () => `s${made++}`
  let current = query
  for (;;) {
    const calls = findServices(current.pattern)
    const call = calls.find(isReady) ?? calls[0]
    if (call === undefined) return current
    const solutions = await answerCall(call, query, {...options, allowance, freshLabel})
    const table = await tableOf(solutions, options)
    current = {...current, pattern: replaceNode(current.pattern, call.service, table)}
  }
}

function isReady({service, partner}: ServiceCall): boolean {
  const {name} = service
  if (name.termType === 'NamedNode') return true
  return partner !== undefined && certainVariables(partner).has(name.value)
}

type CallOptions = FederationOptions & {readonly allowance: RemoteAllowance; readonly freshLabel: () => string}
type Solutions = {
  readonly variables: readonly string[]
  readonly rows: readonly (readonly (Term | undefined)[])[]
}

/** The result of a SILENT service that fails: one solution that is compatible with every other. */
const oneEmpty: Solutions = {variables: [], rows: [[]]}

async function answerCall(call: ServiceCall, query: Query, options: CallOptions): Promise<Solutions> {
  const {service, partner} = call
  const {name} = service
  if (name.termType === 'NamedNode') {
    return orSilent(service, oneEmpty, async () => {
      const bindings = partner && (await bindingsOf(partner, service, query, options))
      return ask(service, name.value, bindings, options)
    })
  }
  if (partner === undefined || !isReady(call)) return orSilent(service, oneEmpty, () => refuseUnbound(name.value))
  const bindings = await bindingsOf(partner, service, query, options)
  return askEach(service, name.value, bindings, options)
}

async function refuseUnbound(name: string): Promise<never> {
  const message = `No endpoint is known for SERVICE ?${name}: nothing that it is joined with binds ?${name}.`
  throw new Problem(400, 'service-bound', message)
}

async function orSilent({isSilent}: Service, otherwise: Solutions, work: () => Promise<Solutions>): Promise<Solutions> {
  if (!isSilent) return work()
  return work().catch((error: unknown) => {
    if (error instanceof Problem && error.rule.startsWith('service-')) return otherwise
    throw error
  })
}

/** SERVICE ?v: asks each endpoint that the partner binds, with the solutions that bind it. */
async function askEach(
  service: Service,
  variable: string,
  bindings: PartnerBindings,
  options: CallOptions,
): Promise<Solutions> {
  const place = bindings.variables.indexOf(variable)
  if (place < 0) {
    return orSilent(service, oneEmpty, () => refuseUnbound(variable))
  }
  const endpoints = new Map(bindings.rows.map(row => [termKey(row[place] ?? namedNode('')), row[place]]))
  const parts: Solutions[] = []
  for (const [key, endpoint] of endpoints) {
    if (endpoint === undefined) continue
    const own = {...bindings, rows: bindings.rows.filter(row => termKey(row[place] ?? namedNode('')) === key)}
    const {variables, rows} = await orSilent(service, oneEmpty, async () => {
      if (endpoint.termType === 'NamedNode') return ask(service, endpoint.value, own, options)
      throw new Problem(400, 'service-bound', `?${variable} is bound to ${endpoint.value}, which is no IRI.`)
    })
    const others = variables.filter(name => name !== variable)
    parts.push({
      variables: [variable, ...others],
      rows: rows.map(row => [endpoint, ...others.map(name => row[variables.indexOf(name)])]),
    })
  }
  const variables = [...new Set([variable, ...parts.flatMap(part => part.variables)])]
  return {
    variables,
    rows: parts.flatMap(part => part.rows.map(row => variables.map(name => row[part.variables.indexOf(name)]))),
  }
}

type PartnerBindings = Bindings & {readonly isCut: boolean} // there are more solutions, so these restrict nothing

async function ask(
  {input}: Service,
  endpoint: Iri,
  bindings: PartnerBindings | undefined,
  {federation, allowance, freshLabel}: CallOptions,
): Promise<Solutions> {
  const variables = [...possibleVariables(input)].filter(isNamed)
  const rows: (readonly (Term | undefined)[])[] = []
  for (const part of partsOf(bindings, variables)) {
    const text = writeSelect(input, variables, part)
    const labels = new Map<string, Term>()
    const own = (term: Term | undefined): Term | undefined => {
      if (term?.termType !== 'BlankNode') return term
      const fresh = labels.get(term.value) ?? {termType: 'BlankNode', value: freshLabel()}
      labels.set(term.value, fresh)
      return fresh
    }
    const found = await askEndpoint(federation, {endpoint, text, variables}, allowance)
    for (const row of found) rows.push(row.map(own))
  }
  return {variables, rows}
}

/** The bindings of the variables that the service uses, in parts; undefined is one request without bindings. */
function partsOf(
  bindings: PartnerBindings | undefined,
  variables: readonly string[],
): readonly (Bindings | undefined)[] {
  if (bindings === undefined) return [undefined]
  if (bindings.rows.length === 0) return [] // nothing to join with
  const isSent = (place: number) =>
    variables.includes(bindings.variables[place] ?? '') &&
    bindings.rows.every(row => row[place]?.termType !== 'BlankNode') // blank nodes mean nothing to another endpoint
  const places = [...bindings.variables.keys()].filter(isSent)
  if (bindings.isCut || places.length === 0) return [undefined]
  const rows = bindings.rows.map(row => places.flatMap(place => row[place] ?? []))
  const different = [...new Map(rows.map(row => [JSON.stringify(row.map(termKey)), row])).values()]
  const names = places.map(place => bindings.variables[place] ?? '')
  return Array.from({length: Math.ceil(different.length / partRows)}, (_, part) => ({
    variables: names,
    rows: different.slice(part * partRows, (part + 1) * partRows),
  }))
}

/** The partner's solutions, restricted to variables that it always binds and the service uses. */
async function bindingsOf(
  partner: Algebra,
  service: Service,
  query: Query,
  options: CallOptions,
): Promise<PartnerBindings> {
  const {name, input} = service
  const known = new Set([...possibleVariables(input), ...(name.termType === 'Variable' ? [name.value] : [])])
  const variables = [...certainVariables(partner)].filter(one => isNamed(one) && known.has(one))
  const all = await solutionsOf(partner, variables, query, options)
  if (all.length <= boundMax) return {variables, rows: all, isCut: false}
  if (name.termType === 'NamedNode') return {variables, rows: all, isCut: true}
  const endpoints = await solutionsOf(partner, [name.value], query, options)
  return {variables: [name.value], rows: endpoints, isCut: true}
}

/** Distinct solutions, at most one more than `boundMax`. */
async function solutionsOf(
  partner: Algebra,
  variables: readonly string[],
  {dataset, base}: Query,
  {run, transaction}: CallOptions,
): Promise<readonly (readonly Term[])[]> {
  const projected: Algebra = {type: 'distinct', input: {type: 'project', input: partner, variables}}
  const pattern: Algebra = {type: 'slice', input: projected, offset: 0, limit: boundMax + 1}
  const prepared = withConstants({form: 'select', variables, pattern, dataset, base}, false)
  const {process, request} = run
  const own = {process, request: {...request, watch: startStopwatch()}, query: uncached(prepared)}
  const {compiled} = await planIn(own, transaction)
  const {schema, vocabulary} = process
  const decoder = createDecoder({
    transaction,
    schema,
    vocabulary,
    localKeys: compiled.localKeys,
    limits: defaultHeldLimits,
  })
  const limitBytes = defaultHeldLimits.bytes
  const options = {batchRows: 1000, limitBytes, signal: request.signal}
  const batches = readRows(transaction, schema, statementOf(compiled), options)
  const rows: (readonly Term[])[] = []
  for await (const batch of decodeRows(batches, termColumnsOf(variables, compiled.columns), decoder))
    for (const row of batch) rows.push(row.flatMap(term => term ?? []))
  return rows
}

/** Solutions as a table. A column has ids if all of its terms are stored, otherwise keys. */
async function tableOf({variables, rows}: Solutions, {run, transaction}: FederationOptions): Promise<Algebra> {
  const keys = new Set<string>()
  for (const row of rows) {
    for (const term of row) {
      if (term !== undefined && term.termType !== 'BlankNode' && inlineId(term) === undefined) keys.add(termKey(term))
    }
  }
  const stored = await findIds(transaction, run.process.schema, [...keys])
  const idOf = (term: Term) => inlineId(term) ?? stored.get(termKey(term))
  const columns = variables.map((variable, index): TableColumn => {
    const terms = rows.map(row => row[index])
    const ids = terms.map(term => (term === undefined ? null : idOf(term)))
    if (ids.every(id => id !== undefined)) return {variable, rep: 'id', values: ids}
    return {variable, rep: 'key', values: terms.map(term => (term === undefined ? null : termKey(term)))}
  })
  return {type: 'table', columns, rowCount: rows.length}
}

function inlineId(term: Term): string | undefined {
  return term.termType === 'Literal' ? packLiteral(term)?.toString() : undefined
}
