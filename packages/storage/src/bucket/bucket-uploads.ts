import { createHash } from 'node:crypto'
import { KiB, MiB, randomHex, type Random } from '@godwit/base'
import { StorageError } from '../errors.ts'
import { HIDDEN_FOLDER } from '../keys.ts'
import { LentBlocks } from '../lent-blocks.ts'
import {
  canFill,
  type ByteSource,
  type CompleteUpload,
  type CreateUpload,
  type PartPlace,
  type StaleUpload,
  type Upload,
  type WriteOptions,
} from '../object-store.ts'
import { abortable } from '../source.ts'
import type { Multipart, Bucket, StoredObject, StoredPart } from './bucket.ts'
import { PartMemory } from './part-memory.ts'

/** Each part is in memory while it is sent, and several are: larger ones were no faster (`npm run bench -- --only buckets`). */
const MOST_PART_BYTES = 8 * MiB
/**
 * What sources read into on the way to a part: three for each of ten fast ones. Memory of their own for each read would lie there
 * until the collector comes, as that of the parts.
 */
const LENT_BLOCKS = { count: 32, bytes: 128 * KiB }

/**
 * Uploads as multipart uploads. What exists at each moment:
 * - created: a multipart upload whose metadata carry a random mark;
 * - parts: part n+1 of it is our part n. A sequential upload that stops inside a part leaves the beginning of that part as
 *   `.godwit/parts/<id>/<end>`, where <end> is where it stopped. The one it began from stays until the next append, because
 *   the caller may not have recorded the new end yet;
 * - completed: the object; its mark distinguishes a repeated completion from an unrelated object.
 */
export class BucketUploads {
  readonly #bucket: Bucket
  readonly #random: Random
  readonly #memory = new PartMemory()
  readonly #lent = new LentBlocks(LENT_BLOCKS)

  constructor(bucket: Bucket, random: Random) {
    this.#bucket = bucket
    this.#random = random
  }

