import type { FileOperations } from '../../../lib/file-operations.ts'
import type { Place } from '../../../lib/file-socket.ts'
import { isFailure, isTransient, isRefusal } from '../../../lib/http.ts'
import { joinPath, nameOf, parentOf } from '../../../lib/paths.ts'
import type { Failed, UploadJob } from './upload-job.ts'

/**
 * Makes folders that hold no file, with everything above them; files make their own folders on the way. A folder that is
 * refused is noted in the job, and the others are made.
 * @throws faults that are none of a folder: out of reach, signed out
 */
export async function makeEmptyFolders(operate: FileOperations, job: UploadJob): Promise<void> {
  const made = new Set<string>()
  const faults: Failed[] = []
  for (const path of job.emptyFolders) {
    try {
      await makeFolders(operate, job, path, made)
    } catch (error) {
      if (!isRefusal(error) || isTransient(error) || isFailure(error, 'TOKEN_INVALID')) throw error
      faults.push({ path, error })
    }
  }
  job.folderFaults = faults
}

async function makeFolders(
  operate: FileOperations,
  { place, folder }: UploadJob,
  path: string,
  made: Set<string>,
): Promise<void> {
  const parts = path.split('/')
  for (let depth = 1; depth <= parts.length; depth++) {
    const whole = joinPath(folder, parts.slice(0, depth).join('/'))
    if (made.has(whole)) continue
    try {
      await operate('mkdir', { ...place, folder: parentOf(whole), name: nameOf(whole) })
    } catch (error) {
      // A folder that is there already is as good as made; a file in its place is not.
      if (!isFailure(error, 'PATH_EXISTS') || !(await isFolder(operate, place, whole))) throw error
    }
    made.add(whole)
  }
}

async function isFolder(operate: FileOperations, place: Place, path: string): Promise<boolean> {
  const { items } = await operate('exists', { ...place, paths: [path] })
  return items[0]?.file_type === 'Folder'
}
