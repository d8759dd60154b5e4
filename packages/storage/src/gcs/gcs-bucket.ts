import { GiB, MiB, Semaphore, type Clock } from '@godwit/base'
import {
  countOf,
  type Bucket,
  type ListOptions,
  type MarkedObject,
  type Multipart,
  type ObjectPage,
  type PutOptions,
  type StoredObject,
  type StoredPart,
} from '../bucket/bucket.ts'
import { conflicting } from '../bucket/conflicting.ts'
import { HttpService, type ServiceRequest } from '../bucket/http-service.ts'
import { textOfNote } from '../bucket/notes.ts'
import { StorageError } from '../errors.ts'
import type { Capabilities, Entry } from '../object-store.ts'
import type { Progress } from '../progress.ts'
import { codeIn, FIELDS, MARK, partKey, stored, uploadFolder, UPLOADS, NOTE, type Described } from './gcs-objects.ts'
import { GcsTokens, type GcsCredentials } from './gcs-key.ts'

export interface GcsOptions {
  /** '' for Google itself. */
  readonly endpoint: string
  readonly bucket: string
  /** Put before every key, without a slash at its end; '' for the whole bucket. */
  readonly prefix: string
  readonly credentials: GcsCredentials
  readonly partBytes?: number
  readonly clock: Pick<Clock, 'now'>
}

export const GCS_CAPABILITIES: Capabilities = {
  provider: 'gcs',
  orderedList: true,
  detailedList: true,
  atomicMove: false,
  realFolders: false,
  freeParts: false,
  part: { minBytes: 5 * MiB, maxBytes: 5 * GiB, maxCount: 10_000 },
  retarget: false,
  readableUploads: false,
  folderTimes: 'none',
  conditionalComplete: true,
}

const GOOGLE = 'https://storage.googleapis.com'
const OCTETS = 'application/octet-stream'
const MAX_NAME_BYTES = 1024
const IN_FLIGHT = 16
/** Objects that one call joins. */
const JOINED_MAX = 32

/**
 * One bucket and the calls on it. Parts are hidden objects; an upload is completed by joining them, 32 at a time, the last join making
 * the object visible in one step.
 */
export class GcsBucket implements Bucket {
  readonly capabilities = GCS_CAPABILITIES
  readonly partBytes: number | undefined
  readonly #options: GcsOptions
  readonly #service: HttpService

