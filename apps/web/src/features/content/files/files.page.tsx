import { useArrivals } from './arrivals.ts'
import { type FileSelection, NO_SELECTION, offersFileAction } from '@godwit/contract/content/file-actions'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type DragEvent, useCallback } from 'react'
import type { BoundAction } from '../../../lib/actions.tsx'
import { useCopy } from '../../../lib/copy-text.ts'
import { lazyModule, lazyPart, lazyWindow, usePrefetch } from '../../../lib/lazy.tsx'
import { useTexts } from '../../../lib/texts.tsx'
import { ROOMY, useMedia, WIDE } from '../../../lib/use-media.ts'
import { useAccount } from '../../identity/auth/index.ts'
import { DropZone, TooLargeDialog, useUploadIntake } from '../uploads/index.ts'
import { Breadcrumb, partLabel } from './breadcrumb.tsx'
import type { Spot } from './spot.ts'
import { WithDetails } from './details-side.tsx'
import { type CommandDeps, makeFolder } from './file-commands.ts'
import { FilePreview } from './file-preview.tsx'
import styles from './files.page.module.css'
import { useFilesServices } from './files-services.tsx'
import { folderHref } from './folder-address.ts'
import { FolderContent } from './folder-content.tsx'
import { Jobs, useJobs } from './jobs.tsx'
import { useLibrary } from './library.ts'
import { RowMenu } from './row-menu.tsx'
import { Toolbar } from './toolbar.tsx'
import { useFileActions, useRowActions } from './use-file-actions.ts'
import { usePastable } from './use-clipboard.ts'
import { useFileSituation } from './use-file-situation.ts'
import { type FilesScreen, useFilesScreen } from './use-files-screen.ts'
import { type TransferWays, useTransferWays } from './use-transfer-ways.ts'
import { type FolderList, useFolderList } from './use-folder-list.ts'

const dialogs = lazyModule(() => import('./files-dialogs.tsx'), 'files')
const FilesDialogs = lazyWindow(dialogs, (module) => module.FilesDialogs)
const Settle = lazyWindow(dialogs, (module) => module.Settle)
const FolderTree = lazyPart(
  lazyModule(() => import('./folder-tree.tsx'), 'files'),
  (module) => module.FolderTree,
)

/** What can be dragged: a virtual folder among it is refused when it is dropped. */
const SOMETHING: FileSelection = { ...NO_SELECTION, count: 1, hasFile: true }

/** One's own files or those of a group: where one is, what one can do, and the list. */
export function FilesPage() {
  const texts = useTexts()
  const services = useFilesServices()
  const { place, messages } = services
  const client = useQueryClient()
  const list = useFolderList()
  const isRoomy = useMedia(ROOMY)
  const isWide = useMedia(WIDE)
  const { user } = useAccount()
  const screen = useFilesScreen({ spot: list.spot, isRoomy, isWide, userId: user.id })
  const ways = useTransferWays()
  const byClient = useClientUpload()
  const intake = useUploadIntake(place, messages, useLargeDrop(ways.isClientReady))
  useArrivals(list.view.folder, intake.takeFiles)
  const { jobs, follow } = useJobs()
  const deps = { ...services, client, texts, follow }
  const denied = useUploadDenied()
  const library = useLibrary()
  const parts = {
    ...{ list, screen, intake, deps },
    pastable: usePastable(),
    ...{ ways, userId: user.id, promptFiles: user.clientPromptFiles },
    permission: library.permission,
    onRecycleBin: useOpenBin(),
    onPasteFiles: (files: readonly File[]) =>
      denied === undefined ? intake.pasteFiles(list.view.folder, files) : messages.notify('error', denied),
  }
  const actions = useFileActions(parts)
  const rowActions = useRowActions(parts)
  const mayMove = offersFileAction('move', useFileSituation(SOMETHING))
  const onDropRows = mayMove ? (folder: string) => moveSelection(list, screen, { place, folder }) : undefined
  const { view } = list
  usePrefetch(dialogs)
  return (
    <section className={styles['page']} aria-label={library.rootName}>
      <Trail list={list} onDropRows={onDropRows} />
      <WithDetails list={list} screen={screen} deps={deps} isWide={isWide}>
        <DropZone
          denied={denied}
          folderAt={(event) => folderUnder(event, list)}
          hint={ways.isClientReady ? texts('drop.client-hint') : undefined}
          labelOf={(folder) => partLabel(folder, library.rootName)}
          onDrop={intake.takeDrop}
          onDenied={(reason) => messages.notify('error', reason)}
        >
          <div className={styles['content']}>
            {screen.tree.isOpen && <FolderTree list={list} onDropRows={onDropRows} />}
            <div className={styles['card']} aria-busy={list.query.isFetching}>
              <Bar list={list} screen={screen} actions={actions} ways={ways} isRoomy={isRoomy} isWide={isWide} />
              <Jobs jobs={jobs} />
              <Scanning count={intake.scanned} />
              <FolderContent
                list={list}
                screen={screen}
                deps={deps}
                layout={screen.layout}
                isRoomy={isRoomy}
                mayMove={mayMove}
                uploadWay={denied === undefined ? 'web' : byClient && 'client'}
                onPick={(way) => (way === 'web' ? intake.pickFiles(view.folder) : byClient?.(view.folder))}
              />
            </div>
          </div>
        </DropZone>
      </WithDetails>
      <RowMenu
        actions={rowActions}
        at={screen.menu}
        returnTo={screen.gridRef.current}
        onClose={() => screen.showMenu(undefined)}
      />
      {intake.refused !== undefined && (
        <TooLargeDialog {...intake.refused} onClient={byClient} onClose={intake.forgetRefused} />
      )}
      <Dialogs list={list} screen={screen} deps={deps} />
      <FilePreview list={list} deps={deps} isRoomy={isRoomy} />
    </section>
  )
}

