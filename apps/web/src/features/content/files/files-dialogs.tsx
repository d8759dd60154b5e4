import { useEffect, useRef, useState } from 'react'
import { joinPath } from '../../../lib/paths.ts'
import { useTexts } from '../../../lib/texts.tsx'
import { ConfirmAction } from '../../../ui/confirm-action.tsx'
import { NewFolderDialog } from '../../../ui/new-folder-dialog.tsx'
import { type Conflict, ConflictDialog, type Resolution } from '../conflicts/index.ts'
import { SearchDialog } from '../search/index.ts'
import { archive, type Archiving } from './archive-command.ts'
import { AttributesDialog } from './attributes.dialog.tsx'
import { isSamePlace, type Spot } from './clipboard.ts'
import type { CommandDeps, OnUndoable } from './file-commands.ts'
import { renameSeveral } from './batch-rename-command.ts'
import { BatchRenameDialog } from './batch-rename.dialog.tsx'
import { fileIcon } from './file-icon.ts'
import type { FolderView } from './folder-query.ts'
import { entryAt, isFolder, type Listing } from './listing.ts'
import { removeRows } from './remove-command.ts'
import { TargetDialog } from './target.dialog.tsx'
import { type Transfer, transferRows } from './transfer-command.ts'
import { VersionsDialog } from './versions.dialog.tsx'

export type OpenDialog =
  | { readonly kind: 'new-folder' }
  | { readonly kind: 'find' }
  | { readonly kind: 'batch-rename'; readonly rows: readonly number[] }
  | { readonly kind: 'versions'; readonly row: number }
  | { readonly kind: 'attributes'; readonly paths: readonly string[] }
  | { readonly kind: 'remove'; readonly names: readonly string[]; readonly rows: ReadonlySet<number> }
  | { readonly kind: 'move' | 'copy'; readonly names: readonly string[]; readonly hasFolder: boolean }
  | Archiving
  /** The target is known; taken names are asked about, then it is done. */
  | {
      readonly kind: 'settle'
      readonly transfer: 'move' | 'copy'
      readonly names: readonly string[]
      /** Absent: the folder that is open. */
      readonly from?: Spot
      readonly target: string
      /** Absent: the place that is shown. */
      readonly targetGroupId?: number
    }

export interface FilesDialogsProps {
  readonly dialog: OpenDialog
  readonly deps: CommandDeps
  readonly view: FolderView
  readonly listing: Listing
  readonly onClose: () => void
  readonly onOpen: (dialog: OpenDialog) => void
  readonly onRemoved: (rows: ReadonlySet<number>) => void
  readonly onUndoable: OnUndoable
  readonly onMakeFolder: (name: string) => Promise<void>
}

