import type { TransferWay } from '@godwit/contract'
import { type MouseEvent, useEffect } from 'react'
import { useStore } from '../../../lib/store.ts'
import { partLabel } from './breadcrumb.tsx'
import { clipboard, cutNames } from './clipboard.ts'
import { type CommandDeps, renameEntry } from './file-commands.ts'
import { FileGrid } from './file-grid.tsx'
import { folderHref } from './folder-address.ts'
import { useLibrary } from './library.ts'
import { lazyModule, lazyPart } from '../../../lib/lazy.tsx'
import type { Layout } from './layout-state.ts'
import { type Listing, namedRow, rowNow } from './listing.ts'
import { GridSkeleton } from './skeleton.tsx'
import type { FilesScreen } from './use-files-screen.ts'
import type { FolderList } from './use-folder-list.ts'
import { useFocusHandOver } from './use-focus-hand-over.ts'
import { useScrollMemory } from './use-scroll-memory.ts'

const FileTiles = lazyPart(
  lazyModule(() => import('./file-tiles.tsx')),
  (module) => module.FileTiles,
  <GridSkeleton />,
)

const EmptyFolder = lazyPart(
  lazyModule(() => import('./empty-folder.tsx'), 'files'),
  (module) => module.EmptyFolder,
  <GridSkeleton />,
)

const FolderFault = lazyPart(
  lazyModule(() => import('./folder-states.tsx'), 'files'),
  (module) => module.FolderFault,
  <GridSkeleton />,
)

export interface FolderContentProps {
  readonly layout: Layout
  readonly list: FolderList
  readonly screen: FilesScreen
  readonly deps: CommandDeps
  readonly isRoomy: boolean
  readonly mayMove: boolean
  /** How files may be brought here; undefined: not at all. */
  readonly uploadWay: TransferWay | undefined
  readonly onPick: (way: TransferWay) => void
}

/** The rows of the folder, or what stands in their place: on their way, failed, forbidden, none. */
export function FolderContent({ list, screen, deps, layout, isRoomy, mayMove, uploadWay, onPick }: FolderContentProps) {
  const { rootName, address: base } = useLibrary()
  const { view, listing, query, address, pathOf, nameAt } = list
  const scroll = useScrollMemory(layout)
  const handOver = useFocusHandOver(layout, screen.gridRef)
  const clip = useStore(clipboard)
  const renaming = useRenaming(screen, listing)
  if (query.data === undefined) {
    if (query.error === null) return <GridSkeleton />
    return <FolderFault error={query.error} onHome={() => address.open('/')} onRetry={() => void query.refetch()} />
  }
  if (listing.total === 0) {
    const showMenu = (event: MouseEvent): void => {
      event.preventDefault()
      screen.showMenu({ x: event.clientX, y: event.clientY, row: -1, name: '' })
    }
    return <EmptyFolder way={uploadWay} onPick={onPick} onMenu={showMenu} />
  }
  const move = (rows: readonly number[], target: number): void =>
    screen.settle({
      kind: 'move',
      names: rows.map(nameAt),
      from: { place: deps.place, folder: view.folder },
      to: { place: deps.place, folder: pathOf(nameAt(target)) },
    })
  const Entries = layout === 'tiles' ? FileTiles : FileGrid
  return (
    <Entries
      key={isRoomy ? 'roomy' : 'phone'}
      view={view}
      folderName={partLabel(view.folder, rootName)}
      listing={listing}
      selection={list.selection}
      onSelect={list.select}
      isRoomy={isRoomy}
      cut={cutNames(clip, { place: deps.place, folder: view.folder })}
      favorites={list.favorites}
      renaming={renaming}
      onRename={(row, name) => {
        screen.endRename()
        void renameEntry(deps, view, { from: nameAt(row), to: name }, screen.onUndoable)
      }}
      onRenameEnd={screen.endRename}
      onOpen={list.open}
      isMenuOpen={screen.menu !== undefined}
      onMenu={(row, at) => screen.showMenu({ ...at, ...namedRow(listing, row) })}
      onSort={address.sortBy}
      onMove={mayMove ? move : undefined}
      hrefOf={(name) => folderHref(base, { ...view, folder: pathOf(name) })}
      gridRef={screen.gridRef}
      {...handOver}
      {...scroll}
    />
  )
}

/** Where the entry stands whose name is edited; the edit ends when somebody else took the entry away. */
function useRenaming({ renaming, endRename }: FilesScreen, listing: Listing) {
  const row = renaming === undefined ? -1 : rowNow(listing, renaming)
  const isGone = renaming !== undefined && row < 0
  useEffect(() => {
    if (isGone) endRename()
  }, [isGone, endRename])
  return renaming === undefined || isGone ? undefined : { row, draft: renaming.draft }
}
