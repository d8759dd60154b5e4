import { AckLog } from './ack-log.ts'
import { BodyRates } from './body-rates.ts'
import { PackBudget } from './pack-budget.ts'
import { LiveUploads } from './live-uploads.ts'
import { recoverUploads } from './uploads.completion.ts'
import type { UploadsDeps, UploadsRoom } from './uploads.deps.ts'
import { checkRunning, revokeUploads, sweepExpired, sweepOrphans } from './uploads.jobs.ts'

const TICK_MS = 2_000
const SWEEP_MS = 10 * 60_000

export interface Uploads extends UploadsRoom {
  /** Finishes what a crash left, and begins to watch and sweep. */
  start(): Promise<void>
  stop(): void
}

export function createUploads(deps: UploadsDeps): Uploads {
  const room: UploadsRoom = {
    ...deps,
    live: new LiveUploads(deps.db, deps.files.storages),
    acks: new AckLog(deps.db),
    rates: new BodyRates(deps.clock),
    packs: new PackBudget(),
  }
  const timers: NodeJS.Timeout[] = []
  const unsubscribe = deps.bus.subscribe('user.revoked', ({ userId }) => {
    revokeUploads(room, userId).catch((thrown: unknown) => deps.log.error({ err: thrown }, 'revoking uploads failed'))
  })

  function every(ms: number, what: string, work: () => Promise<unknown>): void {
    let isRunning = false
    const timer = setInterval(() => {
      if (isRunning) return
      isRunning = true
      work()
        .catch((thrown: unknown) => deps.log.error({ err: thrown }, what))
        .finally(() => (isRunning = false))
    }, ms)
    timer.unref()
    timers.push(timer)
  }

  return {
    ...room,
    async start() {
      await recoverUploads(room)
      every(TICK_MS, 'watching uploads failed', async () => {
        room.rates.sweep()
        await checkRunning(room)
      })
      every(SWEEP_MS, 'sweeping uploads failed', async () => {
        await sweepExpired(room)
        await sweepOrphans(room)
      })
    },
    stop() {
      unsubscribe()
      for (const timer of timers) clearInterval(timer)
    },
  }
}
