import { NO_SELECTION, offersFileAction } from '@godwit/contract/content/file-actions'
import { pageAccess } from '@godwit/contract/foundation/menus'
import type { AccountType } from '@godwit/contract/identity/account-types'
import { useMemo, useRef, useState } from 'react'
import { type BoundAction, bindActions, useRegisteredActions } from '../../../lib/actions.tsx'
import { useSite } from '../../foundation/site/index.ts'
import { useAccount } from '../../identity/auth/index.ts'
import type { UploadIntake } from '../uploads/index.ts'
import { type Clip, clipboard } from './clipboard.ts'
import { FILE_ACTIONS } from './file-actions.ts'
import type { FilesCommands, FilesContext } from './files-context.ts'
import { download } from './download-command.ts'
import type { CommandDeps } from './file-commands.ts'
import { setFavorite } from './favorites.ts'
import type { LinkTarget } from './files-services.tsx'
import { type NamedRow, namedRow, rowNow } from './listing.ts'
import { isSelected, only, selectAll, selectionOf, selectNone } from './selection.ts'
import { useClipboardKeys } from './use-clipboard.ts'
import { useFileSituation } from './use-file-situation.ts'
import { type TransferWays, withWays } from './use-transfer-ways.ts'
import type { FilesScreen } from './use-files-screen.ts'
import type { FolderList } from './use-folder-list.ts'

export interface FileActionsDeps {
  readonly list: FolderList
  readonly screen: FilesScreen
  readonly intake: UploadIntake
  readonly deps: CommandDeps
  /** What may be pasted here. */
  readonly pastable: Clip | undefined
  readonly userId: string
  readonly onRecycleBin: () => void
  /** Receives files of the computer, such as a screenshot. */
  readonly onPasteFiles: (files: readonly File[]) => void
  readonly ways: TransferWays
  /** The account's `clientPromptFiles`. */
  readonly promptFiles: number
  /** Rights in the place that is shown. */
  readonly permission: number
}

/** The actions of the file list bound to what is shown and selected, and reachable by their keys. */
export function useFileActions(parts: FileActionsDeps): readonly BoundAction[] {
  const { list, screen } = parts
  const latest = useRef<FilesCommands>(undefined)
  latest.current = commandsOf(parts, list)
  const context = useFilesContext({
    situation: useFileSituation(list.selected),
    isAtRoot: list.view.folder === '/',
    canUndo: screen.canUndo,
    canPaste: parts.pastable !== undefined,
    isFavorite: areFavorites(parts, list),
    layout: screen.layout,
    hasTree: screen.tree.isPossible,
    latest,
  })
  const offered = useSiteActions()
  const { ways } = parts
  const actions = useMemo(() => withWays(bindActions(offered, context), ways), [offered, context, ways])
  useRegisteredActions(actions)
  const { situation } = context
  useClipboardKeys({
    cut: offersFileAction('move', situation) ? () => take(parts, list, 'move') : undefined,
    copy: offersFileAction('copy', situation) ? () => take(parts, list, 'copy') : undefined,
    paste: parts.pastable === undefined ? undefined : () => paste(parts),
    pasteFiles: (files) => parts.onPasteFiles(files),
  })
  return actions
}

/** The same actions for a menu that was opened on a row. */
export function useRowActions(parts: FileActionsDeps): readonly BoundAction[] {
  const { list, screen } = parts
  const target = targetOf(list, screen.menu)
  const situation = useFileSituation(target.selected)
  const actions = bindActions(useSiteActions(), {
    situation,
    isAtRoot: list.view.folder === '/',
    canUndo: screen.canUndo,
    canPaste: parts.pastable !== undefined,
    isFavorite: areFavorites(parts, target),
    layout: screen.layout,
    hasTree: screen.tree.isPossible,
    do: commandsOf(parts, target),
  })
  return withWays(actions, parts.ways)
}

/** A site that has switched the pages of links off makes none either. */
function useSiteActions(): typeof FILE_ACTIONS {
  const site = useSite()
  const accountType = useAccount().user.accountType as AccountType
  return useMemo(() => {
    const isOpen = (menu: 'shareLinks' | 'inviteLinks'): boolean => pageAccess(menu, { site, accountType }) === 'open'
    const isOff = { share: !isOpen('shareLinks'), invite: !isOpen('inviteLinks') }
    return FILE_ACTIONS.filter(({ name }) => !(name === 'share' || name === 'invite') || !isOff[name])
  }, [site, accountType])
}

/** Whether all that is selected is marked; of a large selection the names are not even looked at. */
function areFavorites({ list: { favorites } }: FileActionsDeps, { selected, names }: Target): boolean {
  return selected.count > 0 && selected.count <= favorites.size && names().every((name) => favorites.has(name))
}

type Target = Pick<FolderList, 'selected' | 'rows' | 'names'>

/** The selection when the row is part of it, else the row alone; the selection stays as it is. */
function targetOf(list: FolderList, menu: NamedRow | undefined): Target {
  if (menu === undefined) return list
  const row = menu.row < 0 ? -1 : rowNow(list.listing, menu)
  if (row < 0) return { selected: NO_SELECTION, rows: () => [], names: () => [] }
  if (isSelected(list.selection, row)) return list
  return {
    selected: selectionOf(list.listing, [row]),
    rows: () => [row],
    names: () => [list.nameAt(row)],
  }
}

