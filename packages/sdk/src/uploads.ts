import { type Hash, RangeSet, type TreeNode, treeRoot } from '@godwit/base'
import type { UploadResult, UploadView } from '@godwit/contract'
import { uploads } from '@godwit/contract/table/uploads'
import { ApiError } from '@godwit/contract/wire/api-error'
import { failed, Patience } from './failures.ts'
import { blake3, nodesOf } from './hashes.ts'
import { idsOf, type Place, splitPath } from './places.ts'
import type { Session } from './session.ts'

export interface UploadOptions extends Place {
  /** When the name is taken. Default `fail`. */
  readonly conflict?: 'fail' | 'replace' | 'keep-both' | 'skip'
  /** Last change of the source, Unix milliseconds; of a `File` its own. Part of what makes a later call go on with this upload. */
  readonly lastModified?: number
  /** Parts under way at once, each of 16 MiB or more in memory. Default 3. */
  readonly parallel?: number
  /** Ends the call; the server keeps what has arrived, and the same call goes on with it. */
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: UploadProgress) => void
}

export interface UploadProgress {
  readonly size: number
  /** Durable at the server. */
  readonly bytesDone: number
}

/** Times that one part may arrive damaged. */
const MAX_DAMAGED = 3

/**
 * Sends a file and returns once it is visible. Goes on after lost connections and restarts of the server, and with what an
 * earlier call has sent; the hash of the whole file is compared before it shows.
 * @param path of the new file; its folder must exist
 * @throws ApiError, such as PATH_EXISTS, QUOTA_EXCEEDED, UPLOAD_HASH_MISMATCH; the reason of the signal
 */
export async function upload(
  session: Session,
  source: Blob,
  path: string,
  options: UploadOptions = {},
): Promise<UploadResult> {
  const hash = await blake3()
  const patience = new Patience()
  const { signal } = options
  const calling = signal === undefined ? {} : { signal }
  const body = wantedOf(source, path, options)
  const view = await patience.of(() => session.call(uploads.create, { body }, calling), signal)
  const sender = new Sender({ session, source, view, hash, patience, options })
  await sender.sendAll()
  const { uploadId, grant: token } = view
  const whole = { hash: treeRoot(hash, source.size, sender.nodes) }
  return patience.of(
    () => session.call(uploads.complete, { params: { uploadId }, body: whole }, { ...calling, token }),
    signal,
  )
}

function wantedOf(source: Blob, path: string, options: UploadOptions) {
  const { folder, name } = splitPath(path)
  const ofFile = 'lastModified' in source && typeof source.lastModified === 'number' ? source.lastModified : undefined
  const lastModified = options.lastModified ?? ofFile
  return {
    ...idsOf(options),
    folder,
    filename: name,
    size: source.size,
    conflict: options.conflict ?? 'fail',
    ...(lastModified === undefined ? {} : { lastModified: Math.trunc(lastModified) }),
  }
}

interface Sending {
  readonly session: Session
  readonly source: Blob
  readonly view: UploadView & { readonly grant: string }
  readonly hash: Hash
  readonly patience: Patience
  readonly options: UploadOptions
}

/** Sends the parts of one upload that the server does not have, and hashes all of them. */
class Sender {
  readonly nodes: TreeNode[] = []
  readonly #sending: Sending
  /** Offsets of parts that no lane has taken yet. */
  readonly #waiting: number[]
  #durable: RangeSet
  #bytesDone = 0

  constructor(sending: Sending) {
    const { source, view } = sending
    this.#sending = sending
    this.#durable = setOf(view.ranges)
    this.#waiting = Array.from({ length: Math.ceil(source.size / view.partSize) }, (_, at) => at * view.partSize)
  }

  async sendAll(): Promise<void> {
    const { source, hash, options } = this.#sending
    if (source.size === 0) this.nodes.push(...nodesOf(hash, new Uint8Array(0), 0))
    this.#report()
    const failing = new AbortController()
    const signal = AbortSignal.any([failing.signal, ...(options.signal === undefined ? [] : [options.signal])])
    const lanes = Array.from({ length: Math.max(1, options.parallel ?? 3) }, async () => {
      try {
        for (let offset = this.#waiting.shift(); offset !== undefined; offset = this.#waiting.shift())
          await this.#sendPart(offset, signal)
      } catch (error) {
        // The other lanes end too: nothing is sent any more once this call has ended.
        failing.abort(error)
      }
    })
    await Promise.all(lanes)
    signal.throwIfAborted()
  }

  async #sendPart(offset: number, signal: AbortSignal): Promise<void> {
    const { source, view, hash, patience } = this.#sending
    signal.throwIfAborted()
    const bytes = new Uint8Array(await source.slice(offset, offset + view.partSize).arrayBuffer())
    const nodes = nodesOf(hash, bytes, offset)
    this.nodes.push(...nodes)
    for (let damaged = 0; !this.#durable.has(offset, offset + bytes.length);) {
      try {
        const stored = await this.#put(offset, bytes, signal)
        const [only, ...more] = nodes
        // What several nodes cover is checked by the hash of the whole file.
        if (stored === '' || more.length > 0 || stored === only?.hash) return patience.renew()
        // Sent once more it differs from what is there, and the server forgets both.
        if (++damaged > MAX_DAMAGED) throw failed('UPLOAD_HASH_MISMATCH', 'a part arrives damaged again and again')
      } catch (error) {
        signal.throwIfAborted()
        const isDamaged = error instanceof ApiError && error.name === 'UPLOAD_HASH_MISMATCH'
        if (isDamaged && ++damaged <= MAX_DAMAGED) continue
        await patience.after(error, signal)
        await this.#look(signal)
      }
    }
  }

  /** @returns the hash of what the server has stored */
  async #put(offset: number, bytes: Uint8Array<ArrayBuffer>, signal: AbortSignal): Promise<string> {
    const { session, view } = this.#sending
    const input = { params: { uploadId: view.uploadId, offset }, body: bytes }
    const { ranges, hash } = await session.call(uploads.part, input, { signal, token: view.grant })
    this.#durable = setOf(ranges)
    this.#report()
    return hash
  }

  /** What a request that failed has brought all the same. */
  async #look(signal: AbortSignal): Promise<void> {
    const { session, view, patience } = this.#sending
    const params = { uploadId: view.uploadId }
    const seen = await patience.of(
      () => session.call(uploads.status, { params }, { signal, token: view.grant }),
      signal,
    )
    this.#durable = setOf(seen.ranges)
    this.#report()
  }

  #report(): void {
    const { source, options } = this.#sending
    // Answers of parts side by side may overtake each other.
    this.#bytesDone = Math.max(this.#bytesDone, this.#durable.size)
    options.onProgress?.({ size: source.size, bytesDone: this.#bytesDone })
  }
}

function setOf(ranges: UploadView['ranges']): RangeSet {
  return new RangeSet(ranges.map(([start, end]) => ({ start, end })))
}
