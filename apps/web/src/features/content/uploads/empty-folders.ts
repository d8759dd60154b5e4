import type { FileOperations } from '../../../lib/file-operations.ts'
import { isFailure } from '../../../lib/http.ts'
import { joinPath, nameOf, parentOf } from '../../../lib/paths.ts'
import type { UploadJob } from './upload-job.ts'

/** Makes folders that hold no file, with everything above them; files make their own folders on the way. */
export async function makeEmptyFolders(
  operate: FileOperations,
  { place, folder, emptyFolders }: UploadJob,
): Promise<void> {
  const made = new Set<string>()
  for (const path of emptyFolders) {
    const parts = path.split('/')
    for (let depth = 1; depth <= parts.length; depth++) {
      const whole = joinPath(folder, parts.slice(0, depth).join('/'))
      if (made.has(whole)) continue
      made.add(whole)
      try {
        await operate('mkdir', { ...place, folder: parentOf(whole), name: nameOf(whole) })
      } catch (error) {
        // A folder that is there already is as good as made.
        if (!isFailure(error, 'PATH_EXISTS')) throw error
      }
    }
  }
}
