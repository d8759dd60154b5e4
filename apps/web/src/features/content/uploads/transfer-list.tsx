import { ArrowUpDown } from 'lucide-react'
import type { ReactNode } from 'react'
import { useStore } from '../../../lib/store.ts'
import { type Texts, useTexts } from '../../../lib/texts.tsx'
import { Button } from '../../../ui/button.tsx'
import { PopoverButton } from '../../../ui/popover.tsx'
import { ProgressBar } from '../../../ui/progress-bar.tsx'
import styles from './transfer-list.module.css'
import { share } from './upload-panel.tsx'
import type { Ghost, JobView, UploadsView } from './upload-views.ts'
import { useUploads } from './uploads.tsx'

const SHOWN_MAX = 5

export interface TransferListProps {
  /** Leads to a page that has the panel. */
  readonly onShowPanel: () => void
  /** What other ways of transfer have under way. */
  readonly others: ReactNode
}

/** In the header: what is under way, and the way to the panel with all of it. */
export function TransferList({ onShowPanel, others }: TransferListProps) {
  const texts = useTexts()
  const engine = useUploads()
  const view = useStore(engine.view)
  const label = labelOf(view, texts)
  return (
    <PopoverButton
      title={texts('header.transfers')}
      trigger={
        <Button kind="quiet" className={styles['button']} aria-label={label} title={label} data-testid="transfers">
          <ArrowUpDown size={20} aria-hidden="true" />
          {view.isActive && (
            <span className={styles['share']} aria-hidden="true">
              {`${Math.floor(share(view) * 100)}%`}
            </span>
          )}
        </Button>
      }
    >
      {(close) => (
        <div>
          <Transfers
            view={view}
            onShow={() => {
              engine.panel.set({ isExpanded: true, isClosed: false })
              onShowPanel()
              close()
            }}
          />
          {others}
        </div>
      )}
    </PopoverButton>
  )
}

function labelOf({ isActive, totals }: UploadsView, texts: Texts): string {
  if (!isActive) return texts('header.transfers')
  return texts('header.transfers.running', { count: totals.files - totals.done })
}

function Transfers({ view, onShow }: { readonly view: UploadsView; readonly onShow: () => void }) {
  const texts = useTexts()
  const { jobs, ghosts } = view
  if (jobs.length + ghosts.length === 0) return <p className={styles['none']}>{texts('header.transfers.none')}</p>
  const shownGhosts = ghosts.slice(0, Math.max(0, SHOWN_MAX - jobs.length))
  const more = jobs.length + ghosts.length - SHOWN_MAX
  return (
    <>
      <ul className={styles['list']}>
        {jobs.slice(0, SHOWN_MAX).map((job) => (
          <Transfer key={job.id} job={job} />
        ))}
        {shownGhosts.map((ghost) => (
          <GhostTransfer key={ghost.uploadId} ghost={ghost} />
        ))}
      </ul>
      {more > 0 && <p className={styles['none']}>{texts('header.transfers.more', { count: more })}</p>}
      <Button className={styles['show']} onClick={onShow}>
        {texts('header.transfers.show')}
      </Button>
    </>
  )
}

function Transfer({ job: { name, state, bytes, sent, done, files } }: { readonly job: JobView }) {
  const texts = useTexts()
  const value = bytes === 0 ? done / Math.max(1, files) : sent / bytes
  const isOver = state === 'completed' || state === 'skipped' || state === 'failed'
  return (
    <li>
      <div className={styles['line']}>
        <span className={styles['name']} title={name} translate="no">
          {name}
        </span>
        <span className={styles['state']}>{texts(`uploads.state.${state}`)}</span>
      </div>
      {!isOver && (
        <ProgressBar
          label={texts('uploads.progress', { name })}
          value={value}
          tone={state === 'active' || state === 'processing' ? 'active' : 'paused'}
        />
      )}
    </li>
  )
}

function GhostTransfer({ ghost: { name } }: { readonly ghost: Ghost }) {
  const texts = useTexts()
  return (
    <li>
      <span className={styles['name']} title={name} translate="no">
        {name}
      </span>
      <span className={styles['note']}>{texts('uploads.state.ghost')}</span>
    </li>
  )
}
