import type { TransferView } from '@godwit/contract'
import type { PortalKey } from '@godwit/i18n/portal'
import type { Texts } from './texts.tsx'

interface Limit {
  readonly text: PortalKey
  /** What its percentage is of. */
  readonly percent?: PortalKey
}

const LIMITS: Readonly<Record<string, Limit>> = {
  'sender disk': { text: 'transfers.limit.disk', percent: 'transfers.percent.time' },
  'receiver disk': { text: 'transfers.limit.target', percent: 'transfers.percent.busy' },
  CPU: { text: 'transfers.limit.cpu', percent: 'transfers.percent.core' },
  loss: { text: 'transfers.limit.loss', percent: 'transfers.percent.packets' },
  RTT: { text: 'transfers.limit.start' },
  line: { text: 'transfers.limit.line' },
  'policy limit': { text: 'transfers.limit.policy' },
  'peer window': { text: 'transfers.limit.window', percent: 'transfers.percent.time' },
}

type Limited = Pick<TransferView, 'state' | 'bottleneck'> & Partial<Pick<TransferView, 'bottleneckFigures'>>

/** What limits the speed, with its numbers; undefined where nothing does or nobody knows. */
export function limitText({ state, bottleneck, bottleneckFigures = {} }: Limited, texts: Texts): string | undefined {
  const limit = state === 'running' ? LIMITS[bottleneck] : undefined
  if (limit === undefined) return undefined
  const { percent, mbps, rttMs } = bottleneckFigures
  const figures = [
    ...(percent === undefined || limit.percent === undefined
      ? []
      : [texts(limit.percent, { percent: percentOf(percent, texts.locale) })]),
    ...(mbps === undefined ? [] : [`${mbps} Mbit/s`]),
    ...(rttMs === undefined ? [] : [texts('transfers.rtt', { ms: rttMs })]),
  ]
  const name = texts(limit.text)
  if (figures.length === 0) return name
  return texts('transfers.limit.figures', { limit: name, figures: figures.join(texts('transfers.limit.comma')) })
}

function percentOf(value: number, locale: string): string {
  return new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 }).format(value / 100)
}
