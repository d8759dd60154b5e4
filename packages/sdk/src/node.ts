import { type BigIntStats, constants, openAsBlob } from 'node:fs'
import { type FileHandle, mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { UploadResult } from '@godwit/contract'
import type { Download, DownloadOptions } from './downloads.ts'
import { failed } from './failures.ts'
import type { Godwit } from './godwit.ts'
import { blake3, TreeHasher } from './hashes.ts'
import { idsOf } from './places.ts'
import type { UploadOptions } from './uploads.ts'

/** Files of this computer, for programs on Node. */

const READ_BYTES = 1 << 20

/** Sends a local file; the same call after a crash goes on where it stopped. @throws as `Godwit.upload`, and the error of the disk */
export async function uploadFile(
  godwit: Godwit,
  file: string,
  path: string,
  options: UploadOptions = {},
): Promise<UploadResult> {
  const [blob, { mtimeMs }] = await Promise.all([openAsBlob(file), stat(file)])
  return godwit.upload(blob, path, { lastModified: mtimeMs, ...options })
}

export interface DownloadedFile {
  readonly size: number
  /** Tree hash of what is on the disk now. */
  readonly hash: string
  /** True when the server keeps a hash of the file, and it is the same. */
  readonly isVerified: boolean
}

/**
 * Fetches a file to `target`, which is replaced once all of it is there. What has arrived lies beside it as `.NAME.VERSION.part`;
 * the same call after a crash goes on with it. Calls at once for the same version and target write the same bytes to the same places: the first
 * one that is whole replaces the target, and the others find it there.
 * @throws ApiError as `Godwit.download`, UPLOAD_HASH_MISMATCH when what arrived is not what the server has, FILE_BUSY when another call or
 *   program took the part away; the error of the disk
 */
export async function downloadFile(
  godwit: Godwit,
  path: string,
  target: string,
  options: Omit<DownloadOptions, 'from'> = {},
): Promise<DownloadedFile> {
  const { items } = await godwit.api.operation('attributes', { ...idsOf(options), paths: [path] })
  const [entry] = items
  if (entry?.file_type !== 'File') throw failed('PATH_IS_FOLDER', `a folder is fetched as a stream: ${path}`)
  await mkdir(dirname(target), { recursive: true })
  const first = await godwit.download(path, options)
  const part = partOf(target, first.etag)
  const hasher = new TreeHasher(await blake3())
  const file = await open(part, constants.O_RDWR | constants.O_CREAT)
  let written: BigIntStats
  try {
    await hashKept(file, hasher, first.size)
    const { stream } = await restOf(godwit, { path, options, first, offset: hasher.size })
    for await (const piece of stream) {
      await writeAt(file, piece, hasher.size)
      hasher.update(piece)
    }
    await file.sync()
    written = await file.stat({ bigint: true })
  } finally {
    await file.close()
  }
  const hash = hasher.root()
  const isOther = entry.hash !== undefined && entry.hash !== hash && entry.size === hasher.size
  if (isOther || written.size !== BigInt(hasher.size)) {
    if (await isAt(part, written)) await rm(part, { force: true })
    throw failed('UPLOAD_HASH_MISMATCH', `what has arrived is not what the server has: ${path}`)
  }
  await putInPlace(part, target, written)
  return { size: hasher.size, hash, isVerified: entry.hash === hash }
}

/** What an earlier call has brought. A part that is longer than the file is none of it. */
async function hashKept(file: FileHandle, hasher: TreeHasher, wholeSize: number | undefined): Promise<void> {
  const { size } = await file.stat()
  if (wholeSize !== undefined && size > wholeSize) await file.truncate(0)
  const buffer = new Uint8Array(READ_BYTES)
  for (;;) {
    const { bytesRead } = await file.read(buffer, 0, buffer.length, hasher.size)
    if (bytesRead === 0) return
    hasher.update(buffer.subarray(0, bytesRead))
  }
}

interface Resumed {
  readonly path: string
  readonly options: DownloadOptions
  /** From the first byte on. */
  readonly first: Download
  /** Bytes that are there already. */
  readonly offset: number
}

async function restOf(godwit: Godwit, { path, options, first, offset }: Resumed): Promise<Pick<Download, 'stream'>> {
  if (offset === 0) return first
  await first.stream.cancel()
  // A part that is whole already has nothing to fetch: a range beyond the end is no range.
  if (offset === first.size) return { stream: empty() }
  return godwit.download(path, { ...options, from: { offset, etag: first.etag } })
}

async function writeAt(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let at = 0; at < bytes.length;) {
    const { bytesWritten } = await file.write(bytes, at, bytes.length - at, position + at)
    at += bytesWritten
  }
}

/** @param written the part, whole, as this call has it. @throws ApiError FILE_BUSY */
async function putInPlace(part: string, target: string, written: BigIntStats): Promise<void> {
  if (await isAt(part, written)) {
    try {
      await rename(part, target)
      return
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
    }
  }
  // Another call was faster with the same bytes.
  if (!(await isAt(target, written))) throw failed('FILE_BUSY', `something else took the part away: ${target}`)
}

/** Whether this very file is at the path, with all of its bytes. */
async function isAt(path: string, { dev, ino, size }: BigIntStats): Promise<boolean> {
  const found = await stat(path, { bigint: true }).catch(() => undefined)
  return found?.dev === dev && found.ino === ino && found.size === size
}

/** Another version has another name, so that two are never mixed. */
function partOf(target: string, etag: string): string {
  const version = etag.replaceAll(/[^A-Za-z0-9]+/g, '').slice(0, 64)
  return join(dirname(target), `.${basename(target)}.${version}.part`)
}

function empty(): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream({ start: (target) => target.close() })
}
