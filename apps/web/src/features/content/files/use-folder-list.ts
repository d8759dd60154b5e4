import { useEffect, useRef } from 'react'
import { isFailure } from '../../../lib/http.ts'
import { joinPath } from '../../../lib/paths.ts'
import { useServices } from '../../../lib/services.tsx'
import { useTexts } from '../../../lib/texts.tsx'
import { useKeyedState } from '../../../lib/use-keyed-state.ts'
import { usePreviewAddress } from '../preview/index.ts'
import { spotKey } from './spot.ts'
import { useFavorites } from './favorites.ts'
import { folderInstead } from './file-commands.ts'
import { useFilesServices } from './files-services.tsx'
import { useFolderAddress } from './folder-address.ts'
import { useFolder } from './folder-query.ts'
import { EMPTY, isFolder } from './listing.ts'
import { selectedRows, selectionOf } from './selection.ts'
import { useSelection } from './use-selection.ts'

/** The kinds of more rows are not looked up: files and folders are assumed, and the server refuses what may not be changed. */
const LOOKUP_MAX = 1000

export type FolderList = ReturnType<typeof useFolderList>

/** The folder in the address: its rows and what of them is selected. */
export function useFolderList() {
  const address = useFolderAddress()
  const preview = usePreviewAddress()
  const { view } = address
  const query = useFolder(view)
  const listing = query.data ?? EMPTY
  const { place } = useFilesServices()
  const spot = spotKey({ place, folder: view.folder })
  const chosen = useSelection(spot, listing)
  useFileInstead(query.error, view.folder, address.open)
  useRootInstead(query.error, view.folder, address.open)
  const nameAt = (row: number): string => listing.names[row] ?? ''
  const isFolderAt = (row: number): boolean => row >= 0 && row < listing.count && isFolder(listing.types[row] ?? 0)
  const follow = (row: number): void => {
    const name = nameAt(row)
    if (isFolderAt(row)) address.open(joinPath(view.folder, name))
    else if (name !== '') preview.open(name)
  }
  const latest = useRef(follow)
  latest.current = follow
  const [awaited, setAwaited] = useKeyedState<string | undefined>(spot, undefined)
  useEffect(() => {
    if (awaited === undefined || listing.pendingName === awaited) return
    setAwaited(undefined)
    latest.current(listing.names.indexOf(awaited))
  }, [awaited, setAwaited, listing])
  const rows = (): number[] => selectedRows(chosen.selection, listing.count)
  return {
    ...chosen,
    address,
    preview,
    view,
    /** Key of the folder: what was chosen or opened in it ends with it. */
    spot,
    query,
    listing,
    /** Names that are favorites. */
    favorites: useFavorites(view.folder, listing.version),
    rows,
    names: () => rows().map(nameAt),
    nameAt,
    isFolderAt,
    pathOf: (name: string) => joinPath(view.folder, name),
    selected:
      chosen.count < LOOKUP_MAX
        ? { ...selectionOf(listing, rows()), count: chosen.count }
        : { count: chosen.count, hasFile: true, hasFolder: true, hasVirtualFolder: false, isArchive: false },
    /** Follows a folder and shows a file; one that is being renamed once the server knows its new name. */
    open(row: number) {
      const name = nameAt(row)
      if (name === listing.pendingName) setAwaited(name)
      else follow(row)
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
