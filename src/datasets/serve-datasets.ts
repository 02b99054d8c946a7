/**
 * Serves the datasets of a registry on one port: finds the dataset of each request, and opens it if it is not open.
 */
import type {IncomingMessage, RequestListener, ServerResponse} from 'node:http'
import {Problem} from '../base/problem.ts'
import type {DatasetEntry} from '../db/registry/registry.ts'
import {openRegistry} from '../db/registry/registry.ts'
import type {Host} from '../host.ts'
import {readRequestTarget} from '../http/request-target.ts'
import type {Config} from '../settings/config.ts'
import type {DatasetCounts} from '../telemetry/dataset-metrics.ts'
import {answerNoDataset, createHostApp} from '../web/host-app.ts'
import {answerPlainProblem} from '../web/server/plain-problem.ts'
import type {QuotaName} from '../web/server/request-quota.ts'
import type {MetricsPage} from '../web/service/metrics.ts'
import type {Member} from '../workers/member.ts'
import {createOffice} from './administration.ts'
import {type Catalogue, openCatalogue} from './catalogue.ts'
import {createMigrations} from './migrations.ts'
import {createOpenDatasets, type OpenDatasets} from './open-datasets.ts'
import {createServers, type Servers} from './servers.ts'
import {startWebhookRounds} from './webhook-rounds.ts'

export type ServedDatasets = {
  readonly answer: RequestListener
  readonly count: () => DatasetCounts
  readonly replicas: Servers['replicas']
  /** Sets the page of metrics that this process serves. */
  readonly setMetrics: (page: MetricsPage | undefined) => void
  /** Ends the background work and closes the datasets. The port must be closed before. */
  readonly stop: () => Promise<void>
}

export type ServeDatasetsOptions = {
  readonly host: Host
  readonly member: Member
}

/** Reads the registry and starts to serve its datasets. */
export async function serveDatasets(config: Config, {host, member}: ServeDatasetsOptions): Promise<ServedDatasets> {
  const {storage, web} = host
  const registry = openRegistry(storage.database, config.datasets.schema)
  const servers = createServers(config, storage, 'service')
  const migrations = await createMigrations(registry)
  const shared = {host, quotaFor: member.quotaFor, shareOf: member.shareOf}
  const open = createOpenDatasets({config, registry, servers, migrations, shared})
  const catalogue = await openCatalogue(registry, open.changed)
  if (!member.isMigrated) migrations.begin(catalogue.entries, servers)
  const endRounds = startWebhookRounds({entries: catalogue.entries, registry, servers, migrations, wake: open.wake})
  const office = createOffice({config, registry, servers, migrations})
  const ask = () => openRegistry(storage.probe, config.datasets.schema).find('')
  const own = {
    office,
    isGuarded: config.access.isGuarded,
    isDraining: web.isDraining,
    askDatabase: ask,
    callers: config.callers,
    quotaOf: (name: QuotaName) => member.quotaFor({...config.callers, name}),
  }
  let app = createHostApp({...own, metrics: undefined})
  const uriBytes = config.limits.uriBytes
  return {
    answer(request, response) {
      if (app.isOwn(pathOf(request))) return app.answer(request, response)
      void answerOf({catalogue, open, uriBytes}, request, response)
    },
    setMetrics(metrics) {
      app = createHostApp({...own, metrics})
    },
    count() {
      const counts = {open: open.count(), ready: 0, behind: 0, failed: 0, paused: 0}
      for (const entry of catalogue.entries()) {
        const isBehind = entry.failure === null ? 'behind' : 'failed'
        counts[entry.state === 'paused' ? 'paused' : migrations.isDone(entry) ? 'ready' : isBehind] += 1
      }
      return counts
    },
    replicas: servers.replicas,
    async stop() {
      await catalogue.close()
      await endRounds()
      await migrations.close()
      await open.close()
    },
  }
}

type Finding = {readonly catalogue: Catalogue; readonly open: OpenDatasets; readonly uriBytes: number}

/** Answers a request by its dataset, or says that there is none. Never rejects. */
async function answerOf(finding: Finding, request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    const found = await findDatasetOf(finding, request)
    if (typeof found === 'string') answerNoDataset(request, response, found)
    else await finding.open.answer(found, request, response)
  } catch (error) {
    answerPlainProblem(request, response, error)
  }
}

async function findDatasetOf(
  {catalogue, uriBytes}: Finding,
  request: IncomingMessage,
): Promise<DatasetEntry | 'host' | 'path'> {
  const {url = ''} = request
  const {path} = readRequestTarget(url, {limitBytes: uriBytes})
  const authority = authorityOf(request)
  const found = catalogue.select(authority, path)
  if (typeof found !== 'string') return found
  await catalogue.refresh().catch(() => undefined) // the database does not answer: what is known decides
  return catalogue.select(authority, path)
}

/**
 * Host and port that a request names. Those of a target in absolute form count (RFC 9112 §3.2.2).
 *
 * @throws  Problem 400 `host-single`
 */
function authorityOf({url = '', headersDistinct}: IncomingMessage): string | undefined {
  const [, ofTarget] = /^https?:\/\/([^/?#]+)/i.exec(url) ?? []
  const [value, another] = headersDistinct.host ?? []
  if (another !== undefined) throw new Problem(400, 'host-single', 'A request has one Host; this one has several.')
  return ofTarget ?? value
}

function pathOf({url = ''}: IncomingMessage): string {
  const end = url.indexOf('?')
  return end === -1 ? url : url.slice(0, end)
}
