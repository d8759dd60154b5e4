import type { JobView } from '@godwit/contract'
import { useEffect, useState } from 'react'
import { useTexts } from '../../../lib/texts.tsx'
import { Button } from '../../../ui/button.tsx'
import { ProgressBar } from '../../../ui/progress-bar.tsx'
import { useFilesServices } from './files-services.tsx'
import styles from './job-strip.module.css'

/** How far a job is, and the way to end it. */
export function JobStrip({ job }: { readonly job: JobView }) {
  const texts = useTexts()
  const { operate } = useFilesServices()
  const [isCancelling, setCancelling] = useState(false)
  const label = texts(`job.${job.kind}`)
  const share =
    job.totalBytes > 0 ? job.doneBytes / job.totalBytes : job.totalFiles > 0 ? job.doneFiles / job.totalFiles : 0
  useEffect(() => {
    // A cancellation that does not arrive leaves the job running, which the strip goes on showing.
    if (isCancelling) operate('cancel', { jobId: job.jobId }).catch(() => setCancelling(false))
  }, [isCancelling, operate, job.jobId])
  return (
    <div className={styles['job']} role="group" aria-label={label}>
      <div className={styles['line']}>
        {/* Announced once: the numbers beside it change too often. */}
        <span role="status">{label}</span>
        <span className={styles['current']} translate="no">
          {job.current}
        </span>
        <span>{texts('job.progress', { done: job.doneFiles, total: job.totalFiles })}</span>
        <Button kind="quiet" disabled={isCancelling} onClick={() => setCancelling(true)}>
          {texts('job.cancel')}
        </Button>
      </div>
      <ProgressBar label={label} value={share} />
    </div>
  )
}
