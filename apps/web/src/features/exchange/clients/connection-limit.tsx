import { EDITIONS } from '@godwit/contract/foundation/editions'
import { useEffect, useState } from 'react'
import { useFilesServices } from '../../content/files/index.ts'
import { useSite } from '../../foundation/site/index.ts'
import { useAccount } from '../../identity/auth/index.ts'
import { LimitWarning } from './lazy-parts.ts'

/** Warns that the free edition serves fewer than three clients at a time: once, and again whenever a client is turned away. */
export function ConnectionLimit() {
  const { edition } = useSite()
  const { service } = useAccount()
  const { socket } = useFilesServices()
  const limit = EDITIONS[edition].clients
  const [online, setOnline] = useState(service.client_online)
  const [isOpen, setOpen] = useState(limit !== null && service.client_online >= limit)
  useEffect(
    () =>
      socket.on('client.refused', () => {
        if (limit === null) return
        setOnline((before) => Math.max(before, limit))
        setOpen(true)
      }),
    [socket, limit],
  )
  if (!isOpen || limit === null) return null
  return <LimitWarning limit={limit} online={online} onClose={() => setOpen(false)} />
}
