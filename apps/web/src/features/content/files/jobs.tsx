import type { JobView } from '@godwit/contract'
import { useCallback, useEffect, useState } from 'react'
import type { FileOperations } from '../../../lib/file-operations.ts'
import { useTexts } from '../../../lib/texts.tsx'
import { Button } from '../../../ui/button.tsx'
import { ProgressBar } from '../../../ui/progress-bar.tsx'
import { useFilesServices } from './files-services.tsx'
import styles from './jobs.module.css'

const POLL_MS = 700

function isOver({ state }: JobView): boolean {
  return state !== 'queued' && state !== 'running'
}

/** The long jobs of this page, followed to their end, with a strip that shows and cancels them. */
export function useJobs() {
  const { operate } = useFilesServices()
  const [jobs, setJobs] = useState<readonly JobView[]>([])
  const follow = useCallback(
    async (job: JobView): Promise<JobView> => {
      const show = (view: JobView): void =>
        setJobs((all) => [...all.filter(({ jobId }) => jobId !== view.jobId), ...(isOver(view) ? [] : [view])])
      return pollToEnd(operate, job, show)
    },
    [operate],
  )
  return { jobs, follow }
}

async function pollToEnd(operate: FileOperations, job: JobView, show: (job: JobView) => void): Promise<JobView> {
  let view = job
  while (!isOver(view)) {
    show(view)
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    view = (await operate('job', { jobId: view.jobId })).job
  }
  show(view)
  return view
}

export function Jobs({ jobs }: { readonly jobs: readonly JobView[] }) {
  return jobs.map((job) => <Job key={job.jobId} job={job} />)
}

function Job({ job }: { readonly job: JobView }) {
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
    <div className={styles['job']} role="status">
      <div className={styles['line']}>
        <span>{label}</span>
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
