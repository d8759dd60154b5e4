import type { SimulationResult } from '../sim/index.ts'

/** Event names of qlog's recovery schema (draft-ietf-quic-qlog-quic-events) that carry over. */
interface MetricsEvent {
  readonly time: number
  readonly name: 'recovery:metrics_updated'
  readonly data: Readonly<Record<string, number | string>>
}

/**
 * A trace in the shape of qlog 0.3: one trace per own flow, times in milliseconds, sizes in bytes, rates in bits per second.
 * Viewers of qlog read the metrics; what they do not know they skip.
 */
export function renderQlog(result: SimulationResult): string {
  const traces = result.flows.map((flow, index) => ({
    vantage_point: { name: `flow ${index}`, type: 'client' },
    common_fields: { time_format: 'relative', reference_time: 0, protocol_type: ['GWT/1'] },
    events: flow.samples.map((sample): MetricsEvent => ({
      time: Math.round(sample.seconds * 1000),
      name: 'recovery:metrics_updated',
      data: {
        latest_rtt: sample.rttMs,
        congestion_window: Math.round(sample.cwndKiB * 1024),
        bytes_in_flight: Math.round(sample.inFlightKiB * 1024),
        pacing_rate: Math.round(sample.pacingMbit * 1e6),
        goodput: Math.round(sample.goodputMbit * 1e6),
        phase: sample.phase,
      },
    })),
  }))
  return `${JSON.stringify({ qlog_version: '0.3', title: 'GWT/1 simulation', traces })}\n`
}
