import type { FileFailure } from '@godwit/transfer'
import { LIMITS } from '@godwit/contract'
import type { Arrival, BegunTransfer, Booked, Ended, Mover, Moving, TrafficLog } from '../../content/traffic/index.ts'
import { sessionIdOf } from '../../identity/principals/index.ts'
import { isOpen } from './transfers.machine.ts'
import type { TransferRow } from './transfers.schema.ts'
import type { TransfersDeps } from './transfers.deps.ts'
import { transfersStore } from './transfers.store.ts'

/** What one account moves by one door within this time of each other is one transfer. */
const BURST_MS = 30_000
/** A burst ends here at the latest, so that a program that never rests has more than one row. */
const BURST_FILES = 10_000
/** Failed files kept for the next write. */
const FAILED_KEPT = 100

export interface Figures {
  readonly files: number
  readonly filesDone: number
  readonly bytes: number
  readonly bytesMoved: number
  readonly failures: number
}

const NOTHING: Figures = { files: 0, filesDone: 0, bytes: 0, bytesMoved: 0, failures: 0 }

interface Content {
  readonly files: number
  readonly state: 'open' | 'done' | 'failed'
}

/** What happened to one transfer since it was last written down. */
export interface Book {
  readonly id: string
  readonly userId: string
  /** Of one that no row exists of yet. */
  row: TransferRow | undefined
  /** Its page says what belongs to it and when it ends. */
  readonly isReported: boolean
  /** It may have begun in another process, which alone knows what is still under way. */
  readonly isElsewhere: boolean
  /** Things under way. */
  open: number
  /** By the monotonic clock. */
  touchedAt: number
  writtenAt: number
  /** Unix milliseconds. */
  lastAt: number
  isDirty: boolean
  figures: Figures
  total: number
  rate: number
  paths: readonly string[]
  arePathsNew: boolean
  error: string
  failed: FileFailure[]
  /** How each content of a download stands. */
  readonly contents: Map<string, Content>
  /** How much is to come is known when it is over. */
  readonly isUnmeasured: boolean
  /** Of what is under way. */
  readonly stops: Set<() => void>
}

type Deps = Pick<TransfersDeps, 'db' | 'clock' | 'ids'> & { readonly lifeMs: number }

/** The transfers that this process moves bytes of. In memory alone: `TransferHistory` writes it down every second. */
export class TransferBooks implements TrafficLog {
  readonly #deps: Deps
  readonly #books = new Map<string, Book>()
  /** The newest transfer of everything that counts as one. */
  readonly #bursts = new Map<string, Book>()

  constructor(deps: Deps) {
    this.#deps = deps
  }

