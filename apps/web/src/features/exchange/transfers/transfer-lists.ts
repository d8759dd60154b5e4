import type { TransferView } from '@godwit/contract'
import type { PortalKey } from '@godwit/i18n/portal'

export type TransferAction = 'pause' | 'resume' | 'cancel'

const SHOWN_MAX = 5

/** Puts what was pushed in place of what is older; a new transfer stands first. */
export function mergeTransfer(items: readonly TransferView[], pushed: TransferView): readonly TransferView[] {
  const known = items.find(({ transferId }) => transferId === pushed.transferId)
  if (known === undefined) return [pushed, ...items]
  // Over two ways the older news may come later.
  if (known.updatedAt > pushed.updatedAt) return items
  return items.map((item) => (item === known ? pushed : item))
}

/** What a short list shows: tickets that nobody used say nothing. */
export function shownTransfers(items: readonly TransferView[]): readonly TransferView[] {
  return items.filter(({ state }) => state !== 'waiting' && state !== 'expired').slice(0, SHOWN_MAX)
}

/** What a person may do with a transfer, in the order of the buttons. */
export function actionsOf({ state }: Pick<TransferView, 'state'>): readonly TransferAction[] {
  if (state === 'running') return ['pause', 'cancel']
  if (state === 'paused') return ['resume', 'cancel']
  return state === 'interrupted' ? ['cancel'] : []
}

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
