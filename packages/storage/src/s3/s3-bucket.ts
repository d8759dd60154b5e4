import type * as Sdk from '@aws-sdk/client-s3'
import { GiB, MiB, Semaphore } from '@godwit/base'
import { StorageError } from '../errors.ts'
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
import type { Capabilities, Entry } from '../object-store.ts'
import type { Progress } from '../progress.ts'
import { calling } from './s3-errors.ts'

export interface S3Options {
  /** http or https address of the service; undefined for AWS itself. */
  readonly endpoint?: string
  readonly region: string
  readonly bucket: string
  /** Put before every key, without a slash at its end; '' for the whole bucket. */
  readonly prefix: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** Bucket in the path instead of the host name. */
  readonly pathStyle: boolean
  /** Whether the service honours If-None-Match on PUT and on completing a multipart upload (AWS does since 2024). */
  readonly conditionalWrites: boolean
  /** Bytes of a part, whatever an upload asks for. */
  readonly partBytes?: number
  /** Milliseconds without a byte after which the service has gone away. Default five minutes: a big copy may take as long. */
  readonly silenceMs?: number
}

const S3_PART_LIMITS = { minBytes: 5 * MiB, maxBytes: 5 * GiB, maxCount: 10_000 }

/** What a store on a bucket with these options can do; known before it is opened. */
export function s3Capabilities({ conditionalWrites }: Pick<S3Options, 'conditionalWrites'>): Capabilities {
  return {
    provider: 's3',
    orderedList: true,
    detailedList: true,
    atomicMove: false,
    realFolders: false,
    freeParts: false,
    part: S3_PART_LIMITS,
    retarget: false,
    readableUploads: false,
    folderTimes: 'none',
    conditionalComplete: conditionalWrites,
  }
}

/** Longest object name of the service. */
const MAX_NAME_BYTES = 1024
/** Above this an object is copied in parts. */
const MAX_COPY_BYTES = 5 * GiB
const COPY_PART_BYTES = GiB
/** Requests of one long operation at once. */
const IN_FLIGHT = 16
const CONNECT_MS = 10_000
const SILENCE_MS = 5 * 60_000

/** One bucket (or a prefix of it) and the calls on it, with the service's errors translated. */
export class S3Bucket implements Bucket {
  readonly capabilities: Capabilities
  readonly partBytes: number | undefined
  readonly options: S3Options
  readonly #sdk: typeof Sdk
  readonly #client: Sdk.S3Client

