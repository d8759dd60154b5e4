import { joinNodes, LEAF_BYTES, type TreeNode } from '@godwit/base'
import type { ByteSource } from '@godwit/storage'
import type { AccountPrincipal, GuestPrincipal } from '../../kernel/principal.ts'
import { inTransaction } from '../../kernel/db/index.ts'
import { AppError } from '../../kernel/errors.ts'
import { bucketOfRow } from './buckets.ts'
import { blake3Hash, contradicts, LeafHasher } from '../tree-hashes/index.ts'
import type { LiveUpload } from './live-uploads.ts'
import { failOpenUpload } from './intake.transitions.ts'
import { asWriter, type Writing } from './writers.ts'
import { requireSize } from './intake.creation.ts'
import type { IntakeDeps } from './intake.deps.ts'
import { closedBecause, hasReason, partFault } from './intake.errors.ts'
import { expectedOfRow } from './guest-files.ts'
import { isUploadOf } from './intake.grants.ts'
import { uploadsStore } from './intake.store.ts'

/** A checksum that the bytes of one request must have. */
export interface Check {
  update(chunk: Uint8Array): void
  matches(): boolean
}

export interface AppendRequest {
  readonly offset: number
  /** Announced by the sender; undefined when it did not say. */
  readonly length: number | undefined
  /** With it the bytes of the request count all or not at all. */
  readonly check: Check | undefined
  readonly source: ByteSource
  readonly signal: AbortSignal
}

/**
 * Takes bytes in order from `offset` until the sender ends. What becomes durable on the way is recorded on the way.
 * @returns the new offset, durable
 * @throws AppError UPLOAD_OFFSET_CONFLICT, UPLOAD_TOO_LARGE, UPLOAD_HASH_MISMATCH, UPLOAD_BUSY, UPLOAD_FAILED, STORAGE_FULL
 */
export async function appendBytes(deps: IntakeDeps, live: LiveUpload, request: AppendRequest): Promise<number> {
  requireAppendable(deps, live, request)
  const span = { start: request.offset, end: live.row.size ?? Number.MAX_SAFE_INTEGER }
  return asWriter(deps, live, { span, signal: request.signal }, async (writing) => {
    // The request that was stopped for this one may have moved the offset.
    requireAppendable(deps, live, request)
    if (live.row.size === null) await growReservation(deps, live, request)
    return new Appender(deps, live, { ...request, ...writing }).run()
  })
}

/** @throws AppError */
function requireAppendable(deps: IntakeDeps, live: LiveUpload, { offset, length }: AppendRequest): void {
  const closed = closedBecause(live.state)
  if (closed !== undefined) throw closed
  const { prefix } = live.durable
  if (prefix !== offset) throw new AppError('UPLOAD_OFFSET_CONFLICT', { offset: prefix })
  const most = live.row.size ?? (deps.limits.maxBytes || Number.MAX_SAFE_INTEGER)
  if (length !== undefined && length > most - offset) throw new AppError('UPLOAD_TOO_LARGE', { maxBytes: most })
}

/** While the length is unknown, each request reserves what it brings. */
async function growReservation(deps: IntakeDeps, live: LiveUpload, { offset, length }: AppendRequest): Promise<void> {
  if (length === undefined) throw new AppError('UPLOAD_SIZE_INVALID', { reason: 'content-length' })
  await expectedOfRow(deps, live.row, { size: offset + length, isWhole: false })
  await reserveUpTo(deps, live, offset + length)
}

async function reserveUpTo(deps: IntakeDeps, live: LiveUpload, bytes: number, size?: number): Promise<void> {
  const reservedBytes = Number(live.row.reserved_bytes)
  const change = { reserved_bytes: Math.max(bytes, 0), ...(size === undefined ? {} : { size }) }
  await inTransaction(deps.db, async (tx) => {
    const more = bytes - reservedBytes
    if (more > 0) await deps.quotas.reserveBytes(tx, bucketOfRow(live.row), more)
    else await deps.quotas.releaseBytes(tx, bucketOfRow(live.row), -more)
    if (!(await uploadsStore.change(tx, live.id, { states: ['open'], reservedBytes }, change)))
      throw new AppError('UPLOAD_BUSY')
  })
  live.row = { ...live.row, ...change }
}

