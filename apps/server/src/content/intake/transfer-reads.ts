import { LEAF_BYTES, leafCount } from '@godwit/base'
import { withAppErrors } from '../../foundation/storages/index.ts'
import type { Location } from '../access/index.ts'
import type { bucketOfRow } from './buckets.ts'
import type { IntakeDeps } from './intake.deps.ts'
import type { LiveUpload } from './live-uploads.ts'

/** Bytes that the storage and the quota leave; undefined where neither has a bound. */
export async function freeBytesAt(
  { quotas }: Pick<IntakeDeps, 'quotas'>,
  root: Location,
  bucket: ReturnType<typeof bucketOfRow>,
): Promise<number | undefined> {
  const [space, { usedBytes, quotaBytes }] = await Promise.all([
    withAppErrors(() => root.store.space()),
    quotas.usageOf(bucket),
  ])
  if (quotaBytes === 0) return space?.freeBytes
  const left = Math.max(0, quotaBytes - usedBytes)
  return space === undefined ? left : Math.min(left, space.freeBytes)
}

/** Leaves of an upload that are durable from their first byte to their last, ascending. */
export function storedLeaves({ durable }: LiveUpload, size: number): readonly number[] {
  const isStored = (leaf: number): boolean => {
    const start = leaf * LEAF_BYTES
    return durable.missing(start, Math.min(start + LEAF_BYTES, size)).length === 0
  }
  return Array.from({ length: leafCount(size) }, (_value, leaf) => leaf).filter(isStored)
}

/** Bytes of a visible file. */
export function readVisible(
  { store, key }: Location,
  { fileOffset, length }: { readonly fileOffset: number; readonly length: number },
): Promise<Buffer> {
  return withAppErrors(async () => {
    await using reader = await store.openRead(key)
    const chunks: Buffer[] = []
    const span = { start: fileOffset, end: fileOffset + length }
    for await (const chunk of reader.stream(span)) chunks.push(Buffer.from(chunk))
    return Buffer.concat(chunks)
  })
}

/** One version of a file. */
export function versionOf({
  path,
  size,
  mtimeMs,
}: {
  readonly path: string
  readonly size: number
  readonly mtimeMs: number
}): string {
  return `${size}/${mtimeMs}/${path}`
}