function commandsOf(parts: FileActionsDeps, target: Target): FilesCommands {
  const { list, screen, intake, deps, ways, promptFiles } = parts
  const { rows, names } = target
  const { view, selection, select } = list
  const paths = (): string[] => names().map(list.pathOf)
  const isWithFolder = target.selected.hasFolder || target.selected.hasVirtualFolder
  const linkTarget = (kind: LinkTarget['kind']): LinkTarget => ({
    kind,
    place: deps.place,
    folder: view.folder,
    names: names(),
    hasFolder: isWithFolder,
  })
  /** A selected folder, else the one that is shown. */
  const syncTarget = () => ({ kind: 'sync', place: deps.place, folder: paths()[0] ?? view.folder }) as const
  return {
    open: () => list.open(rows()[0] ?? -1),
    pickFiles: () => intake.pickFiles(view.folder),
    pickFolder: () => intake.pickFolder(view.folder),
    takePhoto: () => intake.takePhoto(view.folder),
    newFolder: () => screen.show({ kind: 'new-folder' }),
    clientUpload: (pick) => deps.handOver({ kind: 'upload', place: deps.place, folder: view.folder, pick }),
    sync: () => deps.handOver({ ...syncTarget(), direction: 'upload' }),
    syncDown: () => deps.handOver({ ...syncTarget(), direction: 'download' }),
    clientDownload: () => deps.handOver({ kind: 'download', place: deps.place, paths: paths() }),
    download: () => void download(deps, { paths: paths(), hasFolder: isWithFolder, ways, promptFiles }),
    share: () => deps.makeLink(linkTarget('share')),
    invite: () => deps.makeLink(linkTarget('invite')),
    rename: () => screen.rename(namedRow(list.listing, rows()[0] ?? -1)),
    batchRename: () => screen.show({ kind: 'batch-rename', rows: rows() }),
    cut: () => void take(parts, target, 'move'),
    clip: () => void take(parts, target, 'copy'),
    paste: () => paste(parts),
    move: () => screen.show({ kind: 'move', names: names(), hasFolder: target.selected.hasFolder }),
    copy: () => screen.show({ kind: 'copy', names: names(), hasFolder: target.selected.hasFolder }),
    pack: () => screen.show({ kind: 'pack', names: names(), hasFolder: target.selected.hasFolder }),
    unpack: () => screen.show({ kind: 'unpack', names: names(), hasFolder: false }),
    remove: () => screen.show({ kind: 'remove', names: names() }),
    versions: () => screen.show({ kind: 'versions', row: rows()[0] ?? -1 }),
    attributes: () => screen.show({ kind: 'attributes', paths: paths() }),
    details: () => showDetails(parts, target),
    tree: screen.tree.toggle,
    favorite: () => void setFavorite(deps, view.folder, { names: names(), isFavorite: true }),
    unfavorite: () => void setFavorite(deps, view.folder, { names: names(), isFavorite: false }),
    showTiles: () => screen.setLayout('tiles'),
    showList: () => screen.setLayout('list'),
    selectAll: () => select(selectAll(selection)),
    clear: () => select(selectNone(selection)),
    parent: list.address.up,
    find: () => screen.show({ kind: 'find' }),
    recycleBin: parts.onRecycleBin,
    undo: screen.undo,
  }
}

/** From the menu of another row the panel shows that row, and is never closed by it. */
function showDetails({ list, screen }: FileActionsDeps, target: Target): void {
  const [row] = target.rows()
  if (target === list || row === undefined) return screen.details.toggle()
  list.select(only(row))
  screen.details.open()
}

/** Takes the selection for a paste. @returns its names */
function take(
  { list, deps, userId, permission }: FileActionsDeps,
  target: Target,
  kind: Clip['kind'],
): readonly string[] {
  const names = target.names()
  const from = { place: deps.place, folder: list.view.folder }
  clipboard.set({ kind, from, names, hasFolder: target.selected.hasFolder, permission, userId })
  deps.messages.notify('info', deps.texts(`clip.${kind}`, { count: names.length, name: names[0] ?? '' }))
  return names
}

/** What was cut is gone from where it was, so it can be pasted once. */
function paste({ pastable, screen, list, deps }: FileActionsDeps): void {
  if (pastable === undefined) return
  const { kind, names, from } = pastable
  if (kind === 'move') clipboard.set(undefined)
  screen.settle({ kind, names, from, to: { place: deps.place, folder: list.view.folder } })
}

interface ContextFacts extends Omit<FilesContext, 'do'> {
  readonly latest: { readonly current: FilesCommands | undefined }
}

/** The context changes only with its facts; its commands always reach the newest state of the page. */
function useFilesContext(facts: ContextFacts): FilesContext {
  const { situation, isAtRoot, canUndo, canPaste, isFavorite, layout, hasTree, latest } = facts
  const [does] = useState(() => throughRef(latest))
  return useMemo(
    () => ({ situation, isAtRoot, canUndo, canPaste, isFavorite, layout, hasTree, do: does }),
    [situation, isAtRoot, canUndo, canPaste, isFavorite, layout, hasTree, does],
  )
}

/** Each command is that of the newest state when it is called. */
function throughRef(latest: ContextFacts['latest']): FilesCommands {
  const run =
    (name: keyof FilesCommands) =>
    (...inputs: Parameters<FilesCommands['clientUpload']>): void =>
      latest.current?.[name](...inputs)
  return new Proxy({} as FilesCommands, { get: (_, name) => run(name as keyof FilesCommands) })
}
