import { useRef, useState } from 'react'
import { useDetailsState } from './details-state.ts'
import type { OpenDialog } from './files-dialogs.tsx'

export interface OpenMenu {
  readonly x: number
  readonly y: number
  /** The row it was opened on. */
  readonly row: number
}

export type FilesScreen = ReturnType<typeof useFilesScreen>

/** What stands over or in the list at the moment, and what can be taken back. The keyboard returns to the list. */
export function useFilesScreen(isWide: boolean) {
  const details = useDetailsState(isWide)
  const gridRef = useRef<HTMLDivElement>(null)
  const [dialog, show] = useState<OpenDialog>()
  const [renaming, rename] = useState<number>()
  const [menu, showMenu] = useState<OpenMenu>()
  const [undos, setUndos] = useState<ReadonlyArray<() => void>>([])
  return {
    gridRef,
    dialog,
    show,
    closeDialog() {
      show(undefined)
      // The dialog gives the focus back first.
      requestAnimationFrame(() => gridRef.current?.focus())
    },
    details,
    renaming,
    rename,
    endRename() {
      rename(undefined)
      gridRef.current?.focus()
    },
    menu,
    showMenu,
    canUndo: undos.length > 0,
    onUndoable: (undo: () => void) => setUndos((all) => [...all, undo]),
    undo() {
      undos.at(-1)?.()
      setUndos(undos.slice(0, -1))
    },
  }
}
