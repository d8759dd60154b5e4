import type { FileJobsDeps } from '../content/files/jobs/index.ts'

const LOOK_MS = 500

/**
 * A queue whose callers always see the end of their job. A call answers a job after 1.5 s as it then stands, and a job that lost
 * a deadlock waits for its next try: a slow machine meets both.
 * @param advance lets that time pass in a world whose clock stands still
 */
export function patientQueue(queue: FileJobsDeps['queue'], advance?: () => void): FileJobsDeps['queue'] {
  return {
    add: (job) => queue.add(job),
    byId: (id) => queue.byId(id),
    cancel: (id) => queue.cancel(id),
    async settled(id) {
      for (;;) {
        const job = await queue.settled(id, LOOK_MS)
        if (job.state !== 'queued' && job.state !== 'running') return job
        if (job.state === 'queued') advance?.()
      }
    },
  }
}
