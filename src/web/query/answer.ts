/**
 * Answers a query in a format that suits its form and the client.
 *
 * Solutions are streamed. Graphs are grouped by document if they fit into memory, and streamed ungrouped if not.
 * Sources: docs/interface.md, Queries; SPARQL 1.1 Protocol §2.1.
 */
import type {Context} from 'koa'
import {Problem} from '../../base/problem.ts'
import type {Stopwatch} from '../../base/stopwatch.ts'
import {serialiseBatches} from '../../format/registry.ts'
import {resultsFormats, solutionTexts} from '../../format/results.ts'
import type {ResultsFormat, SolutionRow, SolutionTexts, SolutionWriter, TermText} from '../../format/results-types.ts'
import type {Format} from '../../format/types.ts'
import {type Negotiated, negotiate} from '../../http/accept.ts'
import {formatHttpDate} from '../../http/date.ts'
import {readAcceptDatetime} from '../../http/memento.ts'
import {memoize} from '../../http/memo.ts'
import {formatPreferenceApplied, type Preferences} from '../../http/prefer.ts'
import {formatServerTiming} from '../../http/server-timing.ts'
import type {QueryAnswer, QueryRequest} from '../../query/answer.ts'
import type {Iri, Quad} from '../../rdf/term.ts'
import type {Query} from '../../sparql/algebra.ts'
import {chooseFormat, contentType, writeLongBody} from '../document/offers.ts'
import {answerWhole, resourceLink, streamChunks, varied} from '../document/reply.ts'
import {fieldsOf, headerOf, type Site} from '../exchange.ts'
import {requireReadAll} from '../server/access.ts'
import {nameRoute, recordOf} from '../server/request-record.ts'
import {goneSignal} from '../server/spooled.ts'
import {answerExplanation, askedExplanation} from './explain.ts'

type Settled = 'preferences' | 'signal' | 'admit' | 'requestId' | 'reader' | 'isSent' | 'grantees'

export type AskedQuery = Omit<QueryRequest, Settled> & {
  readonly preferences: Preferences
}

/** Graphs up to this size are grouped before they are written. */
const groupedLimit = 10_000 // quads, about 5 MB
const groupedLength = 2 ** 22 // characters of objects
/** The largest graph in RDF/JSON, which can only be written as a whole. */
const wholeLimit = 100_000 // quads
const wholeLength = 2 ** 24 // characters of objects

export async function answerQuery(site: Site, context: Context, asked: AskedQuery): Promise<void> {
  const {platform} = site.dataset
  const {include} = asked.preferences
  const preferences = {
    contexts: include.has(platform.PreferResultsContexts),
    checksums: include.has(platform.PreferDocumentChecksums),
  }
  const signal = goneSignal(context)
  context.set({Link: resourceLink, Vary: varied, 'Cache-Control': 'no-cache'})
  nameRoute(context.req, 'query')
  const {id: requestId} = recordOf(context.req)
  const at = timeOf(context, asked)
  const explanation = askedExplanation(site, context)
  if (explanation !== undefined && at !== undefined)
    throw new Problem(400, 'query-time', 'Explanations are of queries on the present store.')
  if (explanation !== undefined) await requireReadAll(site, context, 'Explanations, which show how much there is, are')
  const endTurn = await site.turns.enter(site.callerKey(context), signal)
  try {
    if (explanation !== undefined)
      return await answerExplanation(site, context, {signal, requestId, ...asked}, explanation)
    const admit = (form: Query['form']) => admitForm(context, form)
    const isSent = () => context.res.headersSent
    if (at !== undefined) context.set('Memento-Datetime', formatHttpDate(at.getTime()))
    const {text, base, dataset} = asked
    const [reader, grantees] = [site.readerOf(context), site.dataset.session.caller?.grantees]
    const request = {text, base, dataset, preferences, at, signal, requestId, reader, grantees, admit, isSent}
    await site.queries.answer(request, (answer, watch) => write(site, context, answer, watch))
  } finally {
    endTurn()
  }
}

/**
 * The time of a query on a past state: of the parameter `at`, or of Accept-Datetime.
 *
 * @throws  Problem 400 `query-time`: both · `datetime-syntax`
 */
function timeOf(context: Context, {at}: Pick<AskedQuery, 'at'>): Date | undefined {
  const accepted = readAcceptDatetime(fieldsOf(context, 'accept-datetime'), Date.now())
  if (at !== undefined && accepted !== undefined)
    throw new Problem(400, 'query-time', 'A query has one time: the parameter "at", or Accept-Datetime.')
  return at ?? accepted
}

/** @throws Problem 406 `format-acceptable` */
function admitForm(context: Context, form: Query['form']): TermText | undefined {
  if (form === 'select') return chooseResults(context).offer.termText
  if (form === 'ask') chooseResults(context)
  else chooseGraph(context)
  return undefined
}

