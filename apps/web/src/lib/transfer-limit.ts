import type { TransferView } from '@godwit/contract'
import type { PortalKey } from '@godwit/i18n/portal'

const LIMITS: Readonly<Record<string, PortalKey>> = {
  'sender disk': 'transfers.limit.disk',
  'receiver disk': 'transfers.limit.target',
  CPU: 'transfers.limit.cpu',
  loss: 'transfers.limit.loss',
  RTT: 'transfers.limit.start',
  line: 'transfers.limit.line',
  'policy limit': 'transfers.limit.policy',
  'peer window': 'transfers.limit.window',
}

/** What limits the speed, in words; undefined where nothing does or nobody knows. */
export function limitOf({ state, bottleneck }: Pick<TransferView, 'state' | 'bottleneck'>): PortalKey | undefined {
  return state === 'running' ? LIMITS[bottleneck] : undefined
}
