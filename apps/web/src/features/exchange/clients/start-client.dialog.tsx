import type { ClientView } from '@godwit/contract'
import { useEffect } from 'react'
import { useTexts } from '../../../lib/texts.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { useSite } from '../../foundation/site/index.ts'
import { useAccount } from '../../identity/auth/index.ts'
import styles from './clients.module.css'
import { OpenClient } from './open-client.tsx'
import { ClientPackages } from './packages.tsx'

export interface StartClientDialogProps {
  readonly client: ClientView | undefined
  /** The client has come; absent: the window closes then. */
  readonly onConnected?: () => void
  readonly onClose: () => void
}

/** How to start the client, and where to get it. Closes by itself when the client connects. */
export function StartClientDialog({ client, onConnected, onClose }: StartClientDialogProps) {
  const texts = useTexts()
  const { service } = useAccount()
  const canOpen = useSite().clientProtocolSwitch === 1
  const way = service.transferType === 1 ? 'required' : 'text'
  const isConnected = client !== undefined && client.state !== 'none'
  useEffect(() => {
    if (!isConnected) return
    if (onConnected === undefined) onClose()
    else onConnected()
  }, [isConnected, onConnected, onClose])
  return (
    <Dialog title={texts('client.start.title')} closeLabel={texts('common.close')} onClose={onClose}>
      <p>{texts(canOpen ? `client.start.open-${way}` : `client.start.${way}`)}</p>
      {canOpen && <OpenClient />}
      <p className={styles['hint']}>{texts('client.start.download')}</p>
      <ClientPackages />
    </Dialog>
  )
}
