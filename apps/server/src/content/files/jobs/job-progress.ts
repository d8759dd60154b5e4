import type { TreeProgress } from '@godwit/storage'
import { AppError } from '../../../kernel/errors.ts'
import type { Run } from '../../../kernel/queue/index.ts'
import { storageError } from '../../../foundation/storages/index.ts'
import { FAILURES_MAX, type FileProgress } from './job-views.ts'

/** Counts what a job has done and reports it. */
export class JobProgress {
  #shown: FileProgress
  readonly #run: Run<never, FileProgress>

  constructor(run: Run<never, FileProgress>, start: FileProgress) {
    this.#run = run
    this.#shown = start
  }

  get shown(): FileProgress {
    return this.#shown
  }

  set(change: Partial<FileProgress>): void {
    this.#shown = { ...this.#shown, ...change }
    this.#run.report(this.#shown)
  }

  /** Counts things found, before they are done. */
  found({ files, bytes }: { readonly files: number; readonly bytes: number }): void {
    this.set({ totalFiles: this.#shown.totalFiles + files, totalBytes: this.#shown.totalBytes + bytes })
  }

  /** Counts things done. Totals never fall behind. */
  done({ files, bytes }: { readonly files: number; readonly bytes: number }): void {
    const doneFiles = this.#shown.doneFiles + files
    const doneBytes = this.#shown.doneBytes + bytes
    this.set({
      doneFiles,
      doneBytes,
      totalFiles: Math.max(this.#shown.totalFiles, doneFiles),
      totalBytes: Math.max(this.#shown.totalBytes, doneBytes),
    })
  }

  /** A storage counts from the beginning of its operation; this turns that into steps. */
  steps(): (done: TreeProgress) => void {
    let last: TreeProgress = { files: 0, folders: 0, bytes: 0 }
    return (done) => {
      this.done({ files: done.files - last.files, bytes: done.bytes - last.bytes })
      last = done
    }
  }

  /**
   * Runs the work of one entry: what a person can do something about is noted and the job goes on with the next entry.
   * @returns whether it succeeded
   */
  async entry(path: string, work: () => Promise<void>): Promise<boolean> {
    this.set({ current: path.slice(path.lastIndexOf('/') + 1) })
    try {
      await work()
      return true
    } catch (thrown) {
      this.caught(path, thrown)
      return false
    }
  }

  /** Notes what came of the work of an entry. @throws the same where a person can do nothing about it */
  caught(path: string, thrown: unknown): void {
    this.#run.signal.throwIfAborted()
    const error = storageError(thrown)
    // A bug or a lost database is no property of this entry: the job is tried again as a whole.
    if (!(error instanceof AppError) || error.code === 'INTERNAL') throw thrown
    this.fail(path, error)
  }

  /** Notes an entry that the job went past. */
  fail(path: string, { code }: AppError): void {
    this.set({ failures: [...this.#shown.failures, { path, code }].slice(0, FAILURES_MAX) })
  }
}