/**
 * Sets the length of an upload that was begun without one. Once set it stays.
 * @throws AppError UPLOAD_SIZE_INVALID, UPLOAD_TOO_LARGE, QUOTA_EXCEEDED
 */
export async function declareLength(deps: IntakeDeps, live: LiveUpload, size: number): Promise<void> {
  requireSize(deps.limits, size)
  await live.inTurn(async () => {
    if (live.row.size === size) return
    if (live.row.size !== null || size < live.durable.prefix) throw new AppError('UPLOAD_SIZE_INVALID')
    await expectedOfRow(deps, live.row, { size, isWhole: true })
    await reserveUpTo(deps, live, size, size)
  })
}

interface Joined {
  readonly end: number
  /** Over all whole leaves before `end`. */
  readonly nodes: readonly TreeNode[]
}

const NOTHING_JOINED: Joined = { end: 0, nodes: [] }

class Appender {
  readonly #deps: IntakeDeps
  readonly #live: LiveUpload
  readonly #request: AppendRequest & Writing
  readonly #leaves: LeafHasher
  #taken = 0
  #durableTo: number
  #recordedTo: number
  #recording: Promise<void> | undefined
  #joined: Joined = NOTHING_JOINED

  constructor(deps: IntakeDeps, live: LiveUpload, request: AppendRequest & Writing) {
    this.#deps = deps
    this.#live = live
    this.#request = request
    this.#durableTo = request.offset
    this.#recordedTo = request.offset
    // A request that goes on where the last one ended goes on in its leaf, too.
    const tail = live.tail?.leaves
    const isContinued = tail?.at === request.offset
    this.#leaves = (isContinued ? tail : undefined) ?? new LeafHasher(request.offset, live.row.size ?? undefined)
    live.tail = undefined
  }

