import { withAppErrors } from '../../foundation/storages/index.ts'
import type { Location } from '../access/index.ts'
import type { bucketOfRow } from './buckets.ts'
import type { IntakeDeps } from './intake.deps.ts'

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
