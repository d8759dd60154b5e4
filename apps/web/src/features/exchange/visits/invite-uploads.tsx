import { useStore } from '../../../lib/store.ts'
import { formatDuration, formatRate, formatSize } from '../../../lib/formats.ts'
import { useTexts } from '../../../lib/texts.tsx'
import { Button } from '../../../ui/button.tsx'
import { ProgressBar } from '../../../ui/progress-bar.tsx'
import { type UploadEngine, UploadRows } from '../../content/uploads/index.ts'
import styles from './visits.module.css'

/** What is on its way, file by file, and how far all of it is. */
export function InviteUploads({ engine }: { readonly engine: UploadEngine }) {
  const texts = useTexts()
  const { totals, isActive, isPaused } = useStore(engine.view)
  const value = totals.bytes === 0 ? totals.done / Math.max(1, totals.files) : totals.sent / totals.bytes
  return (
    <section className={styles['card']} aria-label={texts('uploads.title')} data-testid="invite-uploads">
      <header className={styles['cardHead']}>
        <h2>{texts('uploads.title')}</h2>
        {isActive && (
          <p className={styles['note']}>
            {texts('uploads.overall', {
              done: formatSize(totals.sent, texts.locale),
              total: formatSize(totals.bytes, texts.locale),
              rate: formatRate(totals.rate, texts.locale),
              left: formatDuration(totals.left, texts.locale),
            })}
          </p>
        )}
        {!isActive && totals.failed > 0 && (
          <Button onClick={() => engine.retryAll()}>{texts('uploads.retry-all')}</Button>
        )}
      </header>
      {(isActive || isPaused) && (
        <ProgressBar label={texts('uploads.title')} value={value} tone={isPaused && !isActive ? 'paused' : 'active'} />
      )}
      <UploadRows
        engine={engine}
        commands={{
          cancel: (id) => void engine.cancel(id),
          forget: ({ uploadId }) => void engine.forget(uploadId),
        }}
      />
    </section>
  )
}
