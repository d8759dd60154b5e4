import type { LocalItemView } from '@godwit/contract'

export type ItemAction = 'pause' | 'resume' | 'retry' | 'cancel' | 'forget'

/** What a person can do with a transfer in this state. */
export function itemActions(state: LocalItemView['state']): readonly ItemAction[] {
  switch (state) {
    case 'waiting':
    case 'running':
      return ['pause', 'cancel']
    case 'paused':
      return ['resume', 'cancel']
    case 'asking':
      return ['cancel']
    case 'partial':
    case 'failed':
    case 'cancelled':
      return ['retry', 'forget']
    case 'done':
      return ['forget']
  }
}