  async run(): Promise<number> {
    const { offset, source, signal, check } = this.#request
    const live = this.#live
    try {
      const options = { signal, tap: (chunk: Uint8Array) => this.#tap(chunk), onDurable: (n: number) => this.#note(n) }
      const end = await live.store.appendUpload(live.stored, offset, source, options)
      if (check?.matches() === false) throw new AppError('UPLOAD_HASH_MISMATCH', { offset })
      await this.#settle(end)
      live.tail = { leaves: this.#leaves, fence: this.#request.fence }
      return end
    } catch (thrown) {
      await this.#keepDurable()
      if (hasReason(thrown, 'upload-failed', 'upload-gone')) await failOpenUpload(this.#deps, live)
      throw this.#isTooLong() ? new AppError('UPLOAD_TOO_LARGE', { maxBytes: live.row.size }) : partFault(thrown)
    }
  }

  #tap(chunk: Uint8Array): void {
    this.#taken += chunk.length
    // The storage bounds what was announced to it; a length declared later is bounded here.
    if (this.#isTooLong()) throw new AppError('UPLOAD_TOO_LARGE', { maxBytes: this.#live.row.size })
    this.#leaves.update(chunk)
    this.#request.check?.update(chunk)
  }

  #isTooLong(): boolean {
    const { size } = this.#live.row
    const most = size === null ? this.#request.length : size - this.#request.offset
    return most !== undefined && this.#taken > most
  }

  #note(length: number): void {
    this.#durableTo = this.#request.offset + length
    if (this.#request.check !== undefined || this.#recording !== undefined) return
    this.#recording = this.#record(this.#durableTo)
      // The end of the request records it again and meets the same fault.
      .catch((thrown: unknown) => this.#deps.log.warn({ err: thrown }, 'progress of an upload was not recorded'))
      .finally(() => (this.#recording = undefined))
  }

  /** After a failure: what is durable stays, unless only the whole would have been right. */
  async #keepDurable(): Promise<void> {
    await this.#recording
    if (this.#request.check !== undefined || this.#live.state !== 'open') return
    await this.#record(this.#durableTo)
  }

  async #settle(end: number): Promise<void> {
    await this.#recording
    const { offset } = this.#request
    const isOther = contradicts(this.#live.nodes, this.#leaves.leaves(offset, end))
    // Parts that were stored further on are overwritten with other bytes now: the newest ones are on the disk.
    if (isOther) await this.#forgetBeyond(offset, end)
    await this.#record(end)
  }

  async #forgetBeyond(offset: number, end: number): Promise<void> {
    await uploadsStore.removeSpansIn(this.#deps.db, this.#live.id, { start: offset, end })
    await uploadsStore.putSpan(this.#deps.db, this.#spanTo(offset))
    this.#live.replaceSpans(await uploadsStore.spansOf(this.#deps.db, this.#live.id))
  }

  /** One row holds everything up to the offset, however many requests brought it. */
  async #record(end: number): Promise<void> {
    if (end <= this.#recordedTo) return
    const span = this.#spanTo(end)
    await this.#deps.acks.record(span, this.#request.fence)
    this.#live.addSpan(span)
    this.#deps.traffic.moved(this.#live.row, end - this.#recordedTo)
    this.#recordedTo = end
  }

  #spanTo(end: number) {
    // Each leaf is joined once, however long the request is.
    const before = this.#joined.end > end ? NOTHING_JOINED : this.#joined
    const from = Math.floor(before.end / LEAF_BYTES) * LEAF_BYTES
    const known = before === NOTHING_JOINED ? this.#nodesBefore() : before.nodes
    const nodes = joinNodes(blake3Hash, [...known, ...this.#leaves.leaves(from, end)])
    this.#joined = { end, nodes }
    return { uploadId: this.#live.id, start: 0, end, nodes }
  }

  /** What earlier requests brought. */
  #nodesBefore(): TreeNode[] {
    return this.#live.nodes.filter(({ leaf, level }) => (leaf + 2 ** level) * LEAF_BYTES <= this.#request.offset)
  }
}

/**
 * Joins finished partial uploads into one file, in order. Their bytes are copied inside the server and then given back.
 * @throws AppError UPLOAD_NOT_FOUND, UPLOAD_INCOMPLETE, UPLOAD_SIZE_INVALID
 */
export async function joinPieces(deps: IntakeDeps, live: LiveUpload, pieces: readonly LiveUpload[]): Promise<void> {
  const { signal } = new AbortController()
  for (const piece of pieces) {
    const length = piece.row.size ?? 0
    if (length === 0) continue
    const source = bytesOf(piece)
    await appendBytes(deps, live, { offset: live.durable.prefix, length, check: undefined, source, signal })
  }
}

/** Sizes of partial uploads that are whole and belong to the caller. @throws AppError UPLOAD_INCOMPLETE, UPLOAD_NOT_FOUND */
export async function wholePieces(
  deps: IntakeDeps,
  principal: AccountPrincipal | GuestPrincipal,
  ids: readonly string[],
): Promise<LiveUpload[]> {
  const pieces = await Promise.all(ids.map((id) => deps.live.get(id)))
  return pieces.map((piece) => {
    if (piece === undefined || !isUploadOf(piece.row, principal) || piece.row.carrier !== 'tus-partial')
      throw new AppError('UPLOAD_NOT_FOUND')
    if (piece.state !== 'open') throw closedBecause(piece.state) ?? new AppError('UPLOAD_NOT_FOUND')
    if (piece.row.size === null || piece.durable.prefix < piece.row.size) throw new AppError('UPLOAD_INCOMPLETE')
    return piece
  })
}

async function* bytesOf(piece: LiveUpload): AsyncGenerator<Uint8Array, void, void> {
  await using reader = await piece.store.openUpload(piece.stored)
  // The reader lends its buffers; the writer keeps what it is given.
  for await (const chunk of reader.stream({ start: 0, end: piece.row.size ?? 0 })) yield Buffer.from(chunk)
}
