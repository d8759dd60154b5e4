import { type BoundAction, offeredActions } from '../../../lib/actions.tsx'
import { useTexts } from '../../../lib/texts.tsx'
import { actionEntries } from '../../../ui/action-button.tsx'
import { MenuEntries, PointMenu } from '../../../ui/menu.tsx'
import type { OpenMenu } from './use-files-screen.ts'
import { FOLDER_ACTIONS, ROW_ACTIONS } from './shown-actions.ts'

export interface RowMenuProps {
  readonly actions: readonly BoundAction[]
  readonly at: OpenMenu | undefined
  readonly returnTo: HTMLElement | null
  readonly onClose: () => void
}

/** The same actions as the toolbar and the keyboard, at the pointer. */
export function RowMenu({ actions, at, returnTo, onClose }: RowMenuProps) {
  const texts = useTexts()
  const offered = offeredActions(actions, at !== undefined && at.row < 0 ? FOLDER_ACTIONS : ROW_ACTIONS).map(
    (action) => ({
      ...action,
      run() {
        onClose()
        action.run()
      },
    }),
  )
  return (
    <PointMenu at={at} returnTo={returnTo} onClose={onClose}>
      <MenuEntries entries={actionEntries(offered, texts)} />
    </PointMenu>
  )
}
