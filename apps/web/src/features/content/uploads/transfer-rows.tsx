import { useTexts } from '../../../lib/texts.tsx'
import { Button } from '../../../ui/button.tsx'
import { ProgressBar } from '../../../ui/progress-bar.tsx'
import styles from './transfer-list.module.css'
import type { Ghost, JobView, UploadsView } from './upload-views.ts'

const SHOWN_MAX = 5

export interface TransferRowsProps {
  readonly view: UploadsView
  readonly onShow: () => void
}

/** The first uploads under way, and the way to all of them. */
export function TransferRows({ view, onShow }: TransferRowsProps) {
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
