import type { LinkRecord } from '@godwit/contract'
import { LINK_STATUS } from '@godwit/contract/exchange/link-states'
import { Ban, CalendarPlus, CircleCheck, Copy, Pencil, Trash2 } from 'lucide-react'
import type { Action } from '../../../lib/actions.tsx'

interface ListContext {
  readonly count: number
  readonly disable: () => void
  readonly enable: () => void
  readonly remove: () => void
}

const hasSelection = ({ count }: ListContext): boolean => count > 0

/** What can be done with the selected links. */
export const LINK_LIST_ACTIONS: ReadonlyArray<Action<ListContext>> = [
  {
    name: 'disable-links',
    label: 'links.disable',
    group: 'general',
    icon: Ban,
    when: hasSelection,
    run: ({ disable }) => disable(),
  },
  {
    name: 'enable-links',
    label: 'links.enable',
    group: 'general',
    icon: CircleCheck,
    when: hasSelection,
    run: ({ enable }) => enable(),
  },
  {
    name: 'remove-links',
    label: 'action.remove',
    group: 'general',
    icon: Trash2,
    tone: 'danger',
    when: hasSelection,
    run: ({ remove }) => remove(),
  },
]

/** A link without an end lasts anyway. */
export function canExtend({ shareExpireTime }: LinkRecord): boolean {
  return shareExpireTime !== 0
}

type OnLink = (record: LinkRecord) => unknown

interface RowCommands {
  readonly copy: OnLink
  readonly edit: OnLink
  readonly extend: OnLink
  readonly disable: OnLink
  readonly enable: OnLink
  readonly remove: OnLink
}

/** What can be done with one link. */
export function linkRowActions(does: RowCommands): ReadonlyArray<Action<LinkRecord>> {
  const isCanceled = ({ shareStatus }: LinkRecord): boolean => shareStatus === LINK_STATUS.canceled
  return [
    { name: 'copy-link', label: 'links.copy-link', group: 'general', icon: Copy, run: does.copy },
    { name: 'edit-link', label: 'links.edit', group: 'general', icon: Pencil, run: does.edit },
    {
      name: 'extend-link',
      label: 'links.extend',
      group: 'general',
      icon: CalendarPlus,
      when: (record) => !isCanceled(record) && canExtend(record),
      run: does.extend,
    },
    {
      name: 'disable-link',
      label: 'links.disable',
      group: 'general',
      icon: Ban,
      when: (record) => !isCanceled(record),
      run: does.disable,
    },
    {
      name: 'enable-link',
      label: 'links.enable',
      group: 'general',
      icon: CircleCheck,
      when: isCanceled,
      run: does.enable,
    },
    { name: 'remove-link', label: 'action.remove', group: 'general', icon: Trash2, run: does.remove },
  ]
}
