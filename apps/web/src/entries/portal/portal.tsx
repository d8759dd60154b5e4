import { QueryClient, QueryClientProvider, useQueryClient } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { useEffect, useMemo, useRef, useState } from 'react'
import { ConflictDialog, useConflicts } from '../../features/content/conflicts/index.ts'
import { type Fixes, type Preflight, PreflightDialog } from '../../features/content/preflight/index.ts'
import { type FilesServices, FilesServicesProvider, refreshFolder } from '../../features/content/files/index.ts'
import {
  chooseSpace,
  rememberedSpace,
  rememberSpace,
  type SpaceChoice,
  spaceInAddress,
  SpaceProvider,
} from '../../features/content/spaces/index.ts'
import { HandOverWindow, useHandOver } from '../../features/exchange/clients/index.ts'
import { LinkDialogs, LinksOn, useLinkDialogs } from '../../features/exchange/links/index.ts'
import { loadUploadWork, UploadEngine, UploadsProvider } from '../../features/content/uploads/index.ts'
import {
  type Account,
  AccountProvider,
  useAccountQuery,
  useAccountRefresh,
} from '../../features/identity/auth/index.ts'
import { ActionsProvider } from '../../lib/actions.tsx'
import { createFileOperations } from '../../lib/file-operations.ts'
import { openFileSocket } from '../../lib/file-socket.ts'
import { isFailure, isTransient } from '../../lib/http.ts'
import { type Services, useServices } from '../../lib/services.tsx'
import { useTexts } from '../../lib/texts.tsx'
import { useQuestions } from '../../lib/use-questions.ts'
import { createPortalRouter } from './router.tsx'
import { AccountFault } from './shell/account-fault.tsx'
import { createRelay, type Relay, type RelayTarget } from './upload-relay.ts'
import { Waiting } from '../../ui/waiting.tsx'

const KEEP_MS = 10 * 60_000

/** The engine of uploads outlives a session: it waits while nobody is signed in, and goes on for the same person. */
let kept: { readonly engine: UploadEngine; readonly relay: Relay; readonly userId: string } | undefined

function uploadsOf({ api, clock }: Services, userId: string) {
  const isSamePerson = kept === undefined || kept.userId === userId
  const relay = kept?.relay ?? createRelay()
  const engine =
    kept?.engine ??
    new UploadEngine({
      api,
      clock,
      loadWork: loadUploadWork,
      isReported: true,
      operate: relay.operate,
      askConflicts: relay.askConflicts,
      askFixes: relay.askFixes,
      onStored: relay.onStored,
      onTakenBack: relay.onTakenBack,
      onTakenOver: relay.onTakenOver,
    })
  kept = { engine, relay, userId }
  return { engine, relay, isSamePerson }
}

/** Everything behind the sign-in. */
export function Portal() {
  const [client] = useState(
    () =>
      new QueryClient({
        defaultOptions: {
          queries: { gcTime: KEEP_MS, retry: (count, error) => count < 3 && isTransient(error) },
        },
      }),
  )
  return (
    <QueryClientProvider client={client}>
      <WithAccount />
    </QueryClientProvider>
  )
}

function WithAccount() {
  const { session } = useServices()
  const userId = session.get()?.userId ?? ''
  const [requested, setRequested] = useState(() => spaceInAddress(location.search) ?? rememberedSpace(userId))
  const { data, error, refetch, isPlaceholderData } = useAccountQuery(requested)
  const isWithoutSpace = isFailure(error, 'NO_SPACE')
  useEffect(() => {
    // The space asked for is no longer this person's: then the current one.
    if (isWithoutSpace) setRequested(undefined)
  }, [isWithoutSpace])
  const retry = (): void => void refetch()
  if (data !== undefined) {
    const { user, requestedSpaceId } = data
    const spaceId = chooseSpace(user.spaceInfo, { requested: requestedSpaceId, current: user.currentSpaceId })
    if (spaceId === undefined) return <AccountFault isWithoutSpace onRetry={retry} />
    const show = (next: number): void => {
      rememberSpace(user.id, next)
      setRequested(next)
    }
    return <SignedIn key={user.id} account={data} space={{ spaceId, show, isChanging: isPlaceholderData }} />
  }
  if (error === null || (isWithoutSpace && requested !== undefined)) return <Waiting />
  return <AccountFault isWithoutSpace={isWithoutSpace} error={error} onRetry={retry} />
}

