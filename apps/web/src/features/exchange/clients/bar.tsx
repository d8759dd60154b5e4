import type { ClientView } from '@godwit/contract'
import { CloudOff, MonitorDown, MonitorUp, TriangleAlert, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTexts } from '../../../lib/texts.tsx'
import { Button, IconButton } from '../../../ui/button.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { Ring } from '../../../ui/ring.tsx'
import { useSite } from '../../foundation/site/index.ts'
import type { BarState } from './bar-state.ts'
import styles from './clients.module.css'
import { FailedUpgrade } from './lazy-parts.ts'
import { useUpdate } from './use-update.ts'

export interface BarProps {
  readonly state: BarState
  readonly client: ClientView | undefined
  readonly onStart: () => void
  readonly onHide: () => void
}

const ICONS: Readonly<Record<BarState, ReactNode>> = {
  disconnected: <CloudOff size={18} aria-hidden="true" />,
  start: <MonitorDown size={18} aria-hidden="true" />,
  starting: <Ring />,
  update: <MonitorUp size={18} aria-hidden="true" />,
  'update-failed': <TriangleAlert size={18} aria-hidden="true" />,
  'low-version': <TriangleAlert size={18} aria-hidden="true" />,
}

/** One line with what can be done about it. */
export function Bar({ state, client, onStart, onHide }: BarProps) {
  const texts = useTexts()
  const update = useUpdate()
  const isGrave = state === 'disconnected' || state === 'update-failed' || state === 'low-version'
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
        {state === 'disconnected'
          ? texts('app.offline')
          : state !== 'update-failed' && texts(`client.bar.${state}`, { version, present })}{' '}
        {isGrave && state !== 'disconnected' && client?.upgradeFailure && (
          <FailedUpgrade failure={client.upgradeFailure} />
        )}
      </span>
      {state === 'start' && (
        <Button kind="quiet" className={styles['action']} onClick={onStart}>
          {texts('client.bar.start-action')}
        </Button>
      )}
      {(state === 'update' || state === 'update-failed' || state === 'low-version') && (
        <Button kind="quiet" className={styles['action']} onClick={() => void update()}>
          {texts(state === 'update-failed' ? 'common.retry' : 'client.bar.update-action')}
        </Button>
      )}
      {(state === 'start' || state === 'update' || state === 'update-failed') && (
        <IconButton label={texts('client.bar.hide')} icon={<X size={18} aria-hidden="true" />} onClick={onHide} />
      )}
    </div>
  )
}
