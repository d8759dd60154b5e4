import { useEffect, useRef, useState } from 'react'
import { joinPath } from '../../../lib/paths.ts'
import { useTexts } from '../../../lib/texts.tsx'
import { ConfirmAction } from '../../../ui/confirm-action.tsx'
import { NewFolderDialog } from '../../../ui/new-folder-dialog.tsx'
import { SearchDialog } from '../search/index.ts'
import { archive, type Archiving } from './archive-command.ts'
import { AttributesDialog } from './attributes.dialog.tsx'
import type { CommandDeps, OnUndoable } from './file-commands.ts'
import { renameSeveral } from './batch-rename-command.ts'
import { BatchRenameDialog } from './batch-rename.dialog.tsx'
import { fileIcon } from './file-icon.ts'
import type { FolderView } from './folder-query.ts'
import { entryAt, isFolder, type Listing } from './listing.ts'
import { removeRows } from './remove-command.ts'
import { selectNone } from './selection.ts'
import { TargetDialog } from './target.dialog.tsx'
import type { Settlement } from './transfer-command.ts'
import type { FolderList } from './use-folder-list.ts'
import { VersionsDialog } from './versions.dialog.tsx'

export { Settle } from './settle.tsx'

export type OpenDialog =
  | { readonly kind: 'new-folder' }
  | { readonly kind: 'find' }
  | { readonly kind: 'batch-rename'; readonly rows: readonly number[] }
  | { readonly kind: 'versions'; readonly row: number }
  | { readonly kind: 'attributes'; readonly paths: readonly string[] }
  | { readonly kind: 'remove'; readonly names: readonly string[] }
  | { readonly kind: 'move' | 'copy'; readonly names: readonly string[]; readonly hasFolder: boolean }
  | Archiving

export interface FilesDialogsProps {
  readonly dialog: OpenDialog
  readonly deps: CommandDeps
  readonly view: FolderView
  readonly listing: Listing
  readonly onClose: () => void
  readonly onSettle: (transfer: Omit<Settlement, 'id'>) => void
  readonly list: Pick<FolderList, 'names' | 'selection' | 'select'>
  readonly onUndoable: OnUndoable
  readonly onMakeFolder: (name: string) => Promise<void>
}

/** Whichever dialog of the file list is open. */
export function FilesDialogs(props: FilesDialogsProps) {
  const { dialog, listing, view, deps, onClose, onSettle } = props
  switch (dialog.kind) {
    case 'new-folder':
      return (
        <NewFolderDialog
          isTaken={(name) => listing.names.includes(name)}
          onCreate={props.onMakeFolder}
          onClose={onClose}
        />
      )
    case 'find':
      return (
        <SearchDialog
          operate={deps.operate}
          place={deps.place}
          folder={view.folder}
          iconOf={fileIcon}
          onClose={onClose}
        />
      )
    case 'batch-rename':
      return <BatchRename {...props} rows={dialog.rows} />
    case 'versions':
      return <VersionsOf {...props} row={dialog.row} />
    case 'attributes':
      return <AttributesDialog paths={dialog.paths} onClose={onClose} />
    case 'remove':
      return <RemoveConfirm {...props} names={dialog.names} />
    case 'move':
    case 'copy':
      return (
        <TargetDialog
          kind={dialog.kind}
          names={dialog.names}
          hasFolder={dialog.hasFolder}
          from={view.folder}
          onChoose={(folder, groupId) => {
            onClose()
            onSettle({
              kind: dialog.kind,
              names: dialog.names,
              from: { place: deps.place, folder: view.folder },
              to: { place: { ...deps.place, groupId }, folder },
            })
          }}
          onClose={onClose}
        />
      )
    case 'pack':
    case 'unpack':
      return <Archive archiving={dialog} deps={deps} view={view} onClose={onClose} />
  }
}

interface ArchiveProps extends Pick<FilesDialogsProps, 'deps' | 'view' | 'onClose'> {
  readonly archiving: Archiving
}

/** Nothing is asked: it begins at once. */
function Archive(props: ArchiveProps) {
  const first = useRef<ArchiveProps | undefined>(props)
  useEffect(() => {
    const begun = first.current
    first.current = undefined
    if (begun === undefined) return
    begun.onClose()
    void archive(begun.deps, begun.view, begun.archiving)
  }, [])
  return null
}

function BatchRename({
  rows,
  listing,
  view,
  deps,
  onClose,
  onUndoable,
}: FilesDialogsProps & { readonly rows: readonly number[] }) {
  // As they were chosen: others may come to stand in these rows while the names are made.
  const [entries] = useState(() =>
    rows.flatMap((row) => {
      const entry = entryAt(listing, row)
      return entry === undefined ? [] : [{ name: entry.name, isFolder: isFolder(entry.type) }]
    }),
  )
  return (
    <BatchRenameDialog
      entries={entries}
      all={listing.names}
      onRename={(steps) => void renameSeveral(deps, view, steps, onUndoable)}
      onClose={onClose}
    />
  )
}

/** The file is followed by its name: what it holds may change while its versions are shown. */
function VersionsOf({ row, listing, view, deps, onClose }: FilesDialogsProps & { readonly row: number }) {
  const [name] = useState(listing.names[row] ?? '')
  const size = listing.sizes[listing.names.indexOf(name)] ?? 0
  return <VersionsDialog path={joinPath(view.folder, name)} size={size} deps={deps} onClose={onClose} />
}

interface RemoveConfirmProps extends FilesDialogsProps {
  readonly names: readonly string[]
}

function RemoveConfirm({ names, deps, view, list, onClose, onUndoable }: RemoveConfirmProps) {
  const texts = useTexts()
  const remove = (): void => {
    const gone = new Set(names)
    if (list.names().some((name) => gone.has(name))) list.select(selectNone(list.selection))
    void removeRows(deps, view, names, onUndoable)
  }
  return (
    <ConfirmAction
      title={texts('remove.title', { count: names.length, name: names[0] ?? '' })}
      text={texts('remove.text')}
      submitLabel={texts('remove.submit')}
      onConfirm={remove}
      onClose={onClose}
    />
  )
}
