import { createReadStream, openAsBlob } from 'node:fs'
import { mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { UploadResult } from '@godwit/contract'
import type { DownloadOptions } from './downloads.ts'
import { failed } from './failures.ts'
import type { Godwit } from './godwit.ts'
import { blake3, TreeHasher } from './hashes.ts'
import { idsOf } from './places.ts'
import type { UploadOptions } from './uploads.ts'

/** Files of this computer, for programs on Node. */

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
 * the same call after a crash goes on with it.
 * @throws ApiError as `Godwit.download`, UPLOAD_HASH_MISMATCH when what arrived is not what the server has; the error of the disk
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
  const kept = await stat(part).catch(() => undefined)
  let coming = first
  if (kept !== undefined && kept.size > 0) {
    for await (const piece of createReadStream(part, { highWaterMark: 1 << 20 })) hasher.update(piece as Uint8Array)
    await first.stream.cancel()
    // A part that is whole already has nothing to fetch: a range beyond the end is no range.
    const from = { offset: hasher.size, etag: first.etag }
    coming =
      hasher.size === first.size ? { ...first, stream: empty() } : await godwit.download(path, { ...options, from })
  }
  const file = await open(part, 'a')
  try {
    for await (const piece of coming.stream) {
      hasher.update(piece)
      await file.writeFile(piece)
    }
    await file.sync()
  } finally {
    await file.close()
  }
  const hash = hasher.root()
  if (entry.hash !== undefined && entry.hash !== hash && entry.size === hasher.size) {
    await rm(part)
    throw failed('UPLOAD_HASH_MISMATCH', `what has arrived is not what the server has: ${path}`)
  }
  await rename(part, target)
  return { size: hasher.size, hash, isVerified: entry.hash === hash }
}

/** Another version has another name, so that two are never mixed. */
function partOf(target: string, etag: string): string {
  const version = etag.replaceAll(/[^A-Za-z0-9]+/g, '').slice(0, 64)
  return join(dirname(target), `.${basename(target)}.${version}.part`)
}

function empty(): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream({ start: (target) => target.close() })
}
