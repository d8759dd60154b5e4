import type { TransferView } from '@godwit/contract'
import { Pause, Play, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { formatRate } from '../../../lib/formats.ts'
import { limitText } from '../../../lib/transfer-limit.ts'
import { useTextBundle, useTexts } from '../../../lib/texts.tsx'
import { IconButton } from '../../../ui/button.tsx'
import { ProgressBar } from '../../../ui/progress-bar.tsx'
import styles from './client-transfers.module.css'
import { actionsOf, shownTransfers, type TransferAction } from './transfer-lists.ts'
import { type Transfers, useTransfers } from './transfers-query.ts'

/** Transfers of the account by its desktop client: on this machine or another one. */
export function ClientTransfers() {
  const isReady = useTextBundle('transfers')
  const transfers = useTransfers()
  const texts = useTexts()
  const items = shownTransfers(transfers.items)
  if (!isReady || items.length === 0) return null
  return (
    <section className={styles['section']} aria-label={texts('transfers.title')} data-testid="client-transfers">
      <h3 className={styles['title']}>{texts('transfers.title')}</h3>
      <ul>
        {items.map((transfer) => (
          <Row key={transfer.transferId} transfer={transfer} control={transfers.control} />
        ))}
      </ul>
    </section>
  )
}

const ICONS: Readonly<Record<TransferAction, ReactNode>> = {
  pause: <Pause size={16} aria-hidden="true" />,
  resume: <Play size={16} aria-hidden="true" />,
  cancel: <X size={16} aria-hidden="true" />,
}

interface RowProps {
  readonly transfer: TransferView
  readonly control: Transfers['control']
}

function Row({ transfer, control }: RowProps) {
  const texts = useTexts()
  const { transferId, direction, state, name, bytes, bytesDone } = transfer
  const actions = actionsOf(transfer)
  return (
    <li className={styles['row']}>
      <div className={styles['line']}>
        <span className={styles['name']} title={name} translate="no">
          {name}
        </span>
        <span
          className={styles['note']}
        >{`${texts(`transfers.${direction}`)} · ${texts(`transfers.state.${state}`)}`}</span>
        {actions.map((action) => (
          <IconButton
            key={action}
            label={texts(`transfers.${action}`, { name })}
            icon={ICONS[action]}
            onClick={() => void control(transferId, action)}
          />
        ))}
      </div>
      {actions.length > 0 && (
        <ProgressBar
          label={texts('transfers.progress', { name })}
          value={bytes === 0 ? 0 : bytesDone / bytes}
          tone={state === 'running' ? 'active' : 'paused'}
        />
      )}
      {state === 'running' && <Speed transfer={transfer} />}
    </li>
  )
}

function Speed({ transfer }: { readonly transfer: TransferView }) {
  const texts = useTexts()
  const { bytesPerSecond, path } = transfer
  const limit = limitText(transfer, texts)
  const rate = formatRate(bytesPerSecond, texts.locale)
  return (
    <span className={styles['note']}>
      {path === '' ? rate : texts('transfers.path', { rate, path: path.toUpperCase() })}
      {limit !== undefined && ` · ${limit}`}
    </span>
  )
}