  async create(request: CreateUpload): Promise<Upload> {
    const mark = randomHex(this.#random, 16)
    const uploadId = await this.#bucket.beginMultipart(request.key, mark)
    const { part } = this.#bucket.capabilities
    const least = Math.ceil((request.size ?? 0) / part.maxCount)
    const wanted = this.#bucket.partBytes ?? Math.min(request.partSize ?? MOST_PART_BYTES, MOST_PART_BYTES)
    const partSize = Math.max(wanted, part.minBytes, least)
    return { id: idOf(uploadId), key: request.key, size: request.size, partSize, provider: { uploadId, mark } }
  }

  /** The whole part is in memory while it is sent, so that the client can retry it. */
  async write(upload: Upload, place: PartPlace, source: ByteSource, options: WriteOptions): Promise<void> {
    const multipart = multipartOf(upload)
    const end = Math.min(place.offset + upload.partSize, upload.size ?? Number.MAX_SAFE_INTEGER)
    if (place.offset !== place.index * upload.partSize || place.length !== end - place.offset) {
      throw new StorageError('incomplete', { key: upload.key })
    }
    await this.#memory.with(place.length, async (content) => {
      let filled = 0
      for await (const chunk of this.#taken(source, options)) {
        if (filled + chunk.length > place.length) throw sourceError(upload, 'longer than announced')
        content.set(chunk, filled)
        filled += chunk.length
      }
      if (filled < place.length) throw sourceError(upload, `ended after ${filled} bytes`)
      await this.#bucket.putPart(multipart, { number: place.index + 1, content }, options.signal)
    })
  }

  async append(upload: Upload, offset: number, source: ByteSource, options: WriteOptions): Promise<number> {
    const multipart = multipartOf(upload)
    const part = Buffer.allocUnsafe(upload.partSize)
    let index = Math.floor(offset / upload.partSize)
    let filled = await this.#tail(upload, offset, part)
    const end = (): number => index * upload.partSize + filled
    const sendPart = async (): Promise<void> => {
      await this.#bucket.putPart(multipart, { number: index + 1, content: part.subarray(0, filled) }, options.signal)
      options.onDurable?.(end() - offset)
    }
    const keep = async (): Promise<void> => {
      if (filled === 0 || end() === offset) return
      await this.#bucket.put(tailKey(upload, end()), part.subarray(0, filled), { onlyNew: false })
      options.onDurable?.(end() - offset)
    }
    try {
      for await (const chunk of this.#taken(source, options)) {
        if (end() + chunk.length > (upload.size ?? Number.MAX_SAFE_INTEGER))
          throw sourceError(upload, 'longer than announced')
        for (let at = 0; at < chunk.length;) {
          const piece = chunk.subarray(at, at + part.length - filled)
          part.set(piece, filled)
          filled += piece.length
          at += piece.length
          if (filled < part.length) continue
          await sendPart()
          index++
          filled = 0
        }
      }
    } finally {
      await keep()
    }
    return end()
  }

  /** @throws StorageError 'incomplete' unless the parts add up to the size; 'upload-gone' */
  async complete(upload: Upload, request: CompleteUpload): Promise<void> {
    const multipart = multipartOf(upload)
    if (request.size === 0) return this.#completeEmpty(upload, request)
    const last = Math.ceil(request.size / upload.partSize)
    const lastSize = request.size - (last - 1) * upload.partSize
    let parts = await this.#partsUpTo(multipart, last)
    if (parts.at(-1)?.number !== last || parts.at(-1)?.size !== lastSize) {
      const part = Buffer.allocUnsafe(upload.partSize)
      await this.#tail(upload, request.size, part)
      await this.#bucket.putPart(multipart, { number: last, content: part.subarray(0, lastSize) })
      parts = await this.#partsUpTo(multipart, last)
    }
    const isWhole = parts.every(
      ({ number, size }, at) => number === at + 1 && size === (number === last ? lastSize : upload.partSize),
    )
    if (parts.length !== last || !isWhole) throw new StorageError('incomplete', { key: upload.key })
    await this.#bucket.completeMultipart(multipart, parts, request.conflict === 'fail')
    await this.#removeTails(upload, undefined)
  }

  async abort(upload: Upload): Promise<void> {
    await this.#bucket.abortMultipart(multipartOf(upload))
    await this.#removeTails(upload, undefined)
  }

  async *stale(beforeMs: number): AsyncGenerator<StaleUpload> {
    for await (const { key, uploadId, begunMs } of this.#bucket.multiparts()) {
      if (begunMs >= beforeMs) continue
      const parts = await this.#partsWhileThere({ key, uploadId })
      if (parts === undefined) continue
      const touchedMs = Math.max(begunMs, ...parts.map((part) => part.modifiedMs))
      if (touchedMs >= beforeMs) continue
      yield {
        upload: { id: idOf(uploadId), key, size: null, partSize: MOST_PART_BYTES, provider: { uploadId } },
        touchedMs,
      }
    }
  }

  /** The caller copies each chunk before it asks for the next one. */
  async *#taken(source: ByteSource, options: WriteOptions): AsyncGenerator<Uint8Array, void, void> {
    if (canFill(source)) source.fillFrom(this.#lent)
    for await (const chunk of abortable(source, options.signal)) {
      options.tap?.(chunk)
      yield chunk
      this.#lent.release(chunk)
    }
  }

  /** A multipart upload needs at least one byte, so an empty file becomes an ordinary object. */
  async #completeEmpty(upload: Upload, request: CompleteUpload): Promise<void> {
    const mark = String(upload.provider['mark'])
    await this.#bucket.put(upload.key, new Uint8Array(), { onlyNew: request.conflict === 'fail', mark })
    await this.abort(upload)
  }

  /** @returns undefined for an upload that has ended since it was listed */
  async #partsWhileThere(multipart: Multipart): Promise<StoredPart[] | undefined> {
    try {
      return await this.#bucket.parts(multipart)
    } catch (thrown) {
      // Not every service has a word of its own for it.
      const isGone = thrown instanceof StorageError && ['upload-gone', 'not-found'].includes(thrown.reason)
      if (isGone) return undefined
      throw thrown
    }
  }

  async #partsUpTo(multipart: Multipart, last: number): Promise<StoredPart[]> {
    return (await this.#bucket.parts(multipart)).filter((part) => part.number <= last)
  }

  /** Reads the start of the part that contains `offset` and drops the tails of other ends. @returns its length */
  async #tail(upload: Upload, offset: number, into: Buffer): Promise<number> {
    const length = offset % upload.partSize
    const key = tailKey(upload, offset)
    await this.#removeTails(upload, key)
    if (length === 0) return 0
    const found = await this.#bucket.head(key)
    if (found?.size !== length) throw new StorageError('conflict', { key: upload.key })
    const entry = { key, kind: 'file', size: length, modifiedMs: 0, etag: found.etag } as const
    let at = 0
    for await (const chunk of this.#bucket.read(entry, { start: 0, end: length })) {
      into.set(chunk, at)
      at += chunk.length
    }
    return length
  }

  async #removeTails(upload: Upload, except: string | undefined): Promise<void> {
    const tails: StoredObject[] = []
    for await (const page of this.#bucket.list(tailFolder(upload), { deep: true })) tails.push(...page.objects)
    await this.#bucket.deleteEach(tails.filter((tail) => tail.key !== except))
  }
}

/** @throws StorageError 'upload-gone' for an upload that this store cannot have made */
function multipartOf(upload: Upload): Multipart {
  const uploadId = String(upload.provider['uploadId'] ?? '')
  if (upload.id !== idOf(uploadId)) throw new StorageError('upload-gone', { key: upload.key })
  return { key: upload.key, uploadId }
}

/** The service's ids are random but of any length and alphabet; ours are 128 bits of their hash. */
function idOf(uploadId: string): string {
  return createHash('sha256').update(uploadId).digest('hex').slice(0, 32)
}

function tailFolder(upload: Upload): string {
  return `${HIDDEN_FOLDER}/parts/${upload.id}`
}

function tailKey(upload: Upload, end: number): string {
  return `${tailFolder(upload)}/${end}`
}

function sourceError(upload: Upload, why: string): StorageError {
  return new StorageError('source', { key: upload.key, cause: new Error(why) })
}