/** Whichever dialog of the file list is open. */
export function FilesDialogs(props: FilesDialogsProps) {
  const { dialog, listing, view, deps, onClose, onOpen } = props
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
      return <RemoveConfirm {...props} names={dialog.names} rows={dialog.rows} />
    case 'move':
    case 'copy':
      return (
        <TargetDialog
          kind={dialog.kind}
          names={dialog.names}
          hasFolder={dialog.hasFolder}
          from={view.folder}
          onChoose={(target, targetGroupId) =>
            onOpen({ kind: 'settle', transfer: dialog.kind, names: dialog.names, target, targetGroupId })
          }
          onClose={onClose}
        />
      )
    case 'pack':
    case 'unpack':
      return <Archive archiving={dialog} deps={deps} view={view} onClose={onClose} />
    case 'settle':
      return (
        <Settle
          key={`${dialog.targetGroupId ?? ''}${dialog.target}`}
          kind={dialog.transfer}
          names={dialog.names}
          from={dialog.from ?? { place: deps.place, folder: view.folder }}
          to={{
            place: { ...deps.place, groupId: dialog.targetGroupId ?? deps.place.groupId },
            folder: dialog.target,
          }}
          deps={deps}
          onUndoable={props.onUndoable}
          onClose={onClose}
        />
      )
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
  return (
    <BatchRenameDialog
      entries={rows.flatMap((row) => {
        const entry = entryAt(listing, row)
        return entry === undefined ? [] : [{ name: entry.name, isFolder: isFolder(entry.type) }]
      })}
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
  readonly rows: ReadonlySet<number>
}

function RemoveConfirm({ names, rows, deps, view, onClose, onRemoved, onUndoable }: RemoveConfirmProps) {
  const texts = useTexts()
  const remove = (): void => {
    onRemoved(rows)
    void removeRows(deps, view, { names, isGone: (row) => rows.has(row) }, onUndoable)
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

interface SettleProps extends Omit<Transfer, 'conflict'> {
  readonly deps: CommandDeps
  readonly onUndoable: OnUndoable
  readonly onClose: () => void
}

/** Looks for taken names at the target, asks about them, and moves or copies. Copying into the same folder keeps both. */
function Settle(props: SettleProps) {
  const [conflicts, setConflicts] = useState<readonly Conflict[]>([])
  // Mounted anew for every target: what it was given at first is what it settles.
  const first = useRef(props)
  useEffect(() => {
    const { deps, onClose } = first.current
    const stop = new AbortController()
    settle(first.current, stop.signal, setConflicts).catch((error: unknown) => {
      if (stop.signal.aborted) return
      onClose()
      deps.messages.fail(error, deps.texts)
    })
    return () => stop.abort()
  }, [])
  const answer = (resolution: Resolution): void => {
    props.onClose()
    if (resolution !== undefined) return void transferByChoice(props, resolution)
    const { messages, texts } = props.deps
    messages.notify('info', texts(`${props.kind}.none`))
  }
  return conflicts.length === 0 ? null : <ConflictDialog conflicts={conflicts} answer={answer} />
}

async function settle(
  { deps, onUndoable, onClose, ...transfer }: SettleProps,
  signal: AbortSignal,
  ask: (conflicts: readonly Conflict[]) => void,
): Promise<void> {
  const { kind, from, to } = transfer
  const isSameFolder = from.folder === to.folder && isSamePlace(from.place, to.place)
  if (isSameFolder && kind === 'move') return onClose()
  const isDuplicate = isSameFolder && kind === 'copy'
  const found = isDuplicate ? [] : await conflictsAt(deps, transfer)
  if (signal.aborted) return
  if (found.length > 0) return ask(found)
  onClose()
  const conflict = isDuplicate ? 'keep-both' : 'fail'
  await transferRows(deps, { ...transfer, conflict }, onUndoable)
}

async function conflictsAt(
  { operate }: CommandDeps,
  { names, from, to }: Omit<Transfer, 'conflict'>,
): Promise<readonly Conflict[]> {
  const pathsAt = (folder: string): string[] => names.map((name) => joinPath(folder, name))
  const there = await operate('exists', { ...to.place, paths: pathsAt(to.folder) })
  if (there.items.length === 0) return []
  const here = await operate('exists', { ...from.place, paths: pathsAt(from.folder) })
  const incoming = new Map(here.items.map((item) => [item.name, item]))
  return there.items.map((item) => ({
    path: item.name,
    existing: { size: item.file_type === 'File' ? item.size : undefined, time: item.time },
    incoming: {
      size: incoming.get(item.name)?.file_type === 'File' ? incoming.get(item.name)?.size : undefined,
      time: incoming.get(item.name)?.time ?? 0,
    },
  }))
}

/** One call for each way of treating a taken name; names that are free go along with the first. */
async function transferByChoice(
  { deps, kind, names, from, to, onUndoable }: SettleProps,
  resolution: NonNullable<Resolution>,
): Promise<void> {
  for (const conflict of ['fail', 'replace', 'keep-both'] as const) {
    const chosen = names.filter((name) => (resolution.byPath.get(name) ?? 'fail') === conflict)
    if (chosen.length > 0) await transferRows(deps, { kind, names: chosen, from, to, conflict }, onUndoable)
  }
}
