import type { TreeNode } from '@godwit/base'
import { createHashPool } from '../../content/uploads/index.ts'

/** Whole leaves of the tree hash. */
const SPAN_BYTES = 16 * 1024 * 1024
const WORKERS = 2

export interface Hashing {
  readonly signal: AbortSignal
  readonly onProgress: (bytes: number) => void
}

/** The tree hash of a file on this device. @throws SourceGone, the signal's reason */
export async function hashOfFile(file: File, { signal, onProgress }: Hashing): Promise<string> {
  const pool = createHashPool(WORKERS)
  const nodes: TreeNode[] = []
  let done = 0
  let next = 0
  const take = async (): Promise<void> => {
    // An empty file has one span, of no bytes.
    while (next === 0 || next < file.size) {
      const from = next
      next += SPAN_BYTES
      signal.throwIfAborted()
      const span = file.slice(from, from + SPAN_BYTES)
      nodes.push(...(await pool.part(span, from)))
      done += span.size
      onProgress(done)
    }
  }
  try {
    await Promise.all(Array.from({ length: WORKERS }, take))
    return await pool.root(file.size, nodes)
  } finally {
    pool.close()
  }
}
