import { useCallback, useEffect, useRef, useState } from 'react'
import { useKeyedState } from '../../../lib/use-keyed-state.ts'
import { useDetailsState } from './details-state.ts'
import { useLayoutState } from './layout-state.ts'
import type { Undo } from './file-commands.ts'
import type { OpenDialog } from './files-dialogs.tsx'
import type { NamedRow } from './listing.ts'
import type { NameDraft } from './rename-field.tsx'
import type { Settlement } from './transfer-command.ts'
import { useTreeState } from './tree-state.ts'

/** A menu and the entry it was opened on; the row is -1 beside the rows. */
export interface OpenMenu extends NamedRow {
  readonly x: number
  readonly y: number
}

interface Renaming extends NamedRow {
  readonly draft: NameDraft
}

interface ScreenOptions {
  /** Key of the folder that is shown. */
  readonly spot: string
  readonly isRoomy: boolean
  readonly isWide: boolean
  readonly userId: string
}

export type FilesScreen = ReturnType<typeof useFilesScreen>

/**
 * What stands over or in the list at the moment, and what can be taken back. The keyboard returns to the list. Dialog, menu and
 * edited name mean the folder they were opened in, so they end with it.
 */
export function useFilesScreen({ spot, isRoomy, isWide, userId }: ScreenOptions) {
  const details = useDetailsState(isWide)
  const tree = useTreeState(isRoomy, details)
  const gridRef = useRef<HTMLDivElement>(null)
  const { layout, setLayout } = useLayoutState(userId)
  const [dialog, show] = useKeyedState<OpenDialog | undefined>(spot, undefined)
  const [renaming, setRenaming] = useKeyedState<Renaming | undefined>(spot, undefined)
  const [menu, showMenu] = useKeyedState<OpenMenu | undefined>(spot, undefined)
  const [undos, setUndos] = useState<readonly Undo[]>([])
  const [settlements, setSettlements] = useState<readonly Settlement[]>([])
  const lastSettlement = useRef(0)
  // The dialog gives the focus back first.
  const focusList = useCallback((): number => requestAnimationFrame(() => gridRef.current?.focus()), [])
  const hasDialog = dialog !== undefined
  useEffect(() => (hasDialog ? () => void focusList() : undefined), [hasDialog, focusList])
  return {
    gridRef,
    dialog,
    show,
    closeDialog: () => show(undefined),
    focusList,
    /** Apart from the dialogs: whoever opens one while names are looked at loses no move or copy. */
    settlements,
    settle(transfer: Omit<Settlement, 'id'>) {
      lastSettlement.current += 1
      const settlement = { ...transfer, id: lastSettlement.current }
      setSettlements((all) => [...all, settlement])
    },
    endSettlement(settlement: Settlement) {
      setSettlements((all) => all.filter((each) => each !== settlement))
    },
    details,
    tree,
    layout,
    setLayout,
    renaming,
    rename(entry: NamedRow) {
      const begun = { ...entry, draft: {} }
      // A menu gives the focus back when it closes, which would end the edit.
      const isInMenu = document.querySelector('[role="menu"]') !== null
      if (isInMenu) requestAnimationFrame(() => setRenaming(begun))
      else setRenaming(begun)
    },
    endRename() {
      setRenaming(undefined)
      gridRef.current?.focus()
    },
    menu,
    showMenu,
    canUndo: undos.length > 0,
    onUndoable: (undo: Undo) => setUndos((all) => [...all, undo]),
    undo() {
      const left = [...undos]
      let isDone = false
      while (!isDone && left.length > 0) isDone = left.pop()?.() ?? true
      setUndos(left)
    },
  }
}
