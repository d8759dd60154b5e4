import { requireSize } from '../../content/intake/index.ts'
import { rootOfBytes } from '../../content/tree-hashes/index.ts'
import { newWithin } from '../../content/access/index.ts'
import { KiB } from '@godwit/base'
import { AppError } from '../../kernel/errors.ts'
import type { WebdavDeps } from './webdav.deps.ts'
import type { Asked, Target } from './webdav.entries.ts'

/** Files up to here are taken whole and stored in one step: a mount brings thousands of them. */
export const SMALL_BYTES = 256 * KiB

interface SmallPut {
  readonly target: Target
  readonly source: AsyncIterable<Uint8Array>
  /** Why its sender may not go on. */
  readonly signal?: AbortSignal
  readonly length: number
  readonly conflict: 'fail' | 'replace'
  readonly modifiedMs: number
}

/** @throws AppError as the intake refuses it, UPLOAD_INCOMPLETE for a body that ended early */
export async function storeSmall({ intake }: WebdavDeps, { ctx }: Asked, put: SmallPut): Promise<void> {
  const { target, source, length, conflict, modifiedMs } = put
  requireSize(intake.limits, length)
  const location = newWithin(target.folder, { name: target.name, kind: 'file' })
  const content = await contentOf(source, length)
  put.signal?.throwIfAborted()
  const hash = rootOfBytes(content)
  const [outcome] = await intake.storeSmallFiles(ctx, {
    files: [{ target: location, content, hash, modifiedMs, conflict }],
  })
  if (outcome?.error !== undefined) throw outcome.error
}

async function contentOf(source: AsyncIterable<Uint8Array>, length: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of source) {
    chunks.push(Buffer.from(chunk))
    bytes += chunk.length
  }
  if (bytes !== length) throw new AppError('UPLOAD_INCOMPLETE')
  return Buffer.concat(chunks, bytes)
}
