import { createHash } from 'node:crypto'
import fs from 'node:fs/promises'
import path from 'node:path'
import { GiB } from '@godwit/base'
import { AppError } from '../../kernel/errors.ts'

/** What is read of a film; a reader of a storage is one. */
export interface FilmReader {
  /** Of a file on this machine. */
  readonly descriptor?: number
  stream(span: object, signal: AbortSignal): AsyncIterable<Uint8Array>
  close(): Promise<void>
}

/** An open file that a program reads at any place. */
export interface FilmInput extends AsyncDisposable {
  readonly descriptor: number
}

/** A film as it is opened: by the storage, or out of a copy of it. */
export interface OpenedFilm {
  /** Names this content of this file: any other content has another name. */
  readonly identity: string
  readonly bytes: number
  readonly open: (signal: AbortSignal) => Promise<FilmReader>
}

export interface FilmInputs {
  /** @throws AppError PREVIEW_UNSUPPORTED for a film elsewhere that is too large, SERVER_BUSY; what reading throws; the signal's reason */
  open(film: OpenedFilm, signal: AbortSignal): Promise<FilmInput>
  stop(): Promise<void>
}

/** Copies of films in storages that no program can read by itself: of each, and of all. */
const MAX_COPY_BYTES = 4 * GiB
const MAX_COPIES_BYTES = 8 * GiB
/** Somebody who pauses goes on without another copy. */
const IDLE_MS = 120_000

interface Copy {
  readonly file: string
  readonly bytes: number
  readonly whole: Promise<void>
  readonly stop: AbortController
  users: number
  idle?: NodeJS.Timeout
}

/** @param folder of the copies; what an earlier process left there is removed */
export function createFilmInputs(folder: string): FilmInputs {
  const copies = new Map<string, Copy>()
  let isSwept = false

  async function remove(name: string, copy: Copy): Promise<void> {
    clearTimeout(copy.idle)
    if (copies.get(name) === copy) copies.delete(name)
    copy.stop.abort(new Error('nobody watches this film'))
    await copy.whole.catch(() => undefined)
    await fs.rm(copy.file, { force: true })
  }

  async function makeRoom(bytes: number): Promise<void> {
    const used = (): number => [...copies.values()].reduce((sum, copy) => sum + copy.bytes, bytes)
    for (const [name, copy] of [...copies]) if (used() > MAX_COPIES_BYTES && copy.users === 0) await remove(name, copy)
    if (used() > MAX_COPIES_BYTES) throw new AppError('SERVER_BUSY', { retryAfterSeconds: 30 })
  }

  async function copyOf(film: OpenedFilm, name: string): Promise<Copy> {
    const known = copies.get(name)
    if (known !== undefined) return known
    if (!isSwept) await fs.rm(folder, { recursive: true, force: true })
    isSwept = true
    await makeRoom(film.bytes)
    const stop = new AbortController()
    const file = path.join(folder, name)
    const copy: Copy = { file, bytes: film.bytes, stop, users: 0, whole: writeCopy(file, film, stop.signal) }
    copies.set(name, copy)
    // The next one tries again.
    copy.whole.catch(() => remove(name, copy))
    return copy
  }

  return {
    async open(film, signal) {
      const reader = await film.open(signal)
      const { descriptor } = reader
      if (descriptor !== undefined) return { descriptor, [Symbol.asyncDispose]: () => reader.close() }
      await reader.close()
      if (film.bytes > MAX_COPY_BYTES) throw new AppError('PREVIEW_UNSUPPORTED')
      const name = createHash('sha256').update(film.identity).digest('hex').slice(0, 40)
      const copy = await copyOf(film, name)
      clearTimeout(copy.idle)
      copy.users++
      const leave = (): void => {
        copy.users--
        if (copy.users === 0) copy.idle = setTimeout(() => void remove(name, copy), IDLE_MS).unref()
      }
      try {
        await copy.whole
        signal.throwIfAborted()
        const handle = await fs.open(copy.file)
        return { descriptor: handle.fd, [Symbol.asyncDispose]: () => handle.close().finally(leave) }
      } catch (thrown) {
        leave()
        throw thrown
      }
    },
    async stop() {
      await Promise.all([...copies].map(([name, copy]) => remove(name, copy)))
    },
  }
}

async function writeCopy(file: string, film: OpenedFilm, signal: AbortSignal): Promise<void> {
  await fs.mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
  const reader = await film.open(signal)
  try {
    await fs.writeFile(file, reader.stream({}, signal), { mode: 0o600, signal })
  } finally {
    await reader.close()
  }
}
