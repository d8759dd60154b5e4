import { useEffect, useState } from 'react'
import { useStore } from '../../../lib/store.ts'
import { useTextBundle } from '../../../lib/texts.tsx'
import { ROOMY, useMedia } from '../../../lib/use-media.ts'
import { useClient, useFilesServices } from '../../content/files/index.ts'
import { useSite } from '../../foundation/site/index.ts'
import { useAccount } from '../../identity/auth/index.ts'
import { Bar } from './bar.tsx'
import { barState, type BarState } from './bar-state.ts'
import { StartClientDialog } from './lazy-parts.ts'

/** Short breaks are nobody's business. */
const GONE_MS = 8_000

/** Above the page: what is the matter with the desktop client, or with the connection. */
export function ClientBar() {
  const { service } = useAccount()
  const { clientPackages } = useSite()
  const client = useClient()
  const isFileServerGone = useFileServerGone()
  const [hidden, setHidden] = useState<BarState>()
  const [isStarting, setStarting] = useState(false)
  // A phone runs no desktop client: there is nothing to start on it.
  const isRoomy = useMedia(ROOMY)
  const found = barState({
    transferType: service.transferType,
    client: client?.state,
    hasFailed: Boolean(client?.upgradeFailure),
    isFileServerGone,
    hasPackages: clientPackages.length > 0,
  })
  const state = found === 'start' && !isRoomy ? undefined : found
  // Nothing can be fetched any more when the line is what is the matter.
  const isReady = useTextBundle(state === undefined || state === 'disconnected' ? undefined : 'transfers')
  return (
    <>
      {state !== undefined && state !== hidden && isReady && (
        <Bar state={state} client={client} onStart={() => setStarting(true)} onHide={() => setHidden(state)} />
      )}
      {isStarting && <StartClientDialog client={client} onClose={() => setStarting(false)} />}
    </>
  )
}

function useFileServerGone(): boolean {
  const { socket } = useFilesServices()
  const isOnline = useStore(socket.online)
  const [isGone, setGone] = useState(false)
  useEffect(() => {
    setGone(false)
    if (isOnline) return
    // A browser that says so itself is believed at once.
    const timer = setTimeout(() => setGone(true), navigator.onLine ? GONE_MS : 0)
    return () => clearTimeout(timer)
  }, [isOnline])
  return isGone && !isOnline
}