async function write(site: Site, context: Context, answer: QueryAnswer, watch: Stopwatch): Promise<void> {
  context.set('Server-Timing', formatServerTiming(watch.stages))
  switch (answer.form) {
    case 'ask':
      return writeBoolean(context, answer.value)
    case 'select':
    case 'written-select':
      return writeSolutions(site, context, answer)
    case 'graph':
      return writeGraph(site, context, answer, watch)
  }
}

function writeBoolean(context: Context, value: boolean): void {
  const chosen = chooseResults(context)
  context.set('Content-Type', resultsType(chosen))
  context.body = chosen.offer.writeBoolean(value)
}

type Solutions = Extract<QueryAnswer, {form: 'select' | 'written-select'}>

async function writeSolutions(site: Site, context: Context, answer: Solutions): Promise<void> {
  const chosen = chooseResults(context)
  const writer = chosen.offer.createWriter(answer.variables)
  const how = {type: resultsType(chosen)}
  if (context.method === 'HEAD') {
    context.set('Content-Type', resultsType(chosen))
    context.status = 200
    return
  }
  if (answer.form === 'select')
    return streamChunks(site, context, how, solutionChunks(writer, answer.rows, chosen.offer))
  answerWhole(context, how, solutionsText(writer, answer.rows) + writer.end())
}

async function* solutionChunks(
  writer: SolutionWriter,
  batches: AsyncIterable<readonly SolutionRow[]>,
  format: ResultsFormat,
) {
  for await (const batch of batches) {
    const texts = batch.map(row => solutionTexts(row, format))
    yield solutionsText(writer, texts)
  }
  yield writer.end()
}

function solutionsText(writer: SolutionWriter, rows: readonly SolutionTexts[]): string {
  return rows.map(row => writer.write(row)).join('')
}

async function writeGraph(
  site: Site,
  context: Context,
  answer: Extract<QueryAnswer, {form: 'graph'}>,
  watch: Stopwatch,
): Promise<void> {
  const chosen = chooseGraph(context)
  setApplied(context, answer.applied)
  if (context.method === 'HEAD') {
    context.set('Content-Type', contentType(chosen))
    context.status = 200
    return
  }
  const source = answer.quads[Symbol.asyncIterator]()
  const collected: Quad[] = []
  const {isWhole = false} = chosen.offer
  const [limit, lengthLimit] = isWhole ? [wholeLimit, wholeLength] : [groupedLimit, groupedLength]
  let length = 0 // of the objects, in UTF-16 units
  while (collected.length <= limit && length <= lengthLimit) {
    const {value, done} = await source.next()
    if (done === true) {
      watch.lap('collect')
      context.set('Server-Timing', formatServerTiming(watch.stages))
      context.set('Content-Type', contentType(chosen))
      context.body = await writeLongBody(chosen, collected, site.prefixes)
      return
    }
    collected.push(...value)
    for (const {object} of value) length += object.value.length
  }
  if (isWhole) {
    const most = `${limit} triples or ${lengthLimit} characters`
    throw new Problem(422, 'result-size', `The result has more than ${most}, too many for ${chosen.mediaType}`)
  }
  const chunks = serialiseBatches(chosen.offer, continued(collected, source), {prefixes: site.prefixes})
  await streamChunks(site, context, {type: contentType(chosen)}, chunks)
}

async function* continued(first: Quad[], rest: AsyncIterator<readonly Quad[]>) {
  while (first.length > 0) yield first.splice(0, 1000) // frees them as it goes
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value
}

/** Lists the preferences that were honoured (docs/interface.md, Prefer). */
function setApplied(context: Context, applied: readonly Iri[]): void {
  if (applied.length > 0) context.set('Preference-Applied', formatPreferenceApplied({include: applied}))
}

/** @throws Problem 406 `format-acceptable` */
function chooseGraph(context: Context): Negotiated<Format> {
  return chooseFormat(headerOf(context, 'accept'))
}

const negotiated = memoize((accept: string) => negotiate(accept, resultsFormats))

/** @throws Problem 406 `format-acceptable` */
function chooseResults(context: Context): Negotiated<ResultsFormat> {
  const accept = headerOf(context, 'accept')
  const chosen = negotiated(accept ?? '')
  if (chosen !== undefined) return chosen
  const available = resultsFormats.map(({mediaTypes: [first]}) => first)
  const message = `Nothing that "${accept}" accepts can be written for solutions; there is ${available.join(', ')}`
  throw new Problem(406, 'format-acceptable', message, {members: {available}})
}

function resultsType({offer, mediaType}: Negotiated<ResultsFormat>): string {
  return offer.charset ? `${mediaType}; charset=utf-8` : mediaType
}