/** One piece: what the pages share is made here and handed to all of them. */
function SignedIn({ account, space }: { readonly account: Account; readonly space: SpaceChoice }) {
  const { api, session, messages } = useServices()
  const { spaceId } = space
  const shownSpace = useRef(spaceId)
  shownSpace.current = spaceId
  const [socket] = useState(() => openFileSocket(session, () => shownSpace.current))
  const [router] = useState(createPortalRouter)
  const links = useLinkDialogs()
  const { makeLink } = links
  const handing = useHandOver()
  const { handOver } = handing
  const files = useMemo(
    () => ({
      socket,
      messages,
      operate: createFileOperations({ api, session, socket }),
      place: { spaceId, groupId: 0 },
      makeLink,
      LinksOn,
      handOver,
    }),
    [socket, messages, api, session, spaceId, makeLink, handOver],
  )
  const conflicts = useConflicts()
  const fixes = useQuestions<Preflight, Fixes>()
  const engine = useEngine(account.user.id, files, { askConflicts: conflicts.ask, askFixes: fixes.ask })
  const { webEncryptedKey } = account.user
  useEffect(() => engine.sealFor(webEncryptedKey), [engine, webEncryptedKey])
  useEffect(() => () => socket.close(), [socket])
  useEffect(() => () => messages.forget(), [messages])
  const choice = useMemo(
    () => ({
      ...space,
      show(next: number) {
        void router.navigate(rootOf(router.state.location.pathname))
        space.show(next)
      },
    }),
    [space, router],
  )
  return (
    <AccountProvider value={account}>
      <SpaceProvider value={choice}>
        <FilesServicesProvider value={files}>
          <UploadsProvider value={engine}>
            <ActionsProvider>
              <RouterProvider router={router} />
              <LinkDialogs {...links} />
              {handing.order !== undefined && <HandOverWindow order={handing.order} onClose={handing.close} />}
              {conflicts.question !== undefined && (
                <ConflictDialog
                  key={conflicts.question.id}
                  conflicts={conflicts.question.subject}
                  answer={conflicts.question.answer}
                />
              )}
              {fixes.question !== undefined && <PreflightDialog key={fixes.question.id} {...fixes.question} />}
            </ActionsProvider>
          </UploadsProvider>
        </FilesServicesProvider>
      </SpaceProvider>
    </AccountProvider>
  )
}

/** The engine of uploads at work for this person while the calling component is there. */
function useEngine(
  userId: string,
  files: FilesServices,
  { askConflicts, askFixes }: Pick<RelayTarget, 'askConflicts' | 'askFixes'>,
): UploadEngine {
  const services = useServices()
  const texts = useTexts()
  const { messages } = services
  const client = useQueryClient()
  const { socket } = files
  const refreshAccount = useAccountRefresh()
  const uploads = useMemo(() => uploadsOf(services, userId), [services, userId])
  useEffect(
    () =>
      uploads.relay.connect({
        operate: files.operate,
        askConflicts,
        askFixes,
        onStored(place, folder) {
          void refreshFolder(client, place, folder)
          // How much of the account's space is used has changed as well.
          void refreshAccount()
        },
        onTakenOver: (name) => messages.notify('info', texts('uploads.taken-over', { name })),
        onTakenBack(names, askAgain) {
          const text = texts('conflict.closed', { count: names.length, name: names[0] ?? '' })
          messages.notify('info', text, { label: texts('conflict.ask-again'), run: askAgain })
        },
      }),
    [uploads, files, askConflicts, askFixes, client, refreshAccount, messages, texts],
  )
  useEffect(() => socket.on('transfer.changed', ({ transfer }) => uploads.engine.follow(transfer)), [socket, uploads])
  useEffect(() => {
    const { engine, isSamePerson } = uploads
    // Ghosts are a convenience: without them the same file, dropped again, still goes on.
    engine.begin(isSamePerson).catch(() => undefined)
    const wake = (): void => engine.wake()
    const stopWaking = socket.online.subscribe(wake)
    window.addEventListener('online', wake)
    return () => {
      window.removeEventListener('online', wake)
      stopWaking()
      engine.halt()
    }
  }, [uploads, socket])
  return uploads.engine
}

/** Another space is shown from its root on; inside a group that is the list of groups. Pages without files stay. */
function rootOf(path: string) {
  if (path.startsWith('/group/')) return { to: '/group' }
  return { to: path, search: {} }
}
