import fs from 'node:fs'
import path from 'node:path'
import { AppError } from '../../kernel/errors.ts'
import { isInside, overlapsProgram, realPlace } from '../../kernel/config/index.ts'
import { bucketRoot, localRoot } from './storages.kinds.ts'
import type { StorageRow } from './storages.schema.ts'

interface FolderDeps {
  readonly data: string
  readonly program: string
}

/**
 * A folder for a storage stands alone: apart from the program, the data folder and every other storage, so that no file
 * is reached on two ways.
 * @throws AppError STORAGE_PATH_INVALID
 */
export function requireFreeFolder(
  { data, program }: FolderDeps,
  settings: unknown,
  others: readonly StorageRow[],
): void {
  const folder = localRoot('/', settings)
  if (localRoot(data, settings) !== folder)
    throw new AppError('STORAGE_PATH_INVALID', { rule: 'must be an absolute path' })
  if (!fs.existsSync(path.dirname(folder)))
    throw new AppError('STORAGE_PATH_INVALID', { rule: 'the folder above is missing' })
  if (overlapsProgram(folder, program))
    throw new AppError('STORAGE_PATH_INVALID', { rule: 'must be apart from the program' })
  const locals = others.filter(({ kind }) => kind === 'local').map((row) => localRoot(data, JSON.parse(row.settings)))
  for (const other of [data, ...locals]) {
    const [one, two] = [realPlace(folder), realPlace(other)]
    if (isInside(one, two) || isInside(two, one)) {
      throw new AppError('STORAGE_PATH_INVALID', { rule: 'must not overlap the data folder or another storage' })
    }
  }
}

/** @throws AppError STORAGE_PATH_INVALID when another storage reaches the same objects */
export function requireFreeBucket(settings: unknown, others: readonly StorageRow[]): void {
  const own = bucketRoot(settings)
  for (const row of others) {
    if (row.kind === 'local') continue
    const other = bucketRoot(JSON.parse(row.settings))
    const isNested = own.prefix.startsWith(other.prefix) || other.prefix.startsWith(own.prefix)
    if (own.bucket === other.bucket && isNested)
      throw new AppError('STORAGE_PATH_INVALID', { rule: 'must not overlap another storage' })
  }
}
