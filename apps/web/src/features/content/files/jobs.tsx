import type { JobView } from '@godwit/contract'
import { useCallback, useState } from 'react'
import type { FileOperations } from '../../../lib/file-operations.ts'
import { lazyModule, lazyPart } from '../../../lib/lazy.tsx'
import { useFilesServices } from './files-services.tsx'

const strip = lazyModule(() => import('./job-strip.tsx'))
const JobStrip = lazyPart(strip, (module) => module.JobStrip)

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
  return jobs.map((job) => <JobStrip key={job.jobId} job={job} />)
}
