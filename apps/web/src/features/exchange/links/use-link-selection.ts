import type { LinkRecord } from '@godwit/contract'
import { bindActions } from '../../../lib/actions.tsx'
import { useServices } from '../../../lib/services.tsx'
import { useTexts } from '../../../lib/texts.tsx'
import { selectedRowCount, useTableSelection } from '../../../ui/data-table/index.ts'
import { LINK_LIST_ACTIONS } from './link-actions.ts'
import { type LinkList, selectedLinks } from './links-query.ts'
import type { useLinkCommands } from './use-link-commands.ts'

type OnLinks = (ids: readonly string[]) => unknown

export interface LinkSelectionOptions {
  readonly list: LinkList
  readonly shown: readonly LinkRecord[]
  readonly total: number
  readonly commands: ReturnType<typeof useLinkCommands>
  /** Asks before the links are deleted; they stay selected until then. */
  readonly onRemove: OnLinks
}

/** The selected links of a list, and what its toolbar offers for them. */
export function useLinkSelection({ list, shown, total, commands, onRemove }: LinkSelectionOptions) {
  const texts = useTexts()
  const { api, messages } = useServices()
  const { shareUrlType, spaceId, filters } = list
  const { selection, select, clear } = useTableSelection({ shareUrlType, spaceId, filters })
  const withSelected = (act: OnLinks): void => {
    selectedLinks(api, list, selection, shown)
      .then(act)
      .catch((fault: unknown) => messages.fail(fault, texts))
  }
  const settle = (act: OnLinks) => () => {
    withSelected(act)
    clear()
  }
  const actions = bindActions(LINK_LIST_ACTIONS, {
    count: selectedRowCount(selection, total),
    disable: settle(commands.disable),
    enable: settle(commands.enable),
    remove: () => withSelected(onRemove),
  })
  return {
    selecting: { selection, onSelect: select, total, actions, summary: texts('links.count', { count: total }) },
    clear,
  }
}
