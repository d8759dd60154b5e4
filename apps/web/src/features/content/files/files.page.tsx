import { hasPermission } from '@godwit/contract/permissions'
import { useQueryClient } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { FolderX, Lock, TriangleAlert, Upload } from 'lucide-react'
import { type DragEvent, type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { useCopy } from '../../../lib/copy-text.ts'
import { lazyModule, lazyWindow } from '../../../lib/lazy.tsx'
import { bindActions, useRegisteredActions } from '../../../lib/actions.tsx'
import { isFailure } from '../../../lib/http.ts'
import { joinPath, parentOf } from '../../../lib/paths.ts'
import { useServices } from '../../../lib/services.tsx'
import { useTexts } from '../../../lib/texts.tsx'
import { ROOMY, useMedia } from '../../../lib/use-media.ts'
import type { Windowing } from '../../../lib/use-windowing.ts'
import { Button } from '../../../ui/button.tsx'
import { StatePanel } from '../../../ui/state-panel.tsx'
import { type Account, useAccount } from '../../identity/auth/index.ts'
import { DropZone, TooLargeDialog, useUploadIntake } from '../uploads/index.ts'
import { Breadcrumb, partLabel } from './breadcrumb.tsx'
import { FILE_ACTIONS, type FilesCommands, type FilesContext } from './file-actions.tsx'
import { downloadPaths, folderInstead, makeFolder, renameRow } from './file-commands.ts'
import { FileGrid } from './file-grid.tsx'
import type { OpenDialog } from './files-dialogs.tsx'
import styles from './files.page.module.css'
import { useFilesServices } from './files-services.tsx'
import { folderHref, useFolderAddress } from './folder-address.ts'
import { useFolder } from './folder-query.ts'
import { Jobs, useJobs } from './jobs.tsx'
import { EMPTY, isFolder, VIRTUAL_FOLDER } from './listing.ts'
import { RowMenu } from './row-menu.tsx'
import { only, selectAll, selectedRows, selectNone } from './selection.ts'
import { GridSkeleton } from './skeleton.tsx'
import { Toolbar } from './toolbar.tsx'
import { useSelection } from './use-selection.ts'

const dialogs = lazyModule(() => import('./files-dialogs.tsx'))
const FilesDialogs = lazyWindow(dialogs, (module) => module.FilesDialogs)

const FOLDED_ROOMY = 6
const FOLDED_PHONE = 3
/** Where each visit of a folder was scrolled to; going back finds the same rows. */
const places = new Map<string, number>()

/** My files: where one is, what one can do, and the list. Ties the parts together, so it is longer than they are. */
export function FilesPage() {
  const texts = useTexts()
  const { user, service } = useAccount()
  const services = useFilesServices()
  const { place, messages } = services
  const address = useFolderAddress()
  const { view } = address
  const { data, error, isFetching, refetch } = useFolder(view)
  const listing = data ?? EMPTY
  const { selection, select, count, bytes } = useSelection(view.folder, listing)
  const isRoomy = useMedia(ROOMY)
  const intake = useUploadIntake(place, messages)
  const { jobs, follow } = useJobs()
  const client = useQueryClient()
  const deps = { ...services, client, texts, follow }
  const [dialog, setDialog] = useState<OpenDialog>()
  const [renaming, setRenaming] = useState<number>()
  const [menu, setMenu] = useState<{ readonly x: number; readonly y: number }>()
  const [undos, setUndos] = useState<ReadonlyArray<() => void>>([])
  const gridRef = useRef<HTMLDivElement>(null)
  const windowingRef = useRef<Windowing>(undefined)
  const initialTop = useRememberedPlace(windowingRef)
  const copy = useCopy()
  useEffect(() => dialogs.prefetch(), [])
  useFileInstead(error, view.folder, address.open)
  useRootInstead(error, view.folder, address.open)

  const rows = (): number[] => selectedRows(selection, listing.count)
  const names = (): string[] => rows().map((row) => listing.names[row] ?? '')
  const open = (row: number): void => {
    const name = listing.names[row]
    if (name === undefined) return
    if (isFolder(listing.types[row] ?? 0)) address.open(joinPath(view.folder, name))
  }
  const commands: FilesCommands = {
    open: () => open(rows()[0] ?? -1),
    pickFiles: () => intake.pickFiles(view.folder),
    pickFolder: () => intake.pickFolder(view.folder),
    newFolder: () => setDialog({ kind: 'new-folder' }),
    download: () =>
      void downloadPaths(
        deps,
        names().map((name) => joinPath(view.folder, name)),
      ),
    rename: () => setRenaming(rows()[0]),
    move: () => setDialog({ kind: 'move', names: names() }),
    copy: () => setDialog({ kind: 'copy', names: names() }),
    remove: () => setDialog({ kind: 'remove', names: names(), rows: new Set(rows()) }),
    attributes: () => setDialog({ kind: 'attributes', paths: names().map((name) => joinPath(view.folder, name)) }),
    selectAll: () => select(selectAll(selection)),
    clear: () => select(selectNone(selection)),
    parent: () => address.open(parentOf(view.folder)),
    find: () => setDialog({ kind: 'find' }),
    undo: () => {
      undos.at(-1)?.()
      setUndos(undos.slice(0, -1))
    },
  }
  const latest = useRef(commands)
  latest.current = commands
  const hasVirtualFolder = count > 0 && count < 1000 && rows().some((row) => listing.types[row] === VIRTUAL_FOLDER)
  const context = useFilesContext({
    permission: user.permission,
    canUseWebTransfer: service.transferType !== 1,
    count,
    hasVirtualFolder,
    isAtRoot: view.folder === '/',
    canUndo: undos.length > 0,
    latest,
  })
  const actions = useMemo(() => bindActions(FILE_ACTIONS, context), [context])
  useRegisteredActions(actions)
  const denied = useDenied({ user, service })
  const hrefOf = (folder: string): string => folderHref({ ...view, folder })
  const moveTo = (target: string): void => setDialog({ kind: 'settle', transfer: 'move', names: names(), target })
  const mayMove = hasPermission(user.permission, 'move')

  const body = ((): ReactNode => {
    if (data === undefined && error === null) return <GridSkeleton />
    if (error !== null && data === undefined) {
      return <FolderFault error={error} onHome={() => address.open('/')} onRetry={() => void refetch()} />
    }
    if (listing.total === 0) {
      return <EmptyFolder mayUpload={denied === undefined} onPick={() => intake.pickFiles(view.folder)} />
    }
    return (
      <FileGrid
        key={isRoomy ? 'roomy' : 'phone'}
        view={view}
        folderName={partLabel(view.folder, texts)}
        listing={listing}
        selection={selection}
        onSelect={select}
        isRoomy={isRoomy}
        initialTop={initialTop}
        renaming={renaming}
        onRename={(row, name) => {
          setRenaming(undefined)
          gridRef.current?.focus()
          void renameRow(deps, view, row, name)
        }}
        onRenameEnd={() => {
          setRenaming(undefined)
          gridRef.current?.focus()
        }}
        onOpen={open}
        onMenu={(_, at) => setMenu(at)}
        onSort={address.sortBy}
        onMove={
          mayMove
            ? (dragged, target) => {
                const targetName = listing.names[target] ?? ''
                const moved = dragged.map((row) => listing.names[row] ?? '')
                setDialog({
                  kind: 'settle',
                  transfer: 'move',
                  names: moved,
                  target: joinPath(view.folder, targetName),
                })
              }
            : undefined
        }
        hrefOf={(name) => hrefOf(joinPath(view.folder, name))}
        gridRef={gridRef}
        windowingRef={windowingRef}
      />
    )
  })()

  const folderAt = (event: DragEvent): string => {
    const row = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-row]') : null
    const index = Number(row?.dataset['row'] ?? -1)
    const isTarget = index >= 0 && isFolder(listing.types[index] ?? 0)
    return isTarget ? joinPath(view.folder, listing.names[index] ?? '') : view.folder
  }
  return (
    <section className={styles['page']} aria-label={texts('files.title')}>
      <div className={styles['crumbs']}>
        <Breadcrumb
          folder={view.folder}
          maxParts={isRoomy ? FOLDED_ROOMY : FOLDED_PHONE}
          onOpen={address.open}
          hrefOf={hrefOf}
          onDropRows={mayMove ? moveTo : undefined}
          onCopyPath={() => void copy(view.folder, { told: texts('path.copied') })}
        />
      </div>
      <DropZone
        denied={denied}
        folderAt={folderAt}
        labelOf={(folder) => partLabel(folder, texts)}
        onDrop={intake.takeDrop}
        onDenied={(reason) => messages.tell('error', reason)}
      >
        <div className={styles['card']} aria-busy={isFetching}>
          <div className={styles['bar']}>
            <Toolbar actions={actions} count={count} bytes={bytes} total={listing.total} loaded={listing.count} />
          </div>
          <Jobs jobs={jobs} />
          {intake.scanned !== undefined && (
            <p className={styles['scan']} role="status">
              {texts('drop.scanning', { count: intake.scanned })}
            </p>
          )}
          {body}
        </div>
      </DropZone>
      <RowMenu actions={actions} at={menu} returnTo={gridRef.current} onClose={() => setMenu(undefined)} />
      {intake.refused !== undefined && <TooLargeDialog {...intake.refused} onClose={intake.forgetRefused} />}
      {dialog !== undefined && (
        <FilesDialogs
          dialog={dialog}
          deps={deps}
          view={view}
          listing={listing}
          onClose={() => {
            setDialog(undefined)
            requestAnimationFrame(() => gridRef.current?.focus())
          }}
          onOpen={setDialog}
          onRemoved={() => select(selectNone(selection))}
          onUndoable={(undo) => setUndos((all) => [...all, undo])}
          onMakeFolder={(name) => makeFolder(deps, view, name)}
          onFound={(row) => {
            setDialog(undefined)
            select(only(row))
            open(row)
          }}
        />
      )}
    </section>
  )
}

