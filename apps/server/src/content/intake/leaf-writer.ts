import { joinNodes, LEAF_BYTES, leafNode, RangeSet, type TreeNode } from '@godwit/base'
import type { IntakeDeps } from './intake.deps.ts'
import { closedBecause, hasReason, partFault } from './intake.errors.ts'
import { failOpenUpload } from './intake.transitions.ts'
import { blake3Hash } from '../tree-hashes/index.ts'
import { WHOLE } from './leases.ts'
import { uploadsStore } from './intake.store.ts'
import type { LiveUpload } from './live-uploads.ts'
import { asWriter, type Writing } from './writers.ts'

/** Verified bytes of a file, from a multiple of LEAF_BYTES to the next one or the end of the file. */
export interface Leaf {
  readonly offset: number
  /** Lent until the write settles. */
  readonly bytes: Uint8Array
}

interface Written {
  readonly start: number
  readonly end: number
  readonly nodes: readonly TreeNode[]
}

/** Leaves whose records are joined in one row: a file of 1 TiB that came in any order has at most 16,384 rows. */
const ROW_BYTES = 64 * LEAF_BYTES

/**
 * Writes single leaves of one upload, in any order and several at once, under one lease for all of them. Where the storage
 * takes only whole parts, the leaves of a part wait in memory for each other, and only whole parts survive the process.
 */
export class LeafWriter {
  readonly #deps: IntakeDeps
  readonly #live: LiveUpload
  #lease: Promise<Writing> | undefined
  #release = (): void => undefined
  #waiting: Written[] = []
  #nextRecord: Promise<void> | undefined
  #lastRecord = Promise.resolve()
  readonly #parts = new Map<number, { readonly bytes: Uint8Array; readonly nodes: Map<number, TreeNode> }>()

  constructor(deps: IntakeDeps, live: LiveUpload) {
    this.#deps = deps
    this.#live = live
  }

  get isComplete(): boolean {
    return this.#live.durable.missing(0, this.#live.row.size ?? 0).length === 0
  }

