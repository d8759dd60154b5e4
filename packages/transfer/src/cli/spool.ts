import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { checkPath } from '../manifests/paths.ts'
import { UsageError } from './arguments.ts'

export interface Spooled extends AsyncDisposable {
  /** Absolute path of the file that the input became. */
  readonly path: string
}

/**
 * Stores an input in a temporary file of that name, for this user only: a transfer must know the size of what it sends,
 * and to be able to send it again.
 * @throws UsageError for a name that no receiver accepts
 */
export async function spool(input: Readable, name: string | undefined, signal: AbortSignal): Promise<Spooled> {
  if (name === undefined) throw new UsageError('send - needs --name, the name of the file at the receiver')
  if (!checkPath(name).ok || name.includes('/')) throw new UsageError(`--name takes the name of a file, not ${name}`)
  const folder = await mkdtemp(join(tmpdir(), 'gwt-spool-'))
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true })
  try {
    const path = join(folder, name)
    await pipeline(input, createWriteStream(path, { mode: 0o600 }), { signal })
    return { path, [Symbol.asyncDispose]: remove }
  } catch (error) {
    await remove()
    throw error
  }
}