  private constructor(sdk: typeof Sdk, options: S3Options) {
    this.#sdk = sdk
    this.options = options
    this.capabilities = s3Capabilities(options)
    this.partBytes = options.partBytes
    this.#client = new sdk.S3Client({
      region: options.region,
      forcePathStyle: options.pathStyle,
      credentials: { accessKeyId: options.accessKeyId, secretAccessKey: options.secretAccessKey },
      // Compatible services, OSS among them, refuse the trailing checksums that are the default.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      // The SDK itself waits for ever for a service that took a request and never answers.
      requestHandler: { connectionTimeout: CONNECT_MS, socketTimeout: options.silenceMs ?? SILENCE_MS },
      ...(options.endpoint === undefined ? {} : { endpoint: options.endpoint }),
    })
  }

  /** The SDK costs 136 ms and 40 MB, so it is loaded by the first store that needs it. */
  static async open(options: S3Options): Promise<S3Bucket> {
    return new S3Bucket(await import('@aws-sdk/client-s3'), options)
  }

  close(): void {
    this.#client.destroy()
  }

  /** @throws StorageError 'invalid-key' when the service cannot name it */
  name(key: string): string {
    const { prefix } = this.options
    const name = prefix === '' ? key : `${prefix}/${key}`
    if (Buffer.byteLength(name) > MAX_NAME_BYTES) throw new StorageError('invalid-key', { key })
    return name
  }

  /** undefined when there is no such object. */
  async head(key: string): Promise<MarkedObject | undefined> {
    try {
      const found = await calling(key, () => this.#client.send(new this.#sdk.HeadObjectCommand({ ...this.#at(key) })))
      return { ...storedObject(key, found), size: found.ContentLength ?? 0, mark: found.Metadata?.[MARK] }
    } catch (error) {
      if (error instanceof StorageError && error.reason === 'not-found') return undefined
      throw error
    }
  }

  /** Objects below a folder; with a delimiter only its own entries. Ascending by UTF-8 bytes. */
  async *list(folder: string, options: ListOptions): AsyncGenerator<ObjectPage> {
    const prefix = this.#prefixOf(folder)
    let token: string | undefined
    do {
      options.signal?.throwIfAborted()
      const page: Sdk.ListObjectsV2CommandOutput = await calling(folder, () =>
        this.#client.send(
          new this.#sdk.ListObjectsV2Command({
            Bucket: this.options.bucket,
            Prefix: prefix,
            // Names may hold characters that XML cannot.
            EncodingType: 'url',
            ...(options.deep ? {} : { Delimiter: '/' }),
            ...(token === undefined ? {} : { ContinuationToken: token }),
          }),
        ),
      )
      token = page.NextContinuationToken
      yield {
        objects: (page.Contents ?? []).map((found) => storedObject(this.#keyOf(decoded(found.Key)), found)),
        folders: (page.CommonPrefixes ?? []).map((found) => decoded(found.Prefix).slice(prefix.length, -1)),
      }
    } while (token !== undefined)
  }

  /** Bytes of an object as they come. @throws StorageError 'conflict' when it is not `entry` any more */
  async *read(entry: Entry, span: { start: number; end: number }, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
    const command = new this.#sdk.GetObjectCommand({
      ...this.#at(entry.key),
      Range: `bytes=${span.start}-${span.end - 1}`,
      IfMatch: `"${entry.etag}"`,
    })
    const { Body: body } = await this.#reading(entry.key, () => this.#client.send(command, abortable(signal)), signal)
    if (body === undefined || !(Symbol.asyncIterator in body)) throw new StorageError('io', { key: entry.key })
    const chunks = (body as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]()
    let count = 0
    try {
      for (;;) {
        const step = await calling(entry.key, () => chunks.next(), signal)
        if (step.done === true) break
        count += step.value.length
        yield step.value
      }
    } finally {
      await chunks.return?.()
    }
    // A service that hangs up early must not look like the end of the file.
    if (count !== span.end - span.start) throw new StorageError('unreachable', { key: entry.key })
  }

  /** @throws StorageError 'exists' when `onlyNew` and the service decides itself */
  async put(key: string, content: Uint8Array, options: PutOptions): Promise<StoredObject> {
    const put = await calling(key, () =>
      this.#client.send(
        new this.#sdk.PutObjectCommand({
          ...this.#at(key),
          Body: content,
          ContentLength: content.length,
          ...(options.mark === undefined ? {} : { Metadata: { [MARK]: options.mark } }),
          ...this.#ifNew(options.onlyNew),
        }),
      ),
    )
    return (await this.head(key)) ?? { key, size: content.length, modifiedMs: 0, etag: bare(put.ETag) }
  }

  async copy(from: StoredObject, to: string): Promise<void> {
    if (from.size > MAX_COPY_BYTES) return this.#copyInParts(from, to)
    await calling(from.key, () =>
      this.#client.send(new this.#sdk.CopyObjectCommand({ ...this.#at(to), CopySource: this.#source(from.key) })),
    )
  }

  /** Deletes one by one: the batch call needs checksums that not every service accepts. Missing objects are ignored. */
  async deleteEach(objects: readonly StoredObject[], progress?: Progress): Promise<void> {
    const lanes = new Semaphore(IN_FLIGHT)
    await Promise.all(
      objects.map((object) =>
        lanes.run(async () => {
          progress?.signal?.throwIfAborted()
          await calling(object.key, () => this.#client.send(new this.#sdk.DeleteObjectCommand(this.#at(object.key))))
          progress?.add(countOf(object))
        }),
      ),
    )
  }

  async beginMultipart(key: string, mark: string): Promise<string> {
    const command = new this.#sdk.CreateMultipartUploadCommand({ ...this.#at(key), Metadata: { [MARK]: mark } })
    const { UploadId: uploadId } = await calling(key, () => this.#client.send(command))
    if (uploadId === undefined) throw new StorageError('io', { key })
    return uploadId
  }

  async putPart(
    multipart: Multipart,
    { number, content }: { readonly number: number; readonly content: Uint8Array },
    signal?: AbortSignal,
  ): Promise<void> {
    const command = new this.#sdk.UploadPartCommand({
      ...this.#at(multipart.key),
      UploadId: multipart.uploadId,
      PartNumber: number,
      Body: content,
      ContentLength: content.length,
    })
    await calling(multipart.key, () => this.#client.send(command, abortable(signal)), signal)
  }

  async parts(multipart: Multipart): Promise<StoredPart[]> {
    const found: StoredPart[] = []
    let marker: string | undefined
    do {
      const command = new this.#sdk.ListPartsCommand({
        ...this.#at(multipart.key),
        UploadId: multipart.uploadId,
        ...(marker === undefined ? {} : { PartNumberMarker: marker }),
      })
      const page: Sdk.ListPartsCommandOutput = await calling(multipart.key, () => this.#client.send(command))
      for (const part of page.Parts ?? []) {
        const modifiedMs = part.LastModified?.getTime() ?? 0
        found.push({ number: part.PartNumber ?? 0, size: part.Size ?? 0, etag: part.ETag ?? '', modifiedMs })
      }
      marker = page.IsTruncated === true ? page.NextPartNumberMarker : undefined
    } while (marker !== undefined)
    return found
  }

  async completeMultipart(multipart: Multipart, parts: readonly StoredPart[], onlyNew: boolean): Promise<void> {
    const command = new this.#sdk.CompleteMultipartUploadCommand({
      ...this.#at(multipart.key),
      UploadId: multipart.uploadId,
      MultipartUpload: { Parts: parts.map((part) => ({ PartNumber: part.number, ETag: part.etag })) },
      ...this.#ifNew(onlyNew),
    })
    await calling(multipart.key, () => this.#client.send(command))
  }

  /** An unknown upload is fine. */
  async abortMultipart(multipart: Multipart): Promise<void> {
    const command = new this.#sdk.AbortMultipartUploadCommand({
      ...this.#at(multipart.key),
      UploadId: multipart.uploadId,
    })
    try {
      await calling(multipart.key, () => this.#client.send(command))
    } catch (error) {
      if (!(error instanceof StorageError) || !['upload-gone', 'not-found'].includes(error.reason)) throw error
    }
  }

  async *multiparts(): AsyncGenerator<Multipart & { readonly begunMs: number }> {
    let marker: { KeyMarker?: string; UploadIdMarker?: string } | undefined = {}
    while (marker !== undefined) {
      const command: Sdk.ListMultipartUploadsCommand = new this.#sdk.ListMultipartUploadsCommand({
        Bucket: this.options.bucket,
        Prefix: this.#prefixOf(''),
        EncodingType: 'url',
        ...marker,
      })
      const page: Sdk.ListMultipartUploadsCommandOutput = await calling('', () => this.#client.send(command))
      for (const found of page.Uploads ?? []) {
        const key = this.#keyOf(decoded(found.Key))
        if (found.UploadId !== undefined)
          yield { key, uploadId: found.UploadId, begunMs: found.Initiated?.getTime() ?? 0 }
      }
      marker = nextMarker(page)
    }
  }

  async #copyInParts(from: StoredObject, to: string): Promise<void> {
    const multipart = { key: to, uploadId: await this.beginMultipart(to, '') }
    try {
      for (let at = 0, number = 1; at < from.size; at += COPY_PART_BYTES, number++) {
        const command = new this.#sdk.UploadPartCopyCommand({
          ...this.#at(to),
          UploadId: multipart.uploadId,
          PartNumber: number,
          CopySource: this.#source(from.key),
          CopySourceRange: `bytes=${at}-${Math.min(at + COPY_PART_BYTES, from.size) - 1}`,
        })
        await calling(from.key, () => this.#client.send(command))
      }
      await this.completeMultipart(multipart, await this.parts(multipart), false)
    } catch (error) {
      await this.abortMultipart(multipart)
      throw error
    }
  }

  async #reading<T>(key: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    try {
      return await calling(key, work, signal)
    } catch (error) {
      const isOther = error instanceof StorageError && ['exists', 'not-found'].includes(error.reason)
      throw isOther ? new StorageError('conflict', { key, cause: error }) : error
    }
  }

  #at(key: string): { readonly Bucket: string; readonly Key: string } {
    return { Bucket: this.options.bucket, Key: this.name(key) }
  }

  #source(key: string): string {
    return encodeURIComponent(`${this.options.bucket}/${this.name(key)}`)
  }

  #ifNew(onlyNew: boolean): { IfNoneMatch?: string } {
    return onlyNew && this.options.conditionalWrites ? { IfNoneMatch: '*' } : {}
  }

  #prefixOf(folder: string): string {
    const { prefix } = this.options
    if (folder !== '') return `${this.name(folder)}/`
    return prefix === '' ? '' : `${prefix}/`
  }

  #keyOf(name: string): string {
    return name.slice(this.#prefixOf('').length)
  }
}

/** Metadata that distinguishes our own completed upload from another object of the same name. */
const MARK = 'godwit-upload'

interface Described {
  readonly Size?: number | undefined
  readonly LastModified?: Date | undefined
  readonly ETag?: string | undefined
}

function storedObject(key: string, found: Described): StoredObject {
  return { key, size: found.Size ?? 0, modifiedMs: found.LastModified?.getTime() ?? 0, etag: bare(found.ETag) }
}

function bare(etag: string | undefined): string {
  return (etag ?? '').replaceAll('"', '')
}

function decoded(name: string | undefined): string {
  return decodeURIComponent((name ?? '').replaceAll('+', ' '))
}

function abortable(signal: AbortSignal | undefined): { abortSignal?: AbortSignal } {
  return signal === undefined ? {} : { abortSignal: signal }
}

function nextMarker(
  page: Sdk.ListMultipartUploadsCommandOutput,
): { KeyMarker: string; UploadIdMarker: string } | undefined {
  const { IsTruncated: more, NextKeyMarker: key, NextUploadIdMarker: id } = page
  return more === true && key !== undefined && id !== undefined
    ? { KeyMarker: decoded(key), UploadIdMarker: id }
    : undefined
}