interface BarProps {
  readonly list: FolderList
  readonly screen: FilesScreen
  readonly actions: readonly BoundAction[]
  readonly ways: TransferWays
  readonly isRoomy: boolean
  readonly isWide: boolean
}

function Bar({ list, screen, actions, ways, isRoomy, isWide }: BarProps) {
  const { count, bytes, listing, query } = list
  return (
    <div className={styles['bar']}>
      <Toolbar
        actions={actions}
        ways={ways}
        count={count}
        isRoomy={isRoomy && (isWide || !screen.tree.isOpen)}
        bytes={bytes}
        rows={query.data === undefined ? undefined : { total: listing.total, loaded: listing.count }}
      />
    </div>
  )
}

/** Lets the client ask for files of its computer; undefined where it may not or is not to be had. */
function useClientUpload(): ((folder: string) => void) | undefined {
  const { handOver, place } = useFilesServices()
  if (!offersFileAction('client-upload-files', useFileSituation(NO_SELECTION))) return undefined
  return (folder) => handOver({ kind: 'upload', place, folder, pick: 'files' })
}

/** A drop that takes the browser long while a client waits. */
const LARGE_BYTES = 2 ** 30

/** Says of a large drop how the client would have taken it. */
function useLargeDrop(isClientReady: boolean) {
  const texts = useTexts()
  const { handOver, place, messages } = useFilesServices()
  return useCallback(
    (folder: string, bytes: number) => {
      if (!isClientReady || bytes < LARGE_BYTES) return
      const run = (): void => handOver({ kind: 'upload', place, folder, pick: 'files' })
      messages.notify('info', texts('drop.client'), { label: texts('drop.client-action'), run })
    },
    [isClientReady, handOver, place, messages, texts],
  )
}

/** Opens the recycle bin of the place that is shown. */
function useOpenBin(): () => void {
  const { place, group } = useFilesServices()
  const navigate = useNavigate()
  const search = group === undefined ? {} : { group: String(place.groupId) }
  return () => void navigate({ to: '/recycle', search })
}

/** How much of a dropped folder has been read. */
function Scanning({ count }: { readonly count: number | undefined }) {
  const texts = useTexts()
  return (
    count !== undefined && (
      <p className={styles['scan']} role="status">
        {texts('drop.scanning', { count })}
      </p>
    )
  )
}

interface TrailProps {
  readonly list: FolderList
  readonly onDropRows: ((target: string) => void) | undefined
}

/** What the folder is called and the way to it. */
function Trail({ list: { view, address }, onDropRows }: TrailProps) {
  const texts = useTexts()
  const copy = useCopy()
  const { rootName, address: root, isGroup } = useLibrary()
  return (
    <>
      <h1 className={styles['heading']} translate={view.folder === '/' && !isGroup ? undefined : 'no'}>
        {partLabel(view.folder, rootName)}
      </h1>
      <div className={styles['crumbs']}>
        <Breadcrumb
          folder={view.folder}
          onOpen={address.open}
          rootName={rootName}
          above={isGroup ? { label: texts('menu.group'), address: '/group' } : undefined}
          hrefOf={(folder) => folderHref(root, { ...view, folder })}
          onDropRows={onDropRows}
          onCopyPath={() => void copy(view.folder, { message: texts('path.copied') })}
        />
      </div>
    </>
  )
}

interface DialogsProps {
  readonly list: FolderList
  readonly screen: FilesScreen
  readonly deps: CommandDeps
}

function Dialogs({ list, screen, deps }: DialogsProps) {
  const { view, listing } = list
  return (
    <>
      {screen.dialog !== undefined && (
        <FilesDialogs
          dialog={screen.dialog}
          deps={deps}
          view={view}
          listing={listing}
          onClose={screen.closeDialog}
          onSettle={screen.settle}
          list={list}
          onUndoable={screen.onUndoable}
          onMakeFolder={(name) => makeFolder(deps, view, name)}
        />
      )}
      {screen.settlements.map((settlement, index) => (
        <Settle
          key={settlement.id}
          settlement={settlement}
          deps={deps}
          mayAsk={index === 0 && screen.dialog === undefined}
          onUndoable={screen.onUndoable}
          onAnswered={screen.focusList}
          onClose={() => screen.endSettlement(settlement)}
        />
      ))}
    </>
  )
}

function moveSelection(list: FolderList, screen: FilesScreen, { place, folder }: Spot): void {
  screen.settle({ kind: 'move', names: list.names(), from: { place, folder: list.view.folder }, to: { place, folder } })
}

/** Where files that fall here go: the folder under the pointer in the tree or the list, else the folder that is open. */
function folderUnder({ target }: DragEvent, { isFolderAt, nameAt, pathOf, view }: FolderList): string {
  const node = target instanceof Element ? target.closest<HTMLElement>('[data-node]') : null
  if (node?.dataset['node'] !== undefined) return node.dataset['node']
  const row = target instanceof Element ? target.closest<HTMLElement>('[data-row]') : null
  const index = Number(row?.dataset['row'] ?? -1)
  return isFolderAt(index) ? pathOf(nameAt(index)) : view.folder
}

/** Why uploads are refused here; undefined when they are not. */
function useUploadDenied(): string | undefined {
  const texts = useTexts()
  const { service } = useAccount()
  const situation = useFileSituation(NO_SELECTION)
  if (offersFileAction('upload-files', situation)) return undefined
  return texts(service.transferType === 1 ? 'drop.denied.transfer' : 'drop.denied.permission')
}
