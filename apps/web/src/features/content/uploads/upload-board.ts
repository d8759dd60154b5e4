import type { Clock } from '@godwit/base'
import { createStore, type Store } from '../../../lib/store.ts'
import { createRateMeter } from './rate-meter.ts'
import { hasActive, hasUnfinished, movedBytes, type UploadJob } from './upload-job.ts'
import { type Ghost, type JobView, NO_UPLOADS, sorted, totalsOf, type UploadsView, viewOf } from './upload-views.ts'

/** Between two pictures of the queue. */
const SHOW_MS = 250

export interface BoardFacts {
  readonly jobs: readonly UploadJob[]
  readonly ghosts: readonly Ghost[]
  /** The server cannot be reached at the moment, or nobody is signed in. */
  readonly isOffline: boolean
}

/** What the screens see of the queue: views of the jobs, made anew only where something changed, and the rates. */
export class UploadBoard {
  readonly view: Store<UploadsView> = createStore(NO_UPLOADS)
  readonly #clock: Clock
  readonly #facts: () => BoardFacts
  readonly #meter = createRateMeter()
  /** What of each job the meter of all has counted; jobs come and go, the sum only grows. */
  readonly #counted = new WeakMap<UploadJob, number>()
  #moved = 0
  /** The last rate of all that was shown, bytes a second. */
  lastRate: number | undefined
  readonly #shown = new Map<UploadJob, JobView>()
  readonly #changed = new Set<UploadJob>()
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(clock: Clock, facts: () => BoardFacts) {
    this.#clock = clock
    this.#facts = facts
  }

  /** Something of a job changed: shown with the next picture, four times a second at most. */
  touch(job: UploadJob): void {
    this.#changed.add(job)
    this.#timer ??= setTimeout(() => this.show(), SHOW_MS)
  }

  forget(job: UploadJob): void {
    this.#shown.delete(job)
  }

  /** After a pause the old rates say nothing about the new ones. */
  resetRates(): void {
    this.#meter.reset()
    for (const job of this.#facts().jobs) {
      job.meter.reset()
      this.#changed.add(job)
    }
  }

  show(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#measure()
    const { jobs, ghosts, isOffline } = this.#facts()
    const views = jobs.map((job) => this.#viewOf(job, isOffline))
    this.#changed.clear()
    const isActive = hasActive(jobs)
    const isPaused = !isActive && hasUnfinished(jobs)
    const totals = totalsOf(jobs, isActive && !isOffline ? this.#meter.rate() : undefined)
    this.lastRate = totals.rate ?? this.lastRate
    this.view.set({ jobs: sorted(views), totals, ghosts, isActive, isPaused })
  }

  #viewOf(job: UploadJob, isOffline: boolean): JobView {
    const known = this.#shown.get(job)
    if (known !== undefined && !this.#changed.has(job)) return known
    const view = viewOf(job, isOffline)
    this.#shown.set(job, view)
    return view
  }

  #measure(): void {
    const now = this.#clock.monotonic()
    const { jobs } = this.#facts()
    for (const job of jobs) {
      this.#moved += movedBytes(job) - (this.#counted.get(job) ?? 0)
      this.#counted.set(job, movedBytes(job))
    }
    if (hasActive(jobs)) this.#meter.sample(this.#moved, now)
    else this.#meter.reset()
    for (const job of this.#changed) if (job.active > 0) job.meter.sample(movedBytes(job), now)
  }
}
