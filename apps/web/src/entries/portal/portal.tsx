import { QueryClient, QueryClientProvider, useQueryClient } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { useEffect, useMemo, useState } from 'react'
import { ConflictDialog, useConflicts } from '../../features/content/conflicts/index.ts'
import { FilesServicesProvider, folderKeys } from '../../features/content/files/index.ts'
import { createHashPool, UploadEngine, UploadsProvider } from '../../features/content/uploads/index.ts'
import { type Account, AccountProvider, useAccountQuery } from '../../features/identity/auth/index.ts'
import { ActionsProvider } from '../../lib/actions.tsx'
import { createFileOperations } from '../../lib/file-operations.ts'
import { openFileSocket } from '../../lib/file-socket.ts'
import { isFailure, isTransient } from '../../lib/http.ts'
import { createMessages } from '../../lib/messages.ts'
import { type Services, useServices } from '../../lib/services.tsx'
import { createPortalRouter } from './router.tsx'
import { AccountFault } from './shell/account-fault.tsx'
import { MessagesProvider } from './shell/messages-context.tsx'
import { createRelay, type Relay } from './upload-relay.ts'
import { Waiting } from './waiting.tsx'

const HASH_WORKERS = 2
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
      hashes: createHashPool(HASH_WORKERS),
      operate: relay.operate,
      askConflicts: relay.askConflicts,
      onStored: relay.onStored,
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
  const { data, error, refetch } = useAccountQuery()
  if (data !== undefined) {
    const { currentSpaceId, spaceInfo } = data.user
    const spaceId = spaceInfo.find(({ id }) => id === currentSpaceId)?.id ?? spaceInfo[0]?.id
    if (spaceId === undefined) return <AccountFault isWithoutSpace onRetry={() => void refetch()} />
    return <SignedIn key={data.user.id} account={data} spaceId={spaceId} />
  }
  if (error === null) return <Waiting />
  return <AccountFault isWithoutSpace={isFailure(error, 'NO_SPACE')} error={error} onRetry={() => void refetch()} />
}

function SignedIn({ account, spaceId }: { readonly account: Account; readonly spaceId: number }) {
  const services = useServices()
  const { api, session, clock } = services
  const messages = useMemo(() => createMessages(clock), [clock])
  const client = useQueryClient()
  const [socket] = useState(() => openFileSocket(session, spaceId))
  const [router] = useState(createPortalRouter)
  const files = useMemo(
    () => ({
      socket,
      messages,
      operate: createFileOperations({ api, session, socket }),
      place: { spaceId, groupId: 0 },
    }),
    [socket, messages, api, session, spaceId],
  )
  const conflicts = useConflicts()
  const uploads = useMemo(() => uploadsOf(services, account.user.id), [services, account.user.id])
  useEffect(() => {
    const { engine, relay, isSamePerson } = uploads
    const disconnect = relay.connect({
      operate: files.operate,
      askConflicts: conflicts.ask,
      onStored: (place, folder) => void client.invalidateQueries({ queryKey: folderKeys(place, folder) }),
    })
    // Ghosts are a convenience: without them the same file, dropped again, still goes on.
    engine.begin(isSamePerson).catch(() => undefined)
    const wake = (): void => engine.wake()
    const stopWaking = socket.online.subscribe(wake)
    window.addEventListener('online', wake)
    return () => {
      window.removeEventListener('online', wake)
      stopWaking()
      engine.halt()
      disconnect()
    }
  }, [uploads, files, conflicts.ask, client, socket])
  useEffect(() => () => socket.close(), [socket])
  return (
    <AccountProvider value={account}>
      <MessagesProvider value={messages}>
        <FilesServicesProvider value={files}>
          <UploadsProvider value={uploads.engine}>
            <ActionsProvider>
              <RouterProvider router={router} />
              {conflicts.question !== undefined && (
                <ConflictDialog key={conflicts.question.conflicts[0]?.path} {...conflicts.question} />
              )}
            </ActionsProvider>
          </UploadsProvider>
        </FilesServicesProvider>
      </MessagesProvider>
    </AccountProvider>
  )
}
