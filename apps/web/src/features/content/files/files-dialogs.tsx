import { useEffect, useRef, useState } from 'react'
import { joinPath } from '../../../lib/paths.ts'
import { useTexts } from '../../../lib/texts.tsx'
import { ConfirmAction } from '../../../ui/confirm-action.tsx'
import { type Conflict, ConflictDialog, type Resolution } from '../conflicts/index.ts'
import { AttributesDialog } from './attributes.dialog.tsx'
import { type CommandDeps, removeRows, transferRows } from './file-commands.ts'
import { FindDialog } from './find.dialog.tsx'
import type { FolderView } from './folder-query.ts'
import type { Listing } from './listing.ts'
import { NewFolderDialog } from './new-folder.dialog.tsx'
import { TargetDialog } from './target.dialog.tsx'

export type OpenDialog =
  | { readonly kind: 'new-folder' }
  | { readonly kind: 'find' }
  | { readonly kind: 'attributes'; readonly paths: readonly string[] }
  | { readonly kind: 'remove'; readonly names: readonly string[]; readonly rows: ReadonlySet<number> }
  | { readonly kind: 'move' | 'copy'; readonly names: readonly string[] }
  /** The target is known; taken names are asked about, then it is done. */
  | {
      readonly kind: 'settle'
      readonly transfer: 'move' | 'copy'
      readonly names: readonly string[]
      readonly target: string
    }

export interface FilesDialogsProps {
  readonly dialog: OpenDialog
  readonly deps: CommandDeps
  readonly view: FolderView
  readonly listing: Listing
  readonly onClose: () => void
  readonly onOpen: (dialog: OpenDialog) => void
  readonly onRemoved: (rows: ReadonlySet<number>) => void
  readonly onUndoable: (undo: () => void) => void
  readonly onMakeFolder: (name: string) => Promise<void>
  readonly onFound: (row: number) => void
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
      return <FindDialog listing={listing} onChoose={props.onFound} onClose={onClose} />
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
          from={view.folder}
          onChoose={(target) => onOpen({ kind: 'settle', transfer: dialog.kind, names: dialog.names, target })}
          onClose={onClose}
        />
      )
    case 'settle':
      return <Settle key={dialog.target} {...dialog} deps={deps} view={view} onClose={onClose} />
  }
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

interface SettleProps {
  readonly transfer: 'move' | 'copy'
  readonly names: readonly string[]
  readonly target: string
  readonly deps: CommandDeps
  readonly view: FolderView
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
    if (resolution !== undefined) return void transferByChoice(props.deps, props.view, { ...props, resolution })
    const { messages, texts } = props.deps
    messages.notify('info', texts(`${props.transfer}.none`))
  }
  return conflicts.length === 0 ? null : <ConflictDialog conflicts={conflicts} answer={answer} />
}

async function settle(
  { transfer, names, target, deps, view, onClose }: SettleProps,
  signal: AbortSignal,
  ask: (conflicts: readonly Conflict[]) => void,
): Promise<void> {
  const isDuplicate = transfer === 'copy' && target === view.folder
  const found = isDuplicate ? [] : await conflictsAt(deps, view, { names, target })
  if (signal.aborted) return
  if (found.length > 0) return ask(found)
  onClose()
  const conflict = isDuplicate ? 'keep-both' : 'fail'
  await transferRows(deps, view, { kind: transfer, names, target, conflict })
}

async function conflictsAt(
  { operate, place }: CommandDeps,
  view: FolderView,
  { names, target }: { readonly names: readonly string[]; readonly target: string },
): Promise<readonly Conflict[]> {
  const pathsAt = (folder: string): string[] => names.map((name) => joinPath(folder, name))
  const there = await operate('exists', { ...place, paths: pathsAt(target) })
  if (there.items.length === 0) return []
  const here = await operate('exists', { ...place, paths: pathsAt(view.folder) })
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

interface Choice {
  readonly transfer: 'move' | 'copy'
  readonly names: readonly string[]
  readonly target: string
  readonly resolution: NonNullable<Resolution>
}

/** One call for each way of treating a taken name; names that are free go along with the first. */
async function transferByChoice(deps: CommandDeps, view: FolderView, choice: Choice): Promise<void> {
  const { transfer, names, target, resolution } = choice
  for (const conflict of ['fail', 'replace', 'keep-both'] as const) {
    const chosen = names.filter((name) => (resolution.byPath.get(name) ?? 'fail') === conflict)
    if (chosen.length > 0) await transferRows(deps, view, { kind: transfer, names: chosen, target, conflict })
  }
}
