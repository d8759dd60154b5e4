import { MiB, Semaphore, type Clock } from '@godwit/base'
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
import { HIDDEN_FOLDER } from '../keys.ts'
import type { Capabilities, Entry } from '../object-store.ts'
import type { Progress } from '../progress.ts'
import { sharedKey, type AzureConnection } from './azure-key.ts'
import { elements, textIn } from './azure-xml.ts'

export interface AzureOptions extends AzureConnection {
  readonly container: string
  /** Put before every key, without a slash at its end; '' for the whole container. */
  readonly prefix: string
  readonly partBytes?: number
  readonly clock: Pick<Clock, 'now'>
}

export const AZURE_CAPABILITIES: Capabilities = {
  provider: 'azure',
  orderedList: false,
  detailedList: true,
  atomicMove: false,
  realFolders: false,
  freeParts: false,
  part: { minBytes: 5 * MiB, maxBytes: 4000 * MiB, maxCount: 50_000 },
  retarget: false,
  readableUploads: false,
  folderTimes: 'none',
  conditionalComplete: true,
}

const MAX_NAME_CHARACTERS = 1024
const IN_FLIGHT = 16
const COPY_LOOK_MS = 100
/** Names of metadata are identifiers. */
const MARK = 'x-ms-meta-godwitupload'

/**
 * One container and the calls on it. Parts are blocks of the blob at its final place, which nobody sees until their list is
 * committed. A commit of another upload to the same name, or a write to it, drops the blocks of all others: these fail, and begin
 * again. The service drops blocks that are a week old.
 */
export class AzureBucket implements Bucket {
  readonly capabilities = AZURE_CAPABILITIES
  readonly partBytes: number | undefined
  readonly #options: AzureOptions
  readonly #service: HttpService

