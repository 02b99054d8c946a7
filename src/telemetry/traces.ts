/**
 * Exports observed requests as OpenTelemetry traces.
 *
 * It times stages and loads the SDK only if the standard environment variables ask for traces. The SDK (28 MB) is not
 * installed with Quadstead. It creates the spans of a request after the request has ended, from its observation.
 * Sources: OpenTelemetry, "Environment variable specification"; W3C Trace Context; semantic conventions for HTTP and
 * databases.
 */
import type {Context, Tracer} from '@opentelemetry/api'
import {type Observation, observe, type RequestObservation, type RequestTrace} from '../base/observation.ts'
import {type TimedStage, watchStages} from '../base/stages.ts'

export type Traces = {
  readonly hear: (observation: Observation) => void
  /** Exports the remaining spans. */
  readonly close: () => Promise<void>
}

type Environment = Readonly<Record<string, string | undefined>>
type ReadParent = (trace: RequestTrace) => Context

const packages = [
  '@opentelemetry/api',
  '@opentelemetry/core',
  '@opentelemetry/resources',
  '@opentelemetry/sdk-trace-base',
  '@opentelemetry/exporter-trace-otlp-proto',
]

/** Whether the environment variables ask for traces. */
export function isTraced(environment: Environment): boolean {
  const {OTEL_SDK_DISABLED, OTEL_TRACES_EXPORTER = 'otlp'} = environment
  const endpoint = environment.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? environment.OTEL_EXPORTER_OTLP_ENDPOINT ?? ''
  return endpoint !== '' && OTEL_SDK_DISABLED?.toLowerCase() !== 'true' && OTEL_TRACES_EXPORTER === 'otlp'
}

/**
 * Starts traces. The SDK reads endpoint, headers, sampling, batches and resource from the environment.
 *
 * @returns  undefined if the SDK is not installed; this is reported but is no error, because platforms set these
 *           variables for every program
 */
export async function openTraces(version: string): Promise<Traces | undefined> {
  const sdk = await loadSdk()
  if (sdk === undefined) return undefined
  const {api, core, resources, base, exporter} = sdk
  const resource = resources
    .defaultResource()
    .merge(resources.resourceFromAttributes({'service.name': 'quadstead', 'service.version': version}))
    .merge(resources.detectResources({detectors: [resources.envDetector]}))
  const provider = new base.BasicTracerProvider({
    resource,
    spanProcessors: [new base.BatchSpanProcessor(new exporter.OTLPTraceExporter())],
  })
  const tracer = provider.getTracer('quadstead', version)
  const propagator = new core.W3CTraceContextPropagator()
  const readParent: ReadParent = ({parent, state}) =>
    propagator.extract(api.ROOT_CONTEXT, {traceparent: parent, tracestate: state}, api.defaultTextMapGetter)
  const draw = createDrawing(tracer, api, readParent)
  const endWatching = watchStages()
  return {
    hear(observation) {
      if (observation.kind === 'request' && observation.trace !== undefined) draw(observation, observation.trace)
    },
    async close() {
      endWatching()
      await provider.shutdown()
    },
  }
}

function createDrawing(tracer: Tracer, api: typeof import('@opentelemetry/api'), readParent: ReadParent) {
  const {SpanKind, SpanStatusCode, trace: spans} = api
  function drawStage({name, beganMs, endedMs, detail, failure}: TimedStage, parent: Context): void {
    const kind = name === 'sql' ? SpanKind.CLIENT : SpanKind.INTERNAL
    const attributes = detail === undefined ? {} : {'db.system.name': 'postgresql', 'db.query.text': detail}
    const span = tracer.startSpan(name, {kind, attributes, startTime: beganMs}, parent)
    if (failure !== undefined) span.setStatus({code: SpanStatusCode.ERROR, message: failure})
    span.end(endedMs)
  }
  return (request: RequestObservation, trace: RequestTrace) => {
    const {method, route, path, status, ms, bytes, id, isWhole} = request
    const attributes = {
      'http.request.method': method,
      'http.route': route,
      'url.path': path,
      'http.response.status_code': status,
      'http.response.size': bytes,
      'quadstead.request.id': id,
    }
    const outer = readParent(trace)
    const options = {kind: SpanKind.SERVER, attributes, startTime: trace.beganMs}
    const span = tracer.startSpan(`${method} ${route}`, options, outer)
    const inner = spans.setSpan(outer, span)
    for (const stage of trace.stages) drawStage(stage, inner)
    if (status >= 500 || !isWhole) span.setStatus({code: SpanStatusCode.ERROR})
    span.end(trace.beganMs + ms)
  }
}

async function loadSdk() {
  try {
    const [api, core, resources, base, exporter] = await Promise.all([
      import('@opentelemetry/api'),
      import('@opentelemetry/core'),
      import('@opentelemetry/resources'),
      import('@opentelemetry/sdk-trace-base'),
      import('@opentelemetry/exporter-trace-otlp-proto'),
    ])
    return {api, core, resources, base, exporter}
  } catch (error) {
    observe({kind: 'traces-unavailable', packages, reason: error instanceof Error ? error.message : String(error)})
    return undefined
  }
}
