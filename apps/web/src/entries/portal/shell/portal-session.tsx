import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import { useFilesServices } from '../../../features/content/files/index.ts'
import { useUploads } from '../../../features/content/uploads/index.ts'
import { useAccountRefresh } from '../../../features/identity/auth/index.ts'
import { SessionWatch } from '../../../features/identity/session/index.ts'
import { useServices } from '../../../lib/services.tsx'

/** The session of the portal: uploads keep it alive, and the file socket reports its end. */
export function PortalSession() {
  const engine = useUploads()
  useChangedRights()
  return <SessionWatch isWorking={useCallback(() => engine.isActive, [engine])} isEnded={useEndedByServer()} />
}

/** What an administrator gives or takes shows at once: everything on the page is asked for again. */
function useChangedRights(): void {
  const { socket } = useFilesServices()
  const client = useQueryClient()
  const refresh = useAccountRefresh()
  useEffect(() => socket.on('account.changed', () => void client.invalidateQueries()), [socket, client])
  useEffect(() => {
    let wasOnline = socket.online.get()
    return socket.online.subscribe(() => {
      if (!socket.online.get()) return
      // A change made while the socket was down was not reported.
      if (wasOnline) void refresh()
      wasOnline = true
    })
  }, [socket, refresh])
}

function useEndedByServer(): boolean {
  const { socket } = useFilesServices()
  const { session } = useServices()
  const [isEnded, setEnded] = useState(false)
  useEffect(() => socket.on('session.ended', () => !session.isEndExpected() && setEnded(true)), [socket, session])
  return isEnded
}
