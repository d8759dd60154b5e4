import { useMemo, useRef, useState } from 'react'
import { type BoundAction, bindActions, useRegisteredActions } from '../../../lib/actions.tsx'
import { useAccount } from '../../identity/auth/index.ts'
import type { Intake } from '../uploads/index.ts'
import { FILE_ACTIONS, type FilesCommands, type FilesContext } from './file-actions.ts'
import { type CommandDeps, downloadPaths } from './file-commands.ts'
import { useLibrary } from './library.ts'
import { VIRTUAL_FOLDER } from './listing.ts'
import { isSelected, selectAll, selectNone } from './selection.ts'
import type { FilesScreen } from './use-files-screen.ts'
import type { FolderList } from './use-folder-list.ts'

export interface FileActionsDeps {
  readonly list: FolderList
  readonly screen: FilesScreen
  readonly intake: Intake
  readonly deps: CommandDeps
}

/** The actions of the file list bound to what is shown and selected, and reachable by their keys. */
export function useFileActions(parts: FileActionsDeps): readonly BoundAction[] {
  const { list, screen } = parts
  const { service } = useAccount()
  const { permission } = useLibrary()
  const latest = useRef<FilesCommands>(undefined)
  latest.current = commandsOf(parts, list)
  const context = useFilesContext({
    permission,
    canUseWebTransfer: service.transferType !== 1,
    count: list.count,
    hasVirtualFolder: list.hasVirtualFolder,
    isAtRoot: list.view.folder === '/',
    canUndo: screen.canUndo,
    latest,
  })
  const actions = useMemo(() => bindActions(FILE_ACTIONS, context), [context])
  useRegisteredActions(actions)
  return actions
}

/** The same actions for a menu that was opened on a row. */
export function useRowActions(parts: FileActionsDeps): readonly BoundAction[] {
  const { list, screen } = parts
  const { service } = useAccount()
  const { permission } = useLibrary()
  const target = targetOf(list, screen.menu?.row)
  return bindActions(FILE_ACTIONS, {
    permission,
    canUseWebTransfer: service.transferType !== 1,
    count: target.count,
    hasVirtualFolder: target.hasVirtualFolder,
    isAtRoot: list.view.folder === '/',
    canUndo: screen.canUndo,
    do: commandsOf(parts, target),
  })
}

type Target = Pick<FolderList, 'count' | 'hasVirtualFolder' | 'rows' | 'names'>

/** The selection when the row is part of it, else the row alone; the selection stays as it is. */
function targetOf(list: FolderList, row: number | undefined): Target {
  if (row === undefined || isSelected(list.selection, row)) return list
  return {
    count: 1,
    hasVirtualFolder: list.listing.types[row] === VIRTUAL_FOLDER,
    rows: () => [row],
    names: () => [list.nameAt(row)],
  }
}

function commandsOf({ list, screen, intake, deps }: FileActionsDeps, { rows, names }: Target): FilesCommands {
  const { view, selection, select } = list
  const paths = (): string[] => names().map(list.pathOf)
  return {
    open: () => list.open(rows()[0] ?? -1),
    pickFiles: () => intake.pickFiles(view.folder),
    pickFolder: () => intake.pickFolder(view.folder),
    newFolder: () => screen.show({ kind: 'new-folder' }),
    download: () => void downloadPaths(deps, paths()),
    rename: () => screen.rename(rows()[0]),
    move: () => screen.show({ kind: 'move', names: names() }),
    copy: () => screen.show({ kind: 'copy', names: names() }),
    remove: () => screen.show({ kind: 'remove', names: names(), rows: new Set(rows()) }),
    attributes: () => screen.show({ kind: 'attributes', paths: paths() }),
    selectAll: () => select(selectAll(selection)),
    clear: () => select(selectNone(selection)),
    parent: list.address.up,
    find: () => screen.show({ kind: 'find' }),
    undo: screen.undo,
  }
}

interface ContextFacts extends Omit<FilesContext, 'do'> {
  readonly latest: { readonly current: FilesCommands | undefined }
}

/** The context changes only with its facts; its commands always reach the newest state of the page. */
function useFilesContext(facts: ContextFacts): FilesContext {
  const { permission, canUseWebTransfer, count, hasVirtualFolder, isAtRoot, canUndo, latest } = facts
  const [does] = useState(() => throughRef(latest))
  return useMemo(
    () => ({ permission, canUseWebTransfer, count, hasVirtualFolder, isAtRoot, canUndo, do: does }),
    [permission, canUseWebTransfer, count, hasVirtualFolder, isAtRoot, canUndo, does],
  )
}

function throughRef(latest: ContextFacts['latest']): FilesCommands {
  const run = (name: keyof FilesCommands) => () => latest.current?.[name]()
  return {
    open: run('open'),
    pickFiles: run('pickFiles'),
    pickFolder: run('pickFolder'),
    newFolder: run('newFolder'),
    download: run('download'),
    rename: run('rename'),
    move: run('move'),
    copy: run('copy'),
    remove: run('remove'),
    attributes: run('attributes'),
    selectAll: run('selectAll'),
    clear: run('clear'),
    parent: run('parent'),
    find: run('find'),
    undo: run('undo'),
  }
}
