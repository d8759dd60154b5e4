import type { AdminLink } from '@godwit/contract'
import { type Texts, useTexts } from '../../../lib/texts.tsx'
import { Tag } from '../../../ui/tag.tsx'

type State = Pick<AdminLink, 'state' | 'blockedBy' | 'missing' | 'count'>

/** Whether guests get in, and if not, why. */
export function stateText({ state, blockedBy, missing, count }: State, texts: Texts): string {
  if (state === 'expired' && missing === count) return texts('links.status.lost')
  return blockedBy === null ? texts(`links.status.${state}`) : texts(`links.blocked.${blockedBy}`)
}

export function RegisterState(link: State) {
  const texts = useTexts()
  const isOpen = link.state === 'normal' && link.blockedBy === null
  return <Tag tone={isOpen ? 'good' : link.state === 'canceled' ? 'plain' : 'bad'}>{stateText(link, texts)}</Tag>
}
