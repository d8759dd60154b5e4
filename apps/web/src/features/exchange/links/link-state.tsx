import type { LinkRecord } from '@godwit/contract'
import { LINK_STATUS } from '@godwit/contract/exchange/link-states'
import { useTexts } from '../../../lib/texts.tsx'
import { Tag } from '../../../ui/tag.tsx'

const NAMES = {
  [LINK_STATUS.normal]: 'normal',
  [LINK_STATUS.expired]: 'expired',
  [LINK_STATUS.canceled]: 'canceled',
} as const

/** Whether guests get in, and if not, why. */
export function LinkState({ record }: { readonly record: LinkRecord }) {
  const { shareStatus, blockedBy, missing, filename } = record
  const texts = useTexts()
  if (shareStatus === LINK_STATUS.expired && missing.length === filename.length)
    return <Tag tone="bad">{texts('links.status.lost')}</Tag>
  if (shareStatus === LINK_STATUS.normal && blockedBy !== null)
    return <Tag tone="bad">{texts(`links.blocked.${blockedBy}`)}</Tag>
  const name = NAMES[shareStatus as keyof typeof NAMES]
  return (
    <Tag tone={name === 'normal' ? 'good' : name === 'expired' ? 'bad' : 'plain'}>{texts(`links.status.${name}`)}</Tag>
  )
}
