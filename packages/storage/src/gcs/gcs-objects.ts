import type { StoredObject } from '../bucket/bucket.ts'
import { HIDDEN_FOLDER } from '../keys.ts'

/** An object as the service describes it; the last field comes with a copy that takes several calls. */
export interface Described {
  readonly name: string
  readonly size?: string
  readonly updated?: string
  readonly generation?: string
  readonly metadata?: Readonly<Record<string, string>>
  readonly rewriteToken?: string
}

export const FIELDS = 'name,size,updated,generation,metadata'
/** Metadata that distinguishes our own completed upload from another object of the same name. */
export const MARK = 'godwitUpload'
/** Uploads that go on, a folder each with its parts. */
export const UPLOADS = `${HIDDEN_FOLDER}/uploads`
/** Names the key of an upload. */
export const NOTE = 'note'

export function uploadFolder(uploadId: string): string {
  return `${UPLOADS}/${uploadId}`
}

export function partKey(uploadId: string, number: number): string {
  return `${uploadFolder(uploadId)}/${String(number).padStart(6, '0')}`
}

export function stored(key: string, { size, updated, generation }: Described): StoredObject {
  return { key, size: Number(size ?? 0), modifiedMs: Date.parse(updated ?? '') || 0, etag: generation ?? '' }
}

/** The service's word for a failure. It says "notFound" of buckets and objects alike; only its sentence tells which. */
export function codeIn(body: string): string {
  try {
    const { error } = JSON.parse(body) as {
      readonly error?: { readonly message?: string; readonly errors?: ReadonlyArray<{ readonly reason?: string }> }
    }
    const reason = error?.errors?.[0]?.reason ?? ''
    if (reason === 'notFound' && /bucket does not exist/i.test(error?.message ?? '')) return 'NoSuchBucket'
    if (reason === 'authError' || reason === 'required') return 'InvalidToken'
    return reason === 'rateLimitExceeded' || reason === 'userRateLimitExceeded' ? 'SlowDown' : reason
  } catch {
    return ''
  }
}