  get all(): readonly Book[] {
    return [...this.#books.values()]
  }

  find(id: string): Book | undefined {
    return this.#books.get(id)
  }

  drop(book: Book): void {
    this.#books.delete(book.id)
    for (const [key, one] of this.#bursts) if (one === book) this.#bursts.delete(key)
  }

  begin(mover: Mover, moving: Moving): string {
    const book = this.#bookFor(mover, moving)
    if (book === undefined) return ''
    this.#touch(book)
    book.open++
    if (moving.stop !== undefined) book.stops.add(moving.stop)
    if (book.isReported) return book.id
    const content = contentOf(moving.path, moving.tag)
    const { direction, files, size } = moving
    const known = direction === 'download' ? book.contents.get(content) : undefined
    if (known === undefined) {
      this.#add(book, { files, bytes: size ?? 0 })
      this.#name(book, moving.path)
    }
    if (known?.state === 'failed') this.#add(book, { failures: -files })
    if (direction === 'download' && known?.state !== 'done') book.contents.set(content, { files, state: 'open' })
    return book.id
  }

  moved(booked: Booked, bytes: number): void {
    const book = this.#of(booked)
    this.#touch(book)
    this.#add(book, { bytesMoved: bytes, bytes: book.isUnmeasured ? bytes : 0 })
  }

  end(booked: Booked, ended: Ended): void {
    const book = this.#of(booked)
    this.#touch(book)
    book.open = Math.max(0, book.open - 1)
    // It holds on to the request and the response.
    if (ended.stop !== undefined) book.stops.delete(ended.stop)
    this.#settle(book, ended)
  }

  arrived(mover: Mover, { results, transferId, ...place }: Arrival): void {
    const [first] = results
    if (first === undefined) return
    const moving: Moving = { ...place, transferId, direction: 'upload', path: first.path, files: 0, size: 0 }
    const book = this.#bookFor(mover, moving)
    if (book === undefined) return
    this.#touch(book)
    for (const { size, ...ended } of results) {
      if (!book.isReported) {
        this.#add(book, { files: 1, bytes: size })
        this.#name(book, ended.path)
      }
      if (ended.outcome === 'done') this.#add(book, { bytesMoved: size })
      this.#settle(book, ended)
    }
  }

  async hasBegun(userId: string, { transferId, before }: BegunTransfer): Promise<boolean> {
    const row = await transfersStore.byId(this.#deps.db, transferId)
    return row !== undefined && row.user_id === userId && isOpen(row.state) && Number(row.created_at) <= before
  }

  /** What is to be written now; what comes later counts from zero. */
  take(book: Book): Pick<Book, 'figures' | 'failed'> {
    const { figures, failed } = book
    book.figures = NOTHING
    book.failed = []
    book.isDirty = false
    return { figures, failed }
  }

  /** It could not be written: it is part of the next time. */
  putBack(book: Book, { figures, failed }: Pick<Book, 'figures' | 'failed'>): void {
    this.#add(book, figures)
    book.failed = [...failed, ...book.failed].slice(0, FAILED_KEPT)
  }

  #settle(book: Book, ended: Ended): void {
    if (book.isReported) {
      if (ended.outcome === 'done') this.#add(book, { filesDone: 1 })
      return
    }
    const isDone = ended.outcome === 'done' || ended.outcome === 'skipped'
    const key = contentOf(ended.path, ended.tag)
    const content = book.contents.get(key)
    if (content !== undefined) {
      // Of several ranges one that arrived speaks for the file.
      if (content.state !== 'open') return
      book.contents.set(key, { ...content, state: isDone ? 'done' : 'failed' })
    }
    const files = content?.files ?? 1
    this.#add(book, isDone ? { filesDone: files } : { failures: files })
    if (ended.outcome !== 'failed') return
    book.error = ended.code
    if (book.failed.length < FAILED_KEPT) book.failed.push({ path: ended.path, code: ended.code })
  }

  #add(book: Book, change: Partial<Figures>): void {
    const { figures } = book
    const sum = (name: keyof Figures): number => figures[name] + (change[name] ?? 0)
    book.figures = {
      files: sum('files'),
      filesDone: sum('filesDone'),
      bytes: sum('bytes'),
      bytesMoved: sum('bytesMoved'),
      failures: sum('failures'),
    }
    book.total += change.files ?? 0
    book.isDirty = true
  }

  #name(book: Book, path: string): void {
    if (book.isElsewhere || book.paths.length >= LIMITS.failedPathsReported) return
    book.paths = [...book.paths, path]
    book.arePathsNew = true
  }

