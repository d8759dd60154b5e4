import type { BoundAction } from '../../../lib/actions.tsx'
import { shortcutKeys } from '../../../lib/shortcuts.ts'
import { useTexts } from '../../../lib/texts.tsx'
import { MenuEntries, PointMenu } from '../../../ui/menu.tsx'
import { ACTION_ICONS, SELECTION_ACTIONS } from './file-actions.tsx'

export interface RowMenuProps {
  readonly actions: readonly BoundAction[]
  readonly at: { readonly x: number; readonly y: number } | undefined
  readonly returnTo: HTMLElement | null
  readonly onClose: () => void
}

/** The same actions as the toolbar and the keyboard, at the pointer. */
export function RowMenu({ actions, at, returnTo, onClose }: RowMenuProps) {
  const texts = useTexts()
  const offered = SELECTION_ACTIONS.flatMap((id) => actions.filter((action) => action.id === id && action.isOffered))
  return (
    <PointMenu at={at} returnTo={returnTo} onClose={onClose}>
      <MenuEntries
        entries={offered.map(({ id, label, shortcuts, run }) => ({
          id,
          label: texts(label),
          icon: ACTION_ICONS[id],
          keys: shortcuts[0] === undefined ? undefined : shortcutKeys(shortcuts[0]),
          isDangerous: id === 'remove',
          run: () => {
            onClose()
            run()
          },
        }))}
      />
    </PointMenu>
  )
}
