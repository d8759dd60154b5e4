import { CloudOff, MonitorDown, MonitorUp, TriangleAlert, X } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { useServices } from '../../../lib/services.tsx'
import { useStore } from '../../../lib/store.ts'
import { useTexts } from '../../../lib/texts.tsx'
import { ROOMY, useMedia } from '../../../lib/use-media.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { Ring } from '../../../ui/ring.tsx'
import { useFilesServices } from '../../content/files/index.ts'
import { useSite } from '../../foundation/site/index.ts'
import { useAccount } from '../../identity/auth/index.ts'
import { barState, type BarState } from './bar-state.ts'
import { updateClient, useClient } from './client-query.ts'
import styles from './clients.module.css'
import { StartClientDialog } from './start-client.dialog.tsx'

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
    isFileServerGone,
    hasPackages: clientPackages.length > 0,
  })
  const state = found === 'start' && !isRoomy ? undefined : found
  return (
    <>
      {state !== undefined && state !== hidden && (
        <Bar state={state} client={client} onStart={() => setStarting(true)} onHide={() => setHidden(state)} />
      )}
      {isStarting && <StartClientDialog client={client} onClose={() => setStarting(false)} />}
    </>
  )
}

interface BarProps {
  readonly state: BarState
  readonly client: ReturnType<typeof useClient>
  readonly onStart: () => void
  readonly onHide: () => void
}

const ICONS: Readonly<Record<BarState, ReactNode>> = {
  disconnected: <CloudOff size={18} aria-hidden="true" />,
  start: <MonitorDown size={18} aria-hidden="true" />,
  starting: <Ring />,
  update: <MonitorUp size={18} aria-hidden="true" />,
  'low-version': <TriangleAlert size={18} aria-hidden="true" />,
}

function Bar({ state, client, onStart, onHide }: BarProps) {
  const texts = useTexts()
  const update = useUpdate()
  const isGrave = state === 'disconnected' || state === 'low-version'
  const { clientMinVersion } = useSite()
  const version = state === 'low-version' ? clientMinVersion : (client?.upgradeVersion ?? '')
  const present = client?.version ?? ''
  return (
    <div
      className={classNames(styles['bar'], isGrave && styles['grave'])}
      role="status"
      data-testid="client-bar"
      data-state={state}
    >
      {ICONS[state]}
      <span>
        {state === 'disconnected' ? texts('app.offline') : texts(`client.bar.${state}`, { version, present })}
      </span>
      {state === 'start' && (
        <Button kind="quiet" className={styles['action']} onClick={onStart}>
          {texts('client.bar.start-action')}
        </Button>
      )}
      {(state === 'update' || state === 'low-version') && (
        <Button kind="quiet" className={styles['action']} onClick={() => void update()}>
          {texts('client.bar.update-action')}
        </Button>
      )}
      {(state === 'start' || state === 'update') && (
        <IconButton label={texts('client.bar.hide')} icon={<X size={18} aria-hidden="true" />} onClick={onHide} />
      )}
    </div>
  )
}

/** Asks the client to update itself and reports the outcome. */
export function useUpdate() {
  const texts = useTexts()
  const { api, messages } = useServices()
  return async (): Promise<void> => {
    try {
      await updateClient(api)
      messages.notify('success', texts('client.updating'))
    } catch (error) {
      messages.fail(error, texts)
    }
  }
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