  constructor(options: GcsOptions) {
    this.#options = options
    this.partBytes = options.partBytes
    this.#service = new HttpService({
      sign: new GcsTokens(options.credentials, options.clock).sign,
      codeOf: (_headers, body) => codeIn(body),
      // The bucket itself is missing: the error is not about a key.
      reasons: { NoSuchBucket: 'unreachable', SlowDown: 'unreachable' },
    })
  }

  close(): void {
    this.#service.close()
  }

  async head(key: string): Promise<MarkedObject | undefined> {
    try {
      const found = await this.#json(key, { method: 'GET', url: this.#object(key, { fields: FIELDS }), headers: {} })
      return { ...stored(key, found), mark: found.metadata?.[MARK] }
    } catch (error) {
      if (error instanceof StorageError && error.reason === 'not-found') return undefined
      throw error
    }
  }

  async *list(folder: string, { deep, signal }: ListOptions): AsyncGenerator<ObjectPage> {
    const [prefix, own] = [this.#prefixOf(folder), this.#prefixOf('')]
    const query = { prefix, ...(deep ? {} : { delimiter: '/' }), fields: `nextPageToken,prefixes,items(${FIELDS})` }
    let pageToken = ''
    do {
      signal?.throwIfAborted()
      const url = this.#address('/storage/v1/b', ['o'], { ...query, pageToken })
      const { text } = await this.#service.text(folder, { method: 'GET', url, headers: {}, signal })
      const page = JSON.parse(text) as {
        readonly nextPageToken?: string
        readonly items?: readonly Described[]
        readonly prefixes?: readonly string[]
      }
      pageToken = page.nextPageToken ?? ''
      yield {
        objects: (page.items ?? []).map((item) => stored(item.name.slice(own.length), item)),
        folders: (page.prefixes ?? []).map((name) => name.slice(prefix.length, -1)),
      }
    } while (pageToken !== '')
  }

  async *read(entry: Entry, span: { start: number; end: number }, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
    const url = this.#object(entry.key, { alt: 'media', generation: entry.etag })
    const headers = { range: `bytes=${span.start}-${span.end - 1}` }
    const bytes = this.#service.bytes(entry.key, { method: 'GET', url, headers, signal }, span.end - span.start)
    yield* conflicting(entry.key, bytes)
  }

  async put(key: string, content: Uint8Array, { onlyNew, mark }: PutOptions): Promise<StoredObject> {
    const condition = onlyNew ? { ifGenerationMatch: '0' } : {}
    const name = this.#name(key)
    if (mark === undefined) {
      const url = this.#address('/upload/storage/v1/b', ['o'], { uploadType: 'media', name, ...condition })
      const headers = { 'content-type': OCTETS }
      return stored(key, await this.#json(key, { method: 'POST', url, headers, body: content }))
    }
    const url = this.#address('/upload/storage/v1/b', ['o'], { uploadType: 'multipart', ...condition })
    const about = JSON.stringify({ name, metadata: { [MARK]: mark } })
    const [edge, type] = ['--godwit', 'content-type:']
    const head = `${edge}\r\n${type} application/json\r\n\r\n${about}\r\n${edge}\r\n${type} ${OCTETS}\r\n\r\n`
    const body = Buffer.concat([Buffer.from(head), content, Buffer.from(`\r\n${edge}--`)])
    const headers = { 'content-type': 'multipart/related; boundary=godwit' }
    return stored(key, await this.#json(key, { method: 'POST', url, headers, body }))
  }

  async copy(from: StoredObject, to: string): Promise<void> {
    const path = ['o', this.#name(from.key), 'rewriteTo', 'b', this.#options.bucket, 'o', this.#name(to)]
    let rewriteToken = ''
    do {
      const url = this.#address('/storage/v1/b', path, { rewriteToken })
      rewriteToken = (await this.#json(from.key, { method: 'POST', url, headers: {} })).rewriteToken ?? ''
    } while (rewriteToken !== '')
  }

  async deleteEach(objects: readonly StoredObject[], progress?: Progress): Promise<void> {
    const lanes = new Semaphore(IN_FLIGHT)
    await Promise.all(
      objects.map((object) =>
        lanes.run(async () => {
          progress?.signal?.throwIfAborted()
          await this.#delete(object.key)
          progress?.add(countOf(object))
        }),
      ),
    )
  }

  /** The service knows nothing of an upload before its end, so a small object of our own says that it goes on. */
  async beginMultipart(key: string, mark: string): Promise<string> {
    await this.put(`${uploadFolder(mark)}/${NOTE}`, Buffer.from(key), { onlyNew: false })
    return mark
  }

  async putPart(
    { uploadId }: Multipart,
    { number, content }: { readonly number: number; readonly content: Uint8Array },
    signal?: AbortSignal,
  ): Promise<void> {
    const key = partKey(uploadId, number)
    const url = this.#address('/upload/storage/v1/b', ['o'], { uploadType: 'media', name: this.#name(key) })
    await this.#json(key, { method: 'POST', url, headers: { 'content-type': OCTETS }, body: content, signal })
  }

  async parts({ key, uploadId }: Multipart): Promise<StoredPart[]> {
    const objects = await this.#hidden(uploadId)
    const folder = `${uploadFolder(uploadId)}/`
    if (!objects.some((object) => object.key === folder + NOTE)) throw new StorageError('upload-gone', { key })
    return objects
      .filter((object) => /^\d+$/.test(object.key.slice(folder.length)))
      .map((object) => ({
        ...{ number: Number(object.key.slice(folder.length)), etag: object.key },
        ...{ size: object.size, modifiedMs: object.modifiedMs },
      }))
      .toSorted((a, b) => a.number - b.number)
  }

  async completeMultipart({ key, uploadId }: Multipart, parts: readonly StoredPart[], onlyNew: boolean): Promise<void> {
    let joined = parts.map(({ etag }) => etag)
    for (let round = 1; joined.length > JOINED_MAX; round++) {
      const next: string[] = []
      for (let at = 0; at < joined.length; at += JOINED_MAX) {
        const made = `${uploadFolder(uploadId)}/join-${round}-${at / JOINED_MAX}`
        await this.#join(joined.slice(at, at + JOINED_MAX), made)
        next.push(made)
      }
      joined = next
    }
    await this.#join(joined, key, { mark: uploadId, onlyNew })
    await this.deleteEach(await this.#hidden(uploadId))
  }

  async #join(
    keys: readonly string[],
    to: string,
    last?: { readonly mark: string; readonly onlyNew: boolean },
  ): Promise<void> {
    const condition = last?.onlyNew === true ? { ifGenerationMatch: '0' } : {}
    const url = this.#address('/storage/v1/b', ['o', this.#name(to), 'compose'], condition)
    const destination = { contentType: OCTETS, ...(last === undefined ? {} : { metadata: { [MARK]: last.mark } }) }
    const sourceObjects = keys.map((key) => ({ name: this.#name(key) }))
    const body = Buffer.from(JSON.stringify({ sourceObjects, destination }))
    await this.#json(to, { method: 'POST', url, headers: { 'content-type': 'application/json' }, body })
  }

  async abortMultipart({ uploadId }: Multipart): Promise<void> {
    await this.deleteEach(await this.#hidden(uploadId))
  }

  async *multiparts(): AsyncGenerator<Multipart & { readonly begunMs: number }> {
    for await (const { objects } of this.list(UPLOADS, { deep: true })) {
      for (const note of objects.filter((object) => object.key.endsWith(`/${NOTE}`))) {
        const key = await textOfNote(this, note)
        const uploadId = note.key.slice(UPLOADS.length + 1, -NOTE.length - 1)
        if (key !== undefined) yield { key, uploadId, begunMs: note.modifiedMs }
      }
    }
  }

  async #hidden(uploadId: string): Promise<StoredObject[]> {
    const found: StoredObject[] = []
    for await (const { objects } of this.list(uploadFolder(uploadId), { deep: true })) found.push(...objects)
    return found
  }

  async #delete(key: string): Promise<void> {
    try {
      await this.#service.text(key, { method: 'DELETE', url: this.#object(key), headers: {} })
    } catch (error) {
      if (!(error instanceof StorageError && error.reason === 'not-found')) throw error
    }
  }

  async #json(key: string, request: ServiceRequest): Promise<Described> {
    return JSON.parse((await this.#service.text(key, request)).text) as Described
  }

  #object(key: string, query: Readonly<Record<string, string>> = {}): URL {
    return this.#address('/storage/v1/b', ['o', this.#name(key)], query)
  }

  #address(base: string, path: readonly string[], query: Readonly<Record<string, string>>): URL {
    const { endpoint, bucket } = this.#options
    const url = new URL(`${endpoint || GOOGLE}${base}/${[bucket, ...path].map(encodeURIComponent).join('/')}`)
    for (const [field, value] of Object.entries(query)) if (value !== '') url.searchParams.set(field, value)
    return url
  }

  /** @throws StorageError 'invalid-key' when the service cannot name it */
  #name(key: string): string {
    const name = this.#prefixOf('') + key
    const isRefused = /[\r\n]/.test(name) || name.startsWith('.well-known/acme-challenge/')
    if (isRefused || Buffer.byteLength(name) > MAX_NAME_BYTES) throw new StorageError('invalid-key', { key })
    return name
  }

  #prefixOf(folder: string): string {
    const { prefix } = this.#options
    const below = folder === '' ? '' : `${folder}/`
    return prefix === '' ? below : `${prefix}/${below}`
  }
}
