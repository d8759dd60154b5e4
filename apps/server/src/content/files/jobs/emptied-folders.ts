import { isEmptyFolder } from '@godwit/storage'
import { AppError } from '../../../kernel/errors.ts'
import { find, folderOf, nameOf, newWithin, requireFolder, type Location } from '../../access/index.ts'
import { noteChange } from '../files.changes.ts'
import type { FilesDeps } from '../files.deps.ts'
import { requireNoClash } from '../files.service.ts'
import { addFolder, type Actor } from '../steps/index.ts'

/**
 * Removes a folder whose entries went elsewhere, one by one. What was skipped, or came meanwhile, keeps it.
 * @returns whether it is gone
 */
export async function removeEmptied(files: FilesDeps, folder: Location): Promise<boolean> {
  const { store, key } = folder
  return files.locks.runAll([folderOf(folder), folder], async () => {
    // In a bucket a folder without a marker goes with the last entry in it.
    if ((await store.stat(key)) !== undefined) {
      if (!(await isEmptyFolder(store, key))) return false
      await store.remove(key)
    }
    noteChange(files, folder, 'gone')
    return true
  })
}

/**
 * Makes a folder again that a move had emptied and removed. One that is there is taken as it is.
 * @throws AppError PATH_IS_FILE, NAME_CASE_CLASH when something else took the name, PATH_NOT_FOUND without the folder above
 */
export async function remakeFolder(files: FilesDeps, actor: Actor, folder: Location): Promise<void> {
  const above = await requireFolder(folderOf(folder))
  await files.locks.run(above, async () => {
    const found = await find(folder)
    if (found?.entry.kind === 'folder') return
    if (found !== undefined) throw new AppError('PATH_IS_FILE')
    const made = newWithin(above, { name: nameOf(folder), kind: 'folder' })
    await requireNoClash(files, made)
    await addFolder(files, actor, made)
  })
}