interface ContextFacts extends Omit<FilesContext, 'do'> {
  readonly latest: { readonly current: FilesCommands }
}

/** The context changes only with what it says; its commands always reach the newest state of the page. */
function useFilesContext(facts: ContextFacts): FilesContext {
  const { permission, canUseWebTransfer, count, hasVirtualFolder, isAtRoot, canUndo, latest } = facts
  const [does] = useState(() => throughRef(latest))
  return useMemo(
    () => ({ permission, canUseWebTransfer, count, hasVirtualFolder, isAtRoot, canUndo, do: does }),
    [permission, canUseWebTransfer, count, hasVirtualFolder, isAtRoot, canUndo, does],
  )
}

function throughRef(latest: ContextFacts['latest']): FilesCommands {
  const run = (name: keyof FilesCommands) => () => latest.current[name]()
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

/** Why uploads are refused here; undefined when they are not. */
function useDenied({ user, service }: Pick<Account, 'user' | 'service'>): string | undefined {
  const texts = useTexts()
  if (!hasPermission(user.permission, 'upload')) return texts('drop.denied.permission')
  return service.transferType === 1 ? texts('drop.denied.transfer') : undefined
}

function useRememberedPlace(windowing: { readonly current: Windowing | undefined }): number {
  const visit = useLocation({ select: ({ state, href }) => `${state.__TSR_key ?? ''} ${href}` })
  const last = useRef(visit)
  useEffect(() => {
    last.current = visit
    const list = windowing
    list.current?.scrollTo(places.get(visit) ?? 0)
    return () => {
      places.set(visit, list.current?.top() ?? 0)
    }
  }, [visit, windowing])
  return places.get(visit) ?? 0
}

/** An address that names a file leads to its folder. */
function useFileInstead(error: unknown, folder: string, open: (folder: string) => void): void {
  useEffect(() => {
    const instead = folderInstead(error, folder)
    if (instead !== undefined) open(instead)
  }, [error, folder, open])
}

/** A path that does not exist here is told, and the list starts at the root again (document 1, section 4). */
function useRootInstead(error: unknown, folder: string, open: (folder: string) => void): void {
  const texts = useTexts()
  const { messages } = useServices()
  const isGone = isFailure(error, 'PATH_NOT_FOUND') && folder !== '/' && folderInstead(error, folder) === undefined
  useEffect(() => {
    if (!isGone) return
    messages.tell('info', texts('spaces.path-gone'))
    open('/')
  }, [isGone, messages, texts, open])
}

interface FolderFaultProps {
  readonly error: unknown
  readonly onHome: () => void
  readonly onRetry: () => void
}

function FolderFault({ error, onHome, onRetry }: FolderFaultProps) {
  const texts = useTexts()
  if (isFailure(error, 'PERMISSION_DENIED')) {
    return (
      <div className={styles['middle']}>
        <StatePanel
          icon={<Lock size={28} />}
          title={texts('files.no-permission.title')}
          text={texts('files.no-permission.text')}
        />
      </div>
    )
  }
  const isGone = isFailure(error, 'PATH_NOT_FOUND')
  return (
    <div className={styles['middle']}>
      <StatePanel
        kind="error"
        icon={isGone ? <FolderX size={28} /> : <TriangleAlert size={28} />}
        title={texts(isGone ? 'files.not-found.title' : 'files.error.title')}
        text={texts.failure(error)}
        reference={texts.reference(error)}
        actions={
          isGone ? (
            <Button kind="solid" onClick={onHome}>
              {texts('files.not-found.home')}
            </Button>
          ) : (
            <Button kind="solid" onClick={onRetry}>
              {texts('common.retry')}
            </Button>
          )
        }
      />
    </div>
  )
}

function EmptyFolder({ mayUpload, onPick }: { readonly mayUpload: boolean; readonly onPick: () => void }) {
  const texts = useTexts()
  return (
    <div className={styles['middle']}>
      <StatePanel
        icon={<Upload size={28} />}
        title={texts('files.empty.title')}
        text={texts(mayUpload ? 'files.empty.text' : 'files.empty.text-readonly')}
        actions={
          mayUpload ? (
            <Button kind="solid" onClick={onPick}>
              {texts('action.upload-files')}
            </Button>
          ) : undefined
        }
      />
    </div>
  )
}
