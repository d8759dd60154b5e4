import type { Entry } from '@godwit/storage'
import { withAppErrors } from '../../../foundation/storages/index.ts'
import { AppError } from '../../../kernel/errors.ts'
import type { StoredEntry } from '../files.changes.ts'
import { treeMark } from '../tree-mark.ts'

/** What stood under a path when a job was asked for, as the job keeps it. */
export function seenAs({ kind, etag, size, modifiedMs }: Entry): string {
  // Contents may come and go in a folder meanwhile; it is still the folder that the person saw.
  return kind === 'folder' ? `folder ${etag}` : `file ${etag} ${size} ${modifiedMs}`
}

/**
 * A job acts on what its owner saw, never on a name alone: what took the name meanwhile is left where it is.
 * @param seen undefined for what nobody looked at, such as an entry below a folder that was seen
 * @throws AppError FILE_CHANGED
 */
export function requireSeen(entry: Entry, seen: string | undefined): void {
  if (seen !== undefined && seen !== seenAs(entry)) throw new AppError('FILE_CHANGED')
}

/**
 * @param tree what has to be in the folder, see tree-mark.ts; '' for whatever is
 * @throws AppError FILE_CHANGED
 */
export async function requireTree(folder: StoredEntry, tree: string): Promise<void> {
  if (tree !== '' && tree !== (await withAppErrors(() => treeMark(folder)))) throw new AppError('FILE_CHANGED')
}
