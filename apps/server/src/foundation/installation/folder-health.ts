import fs from 'node:fs/promises'
import { MiB } from '@godwit/base'
import { StorageError } from '@godwit/storage'
import { AppError } from '../../kernel/errors.ts'

/** Less than this is as good as nothing: not even a row can be written. */
const FULL_BELOW_BYTES = MiB

/** Linux makes a file without a name for it, which leaves nothing behind. Its value is the kernel's, and not among Node's. */
const O_TMPFILE = 0o20000000 | fs.constants.O_DIRECTORY

/** Whether a folder of this machine can be written to. @throws StorageError 'not-found', 'read-only', 'permission', 'no-space' */
export async function probeFolder(folder: string): Promise<void> {
  try {
    await fs.access(folder, fs.constants.R_OK | fs.constants.W_OK | fs.constants.X_OK)
    const { bavail, bsize, files, ffree } = await fs.statfs(folder)
    // Some filesystems have no fixed number of files and report none.
    if (bavail * bsize < FULL_BELOW_BYTES || (files > 0 && ffree === 0)) throw new StorageError('no-space')
    await tryWriting(folder)
  } catch (thrown) {
    throw thrown instanceof StorageError ? thrown : new StorageError(reasonOf(thrown), { cause: thrown })
  }
}

/** A filesystem that the kernel made read-only after a fault still grants access; only a change is refused. */
async function tryWriting(folder: string): Promise<void> {
  if (process.platform !== 'linux') return
  try {
    await (await fs.open(folder, O_TMPFILE | fs.constants.O_WRONLY, 0o600)).close()
  } catch (thrown) {
    // Not every filesystem has such files.
    const code = thrown instanceof Error && 'code' in thrown ? thrown.code : undefined
    if (code !== 'EOPNOTSUPP' && code !== 'EISDIR' && code !== 'EINVAL') throw thrown
  }
}

function reasonOf(thrown: unknown): 'not-found' | 'read-only' | 'permission' | 'no-space' | 'io' {
  const code = thrown instanceof Error && 'code' in thrown ? thrown.code : undefined
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'not-found'
  if (code === 'EROFS') return 'read-only'
  if (code === 'ENOSPC' || code === 'EDQUOT') return 'no-space'
  return code === 'EACCES' || code === 'EPERM' ? 'permission' : 'io'
}

const CODES = {
  'not-found': 'STORAGE_UNREACHABLE',
  'read-only': 'STORAGE_READ_ONLY',
  'no-space': 'STORAGE_FULL',
  permission: 'STORAGE_PERMISSION',
  io: 'STORAGE_UNREACHABLE',
} as const

/**
 * Whether the data folder still is where it was, with the database in it, and can be written to.
 * @throws AppError STORAGE_UNREACHABLE, STORAGE_READ_ONLY, STORAGE_FULL, STORAGE_PERMISSION
 */
export async function checkDataFolder(data: string, databaseUrl: string): Promise<void> {
  try {
    await probeFolder(data)
    if (databaseUrl.startsWith('sqlite:')) await requireFile(databaseUrl.slice('sqlite:'.length))
  } catch (thrown) {
    const reason = thrown instanceof StorageError && thrown.reason in CODES ? thrown.reason : 'io'
    throw new AppError(CODES[reason as keyof typeof CODES], undefined, { cause: thrown })
  }
}

/** An open database goes on in a file that was deleted, or in another filesystem's, and is lost at the next start. */
async function requireFile(file: string): Promise<void> {
  try {
    await fs.access(file)
  } catch (thrown) {
    throw new StorageError('not-found', { cause: thrown })
  }
}
