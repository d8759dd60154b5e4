import { collectDefaultMetrics, Counter, Histogram, Registry } from 'prom-client'

/** One request as it was answered. */
export interface AnsweredRequest {
  readonly method: string
  /** As it was declared, never as it was asked for: a label must not have a value for each visitor. */
  readonly route: string
  readonly status: number
  readonly seconds: number
}

/** What this process counts of itself. Names and units follow the conventions of Prometheus. */
export interface Metrics {
  /** Whatever is read at the moment of asking registers itself here. */
  readonly registry: Registry
  answered(request: AnsweredRequest): void
  /** Content of files that came by HTTP. */
  uploaded(bytes: number): void
  /** Content of files that left by HTTP. */
  downloaded(bytes: number): void
  /** Open connections; 0 before the server listens. */
  connections(): number
  /** Names who counts them. */
  countConnections(count: () => number): void
}

/** From an answer out of memory to a slow storage; uploads and downloads of hours are in the last one. */
const BUCKETS_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

export function createMetrics(): Metrics {
  const registry = new Registry()
  const registers = [registry]
  const requests = new Counter({
    name: 'http_requests_total',
    help: 'Answered requests.',
    labelNames: ['method', 'route', 'status'] as const,
    registers,
  })
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the headers of a request to the end of its answer.',
    labelNames: ['method', 'route'] as const,
    buckets: BUCKETS_SECONDS,
    registers,
  })
  const uploaded = new Counter({
    name: 'godwit_upload_bytes_total',
    help: 'Bytes of files received by HTTP.',
    registers,
  })
  const downloaded = new Counter({
    name: 'godwit_download_bytes_total',
    help: 'Bytes of files sent by HTTP.',
    registers,
  })
  let connections = () => 0
  return {
    registry,
    connections: () => connections(),
    countConnections(count) {
      connections = count
    },
    answered({ method, route, status, seconds }) {
      requests.inc({ method, route, status })
      durations.observe({ method, route }, seconds)
    },
    uploaded: (bytes) => uploaded.inc(bytes),
    downloaded: (bytes) => downloaded.inc(bytes),
  }
}

/** Gauges that the library names like counters; each is there by type as well. */
const MISNAMED = ['nodejs_active_resources_total', 'nodejs_active_handles_total', 'nodejs_active_requests_total']

/** Adds the figures of the process and the runtime: memory, processor time, open files, delays of the event loop. */
export function collectProcess(registry: Registry): void {
  collectDefaultMetrics({ register: registry })
  for (const name of MISNAMED) registry.removeSingleMetric(name)
}
