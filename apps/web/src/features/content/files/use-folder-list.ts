import { useEffect } from 'react'
import { isFailure } from '../../../lib/http.ts'
import { joinPath } from '../../../lib/paths.ts'
import { useServices } from '../../../lib/services.tsx'
import { useTexts } from '../../../lib/texts.tsx'
import { usePreviewAddress } from '../preview/index.ts'
import { folderInstead } from './file-commands.ts'
import { useFolderAddress } from './folder-address.ts'
import { useFolder } from './folder-query.ts'
import { EMPTY, isFolder, VIRTUAL_FOLDER } from './listing.ts'
import { selectedRows } from './selection.ts'
import { useSelection } from './use-selection.ts'

/** More rows are not searched for a virtual folder: the server refuses what may not be changed anyway. */
const VIRTUAL_LOOKUP_MAX = 1000

export type FolderList = ReturnType<typeof useFolderList>

/** The folder in the address: its rows and what of them is selected. */
export function useFolderList() {
  const address = useFolderAddress()
  const preview = usePreviewAddress()
  const { view } = address
  const query = useFolder(view)
  const listing = query.data ?? EMPTY
  const selected = useSelection(view.folder, listing)
  useFileInstead(query.error, view.folder, address.open)
  useRootInstead(query.error, view.folder, address.open)
  const nameAt = (row: number): string => listing.names[row] ?? ''
  const isFolderAt = (row: number): boolean => row >= 0 && row < listing.count && isFolder(listing.types[row] ?? 0)
  const rows = (): number[] => selectedRows(selected.selection, listing.count)
  return {
    ...selected,
    address,
    preview,
    view,
    query,
    listing,
    rows,
    names: () => rows().map(nameAt),
    nameAt,
    isFolderAt,
    pathOf: (name: string) => joinPath(view.folder, name),
    hasVirtualFolder:
      selected.count > 0 &&
      selected.count < VIRTUAL_LOOKUP_MAX &&
      rows().some((row) => listing.types[row] === VIRTUAL_FOLDER),
    /** Follows a folder and shows a file. */
    open(row: number) {
      const name = nameAt(row)
      if (isFolderAt(row)) address.open(joinPath(view.folder, name))
      else if (name !== '') preview.open(name)
    },
  }
}

/** An address that names a file leads to its folder. */
function useFileInstead(error: unknown, folder: string, open: (folder: string) => void): void {
  useEffect(() => {
    const instead = folderInstead(error, folder)
    if (instead !== undefined) open(instead)
  }, [error, folder, open])
}

/** Reports a path that does not exist and opens the root folder. */
function useRootInstead(error: unknown, folder: string, open: (folder: string) => void): void {
  const texts = useTexts()
  const { messages } = useServices()
  const isGone = isFailure(error, 'PATH_NOT_FOUND') && folder !== '/' && folderInstead(error, folder) === undefined
  useEffect(() => {
    if (!isGone) return
    messages.notify('info', texts('spaces.path-gone'))
    open('/')
  }, [isGone, messages, texts, open])
}
