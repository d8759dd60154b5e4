import { constants } from 'node:fs'
import type { DiskFs } from '../files/disk-fs.ts'
import { codeOf, writeAll } from '../files/disk-calls.ts'
import { decodeJournal, encodeRecord, journalHead, type JournalRecord } from './journal.codec.ts'

/** Journal bytes collected before they are written. */
const BUFFER_BYTES = 16 * 1024

/** The journal of one task, open for appending. Synchronous, like the disk it lies on. */
export class Journal {
  readonly #fs: DiskFs
  readonly #path: string
  readonly #handle: number
  /** What an earlier run wrote, as far as it is whole. */
  readonly past: readonly JournalRecord[]
  #at: number
  #buffer: Uint8Array[] = []
  #buffered = 0

  /** Opens the journal of a task, or begins one; the torn end of an earlier one is cut off. */
  constructor(fs: DiskFs, path: string, task: { readonly taskId: Uint8Array; readonly hashId: number }) {
    this.#fs = fs
    this.#path = path
    const old = readIfThere(fs, path)
    const text = old === undefined ? undefined : decodeJournal(old, task)
    this.#handle = fs.openSync(path, constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW, 0o600)
    const head = journalHead(task.taskId, task.hashId)
    if (text === undefined) writeAll(fs, this.#handle, { bytes: head, offset: 0 })
    this.#at = text?.wholeBytes ?? head.length
    fs.ftruncateSync(this.#handle, this.#at)
    this.past = text?.records ?? []
  }

  /** Leaves of large files are written at once; other records gather until `write`. */
  add(record: JournalRecord): void {
    const bytes = encodeRecord(record)
    this.#buffer.push(bytes)
    this.#buffered += bytes.length
    if (record.type === 'block' || this.#buffered >= BUFFER_BYTES) this.write()
  }

  write(): void {
    if (this.#buffered === 0) return
    const bytes = Buffer.concat(this.#buffer)
    this.#buffer = []
    this.#buffered = 0
    writeAll(this.#fs, this.#handle, { bytes, offset: this.#at })
    this.#at += bytes.length
  }

  /** Ends a run that may go on later: everything before is durable. */
  closeClean(): void {
    this.add({ type: 'clean' })
    this.write()
    this.#fs.fdatasyncSync(this.#handle)
    this.#fs.closeSync(this.#handle)
  }

  /** Ends the task and removes the journal. */
  remove(): void {
    this.#fs.closeSync(this.#handle)
    this.#fs.unlinkSync(this.#path)
  }
}

function readIfThere(fs: DiskFs, path: string): Uint8Array | undefined {
  try {
    return fs.readFileSync(path)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}