  #touch(book: Book): void {
    book.touchedAt = this.#deps.clock.monotonic()
    book.lastAt = this.#deps.clock.now()
  }

  #of({ transfer_id: id, user_id: userId }: Booked): Book {
    return this.#books.get(id) ?? this.#open({ id, userId, isReported: false, isElsewhere: true }, false)
  }

  #bookFor(mover: Mover, moving: Moving): Book | undefined {
    const { principal } = mover
    if (principal === undefined || !isCounted(principal.kind)) return undefined
    const { transferId } = moving
    if (transferId !== undefined && transferId !== '') {
      const known = this.#books.get(transferId)
      if (known !== undefined) return known.userId === principal.id ? known : undefined
      return this.#open({ id: transferId, userId: principal.id, isReported: true, isElsewhere: true }, false)
    }
    const key = burstOf(mover, moving)
    const burst = this.#bursts.get(key)
    if (burst !== undefined && this.#isFresh(burst)) return burst
    const id = this.#deps.ids.next()
    const book = this.#open({ id, userId: principal.id, isReported: false, isElsewhere: false }, moving.size === null)
    book.row = this.#newRow(id, mover, moving)
    this.#bursts.set(key, book)
    return book
  }

  #isFresh(book: Book): boolean {
    if (book.total >= BURST_FILES) return false
    return book.open > 0 || this.#deps.clock.monotonic() - book.touchedAt < BURST_MS
  }

  #open(of: Pick<Book, 'id' | 'userId' | 'isReported' | 'isElsewhere'>, isUnmeasured: boolean): Book {
    const now = this.#deps.clock.monotonic()
    const book: Book = {
      ...of,
      isUnmeasured,
      ...{ row: undefined, open: 0, touchedAt: now, writtenAt: now, lastAt: this.#deps.clock.now(), isDirty: false },
      ...{ figures: NOTHING, total: 0, rate: 0, paths: [], arePathsNew: false, error: '', failed: [] },
      ...{ contents: new Map(), stops: new Set() },
    }
    this.#books.set(of.id, book)
    return book
  }

  #newRow(id: string, mover: Mover, { direction, path, spaceId, groupId }: Moving): TransferRow {
    const { clock, lifeMs } = this.#deps
    const { principal, door, address, userAgent } = mover
    const now = clock.now()
    const cut = path.lastIndexOf('/')
    return {
      ...emptyRow(now),
      ...{ id, user_id: principal?.id ?? '', direction, space_id: spaceId, group_id: groupId },
      ...{ folder: path.slice(0, cut) || '/', label: (path.slice(cut + 1) || '/').slice(0, 255), door },
      session_id: principal === undefined ? '' : sessionIdOf(principal),
      api_token_id: principal?.kind === 'api-token' ? principal.apiTokenId : '',
      ...{ device: userAgent.slice(0, 128), address: address.slice(0, 64), expires_at: now + lifeMs },
    }
  }
}

type Given =
  | 'id'
  | 'user_id'
  | 'direction'
  | 'space_id'
  | 'group_id'
  | 'folder'
  | 'label'
  | 'session_id'
  | 'api_token_id'
type EmptyRow = Omit<TransferRow, Given | 'device' | 'address' | 'door' | 'expires_at'>

/** A transfer that begins now and moves by something else than a client. */
export function emptyRow(now: number): EmptyRow {
  return {
    ...{ paths: '[]', task: '', stamp: '', state: 'running', is_paused: 0, error: '', priority: 'normal' },
    ...{ deadline: 0, late_ms: 0 },
    ...{ files: 0, files_done: 0, bytes: 0, bytes_done: 0, bytes_per_second: 0, bytes_moved: 0, failures: 0 },
    ...{ network_path: '', path_reason: '', bottleneck: '', bottleneck_figures: '', is_cleared: 0 },
    ...{ rate_kbps: 0, ceiling_kbps: 0, created_at: now, started_at: now, updated_at: now, finished_at: 0 },
  }
}

function contentOf(path: string, tag = ''): string {
  return `${path}\n${tag}`
}

function isCounted(kind: string): boolean {
  return kind === 'user' || kind === 'client' || kind === 'api-token'
}

function burstOf({ principal, door, address, userAgent }: Mover, moving: Moving): string {
  const { direction, spaceId, groupId, path, tag, size } = moving
  // A page downloads what somebody clicked on: each by itself, but all ranges of one together.
  const isAlone = size === null || (direction === 'download' && door === 'page')
  const own = isAlone ? contentOf(path, tag) : ''
  return JSON.stringify([principal?.id, principal?.kind, direction, door, spaceId, groupId, address, userAgent, own])
}
