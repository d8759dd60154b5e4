import type { TransferView } from '@godwit/contract'

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

/** What a short list shows of the client: tickets that nobody used say nothing, and what the page sends it lists itself. */
export function shownTransfers(items: readonly TransferView[]): readonly TransferView[] {
  return items
    .filter(({ door, state }) => door === 'transfer' && state !== 'waiting' && state !== 'expired')
    .slice(0, SHOWN_MAX)
}

/** What a person may do with a transfer, in the order of the buttons. */
export function actionsOf({ state }: Pick<TransferView, 'state'>): readonly TransferAction[] {
  if (state === 'running') return ['pause', 'cancel']
  if (state === 'paused') return ['resume', 'cancel']
  return state === 'interrupted' ? ['cancel'] : []
}