  /** Bytes that wait in memory for the rest of their part. */
  get heldBytes(): number {
    return [...this.#parts.values()].reduce((sum, { bytes }) => sum + bytes.length, 0)
  }

  /**
   * When it returns, bytes and record survive a power cut, unless they wait for the rest of their part.
   * @throws AppError UPLOAD_BUSY when somebody else writes to the file, UPLOAD_FAILED, STORAGE_FULL
   */
  async write({ offset, bytes }: Leaf): Promise<void> {
    const writing = await (this.#lease ??= this.#take())
    const closed = closedBecause(this.#live.state)
    if (closed !== undefined) throw closed
    const node = leafNode(offset / LEAF_BYTES, blake3Hash(bytes))
    try {
      if (await this.#isStored({ offset, bytes })) return
      if (this.#live.store.capabilities.freeParts) await this.#store(writing, { offset, bytes, nodes: [node] })
      else await this.#gather(writing, { offset, bytes }, node)
    } catch (thrown) {
      if (hasReason(thrown, 'upload-failed', 'upload-gone')) await failOpenUpload(this.#deps, this.#live)
      throw partFault(thrown)
    }
  }

  /** Lets others write; what is under way is waited for by whoever awaits it. */
  async release(): Promise<void> {
    await this.#lastRecord
    this.#release()
    this.#lease = undefined
    this.#parts.clear()
  }

  /** A leaf that comes again is compared, so that the hash of what is stored stays that of what was recorded. */
  async #isStored({ offset, bytes }: Leaf): Promise<boolean> {
    const live = this.#live
    const end = offset + bytes.length
    if (!live.store.capabilities.readableUploads || live.durable.missing(offset, end).length > 0) return false
    if ((await readStored(live, { start: offset, end })).equals(bytes)) return true
    // Joined nodes above it speak of the old bytes.
    await uploadsStore.removeSpansIn(this.#deps.db, live.id, { start: offset, end })
    live.replaceSpans(await uploadsStore.spansOf(this.#deps.db, live.id))
    return false
  }

  #take(): Promise<Writing> {
    const { promise, resolve, reject } = Promise.withResolvers<Writing>()
    const released = Promise.withResolvers<void>()
    this.#release = released.resolve
    const { signal } = new AbortController()
    asWriter(this.#deps, this.#live, { span: WHOLE, signal }, async (writing) => {
      // Whoever takes the bytes over waits until this writer has let go.
      writing.signal.addEventListener('abort', () => released.resolve(), { once: true })
      resolve(writing)
      await released.promise
    }).catch(reject)
    return promise
  }

  async #gather(writing: Writing, { offset, bytes }: Leaf, node: TreeNode): Promise<void> {
    const { part_size: partSize, size } = this.#live.row
    const index = Math.floor(offset / partSize)
    const start = index * partSize
    const length = Math.min(partSize, (size ?? 0) - start)
    const part = this.#parts.get(index) ?? { bytes: new Uint8Array(length), nodes: new Map<number, TreeNode>() }
    this.#parts.set(index, part)
    part.bytes.set(bytes, offset - start)
    part.nodes.set(node.leaf, node)
    if (part.nodes.size < Math.ceil(length / LEAF_BYTES)) return
    this.#parts.delete(index)
    const nodes = [...part.nodes.values()].toSorted((one, other) => one.leaf - other.leaf)
    await this.#store(writing, { offset: start, bytes: part.bytes, nodes })
  }

  async #store(writing: Writing, { offset, bytes, nodes }: Leaf & Pick<Written, 'nodes'>): Promise<void> {
    const { stored, store, row } = this.#live
    const place = { index: Math.floor(offset / row.part_size), offset, length: bytes.length }
    await store.writePart(stored, place, once(bytes), { signal: writing.signal })
    await this.#record(writing, { start: offset, end: offset + bytes.length, nodes })
  }

  /** One record at a time, so that rows never overlap; those that come meanwhile share the next one. */
  #record(writing: Writing, written: Written): Promise<void> {
    this.#waiting.push(written)
    if (this.#nextRecord !== undefined) return this.#nextRecord
    const record = this.#lastRecord.then(() => this.#recordWaiting(writing))
    this.#nextRecord = record
    this.#lastRecord = record.catch(() => undefined)
    return record
  }

  async #recordWaiting({ fence }: Writing): Promise<void> {
    const fresh = this.#waiting
    this.#waiting = []
    this.#nextRecord = undefined
    const spans = rowsOf(this.#live, fresh)
    await Promise.all(spans.map((span) => this.#deps.acks.record(span, fence)))
    for (const span of spans) this.#live.addSpan(span)
  }
}

/** Rows for what was written, each joined with its durable neighbors. */
function rowsOf(live: LiveUpload, fresh: readonly Written[]) {
  const all = new RangeSet()
  for (const { start, end } of [...live.durable.toArray(), ...fresh]) all.add(start, end)
  const starts = new Set(fresh.map(({ start }) => Math.floor(start / ROW_BYTES) * ROW_BYTES))
  const bounds = [...starts].flatMap((from) => clipped(all, { start: from, end: from + ROW_BYTES }))
  return bounds
    .filter(({ start, end }) => fresh.some((one) => one.start >= start && one.start < end))
    .map(({ start, end }) => {
      const known = live.nodes.filter((node) => !fresh.some((one) => overlaps(node, one)))
      const isInside = ({ leaf }: TreeNode): boolean => leaf * LEAF_BYTES >= start && leaf * LEAF_BYTES < end
      const nodes = [...known, ...fresh.flatMap((one) => one.nodes)].filter(isInside)
      return { uploadId: live.id, start, end, nodes: joinNodes(blake3Hash, nodes) }
    })
}

function overlaps({ leaf, level }: TreeNode, { start, end }: Pick<Written, 'start' | 'end'>): boolean {
  return leaf * LEAF_BYTES < end && (leaf + 2 ** level) * LEAF_BYTES > start
}

/** The ranges inside a span. */
function clipped(ranges: RangeSet, { start, end }: { readonly start: number; readonly end: number }) {
  return ranges
    .toArray()
    .filter((range) => range.start < end && range.end > start)
    .map((range) => ({ start: Math.max(start, range.start), end: Math.min(end, range.end) }))
}

/** Bytes of an upload that are durable. */
export async function readStored(
  live: LiveUpload,
  span: { readonly start: number; readonly end: number },
): Promise<Buffer> {
  await using reader = await live.store.openUpload(live.stored)
  const chunks: Buffer[] = []
  // The reader lends its buffers.
  for await (const chunk of reader.stream(span)) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks)
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array, void, void> {
  yield bytes
}
