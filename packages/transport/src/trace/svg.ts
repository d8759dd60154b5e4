import type { SimulationResult, TraceSample } from '../sim/index.ts'

const WIDTH = 960
const PANEL = 150
const GAP = 46
const LEFT = 70
const RIGHT = 20
const TOP = 56
const TICKS = 4
const COLORS = ['#1d6fd1', '#d1731d', '#2c9b5b', '#a33bc2', '#c22f45']

interface Panel {
  readonly title: string
  readonly read: (sample: TraceSample) => number
  /** A dashed line of reference. */
  readonly mark?: number
}

/** Draws throughput, round-trip time and window over time, one line per own flow, as a self-contained SVG document. */
export function renderSvg(result: SimulationResult): string {
  const panels: readonly Panel[] = [
    { title: 'goodput, Mbit/s', read: (sample) => sample.goodputMbit, mark: result.limitMbit },
    { title: 'round trip, ms', read: (sample) => sample.rttMs, mark: result.options.rttMs },
    { title: 'congestion window, KiB', read: (sample) => sample.cwndKiB },
    { title: 'queue of the bottleneck, KiB', read: (sample) => sample.queueKiB },
  ]
  const height = TOP + panels.length * (PANEL + GAP)
  const body = panels.map((panel, index) => renderPanel(result, panel, TOP + index * (PANEL + GAP)))
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" font-size="12">`,
    `<rect width="${WIDTH}" height="${height}" fill="#fff"/>`,
    `<text x="${LEFT}" y="24" font-size="15">${escapeXml(titleOf(result))}</text>`,
    ...body,
    '</svg>\n',
  ].join('\n')
}

function titleOf(result: SimulationResult): string {
  const { rateMbit, rttMs, lossPercent = 0, seed } = result.options
  const share = (result.steadyShare * 100).toFixed(1)
  return `GWT/1 at ${rateMbit} Mbit/s, ${rttMs} ms, ${lossPercent} % loss, seed ${seed}: ${share} % of the limit when steady`
}

function renderPanel(result: SimulationResult, panel: Panel, top: number): string {
  const lines = result.flows.map((flow) => flow.samples)
  const end = Math.max(1, ...lines.map((samples) => samples.at(-1)?.seconds ?? 0))
  const highest = Math.max(1, (panel.mark ?? 0) * 1.05, ...lines.flatMap((samples) => samples.map(panel.read)))
  const x = (seconds: number): number => LEFT + (seconds / end) * (WIDTH - LEFT - RIGHT)
  const y = (value: number): number => top + PANEL - (value / highest) * PANEL
  const parts = [`<text x="${LEFT}" y="${top - 8}">${panel.title}</text>`]
  for (let tick = 0; tick <= TICKS; tick++) {
    const value = (highest * tick) / TICKS
    const seconds = (end * tick) / TICKS
    parts.push(
      `<line x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y(value).toFixed(1)}" y2="${y(value).toFixed(1)}" stroke="#ddd"/>`,
      `<text x="${LEFT - 6}" y="${(y(value) + 4).toFixed(1)}" text-anchor="end">${value.toFixed(value < 10 ? 1 : 0)}</text>`,
      `<text x="${x(seconds).toFixed(1)}" y="${top + PANEL + 16}" text-anchor="middle">${seconds.toFixed(1)} s</text>`,
    )
  }
  if (panel.mark !== undefined) {
    const at = y(panel.mark).toFixed(1)
    parts.push(`<line x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${at}" y2="${at}" stroke="#888" stroke-dasharray="5 4"/>`)
  }
  lines.forEach((samples, index) => {
    const points = samples.map((sample) => `${x(sample.seconds).toFixed(1)},${y(panel.read(sample)).toFixed(1)}`)
    const color = COLORS[index % COLORS.length]
    parts.push(`<polyline points="${points.join(' ')}" fill="none" stroke="${color}" stroke-width="1.5"/>`)
  })
  return parts.join('\n')
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