  constructor(options: AzureOptions) {
    this.#options = options
    this.partBytes = options.partBytes
    this.#service = new HttpService({
      sign: sharedKey(options, options.clock),
      codeOf: (headers, body) => String(headers['x-ms-error-code'] ?? textIn(body, 'Code')),
      reasons: {
        // The container itself is missing: the error is not about a key.
        ContainerNotFound: 'unreachable',
        ContainerBeingDeleted: 'unreachable',
        BlobAlreadyExists: 'exists',
        ConditionNotMet: 'exists',
        TargetConditionNotMet: 'exists',
        InvalidBlockList: 'upload-failed',
        InvalidResourceName: 'invalid-key',
        OutOfRangeInput: 'invalid-key',
        AccountIsDisabled: 'permission',
      },
    })
  }

  close(): void {
    this.#service.close()
  }

  async head(key: string): Promise<MarkedObject | undefined> {
    try {
      const { headers } = await this.#service.text(key, this.#request('HEAD', key))
      return { ...described(key, headers), size: Number(headers['content-length'] ?? 0), mark: markIn(headers) }
    } catch (error) {
      if (error instanceof StorageError && error.reason === 'not-found') return undefined
      throw error
    }
  }

  async *list(folder: string, { deep, signal }: ListOptions): AsyncGenerator<ObjectPage> {
    const prefix = this.#prefixOf(folder)
    const own = this.#prefixOf('')
    let marker = ''
    do {
      signal?.throwIfAborted()
      const query = { restype: 'container', comp: 'list', prefix, ...(deep ? {} : { delimiter: '/' }), marker }
      const url = this.#address('', query)
      const { text } = await this.#service.text(folder, { method: 'GET', url, headers: {}, signal })
      marker = textIn(text, 'NextMarker')
      yield {
        objects: [...elements(text, 'Blob')].map((blob) => listed(textIn(blob, 'Name').slice(own.length), blob)),
        folders: [...elements(text, 'BlobPrefix')].map((found) => textIn(found, 'Name').slice(prefix.length, -1)),
      }
    } while (marker !== '')
  }

  async *read(entry: Entry, span: { start: number; end: number }, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
    const headers = { 'x-ms-range': `bytes=${span.start}-${span.end - 1}`, 'if-match': `"${entry.etag}"` }
    const request = { ...this.#request('GET', entry.key, { headers }), signal }
    yield* conflicting(entry.key, this.#service.bytes(entry.key, request, span.end - span.start))
  }

  async put(key: string, content: Uint8Array, { onlyNew, mark }: PutOptions): Promise<StoredObject> {
    const headers = { 'x-ms-blob-type': 'BlockBlob', ...marked(mark), ...ifNew(onlyNew) }
    const { headers: answered } = await this.#service.text(key, this.#request('PUT', key, { headers, body: content }))
    return { ...described(key, answered), size: content.length }
  }

  async copy(from: StoredObject, to: string): Promise<void> {
    const headers = { 'x-ms-copy-source': this.#address(from.key).href }
    const answer = await this.#service.text(from.key, this.#request('PUT', to, { headers }))
    // Within an account it is done at once, as a rule.
    for (let state = answer.headers['x-ms-copy-status']; state !== 'success';) {
      if (state !== 'pending') throw new StorageError('io', { key: to, cause: new Error(`copy: ${String(state)}`) })
      await new Promise((resolve) => setTimeout(resolve, COPY_LOOK_MS))
      state = (await this.#service.text(to, this.#request('HEAD', to))).headers['x-ms-copy-status']
    }
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

  /** The service knows nothing of an upload before its end, so a small blob of our own says that it goes on. */
  async beginMultipart(key: string, mark: string): Promise<string> {
    await this.put(noteKey(mark), Buffer.from(key), { onlyNew: false })
    return mark
  }

  async putPart(
    multipart: Multipart,
    { number, content }: { readonly number: number; readonly content: Uint8Array },
    signal?: AbortSignal,
  ): Promise<void> {
    const query = { comp: 'block', blockid: blockId(multipart, number) }
    const request = this.#request('PUT', multipart.key, { query, body: content })
    await this.#service.text(multipart.key, { ...request, signal })
  }

  async parts(multipart: Multipart): Promise<StoredPart[]> {
    const note = await this.head(noteKey(multipart.uploadId))
    if (note === undefined) throw new StorageError('upload-gone', { key: multipart.key })
    const own = `${multipart.uploadId}-`
    const blocks = [...elements(await this.#blockList(multipart.key), 'Block')].map((block) => ({
      id: Buffer.from(textIn(block, 'Name'), 'base64').toString('utf8'),
      size: Number(textIn(block, 'Size')),
    }))
    return blocks
      .filter(({ id }) => id.startsWith(own))
      .map(({ id, size }) => ({ number: Number(id.slice(own.length)), size, etag: id, modifiedMs: note.modifiedMs }))
      .toSorted((a, b) => a.number - b.number)
  }

  async #blockList(key: string): Promise<string> {
    try {
      const query = { comp: 'blocklist', blocklisttype: 'uncommitted' }
      return (await this.#service.text(key, this.#request('GET', key, { query }))).text
    } catch (error) {
      if (error instanceof StorageError && error.reason === 'not-found') return ''
      throw error
    }
  }

  async completeMultipart(multipart: Multipart, parts: readonly StoredPart[], onlyNew: boolean): Promise<void> {
    const ids = parts.map(({ number }) => `<Uncommitted>${blockId(multipart, number)}</Uncommitted>`)
    const body = Buffer.from(`<?xml version="1.0" encoding="utf-8"?><BlockList>${ids.join('')}</BlockList>`)
    const headers = { 'content-type': 'application/xml', ...marked(multipart.uploadId), ...ifNew(onlyNew) }
    const request = this.#request('PUT', multipart.key, { query: { comp: 'blocklist' }, headers, body })
    await this.#service.text(multipart.key, request)
    await this.#delete(noteKey(multipart.uploadId))
  }

  async abortMultipart(multipart: Multipart): Promise<void> {
    await this.#delete(noteKey(multipart.uploadId))
  }

  async *multiparts(): AsyncGenerator<Multipart & { readonly begunMs: number }> {
    for await (const { objects } of this.list(NOTES, { deep: true })) {
      for (const note of objects) {
        const key = await textOfNote(this, note)
        if (key !== undefined) yield { key, uploadId: note.key.slice(NOTES.length + 1), begunMs: note.modifiedMs }
      }
    }
  }

  async #delete(key: string): Promise<void> {
    try {
      const headers = { 'x-ms-delete-snapshots': 'include' }
      await this.#service.text(key, this.#request('DELETE', key, { headers }))
    } catch (error) {
      if (!(error instanceof StorageError && error.reason === 'not-found')) throw error
    }
  }

  #request(
    method: string,
    key: string,
    {
      query = {},
      ...rest
    }: Partial<Pick<ServiceRequest, 'headers' | 'body'>> & { query?: Record<string, string> } = {},
  ): ServiceRequest {
    return { method, url: this.#address(key, query), headers: {}, ...rest }
  }

  /** @throws StorageError 'invalid-key' when the service cannot name it */
  #address(key: string, query: Readonly<Record<string, string>> = {}): URL {
    const { endpoint, container } = this.#options
    const name = this.#prefixOf('') + key
    if (name.length > MAX_NAME_CHARACTERS) throw new StorageError('invalid-key', { key })
    const below = key === '' ? '' : `/${name.split('/').map(encoded).join('/')}`
    const url = new URL(`${endpoint}/${encodeURIComponent(container)}${below}`)
    for (const [field, value] of Object.entries(query)) if (value !== '') url.searchParams.set(field, value)
    return url
  }

  #prefixOf(folder: string): string {
    const { prefix } = this.#options
    const below = folder === '' ? '' : `${folder}/`
    return prefix === '' ? below : `${prefix}/${below}`
  }
}

/** Uploads that go on, by id. */
const NOTES = `${HIDDEN_FOLDER}/uploads`

function noteKey(uploadId: string): string {
  return `${NOTES}/${uploadId}`
}

/** All ids of a blob have the same length. */
function blockId({ uploadId }: Multipart, number: number): string {
  return Buffer.from(`${uploadId}-${String(number).padStart(6, '0')}`).toString('base64')
}

function encoded(name: string): string {
  return encodeURIComponent(name).replaceAll(/[!'()*]/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`)
}

function marked(mark: string | undefined): Record<string, string> {
  return mark === undefined ? {} : { [MARK]: mark }
}

function ifNew(onlyNew: boolean): Record<string, string> {
  return onlyNew ? { 'if-none-match': '*' } : {}
}

type Headers = Readonly<Record<string, string | string[] | undefined>>

function markIn(headers: Headers): string | undefined {
  const mark = headers[MARK]
  return typeof mark === 'string' ? mark : undefined
}

function described(key: string, headers: Headers): Omit<StoredObject, 'size'> {
  const modifiedMs = Date.parse(String(headers['last-modified']))
  return { key, modifiedMs: Number.isNaN(modifiedMs) ? 0 : modifiedMs, etag: bare(String(headers['etag'] ?? '')) }
}

function listed(key: string, blob: string): StoredObject {
  const modifiedMs = Date.parse(textIn(blob, 'Last-Modified'))
  return { key, size: Number(textIn(blob, 'Content-Length')), modifiedMs, etag: bare(textIn(blob, 'Etag')) }
}

function bare(etag: string): string {
  return etag.replaceAll('"', '')
}
